"""PostgreSQL is killed while an exhibition's decision is committed, and gives its number to another transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lobby.identity import create_guest
from realtime.errors import WireError
from simul import commands as c
from simul.draft import Draft
from tests.crashing import Crash, postgres
from tests.realtime.simul_harness import House, house, settled

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.database import Pool
    from realtime.simuls.hall import Hall
    from tests.conftest import Server

__all__ = ["postgres"]

pytestmark = pytest.mark.timeout(60)

DRAFT = Draft(name="Club night", tc={"base_s": 600}, host_color="w", auto_accept=True)


@pytest.fixture
async def server(pool: Pool, database_url: str) -> AsyncIterator[House]:
    async with house(pool, database_url) as server:
        yield server


async def is_stored(hall: Hall, pool: Pool) -> bool:
    """Whether the database has what the exhibition believes to have decided, and no more."""
    row: Any = await pool.fetchrow("SELECT last_n, status FROM simul WHERE id = $1", hall.id)
    count = await pool.fetchval("SELECT count(*) FROM simul_event WHERE simul = $1", hall.id)
    games = await pool.fetchval("SELECT count(*) FROM game WHERE simul = $1", hall.id)
    return (row["last_n"], row["status"], count, games) == (
        hall._last_n,
        hall.state.status,
        hall._last_n,
        len(hall.state.boards),
    )


@pytest.mark.parametrize("is_committed", [True, False])
async def test_a_decision_counts_if_it_was_stored(
    server: House, pool: Pool, postgres: Server, database_url: str, *, is_committed: bool
) -> None:
    said = None
    while said != "committed":  # the server's heartbeat may have kept the number from being lost
        hall, _ = await server.announce(2)
        host = hall.state.host
        with pytest.MonkeyPatch.context() as patched:
            crash = Crash(patched, postgres, database_url, is_committed=is_committed)
            if is_committed:
                await hall.ask(c.Start(by=host.id), host, None, "simul.start")
            else:
                with pytest.raises(WireError, match="the database does not answer"):
                    await hall.ask(c.Start(by=host.id), host, None, "simul.start")
        await settled(hall)
        said = crash.said
        assert hall.state.status == ("running" if is_committed else "created")
        assert await is_stored(hall, pool)
    if not is_committed:
        await hall.ask(c.Start(by=host.id), host, None, "simul.start")
    await settled(hall)
    assert hall.state.status == "running"
    assert await is_stored(hall, pool)


@pytest.mark.parametrize("key", ["k", None])
async def test_an_exhibition_that_was_lost_is_not_announced(
    server: House, pool: Pool, postgres: Server, database_url: str, key: str | None
) -> None:
    said = None
    while said != "committed":
        host, _ = await create_guest(pool)
        with pytest.MonkeyPatch.context() as patched:
            crash = Crash(patched, postgres, database_url)
            with pytest.raises(WireError, match="the database does not answer"):
                await server.halls.create(host, DRAFT, (), key)
        said = crash.said
    assert await pool.fetchval("SELECT count(*) FROM simul WHERE host = $1", host.id) == 0
    reply = await server.halls.create(host, DRAFT, (), key)
    assert await pool.fetchval("SELECT id FROM simul WHERE host = $1", host.id) == reply["simul"]
