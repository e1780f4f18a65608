"""Who somebody is: people, and the tokens by which they are known again.

A token is 32 random bytes as URL-safe text. The database keeps its SHA-256 only; a token is random enough that a slow
hash would add nothing. The same token serves as cookie and as bearer token.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Literal

import asyncpg
import msgspec

from lobby.ids import new_guest_name, new_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.wire import UserWire

    Pool = asyncpg.Pool[asyncpg.Record]

Kind = Literal["guest", "member", "bot"]

GUEST_DAYS = 30
"""How long a guest is remembered; as long as a cookie is worth keeping for who never signed up."""

CACHED_PEOPLE = 10_000
"""Tokens kept in memory: every socket of a busy evening; some 500 bytes each."""

REVOKED_KEPT = 1000
"""Revocations remembered for the handshakes that looked their token up just before; one takes five seconds at most."""

CACHED_S = 60.0
"""How long a cached token is believed: a revocation on another node takes effect within a minute."""

NAME_TRIES = 5
"""Fresh guest names tried before giving up: even with a million guests five misses happen once in 10^7 years."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class User(msgspec.Struct, frozen=True):
    """A person, as everybody may see them. ``msgspec.to_builtins`` gives the wire form."""

    id: str
    name: str
    kind: Kind
    title: str | None = None


def user_wire(user: User) -> UserWire:
    """``{"id","name","kind","title"}``."""
    return {"id": user.id, "name": user.name, "kind": user.kind, "title": user.title}


def token_hash(token: str) -> bytes:
    """What the database knows of ``token``: 32 bytes."""
    return hashlib.sha256(token.encode()).digest()


async def create_guest(pool: Pool) -> tuple[User, str]:
    """Make a new guest with a session of ``GUEST_DAYS``.

    Returns:
        The guest, and the token, which is stored nowhere in readable form: hand it to its owner now or never.
    """
    token = secrets.token_urlsafe(32)
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
    """The person called ``name``, in upper or lower case; None if there is nobody."""
    if "\0" in name:
        return None  # PostgreSQL has no such text
    row = await pool.fetchrow("SELECT id, name, kind, title FROM person WHERE lower(name) = lower($1)", name)
    return None if row is None else User(**row)


async def users_by_prefix(pool: Pool, prefix: str, most: int) -> list[User]:
    """The first ``most`` people whose names begin with ``prefix``, in upper or lower case: by name, guests last."""
    if "\0" in prefix:
        return []
    found: list[User] = []
    for condition in ("kind <> 'guest'", "kind = 'guest'"):
        # By the order of bytes, whatever the database's own is: then a prefix is a range of the index.
        rows = await pool.fetch(
            f"""
            SELECT id, name, kind, title FROM person
            WHERE lower(name) COLLATE "C" >= lower($1) AND lower(name) COLLATE "C" < lower($1) || $2 AND {condition}
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


async def delete_expired(pool: Pool) -> int:
    """Remove the sessions that have expired; how many there were."""
    deleted = await pool.fetchval(
        "WITH d AS (DELETE FROM session WHERE expires_at <= now() RETURNING 1) SELECT count(*) FROM d"
    )
    return int(deleted)


class Identities:
    """Tokens and the people behind them, with the ones seen lately kept in memory.

    Attributes:
        pool: where people and sessions are stored.
        on_revoked: called with a person's id and the hash of a token that is good no more.
    """

    def __init__(self, pool: Pool, now_s: Callable[[], float] = time.monotonic) -> None:
        self.pool = pool
        self._now_s = now_s
        self._cache: OrderedDict[bytes, tuple[User, float]] = OrderedDict()
        self.on_revoked: Callable[[str, bytes], None] = lambda person, key: None
        self._ended: OrderedDict[bytes, None] = OrderedDict()
        self._revoked = 0
        """Counts revocations, so that an answer of the database from before one is not cached after it."""

    async def create_guest(self) -> tuple[User, str]:
        """A new guest and the token; see ``create_guest``."""
        user, token = await create_guest(self.pool)
        self._remember(token_hash(token), user, CACHED_S)
        return user, token

    async def user_of_token(self, token: str) -> User | None:
        """Who holds ``token``; None when it is malformed, unknown, expired or revoked."""
        if _TOKEN.fullmatch(token) is None:
            return None
        key = token_hash(token)
        cached = self._cache.get(key)
        if cached is not None:
            user, until_s = cached
            if self._now_s() < until_s:
                self._cache.move_to_end(key)
                return user
            del self._cache[key]
        revoked = self._revoked
        row = await self.pool.fetchrow(
            """
            SELECT p.id, p.name, p.kind, p.title, extract(epoch FROM s.expires_at - now())::float8 AS left_s
            FROM session s JOIN person p ON p.id = s.person
            WHERE s.token_hash = $1 AND s.expires_at > now()
            """,
            key,
        )
        if row is None:
            return None
        found = User(id=row["id"], name=row["name"], kind=row["kind"], title=row["title"])
        if revoked == self._revoked:
            self._remember(key, found, min(CACHED_S, row["left_s"]))
        return found

    async def revoke(self, token: str) -> None:
        """End the session of ``token``; nothing happens when there is none."""
        key = token_hash(token)
        # Both before and after the row is gone: an answer read in between would otherwise be believed for a minute.
        self._forget(key)
        person = await self.pool.fetchval("DELETE FROM session WHERE token_hash = $1 RETURNING person", key)
        self._forget(key)
        if person is not None:
            self._ended[key] = None
            if len(self._ended) > REVOKED_KEPT:
                self._ended.popitem(last=False)
            self.on_revoked(person, key)

    def is_revoked(self, key: bytes) -> bool:
        """Whether the token of hash ``key`` was revoked a moment ago: for who has looked it up before that."""
        return key in self._ended

    def _remember(self, key: bytes, user: User, for_s: float) -> None:
        self._cache[key] = (user, self._now_s() + for_s)
        if len(self._cache) > CACHED_PEOPLE:
            self._cache.popitem(last=False)

    def _forget(self, key: bytes) -> None:
        self._revoked += 1
        self._cache.pop(key, None)
