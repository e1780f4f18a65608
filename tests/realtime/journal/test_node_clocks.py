"""Clocks of games whose node has ended: charged by the database's clock."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from game_core.events import Offered
from realtime.journal import nodes
from realtime.journal.appends import Committed, Outcome
from realtime.journal.journal import Journal
from realtime.journal.nodes import Node
from tests.realtime.journal.test_nodes import _nothing_left_to_take, node
from tests.realtime.stored_games import append_of, make_games, moved
from tests.realtime.until import until

if TYPE_CHECKING:
    from realtime.postgres.database import Pool

__all__ = ["_nothing_left_to_take"]

SLACK_S = 20.0
"""For a machine that is busy with other tests."""


async def stopped_s_ago(pool: Pool, game: str) -> float | None:
    ago: float | None = await pool.fetchval(
        "SELECT extract(epoch FROM now() - stopped_at)::float8 FROM game WHERE id = $1", game
    )
    return ago


async def died(pool: Pool, name: str, *, s_ago: float) -> None:
    """A node whose last renewal was so long ago."""
    await pool.execute(
        "INSERT INTO node (id, expires_at, ran_until) "
        "VALUES ($1, now() + make_interval(secs => 5 - $2::float8), now() - make_interval(secs => $2::float8))",
        name,
        s_ago,
    )


async def test_clocks_of_dead_node_ran_until_its_last_renewal(database_url: str, pool: Pool) -> None:
    games = await make_games(pool, 2, owner="a")
    await died(pool, "a", s_ago=60)
    async with node(database_url, pool, "b") as b:
        assert await b.take_over_game(games[0]) == 2
        assert {owned.id for owned in await b.take_over(10)} == {games[1]}
    for game in games:
        assert await stopped_s_ago(pool, game) == pytest.approx(60, abs=SLACK_S)


async def test_unknown_node_charges_no_time(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner="forgotten")
    await pool.execute("UPDATE game SET created_at = now() - interval '1 hour' WHERE id = $1", game)
    async with node(database_url, pool, "b") as b:
        await b.take_over_game(game)
    assert await stopped_s_ago(pool, game) == pytest.approx(3600, abs=SLACK_S)


async def test_stopped_clocks_keep_their_instant_over_takeovers(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner="a")
    await died(pool, "a", s_ago=60)
    async with node(database_url, pool, "b") as b:
        await b.take_over_game(game)
    async with node(database_url, pool, "c") as c:
        await c.take_over_game(game)
        assert await stopped_s_ago(pool, game) == pytest.approx(60, abs=SLACK_S)
        await c.release({game: 0})
    assert await stopped_s_ago(pool, game) == pytest.approx(60, abs=SLACK_S)


async def test_event_with_clock_restarts_clocks_and_offer_does_not(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner="a")
    await pool.execute("UPDATE game SET stopped_at = now() - interval '9 s' WHERE id = $1", game)
    journal = Journal(database_url, "a")
    await journal.start()
    for seq, event in ((1, Offered(what="draw", do="offer", by="b")), (2, moved(2))):
        stored: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        journal.append(append_of(game, seq, stored.set_result, event))
        assert await stored == Committed()
        assert (await stopped_s_ago(pool, game) is None) == (seq == 2)
    await journal.close()


async def test_clock_hold_is_stored_unless_outdated(database_url: str, pool: Pool) -> None:
    one, other = await make_games(pool, 2, owner="b")
    async with node(database_url, pool, "b") as b:
        await b.note_held([(one, 0, 4_000), (other, 7, 4_000)])
    assert await stopped_s_ago(pool, one) == pytest.approx(4 + SLACK_S / 2, abs=SLACK_S / 2)
    assert await stopped_s_ago(pool, other) is None


async def test_correspondence_deadline_moves_by_the_outage(database_url: str, pool: Pool) -> None:
    games = await make_games(pool, 3, owner="a")
    await pool.execute("UPDATE game SET deadline = now() + interval '10 s' WHERE id = ANY ($1::text[])", games)
    await died(pool, "a", s_ago=60)
    async with node(database_url, pool, "b") as b:
        await b.take_over_game(games[0])
        assert [owned.is_correspondence for owned in await b.take_over(1)] == [True]
        await b.take_over_correspondence()
    rows = await pool.fetch(
        "SELECT owner, stopped_at, extract(epoch FROM deadline - now())::float8 AS left_s FROM game "
        "WHERE id = ANY ($1::text[])",
        games,
    )
    for row in rows:
        assert (row["owner"], row["stopped_at"]) == ("b", None)
        assert row["left_s"] == pytest.approx(70, abs=SLACK_S)


async def test_renewal_counts_no_time_while_clocks_are_held(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "RENEW_S", 0.01)
    query = "SELECT extract(epoch FROM clock_timestamp() - ran_until)::float8 FROM node WHERE id = 'b'"
    async with node(database_url, pool, "b") as b:
        b.follow_clocks(lambda: None)
        await until(lambda: _is_longer(pool, query, 0.5))
        b.follow_clocks(lambda: 0)
        await until(lambda: _is_shorter(pool, query, 0.3))


async def _is_longer(pool: Pool, query: str, than_s: float) -> bool:
    return bool(await pool.fetchval(query) > than_s)


async def _is_shorter(pool: Pool, query: str, than_s: float) -> bool:
    return bool(await pool.fetchval(query) < than_s)


async def test_row_of_dead_node_stays_while_it_has_games(database_url: str, pool: Pool) -> None:
    await make_games(pool, 1, owner="a")
    await died(pool, "a", s_ago=7_200)
    await died(pool, "b", s_ago=7_200)
    async with node(database_url, pool, "c"):
        assert {row["id"] for row in await pool.fetch("SELECT id FROM node")} == {"a", "c"}


async def test_clean_stop_charges_time_until_the_stop(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner="b")
    b = Node(database_url, pool, "b")
    await b.start()
    b.follow_clocks(lambda: 5_000)
    b.stop_clocks()
    await b.close()
    async with node(database_url, pool, "c") as c:
        await c.take_over_game(game)
    assert await stopped_s_ago(pool, game) == pytest.approx(5 + SLACK_S / 2, abs=SLACK_S / 2)


async def test_released_game_is_charged_time_counted_by_its_table(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner="b")
    journal = Journal(database_url, "b")
    await journal.start()
    stored: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    journal.append(append_of(game, 1, stored.set_result))
    await stored
    await journal.close()
    await pool.execute("UPDATE event SET at = now() - interval '60 s' WHERE game = $1", game)
    async with node(database_url, pool, "b") as b:
        await b.release({game: 10_000})
    assert await stopped_s_ago(pool, game) == pytest.approx(50, abs=SLACK_S)


async def test_first_renewal_after_suspension_counts_no_time(database_url: str, pool: Pool) -> None:
    b = Node(database_url, pool, "b")
    await b._renew()
    await pool.execute(
        "UPDATE node SET expires_at = now() - interval '1 h', ran_until = now() - interval '1 h' WHERE id = 'b'"
    )
    await b._renew()
    ago = await pool.fetchval("SELECT extract(epoch FROM now() - ran_until)::float8 FROM node WHERE id = 'b'")
    assert ago == pytest.approx(3600, abs=SLACK_S)
    await b.close()
