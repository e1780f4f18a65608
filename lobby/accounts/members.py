"""Sign-up, login and password changes of members, and the sessions these create."""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg
import msgspec

from lobby.accounts.identity import GUEST_DAYS, token_hash
from lobby.accounts.names import check_name, is_name, skeleton
from lobby.accounts.passwords import check_password
from lobby.accounts.user import User
from lobby.errors import BadCredentials, BadField, Conflict, Forbidden, NameTaken, WrongPassword
from lobby.ids import new_id, new_token

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.accounts.identity import Identities
    from lobby.accounts.passwords import Hasher
    from lobby.ports import Connection, Pool

MOST_SESSIONS = 100
"""Sessions of one person: more than the browsers and devices anybody uses within a month."""

MAX_AGENT = 200
"""Characters stored of a User-Agent."""

MAX_EMAIL = 254
"""RFC 5321 §4.5.3.1.3, without the angle brackets."""


class Login(msgspec.Struct, frozen=True):
    """A new session. The token is stored only as a hash: pass it on now."""

    user: User
    token: str


async def insert_session(connection: Connection, person: str, agent: str | None) -> str:
    """Insert a session and return its token."""
    token = new_token()
    await connection.execute(
        """
        INSERT INTO session (token_hash, person, expires_at, agent)
        VALUES ($1, $2, now() + make_interval(days => $3), $4)
        """,
        token_hash(token),
        person,
        GUEST_DAYS,
        None if agent is None else "".join(char for char in agent if char.isprintable())[:MAX_AGENT],
    )
    return token


async def end_oldest_sessions(connection: Connection, person: str) -> list[bytes]:
    """End the least recently used sessions of ``person`` beyond ``MOST_SESSIONS``; return their token hashes.

    A program that logs in repeatedly would otherwise leave a session for 30 days each time.
    """
    rows = await connection.fetch(
        """
        WITH gone AS (
            DELETE FROM session WHERE token_hash IN (
                SELECT token_hash FROM session WHERE person = $1 AND scopes IS NULL
                ORDER BY used_at DESC, created_at DESC OFFSET $2
            ) RETURNING token_hash
        ), changed AS (
            UPDATE person SET changed_at = now() WHERE id = $1 AND EXISTS (SELECT 1 FROM gone)
        )
        SELECT token_hash FROM gone
        """,
        person,
        MOST_SESSIONS,
    )
    return [row["token_hash"] for row in rows]


def check_email(email: str) -> str:
    """Return ``email`` if it is a valid address.

    Raises:
        BadField: ``email``.
    """
    local, at, domain = email.rpartition("@")
    fine = at and local and "." in domain.strip(".") and len(email) <= MAX_EMAIL and email.isprintable()
    if not fine or any(char.isspace() or char in '<>(),;:\\"' for char in email):
        raise BadField("email", "expected an address like name@example.org")
    return email


class Members:
    """People with a name and a password.

    Args:
        identities: the sessions.
        hasher: hashes passwords.
        on_changed: called with a user whose name, title or kind has changed.
    """

    def __init__(
        self, identities: Identities, hasher: Hasher, on_changed: Callable[[User], None] = lambda user: None
    ) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._hasher = hasher
        self._on_changed = on_changed

    def changed(self, user: User) -> None:
        """Announce a change to the public fields of ``user``: tokens, seats and seeks are updated."""
        self._identities.forget_person(user.id)
        self._on_changed(user)

    async def sign_up(
        self, name: str, password: str, email: str | None, *, guest: User | None = None, agent: str | None = None
    ) -> Login:
        """Create a member. A ``guest`` becomes the member and keeps everything they have.

        Raises:
            BadField: ``name``, ``password`` or ``email``.
            NameTaken: the name, or one that looks like it, is taken.
            Conflict: ``guest`` is not a guest any more.
            Unavailable: too many passwords are being hashed.
        """
        check_name(name)
        check_password(password, name)
        if email is not None:
            check_email(email)
        if guest is not None and guest.kind != "guest":
            raise Conflict(f"you are signed in as {guest.name}; sign out first")
        plain = skeleton(name)
        if await self._pool.fetchval(
            "SELECT true FROM person WHERE lower(name) = lower($1) OR skeleton = $2 LIMIT 1", name, plain
        ) or await is_kept(self._pool, plain):
            raise _taken(name)  # before the hash, which costs more
        encoded = await self._hasher.hash(password)
        ended: list[bytes] = []
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                user = await _insert_member(connection, name, plain, guest)
                if await is_kept(connection, plain):
                    raise _taken(name)  # The former owner of the name has left meanwhile; the insert waited for that.
                await connection.execute(
                    "INSERT INTO account (person, password, unconfirmed) VALUES ($1, $2, $3)", user.id, encoded, email
                )
                rows = await connection.fetch("DELETE FROM session WHERE person = $1 RETURNING token_hash", user.id)
                ended += (row["token_hash"] for row in rows)
                token = await insert_session(connection, user.id, agent)
        except asyncpg.UniqueViolationError as error:
            raise _taken(name) from error
        if guest is not None:
            self.changed(user)
            self._identities.ended(user.id, ended, is_replaced=True)
        return Login(user, token)

    async def log_in(self, name: str, password: str, *, agent: str | None = None) -> Login:
        """Create a session of the member called ``name``.

        The duration does not reveal whether the member exists.

        Raises:
            BadCredentials: there is no such member, or the password is wrong.
            Forbidden: the account is closed.
            Unavailable: too many logins are under way.
        """
        row = None
        if is_name(name):
            row = await self._pool.fetchrow(
                """
                SELECT p.id, p.name, p.kind, p.title, p.closed_at, a.password
                FROM person p JOIN account a ON a.person = p.id WHERE lower(p.name) = lower($1)
                """,
                name,
            )
        if not await self._hasher.verify(None if row is None else row["password"], password) or row is None:
            raise BadCredentials("wrong username or password")
        if row["closed_at"] is not None:
            raise Forbidden("this account is closed")
        user = User(id=row["id"], name=row["name"], kind=row["kind"], title=row["title"])
        renewed = None
        if self._hasher.is_outdated(row["password"]):
            renewed = await self._hasher.hash(password)
        async with self._pool.acquire() as connection, connection.transaction():
            # Only if the row is unchanged: the password may have been changed since it was read.
            still = await connection.fetchval(
                "UPDATE account SET password = coalesce($3, password) WHERE person = $1 AND password = $2 RETURNING 1",
                user.id,
                row["password"],
                renewed,
            )
            if still is None:
                raise BadCredentials("wrong username or password")
            token = await insert_session(connection, user.id, agent)
            ended = await end_oldest_sessions(connection, user.id)
        self._identities.ended(user.id, ended)
        return Login(user, token)

    async def check_own_password(self, user: User, password: str, field: str = "password") -> None:
        """Check that the holder of a session of ``user`` knows the password too.

        Raises:
            WrongPassword: the password is wrong, or ``user`` has none.
        """
        encoded = await self._pool.fetchval("SELECT password FROM account WHERE person = $1", user.id)
        if not await self._hasher.verify(encoded, password):
            raise WrongPassword(field, "wrong password")

    async def change_password(self, user: User, old: str, new: str, *, keep: bytes) -> None:
        """Set a new password, and end all other sessions and all API tokens.

        Args:
            keep: token hash of the session that stays.

        Raises:
            BadField: ``old`` or ``new``.
        """
        check_password(new, user.name, "new")
        await self.check_own_password(user, old, "old")
        encoded = await self._hasher.hash(new)
        async with self._pool.acquire() as connection, connection.transaction():
            ended = await set_password(connection, user.id, encoded, keep=keep)
        self._identities.ended(user.id, ended)


async def set_password(connection: Connection, person: str, encoded: str, *, keep: bytes = b"") -> list[bytes]:
    """Store a new password inside the caller's transaction; return the hashes of the tokens that end.

    Whoever learned the old password may have created a session or an API token, so all but ``keep`` are deleted.
    """
    await connection.execute("UPDATE account SET password = $2 WHERE person = $1", person, encoded)
    await connection.execute("DELETE FROM reset WHERE person = $1", person)
    await connection.execute("UPDATE person SET changed_at = now() WHERE id = $1", person)
    rows = await connection.fetch(
        "DELETE FROM session WHERE person = $1 AND token_hash <> $2 RETURNING token_hash", person, keep
    )
    return [row["token_hash"] for row in rows]


async def is_kept(connection: Connection | Pool, plain: str) -> bool:
    """Return whether the skeleton of a name is reserved because its former owner deleted their account."""
    return bool(await connection.fetchval("SELECT true FROM kept_name WHERE skeleton = $1 AND until > now()", plain))


async def _insert_member(connection: Connection, name: str, plain: str, guest: User | None) -> User:
    if guest is None:
        user = User(id=new_id(), name=name, kind="member")
        await connection.execute(
            "INSERT INTO person (id, name, kind, skeleton) VALUES ($1, $2, 'member', $3)", user.id, name, plain
        )
        return user
    title = await connection.fetchrow(
        """
        UPDATE person SET name = $2, kind = 'member', skeleton = $3, changed_at = now()
        WHERE id = $1 AND kind = 'guest' AND closed_at IS NULL RETURNING title
        """,
        guest.id,
        name,
        plain,
    )
    if title is None:
        raise Conflict("you already have an account; sign in")  # two tabs at once
    return User(id=guest.id, name=name, kind="member", title=title["title"])


def _taken(name: str) -> NameTaken:
    return NameTaken(f"{name} is taken, or looks too much like another name")
