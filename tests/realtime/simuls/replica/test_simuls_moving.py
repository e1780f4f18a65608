"""Simul that changes its leader: another node continues, and reveals nothing early."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from game_core.commands import PlayMove
from realtime.fanout.subscription import Subscription
from realtime.games import loading
from realtime.games.delay.delayed_reads import ages_of
from realtime.games.pending_command import PendingCommand
from realtime.journal.game_rows import find_games
from realtime.simuls.store import loading as simul_loading
from tests.realtime.cluster.simul_nodes import Nodes, guests, nodes, together
from tests.realtime.simul_harness import settled
from tests.realtime.simuls.replica.test_simul_replicas import ANNOUNCED, evening
from tests.realtime.table_harness import Ear
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.postgres.database import Pool
    from tests.realtime.cluster.simul_nodes import At

DELAY_S = 60
DELAY_MS = DELAY_S * 1000


@pytest.fixture
async def three(pool: Pool, database_url: str) -> AsyncIterator[Nodes]:
    async with nodes(pool, database_url, "a", "b", "c") as three, looking(three):
        yield three


@contextlib.asynccontextmanager
async def looking(nodes: Nodes) -> AsyncIterator[None]:
    """All nodes look for simuls that nobody leads."""
    tasks = [asyncio.create_task(at.house.simuls.load_all()) for at in nodes.by_name.values()]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def leaders(nodes: Nodes, simul: str) -> list[At]:
    """The nodes that think that they lead it."""
    simuls = [(at, at.house.simuls.peek(simul)) for at in nodes.by_name.values()]
    return [at for at, actor in simuls if actor is not None and not actor.lost]


async def owners(pool: Pool, simul: str) -> set[str]:
    """Who has the simul and its boards that are not over."""
    rows = await pool.fetch(
        """
        SELECT owner FROM simul WHERE id = $1
        UNION SELECT owner FROM game WHERE simul = $1 AND status <> 'over'
        """,
        simul,
    )
    return {row["owner"] for row in rows}


async def test_one_node_takes_over_the_simul_with_all_boards(three: Nodes) -> None:
    party = await evening(three, host_at="b")
    await party.host.ask("start", simul=party.simul)
    await party.play(1, "e2e4", 0)
    await party.all_have()
    await three.kill("a")
    await until(lambda: len(leaders(three, party.simul)) == 1)
    leader = party.leader()
    assert await owners(three.pool, party.simul) == {leader.name}
    await party.play(1, "e7e5", 1)
    await party.all_have()
    await party.same_everywhere()
    assert party.stranger.heard[-1]["t"] in ("simul.board", "simul")
    # The host, at one of the two nodes, can end the simul.
    await party.host.ask("end", simul=party.simul)
    await party.all_have()
    assert all(socket.of("finished") for socket in party.all)


async def test_request_reaches_the_new_leader(three: Nodes) -> None:
    party = await evening(three, host_at="c")
    await three.kill("a")
    await party.host.ask("start", simul=party.simul)
    assert party.leader().name in ("b", "c")
    # The host received it before the answer, in an event or in the snapshot of the new leader.
    shown = [message["status"] for message in party.host.heard if message["t"] == "simul"]
    assert len(party.host.of("started")) == 1 or shown[-1] == "running"
    await party.all_have()


async def test_stopping_leader_hands_the_simul_over(three: Nodes) -> None:
    party = await evening(three, host_at="b")
    await party.host.ask("start", simul=party.simul)
    await party.play(1, "e2e4", 0)
    here = three["a"].socket()
    await here.listen(party.simul)
    await three["a"].house.simuls.release_all()
    await until(lambda: [at.name for at in leaders(three, party.simul)] in (["b"], ["c"]))
    assert await owners(three.pool, party.simul) == {party.leader().name}
    await party.play(1, "e7e5", 1)
    await party.all_have()
    # Who listens at the node that stops goes on listening.
    await here.until(lambda: here.numbered()[-1] == party.leader().actor(party.simul).feed.seq)
    assert await here.at.socket(party.host.user).refused("create", name="Too late", tc=None) == "unavailable"


async def test_suspended_leader_becomes_a_replica(three: Nodes) -> None:
    party = await evening(three, host_at="b")
    await party.host.ask("start", simul=party.simul)
    await party.all_have()
    here = three["a"].socket()
    await here.listen(party.simul)
    # As of a node whose lease has run out, and that wakes up: it still thinks that it leads.
    await three.pool.execute("UPDATE simul SET owner = 'b', epoch = epoch + 1 WHERE id = $1", party.simul)
    await three.pool.execute("UPDATE game SET owner = 'b', epoch = epoch + 1 WHERE simul = $1", party.simul)
    await until(lambda: [at.name for at in leaders(three, party.simul)] == ["b"])
    await party.play(1, "e2e4", 0)
    await party.all_have()
    await here.until(lambda: here.numbered()[-1] == party.leader().actor(party.simul).feed.seq)


@pytest.mark.parametrize("misses_the_start", [False, True])
async def test_public_delay_is_equal_at_all_nodes(three: Nodes, *, misses_the_start: bool) -> None:
    party = await evening(three, host_at="b", delay_s=DELAY_S, late_join={"move": 20})
    leader = three["a"]
    early, delayed = [party.host, *party.players], [party.stranger, three["b"].socket(), three["a"].socket()]
    (watching,) = await guests(three.pool, 1)
    delayed.append(three["b"].socket(watching))
    for socket in delayed[1:]:
        await socket.listen(party.simul)
    if misses_the_start:
        three.exchange.is_lost = lambda sender, node, data: node == "c"
    await party.host.ask("start", simul=party.simul)
    three.exchange.is_lost = lambda sender, node, data: False
    await party.play(1, "e2e4", 0)
    actor = leader.actor(party.simul)

    async def early_have() -> None:
        for socket in early:
            await socket.until(lambda socket=socket: socket.numbered()[-1:] == [actor.feed.seq])  # type: ignore[misc]  # a default

    def early_news(socket: Any) -> list[str]:
        socket.flush()
        kinds = ("simul.started", "simul.board", "simul.finished")
        return [message["t"] for message in socket.heard if message["t"] in kinds]

    async def nothing_is_seen() -> None:
        """By who listened, who comes now, at any node, and by HTTP."""
        for socket in delayed:
            assert early_news(socket) == []
        for at in three.by_name.values():
            for user in (None, watching):
                new = at.socket(user)
                await new.listen(party.simul)
                shown = new.heard[-1]
                assert (shown["status"], shown["boards"]) == ("created", [])
                new.leave()

    await early_have()
    await nothing_is_seen()
    # Lost messages do not reveal anything early.
    three.exchange.is_lost = lambda sender, node, data: node in "bc"
    await party.play(2, "d2d4", 0)
    three.exchange.is_lost = lambda sender, node, data: False
    await party.play(3, "c2c4", 0)
    await early_have()
    await nothing_is_seen()
    # A spectator becomes a player.
    await delayed[-1].ask("join", simul=party.simul)
    await early_have()
    await delayed[-1].until(lambda: delayed[-1].numbered()[-1:] == [actor.feed.seq])
    assert next(m for m in reversed(delayed[-1].heard) if m["t"] == "simul")["boards"]
    delayed.pop()
    for socket in delayed:
        assert early_news(socket) == []
    for at in three.by_name.values():
        at.house.time.advance(DELAY_MS)
    assert actor.audience.delayed is not None
    actor.audience.delayed.on_timer()
    for socket in delayed:
        await socket.until(lambda socket=socket: socket.numbered()[-1:] == [actor.audience.delayed.seq])  # type: ignore[misc]  # a default
        numbers = socket.numbered()
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert len(socket.of("started")) == 1
    at_b, at_a = delayed[1].of("board"), delayed[2].of("board")
    for one, other in zip(at_a, at_b, strict=True):
        assert other["clock"]["at"] - one["clock"]["at"] == 5_000
        one["clock"]["at"] = other["clock"]["at"]
    assert at_a == at_b
    # After the end is public, all subscribers get the same.
    await party.host.ask("end", simul=party.simul)
    await settled(actor)
    for at in three.by_name.values():
        at.house.time.advance(DELAY_MS)
    actor.audience.delayed.on_timer()
    assert actor.audience.delayed is None
    for socket in [*early, *delayed]:
        await socket.until(lambda socket=socket: len(socket.of("finished")) == 1)
    await party.same_everywhere()
    await until(lambda: three["c"].replica(party.simul).topic.delayed is None)


async def test_new_leader_keeps_hidden_events_hidden(three: Nodes) -> None:
    party = await evening(three, host_at="b", delay_s=DELAY_S)
    await party.host.ask("start", simul=party.simul)
    await party.play(1, "e2e4", 0)
    await until(lambda: bool(party.players[2].of("board")))
    await three.kill("a")
    await until(lambda: len(leaders(three, party.simul)) == 1)
    leader = party.leader()
    await party.play(1, "e7e5", 1)
    actor = leader.actor(party.simul)
    for socket in [party.host, *party.players]:
        await socket.until(lambda socket=socket: socket.numbered()[-1:] == [actor.feed.seq])  # type: ignore[misc]  # a default
    assert party.stranger.of("started") == party.stranger.of("board") == []
    shown = [message for message in party.stranger.heard if message["t"] == "simul"]
    assert all(message["boards"] == [] for message in shown)


async def test_boards_are_loaded_together(three: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand boards load within seconds; a request for one of them waits, and each is read once."""
    host, *people = await guests(three.pool, 46)
    sockets = [three["b"].socket(person) for person in people]
    simul = (await three["a"].socket(host).ask("create", **{**ANNOUNCED, "max_boards": 45}))["simul"]
    await together(*(socket.ask("join", simul=simul) for socket in sockets))
    await three["b"].socket(host).ask("start", simul=simul)
    await settled(three["a"].actor(simul))
    lots: list[Sequence[str]] = []

    async def find(pool: Pool, games: Sequence[str]) -> Any:
        lots.append(games)
        return await find_games(pool, games)

    monkeypatch.setattr(loading, "find_games", find)
    await three.kill("a")
    await until(lambda: len(leaders(three, simul)) == 1)
    (leader,) = leaders(three, simul)
    boards = [board.game for board in leader.actor(simul).state.boards]
    # Simuls of other tests may be taken, too.
    read = [games for games in lots if not set(boards).isdisjoint(games)]
    assert sorted(game for games in read for game in games) == sorted(boards)
    assert sorted(map(len, read)) == [5, 20, 20]
    assert all(leader.house.tables.has(game) for game in boards)


async def test_request_for_a_board_being_loaded_is_answered(three: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    party = await evening(three, host_at="b")
    await party.host.ask("start", simul=party.simul)
    game = party.leader().actor(party.simul).state.boards[0].game
    may_read, is_asked = asyncio.Event(), asyncio.Event()
    reads: list[Sequence[str]] = []

    async def slowly(pool: Pool, games: Sequence[str]) -> Any:
        if game in games:  # simuls of other tests are taken over, too, and must not block
            reads.append(games)
            is_asked.set()
            await may_read.wait()
        return await find_games(pool, games)

    monkeypatch.setattr(loading, "find_games", slowly)
    await three.kill("a")
    await is_asked.wait()
    owner = await three.pool.fetchval("SELECT owner FROM game WHERE id = $1", game)
    tables = three[owner].house.tables
    asked = [asyncio.create_task(tables.get_adopted(game)), asyncio.create_task(tables.adopt_all((game,)))]
    for _ in range(5):
        await asyncio.sleep(0)
    assert not any(task.done() for task in asked)
    may_read.set()
    await asyncio.gather(*asked)
    assert tables.has(game)
    assert len(reads) == 1


async def test_boards_with_local_players_are_loaded_first(three: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    host, *people = await guests(three.pool, 46)
    sockets = [three["a"].socket(person) for person in people]
    simul = (await three["a"].socket(host).ask("create", **{**ANNOUNCED, "max_boards": 45}))["simul"]
    await together(*(socket.ask("join", simul=simul) for socket in sockets))
    await three["a"].socket(host).ask("start", simul=simul)
    await settled(three["a"].actor(simul))
    boards = [board.game for board in three["a"].actor(simul).state.boards]
    for name in "bc":
        for game in boards[43:]:
            table = await three[name].house.tables.get(game)
            assert table is not None
            table.join(Ear(table.seats.black.user), Subscription(player=True))  # type: ignore[arg-type]  # a socket as far as a table needs one
    lots: list[Sequence[str]] = []

    async def ages(pool: Pool, games: Sequence[str]) -> Any:
        lots.append(games)
        return await ages_of(pool, games)

    monkeypatch.setattr(loading, "ages_of", ages)  # the first that is asked of a lot
    await three.kill("a")
    await until(lambda: len(leaders(three, simul)) == 1)
    # The database is asked for two lots at a time.
    first = next(games for games in lots if boards[43] in games)
    assert first in [games for games in lots if not set(boards).isdisjoint(games)][:2]
    assert first == [*boards[43:], *boards[:18]]


async def test_move_of_host_during_load_of_boards_counts(three: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    party = await evening(three, host_at="b")
    await party.host.ask("start", simul=party.simul)
    await party.play(1, "e2e4", 0)
    await party.all_have()
    game = party.leader().actor(party.simul).state.boards[0].game
    before_ms = party.leader().actor(party.simul).state.boards[0].host_ms
    adopted: asyncio.Future[Tables] = asyncio.get_running_loop().create_future()
    own = simul_loading._own

    async def own_and_wait(tables: Tables, games: Sequence[str]) -> Any:
        found = await own(tables, games)
        if game in found:
            adopted.set_result(tables)
            await moved
        return found

    moved: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    monkeypatch.setattr(simul_loading, "_own", own_and_wait)
    await three.kill("a")
    tables = await adopted
    (at,) = (at for at in three.by_name.values() if at.house.tables is tables)
    table = tables.peek(game)
    assert table is not None
    assert at.house.simuls.peek(party.simul) is None
    for seat in (table.seats.white, table.seats.black):
        table.join(Ear(seat.user), Subscription(player=True))  # type: ignore[arg-type]  # a socket as far as a table needs one
    await until(lambda: not table.is_busy and not table.is_held)
    for move, by, ply in (("e7e5", "b", 1), ("g1f3", "w", 2)):
        at.house.time.advance(1_500)
        await play(at, table, PlayMove(by=by, move=move, ply=ply))  # type: ignore[arg-type]  # mypy takes it for any text
    moved.set_result(None)
    await until(lambda: len(leaders(three, party.simul)) == 1)
    spent_ms = await three.pool.fetchval(
        "SELECT sum((payload ->> 'spent_ms')::bigint) FROM event WHERE game = $1 AND payload ->> 'by' = 'w'", game
    )
    board = party.leader().actor(party.simul).state.boards[0]
    assert board.facts is not None
    assert board.facts.ply == 3
    assert board.host_ms == spent_ms > before_ms


async def play(at: At, table: Table, command: PlayMove) -> None:
    answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    table.submit(PendingCommand(command, at.house.time.now_ms(), answer=answer.set_result))
    assert "seq" in await answer
