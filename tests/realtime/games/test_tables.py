"""Tables of a node: reloaded with their listeners; finished ones bounded."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core.commands import Draw
from game_core.errors import Refusal
from game_core.events import Ended
from lobby.accounts.identity import create_guest
from lobby.pairing import NewGame
from realtime.clock.loop_time import running_time
from realtime.clock.timers import Timers
from realtime.fanout.subscription import Subscription
from realtime.games.chances.solver_pool import SolverPool
from realtime.games.finished_tables import FinishedTablesCache
from realtime.games.pending_command import PendingCommand
from realtime.games.tables import Tables
from realtime.journal.appends import Append, Committed
from realtime.journal.game_rows import insert_game
from realtime.journal.journal import Journal
from realtime.journal.nodes import Node
from realtime.journal.rated_ends import RatedEnds
from realtime.journal.storage import Storage
from realtime.ops.metrics import Metrics
from tests.realtime.journal_harness import outcome_of
from tests.realtime.table_harness import Ear

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.postgres.database import Pool


@pytest.fixture
async def tables(pool: Pool, database_url: str) -> AsyncIterator[Tables]:
    node = Node(database_url, pool)
    await node.start()
    journal = Journal(database_url, node.id)
    await journal.start()
    timers = Timers(running_time())
    rated_ends = RatedEnds(database_url, node.id, Metrics())
    rated_ends.start()
    storage = Storage(journal, rated_ends)
    metrics = Metrics()
    solver = SolverPool(metrics)
    tables = Tables(
        pool=pool, node=node, storage=storage, time=running_time(), timers=timers, metrics=metrics, solver=solver
    )
    yield tables
    await tables.close()
    await solver.close()
    timers.close()
    await rated_ends.close()
    await journal.close()
    await node.close()


async def new_game(pool: Pool, tables: Tables, game_id: str) -> NewGame:
    """A game in which nothing has happened, in the database only."""
    white, black = (await create_guest(pool))[0], (await create_guest(pool))[0]
    new = NewGame(
        id=game_id, game="chess", variant="standard", profile="online", rated=False, tc=None, fen=None,
        pausable=False, white=white, black=black,
    )  # fmt: skip
    node: Any = tables._node
    async with pool.acquire() as connection, connection.transaction():
        await insert_game(connection, new, owner=node.id, epoch=1)
    return new


async def finished_game(pool: Pool, tables: Tables, game_id: str) -> str:
    """A game that white has resigned, in the database only."""
    await new_game(pool, tables, game_id)
    journal: Any = tables._services.journal
    event = Ended(result="0-1", reason="resignation")
    append = Append(game=game_id, epoch=1, first_seq=1, events=(event,), cause=None, done=lambda _: None)
    assert await outcome_of(journal, append) == Committed()
    await pool.execute("UPDATE game SET status = 'over', result = '0-1' WHERE id = $1", game_id)
    return game_id


async def test_evicted_finished_games_keep_their_subscribers(pool: Pool, tables: Tables) -> None:
    tables.finished = FinishedTablesCache(most=1)
    first, second = [await finished_game(pool, tables, f"finished{n}") for n in (1, 2)]
    table = await tables.get(first)
    assert table is not None
    ear: Any = Ear()
    tables.join(table, ear, Subscription())
    await tables.get(second)
    assert (tables.peek(first), len(tables)) == (None, 1)

    again = await tables.get(first)
    assert again is not None
    assert again is not table
    assert ear in again.topic
    assert ear.heard == []  # it has seen all there is
    assert tables.peek(second) is None


async def test_finished_game_stays_in_memory_until_it_is_rated(pool: Pool, tables: Tables) -> None:
    """Otherwise its subscribers would not get the new ratings."""
    tables.finished = FinishedTablesCache(most=0)
    game = await finished_game(pool, tables, "finished5")
    table = await tables.get(game)
    assert table is not None
    rated_later = msgspec.structs.replace(table.game, unrated="later")
    table.game = rated_later
    tables.finished.want(table)
    assert list(tables.finished.surplus()) == []
    table.game = msgspec.structs.replace(rated_later, unrated=None)
    assert list(tables.finished.surplus()) == [table]


async def test_subscriber_of_evicted_table_who_leaves_is_forgotten(pool: Pool, tables: Tables) -> None:
    tables.finished = FinishedTablesCache(most=0)
    game = await finished_game(pool, tables, "finished3")
    table = await tables.get(game)
    assert table is not None
    ear: Any = Ear()
    table.topic.add(ear, Subscription())
    tables._topics[game] = table.topic
    tables.leave(game, ear)
    assert game not in tables._topics


async def test_replaced_table_does_not_evict_its_successor(pool: Pool, tables: Tables) -> None:
    game = await finished_game(pool, tables, "finished4")
    old = await tables.get(game)
    assert old is not None
    tables.evict(old)
    new = await tables.get(game)
    tables.evict(old)
    assert tables.peek(game) is new


async def test_wrong_draw_claim_is_remembered_with_its_move(pool: Pool, tables: Tables) -> None:
    white = (await new_game(pool, tables, "claimed1")).white

    async def claim() -> Any:
        table = await tables.get("claimed1")
        assert table is not None
        answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        command = Draw(by="w", do="claim", move="g1f3")
        table.submit(PendingCommand(command, running_time().now_ms(), white.id, "k", "draw", answered.set_result))
        outcome = await answered
        assert table.game.moves == ("g1f3",)
        tables.evict(table)
        return outcome

    first, again = await claim(), await claim()
    assert isinstance(first, Refusal)
    assert isinstance(again, Refusal)
    assert (again.code, str(again)) == (first.code, str(first))


async def test_unknown_game_has_no_table(tables: Tables) -> None:
    assert await tables.get("nothing1") is None
    assert await tables.get("no id \0") is None


async def test_snapshot_has_the_countries_that_players_show(pool: Pool, tables: Tables) -> None:
    game = await new_game(pool, tables, "unseen")
    white = msgspec.structs.replace(game.white, kind="member")
    await pool.execute("INSERT INTO profile (person, about, country) VALUES ($1, '', 'NL')", white.id)
    async with pool.acquire() as connection, connection.transaction():
        new = await tables.start(msgspec.structs.replace(game, id="shown", white=white), connection)
    tables.opened(new)
    begun = tables.peek(new.id)
    assert begun is not None
    tables.evict(begun)
    rebuilt = await tables.get(new.id)
    assert rebuilt is not None
    for table in (begun, rebuilt):
        players = table.seats.body({"w": True, "b": True})
        assert (players["w"].get("country"), "country" in players["b"]) == ("NL", False)
