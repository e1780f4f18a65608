"""Guest identity by token, until it expires or is revoked."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, cast

import msgspec
import pytest

from lobby.accounts import identity
from lobby.accounts.identity import Identities, token_hash, user_named
from lobby.accounts.user import User, user_wire
from lobby.ids import new_token

if TYPE_CHECKING:
    import asyncpg

    from lobby.ports import Pool


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class SlowPool:
    """Answers a query when told to, with what was true when it was made."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.read, self.answer = asyncio.Event(), asyncio.Event()

    async def fetchrow(self, sql: str, *values: object) -> asyncpg.Record | None:
        row = await self.pool.fetchrow(sql, *values)
        self.read.set()
        await self.answer.wait()
        return row

    async def fetch(self, sql: str, *values: object) -> list[asyncpg.Record]:
        return await self.pool.fetch(sql, *values)


def test_wire_form_of_a_user_has_the_four_fields_of_the_protocol() -> None:
    user = User("a1", "Anna", "member", "WGM")
    assert (
        user_wire(user) == {"id": "a1", "name": "Anna", "kind": "member", "title": "WGM"} == msgspec.to_builtins(user)
    )


async def test_token_identifies_its_guest(pool: Pool) -> None:
    user, token = await identity.create_guest(pool)
    assert re.fullmatch(r"[0-9A-Za-z]{8}", user.id)
    assert re.fullmatch(r"Guest-[2-9A-HJ-NP-Z]{5}", user.name)
    assert (user.kind, user.title) == ("guest", None)
    assert await Identities(pool).user_of_token(token) == user


async def test_database_stores_only_a_hash_of_the_token(pool: Pool) -> None:
    user, token = await identity.create_guest(pool)
    row = await pool.fetchrow("SELECT * FROM session WHERE person = $1", user.id)
    assert row is not None
    assert row["token_hash"] == token_hash(token)
    assert token not in repr(row)
    assert 29.9 < (row["expires_at"] - row["created_at"]).total_seconds() / 86400 < 30.1


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "a" * 44, "é" * 43, "a" * 42 + "\n", "a" * 10_000])
async def test_unknown_or_malformed_token_identifies_nobody(pool: Pool, token: str) -> None:
    assert await Identities(pool).user_of_token(token) is None


async def test_expired_token_identifies_nobody(pool: Pool) -> None:
    user, token = await identity.create_guest(pool)
    await pool.execute("UPDATE session SET expires_at = now() - interval '1 s' WHERE person = $1", user.id)
    identities = Identities(pool)
    assert await identities.user_of_token(token) is None
    assert await identity.delete_expired(pool) >= 1
    assert await pool.fetchval("SELECT count(*) FROM session WHERE person = $1", user.id) == 0


async def test_revoked_token_is_invalid_at_once(pool: Pool) -> None:
    identities = Identities(pool)
    user, token = await identities.create_guest()
    assert await identities.user_of_token(token) == user
    told: list[tuple[str, bytes]] = []
    identities.on_revoked.append(lambda person, key: told.append((person, key)))
    await identities.revoke(token)
    assert await identities.user_of_token(token) is None
    await identities.revoke(token)
    assert told == [(user.id, token_hash(token))]
    assert identities.is_revoked(token_hash(token))


async def test_lookup_started_before_a_revocation_is_not_cached(pool: Pool) -> None:
    user, token = await identity.create_guest(pool)
    slow = SlowPool(pool)
    identities = Identities(cast("Pool", slow))
    asked = asyncio.create_task(identities.user_of_token(token))
    await slow.read.wait()
    await identities.revoke(token)
    slow.answer.set()
    assert await asked == user  # as it was when the question was asked
    assert identities.is_revoked(token_hash(token))  # who asked has to look once more
    assert await identities.user_of_token(token) is None


async def test_tokens_are_cached_for_a_minute(pool: Pool) -> None:
    clock = Clock()
    identities = Identities(pool, clock)
    user, token = await identities.create_guest()
    await Identities(pool).revoke(token)  # as another node would
    clock.now_s += identity.CACHED_S - 1
    assert await identities.user_of_token(token) == user
    clock.now_s += 2
    assert await identities.user_of_token(token) is None


async def test_cache_is_bounded_and_drops_the_least_recently_used_guest(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "CACHED_PEOPLE", 2)
    identities = Identities(pool, Clock())
    tokens = [(await identities.create_guest())[1] for _ in range(2)]
    await identities.user_of_token(tokens[0])
    await identities.create_guest()
    assert token_hash(tokens[0]) in identities._cache
    assert token_hash(tokens[1]) not in identities._cache
    assert len(identities._cache) == 2


async def test_taken_guest_name_is_drawn_again(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    names = iter(["Guest-AAAAA", "Guest-AAAAA", "Guest-BBBBB"])
    monkeypatch.setattr(identity, "new_guest_name", lambda: next(names))
    first, _ = await identity.create_guest(pool)
    second, token = await identity.create_guest(pool)
    assert (first.name, second.name) == ("Guest-AAAAA", "Guest-BBBBB")
    assert await Identities(pool).user_of_token(token) == second


async def test_people_are_found_by_name_in_any_case(pool: Pool) -> None:
    user, _ = await identity.create_guest(pool)
    assert await user_named(pool, user.name.upper()) == user
    assert await user_named(pool, "nobody at all") is None


def test_token_never_begins_with_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-looks-like-an-option", "-another", "fine-"])
    monkeypatch.setattr("lobby.ids.secrets.token_urlsafe", lambda size: next(drawn))
    assert new_token() == "fine-"
