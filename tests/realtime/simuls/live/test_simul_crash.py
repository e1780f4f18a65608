"""Crash of PostgreSQL during the commit of a simul's decision, with reuse of the transaction number."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from game_core.errors import Refusal
from lobby.accounts.identity import create_guest
from realtime.postgres.database import FAILURES
from simul import commands as c
from simul.draft import Draft
from tests.commit_crash import Crash, postgres
from tests.realtime.simul_harness import House, house, settled
from tests.realtime.until import PAUSE_S

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from realtime.postgres.database import Pool
    from realtime.simuls.live.simul_actor import SimulActor
    from tests.conftest import Server

__all__ = ["postgres"]

pytestmark = pytest.mark.timeout(60)

T = TypeVar("T")

DRAFT = Draft(name="Club night", tc={"base_s": 600}, host_color="w", auto_accept=True)


@pytest.fixture
async def server(pool: Pool, database_url: str) -> AsyncIterator[House]:
    async with house(pool, database_url) as server:
        yield server


async def is_stored(actor: SimulActor, pool: Pool) -> bool:
    """Whether the database has what the simul believes to have decided, and no more."""
    row: Any = await pool.fetchrow("SELECT last_n, status FROM simul WHERE id = $1", actor.id)
    count = await pool.fetchval("SELECT count(*) FROM simul_event WHERE simul = $1", actor.id)
    games = await pool.fetchval("SELECT count(*) FROM game WHERE simul = $1", actor.id)
    return (row["last_n"], row["status"], count, games) == (
        actor._last_n,
        actor.state.status,
        actor._last_n,
        len(actor.state.boards),
    )


async def until_granted(ask: Callable[[], Awaitable[T]]) -> T:
    """On a busy machine the server's lease runs out while PostgreSQL comes back."""
    while True:
        try:
            return await ask()
        except FAILURES:
            pass
        except Refusal as error:
            if error.code != "unavailable":
                raise
        await asyncio.sleep(PAUSE_S)


async def until_met(crash: Crash, ask: Callable[[], Awaitable[object]]) -> bool:
    """Ask until PostgreSQL is killed by it; whether that was granted in spite of it."""
    while True:
        try:
            await ask()
        except Refusal as error:
            if error.code != "unavailable":
                raise
            is_granted = False
        else:
            is_granted = True
        if crash.number is not None:
            return is_granted
        assert not is_granted
        await asyncio.sleep(PAUSE_S)


@pytest.mark.parametrize("is_committed", [True, False])
async def test_decision_counts_only_if_it_was_stored(
    server: House, pool: Pool, postgres: Server, database_url: str, *, is_committed: bool
) -> None:
    said = None
    while said != "committed":  # the server's heartbeat may have kept the number from being lost
        actor, _ = await until_granted(lambda: server.announce(2))
        start = partial(actor.submit, c.Start(by=actor.state.host.id), actor.state.host, None, "simul.start")
        with pytest.MonkeyPatch.context() as patched:
            crash = Crash(patched, postgres, database_url, is_committed=is_committed)
            assert await until_met(crash, start) == is_committed
        await settled(actor)
        said = crash.said
        assert actor.state.status == ("running" if is_committed else "created")
        assert await until_granted(partial(is_stored, actor, pool))
    if not is_committed:
        await until_granted(start)
    await settled(actor)
    assert actor.state.status == "running"
    assert await is_stored(actor, pool)


@pytest.mark.parametrize("key", ["k", None])
async def test_simul_lost_in_a_crash_is_not_announced(
    server: House, pool: Pool, postgres: Server, database_url: str, key: str | None
) -> None:
    said = None
    while said != "committed":
        host, _ = await until_granted(partial(create_guest, pool))
        announce = partial(server.simuls.create, host, DRAFT, (), key)
        with pytest.MonkeyPatch.context() as patched:
            crash = Crash(patched, postgres, database_url)
            assert not await until_met(crash, announce)
        said = crash.said
    announced = partial(pool.fetch, "SELECT id FROM simul WHERE host = $1", host.id)
    assert await until_granted(announced) == []
    reply = await until_granted(announce)
    assert [row["id"] for row in await announced()] == [reply["simul"]]
