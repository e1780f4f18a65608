"""People, and the tokens that identify them.

A token is 32 random bytes as URL-safe text. The database stores only its SHA-256: the token is random enough that a
slow hash would add nothing. The same token serves as cookie and as bearer token.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from lobby.accounts.grant_cache import GrantCache
from lobby.accounts.scopes import ALL
from lobby.accounts.user import Grant, User
from lobby.ids import new_guest_name, new_id, new_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Pool = asyncpg.Pool[asyncpg.Record]


GUEST_DAYS = 30
"""Lifetime of a session after its last use, in days."""

USED_EVERY_S = 600
"""Resolution of a session's last use: its row is written once in this time, not with every request."""

CACHED_PEOPLE = 10_000
"""Tokens kept in memory, about 500 bytes each: enough for every socket of a busy evening."""

REVOKED_KEPT = 1000
"""Recent revocations kept for handshakes that looked up their token just before. A handshake takes at most five
seconds."""

CACHED_S = 60.0
"""Lifetime of a cached token: a revocation on another node takes effect within a minute."""

NAME_TRIES = 5
"""Guest names tried before giving up. With a million guests five collisions in a row happen once in 10^7 years."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def token_hash(token: str) -> bytes:
    """Return the stored hash of ``token``: 32 bytes."""
    return hashlib.sha256(token.encode()).digest()


async def create_guest(pool: Pool) -> tuple[User, str]:
    """Create a guest with a session of ``GUEST_DAYS``.

    Returns:
        The guest and the token. The token is stored only as a hash: pass it on now.
    """
    token = new_token()
    for attempt in range(NAME_TRIES):
        user = User(id=new_id(), name=new_guest_name(), kind="guest")
        try:
            await pool.execute(
                """
                WITH p AS (INSERT INTO person (id, name, kind) VALUES ($1, $2, 'guest') RETURNING id)
                INSERT INTO session (token_hash, person, expires_at)
                SELECT $3, id, now() + make_interval(days => $4) FROM p
                """,
                user.id,
                user.name,
                token_hash(token),
                GUEST_DAYS,
            )
        except asyncpg.UniqueViolationError:
            if attempt == NAME_TRIES - 1:
                raise
        else:
            break
    return user, token


async def user_named(pool: Pool, name: str) -> User | None:
    """Find a person by name, ignoring case."""
    if "\0" in name:
        return None  # PostgreSQL cannot store such text
    row = await pool.fetchrow("SELECT id, name, kind, title FROM person WHERE lower(name) = lower($1)", name)
    return None if row is None else User(**row)


async def open_user_named(pool: Pool, name: str) -> User | None:
    """Find a person by name, ignoring case. None for closed accounts too: they cannot be invited."""
    user = await user_named(pool, name)
    if user is None or await pool.fetchval("SELECT closed_at IS NOT NULL FROM person WHERE id = $1", user.id):
        return None
    return user


async def users_by_prefix(pool: Pool, prefix: str, most: int) -> list[User]:
    """Return the first ``most`` people whose names begin with ``prefix``, ignoring case: by name, guests last."""
    if "\0" in prefix:
        return []
    found: list[User] = []
    for condition in ("kind <> 'guest'", "kind = 'guest'"):
        # Byte order, whatever the database's collation is: then a prefix is a range of the index.
        rows = await pool.fetch(
            f"""
            SELECT id, name, kind, title FROM person
            WHERE lower(name) COLLATE "C" >= lower($1) AND lower(name) COLLATE "C" < lower($1) || $2 AND {condition}
                AND closed_at IS NULL
            ORDER BY lower(name) COLLATE "C" LIMIT $3
            """,  # noqa: S608  a constant of this function
            prefix,
            chr(0x10FFFF),
            most - len(found),
        )
        found += (User(**row) for row in rows)
        if len(found) == most:
            break
    return found


_GRANT = """
    WITH s AS (
        SELECT person, scopes, expires_at FROM session WHERE token_hash = $1 AND expires_at > now()
    ), used AS (
        UPDATE session SET used_at = now(), expires_at =
            CASE WHEN scopes IS NULL THEN greatest(expires_at, now() + make_interval(days => $2)) ELSE expires_at END
        WHERE token_hash = $1 AND expires_at > now()
            AND (used_at < now() - make_interval(secs => $3) OR used_at = created_at)
    )
    SELECT p.id, p.name, p.kind, p.title, p.is_invisible, s.scopes,
        extract(epoch FROM s.expires_at - now())::float8 AS left_s,
        ARRAY(SELECT role FROM role WHERE role.person = p.id) AS roles
    FROM s JOIN person p ON p.id = s.person WHERE p.closed_at IS NULL
"""


_REVOKE = """
    WITH gone AS (
        DELETE FROM session WHERE {} RETURNING person, token_hash
    ), changed AS (
        UPDATE person SET changed_at = now() WHERE id IN (SELECT person FROM gone)
    )
    SELECT person, token_hash FROM gone
"""
"""Ends sessions, and notifies the other nodes."""


async def read_grant(pool: Pool, key: bytes) -> tuple[Grant, float] | None:
    """Return the grant of the token hash ``key`` and the seconds it is still valid; None if it is not valid."""
    row = await pool.fetchrow(_GRANT, key, GUEST_DAYS, float(USED_EVERY_S))
    if row is None:
        return None
    user = User(id=row["id"], name=row["name"], kind=row["kind"], title=row["title"])
    is_session = row["scopes"] is None
    scopes = ALL if is_session else frozenset(row["scopes"])
    grant = Grant(user, key, scopes, frozenset(row["roles"]), is_session=is_session, is_invisible=row["is_invisible"])
    return grant, row["left_s"]


async def delete_expired(pool: Pool) -> int:
    """Delete expired sessions, codes, counts and reserved names. Returns the number of sessions."""
    await pool.execute("DELETE FROM reset WHERE expires_at <= now()")
    await pool.execute("DELETE FROM mailed WHERE since <= now() - interval '1 day'")
    await pool.execute("DELETE FROM kept_name WHERE until <= now()")
    deleted = await pool.fetchval(
        "WITH d AS (DELETE FROM session WHERE expires_at <= now() RETURNING 1) SELECT count(*) FROM d"
    )
    return int(deleted)


class Identities:
    """Tokens and the people behind them, with a cache of recent ones.

    Attributes:
        pool: stores people and sessions.
        on_revoked: called with a person's id and the hash of a token that is no longer valid.
        on_replaced: the same for a token whose holder has, or is about to get, another one.
    """

    def __init__(self, pool: Pool, now_s: Callable[[], float] = time.monotonic) -> None:
        self.pool = pool
        self._now_s = now_s
        self._cache = GrantCache(CACHED_PEOPLE)
        self.on_revoked: list[Callable[[str, bytes], None]] = []
        self.on_replaced: list[Callable[[str, bytes], None]] = []
        self._ended: OrderedDict[bytes, None] = OrderedDict()
        self._forgotten = 0
        """Number of invalidations: a database answer from before one is not cached after it."""

    async def create_guest(self) -> tuple[User, str]:
        """Create a guest; see the function ``create_guest``."""
        user, token = await create_guest(self.pool)
        key = token_hash(token)
        self._remember(Grant(user, key), CACHED_S)
        return user, token

    async def user_of_token(self, token: str) -> User | None:
        """Return the holder of ``token``; None if it is malformed, unknown, expired or revoked."""
        grant = await self.grant_of_token(token)
        return None if grant is None else grant.user

    async def grant_of_token(self, token: str) -> Grant | None:
        """Return the grant of ``token``; None if it is malformed, unknown, expired or revoked."""
        if _TOKEN.fullmatch(token) is None:
            return None
        return await self.grant_of_key(token_hash(token))

    async def grant_of_key(self, key: bytes) -> Grant | None:
        """Return the grant of the token hash ``key``."""
        cached = self._cache.get(key, self._now_s())
        if cached is not None:
            return cached
        forgotten = self._forgotten
        found = await read_grant(self.pool, key)
        if found is None:
            return None
        grant, left_s = found
        if not grant.is_session:
            grant = msgspec.structs.replace(grant, ends_s=self._now_s() + left_s)
        if forgotten == self._forgotten:
            self._remember(grant, min(CACHED_S, left_s))
        return grant

    async def revoke(self, token: str, *, is_replaced: bool = False) -> None:
        """End the session of ``token``, if there is one."""
        key = token_hash(token)
        # Both before and after the row is deleted: an answer read in between would otherwise stay cached for a minute.
        self._forget(key)
        rows = await self.pool.fetch(_REVOKE.format("token_hash = $1"), key)
        self._forget(key)
        self._ended_rows(rows, is_replaced=is_replaced)

    async def revoke_one(self, person: str, name: str, *, is_token: bool) -> bool:
        """End the session or API token of ``person`` with the id ``name``; False if there is none."""
        rows = await self.pool.fetch(
            _REVOKE.format("person = $1 AND id = $2 AND (scopes IS NOT NULL) = $3"), person, name, is_token
        )
        self._ended_rows(rows)
        return bool(rows)

    async def revoke_others(self, person: str, but: bytes) -> None:
        """End all sessions of ``person`` except the one with the token hash ``but``. API tokens stay."""
        rows = await self.pool.fetch(_REVOKE.format("person = $1 AND scopes IS NULL AND token_hash <> $2"), person, but)
        self._ended_rows(rows)

    def ended(self, person: str, keys: Iterable[bytes], *, is_replaced: bool = False) -> None:
        """Invalidate tokens whose rows were deleted in a committed transaction."""
        for key in keys:
            self._forget(key)
            self._ended[key] = None
            if len(self._ended) > REVOKED_KEPT:
                self._ended.popitem(last=False)
            for call in self.on_replaced if is_replaced else self.on_revoked:
                call(person, key)

    def _ended_rows(self, rows: Iterable[asyncpg.Record], *, is_replaced: bool = False) -> None:
        for row in rows:
            self.ended(row["person"], [row["token_hash"]], is_replaced=is_replaced)

    def is_revoked(self, key: bytes) -> bool:
        """Return whether the token hash ``key`` was revoked recently. For handshakes that looked it up just before."""
        return key in self._ended

    def forget_person(self, person: str) -> None:
        """Invalidate the cached tokens of ``person``, because something about them has changed."""
        self._forgotten += 1
        self._cache.remove_person(person)

    def _remember(self, grant: Grant, for_s: float) -> None:
        self._cache.put(grant, self._now_s() + for_s)

    def _forget(self, key: bytes) -> None:
        self._forgotten += 1
        self._cache.remove(key)
