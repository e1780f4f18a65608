"""Simul with host, players and spectators at different nodes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core import commands as g
from game_core.errors import Refusal
from realtime.simuls.live.delayed_broadcast import later
from realtime.simuls.replica import simul_replica as mirror_module
from realtime.simuls.store.store import OPEN_OF_ONE
from tests.realtime.cluster.simul_nodes import APART_MS, At, Nodes, Socket, guests, nodes
from tests.realtime.simul_harness import settled
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.postgres.database import Pool

ANNOUNCED = {"name": "Club night", "tc": {"base_s": 600}, "host_color": "w", "auto_accept": True}


@pytest.fixture
async def three(pool: Pool, database_url: str) -> AsyncIterator[Nodes]:
    async with nodes(pool, database_url, "a", "b", "c") as three:
        yield three


class Evening:
    """A simul: its host at ``a`` or ``b``, players at ``b`` and ``c``, one who looks on at ``c``."""

    def __init__(self, nodes: Nodes, simul: str, host: Socket, players: list[Socket], stranger: Socket) -> None:
        self.nodes = nodes
        self.simul = simul
        self.host = host
        self.players = players
        self.stranger = stranger

    @property
    def all(self) -> list[Socket]:
        return [self.host, *self.players, self.stranger]

    def leader(self) -> At:
        (leader,) = [
            at for at in self.nodes.by_name.values()
            if (actor := at.house.simuls.peek(self.simul)) is not None and not actor.lost
        ]  # fmt: skip
        return leader

    async def play(self, board: int, move: str, ply: int) -> None:
        leader = self.leader()
        actor = leader.actor(self.simul)
        await settled(actor)
        by: Any = "wb"[ply % 2]
        answer = await leader.house.play(actor, board, g.PlayMove(by=by, move=move, ply=ply))
        assert "seq" in answer, answer

    async def all_have(self, count: int | None = None) -> None:
        """Wait until all have heard what the leader has told."""
        actor = self.leader().actor(self.simul)
        await settled(actor)
        for socket in self.all:
            await socket.until(lambda socket=socket: socket.numbered()[-1:] == [actor.feed.seq])  # type: ignore[misc]  # a default
        for socket in self.all:
            numbers = socket.numbered()
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "nothing doubled, nothing left out"

    async def same_everywhere(self) -> None:
        """Every node shows it as the leader does, by its own clock."""
        leader = self.leader()
        wanted = await leader.shown(self.simul)
        for at in self.nodes.by_name.values():
            apart = at.house.time.unix_ms - leader.house.time.unix_ms
            shown = await at.shown(self.simul)
            later(shown, -apart)
            assert shown == wanted


async def evening(nodes: Nodes, host_at: str = "a", created_at: str = "a", **terms: Any) -> Evening:
    host, *people = await guests(nodes.pool, 4)
    for at in nodes.by_name.values():
        at.house.people.here.add(host.id)
    maker = nodes[created_at].socket(host)
    simul = (await maker.ask("create", **{**ANNOUNCED, **terms}))["simul"]
    maker.leave()
    here = nodes[host_at].socket(host)
    players = [nodes[name].socket(user) for name, user in zip("bcc", people, strict=True)]
    stranger = nodes["c"].socket()
    for socket in (here, *players, stranger):
        await socket.listen(simul)
    for socket in players:
        await socket.ask("join", simul=simul)
    return Evening(nodes, simul, here, players, stranger)


@pytest.mark.parametrize("host_at", ["a", "b"])
async def test_host_and_players_take_part_at_any_node(three: Nodes, host_at: str) -> None:
    party = await evening(three, host_at, mode="round")
    await party.host.ask("start", simul=party.simul)
    assert party.leader().name == "a"
    # An answer follows the events of its request.
    assert len(party.host.of("started")[0]["boards"]) == 3
    await party.play(1, "e2e4", 0)
    await party.all_have()
    assert [you["you"] for you in party.players[0].of("you")] == ["player", "player"]
    assert party.players[2].of("you")[-1]["your_board"] == 3
    assert party.stranger.of("you") == []
    await party.host.ask("at", simul=party.simul, board=3)
    await party.host.until(lambda: party.host.of("at")[-1]["board"] == 3)
    await party.host.ask("edit", simul=party.simul, board=2, note="plays the Dutch")
    assert party.host.of("you")[-1]["notes"] == {"2": "plays the Dutch"}
    assert await party.players[0].refused("next", simul=party.simul) == "forbidden"
    board = party.leader().actor(party.simul).state.boards[0].game
    await party.players[0].ask("prepare", simul=party.simul, g=board, ply=1, move="e7e5")
    assert party.players[0].of("you")[-1]["prepared"] == {"ply": 1, "move": "e7e5"}
    await party.all_have()
    await party.same_everywhere()
    assert party.stranger.heard[-1].get("prepared") is None


async def test_watchers_are_counted_at_all_nodes(three: Nodes) -> None:
    party = await evening(three)
    for _ in range(2):
        for at in three.by_name.values():
            at.house.simuls.tick()
        await until(lambda: party.leader().actor(party.simul).audience.watching == 4)
    for socket in party.all:
        await socket.until(lambda socket=socket: socket.of("crowd")[-1:] == [socket.of("crowd")[0] | {"watchers": 4}])  # type: ignore[misc]  # a default
    party.stranger.leave()
    for at in three.by_name.values():
        at.house.simuls.tick()
    await until(lambda: party.leader().actor(party.simul).audience.watching == 3)
    # Nobody is left at c.
    for socket in party.players[1:]:
        socket.leave()
    for at in three.by_name.values():
        at.house.simuls.tick()
    relay = party.leader().actor(party.simul).audience.relay
    assert relay is not None
    await until(lambda: len(relay) == 1)


async def test_instants_are_converted_to_the_clock_of_the_node(three: Nodes) -> None:
    party = await evening(three)
    await party.host.ask("start", simul=party.simul)
    await party.play(1, "e2e4", 0)
    await party.all_have()
    (here, *_), (there, *_) = party.host.of("board"), party.players[0].of("board")
    assert there["clock"]["at"] - here["clock"]["at"] == APART_MS
    until_ms = three["b"].house.simuls.wall_ms() + 60_000
    host = three["b"].socket(party.host.user)
    await host.listen(party.simul)
    await host.ask("break", simul=party.simul, until=until_ms)
    assert host.of("break")[0]["until"] == until_ms
    assert party.host.of("break")[0]["until"] == until_ms - APART_MS


async def test_returning_subscriber_gets_missed_events(three: Nodes) -> None:
    party = await evening(three)
    await party.host.ask("start", simul=party.simul)
    await party.all_have()
    last = party.stranger.numbered()[-1]
    party.stranger.leave()
    await party.play(1, "e2e4", 0)
    await party.play(1, "e7e5", 1)
    seq = party.leader().actor(party.simul).feed.seq
    # At a node with a replica, and at a node without one.
    await three.add("d")
    await until(lambda: three["c"].replica(party.simul).topic.seq == seq)
    for name in "cd":
        back = three[name].socket()
        assert await back.listen(party.simul, last) == seq
        assert [event["seq"] for event in back.of("board")] == list(range(last + 1, seq + 1))
        assert not [message for message in back.heard if message["t"] == "simul"]


async def test_lost_events_are_repeated(three: Nodes) -> None:
    party = await evening(three)
    await party.host.ask("start", simul=party.simul)
    await party.all_have()
    shown = [sum(message["t"] == "simul" for message in socket.heard) for socket in party.all]
    three.exchange.is_lost = lambda sender, node, data: "c" in (sender, node)
    await party.play(1, "e2e4", 0)
    await party.play(2, "d2d4", 0)
    await until(lambda: party.players[0].numbered()[-1] == party.leader().actor(party.simul).feed.seq)
    three.exchange.is_lost = lambda sender, node, data: False
    await party.play(3, "c2c4", 0)
    await party.all_have()
    await party.same_everywhere()
    # The events were kept: no snapshot was needed.
    assert [sum(message["t"] == "simul" for message in socket.heard) for socket in party.all] == shown


async def test_snapshot_replaces_events_no_longer_kept(three: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    party = await evening(three)
    await party.host.ask("start", simul=party.simul)
    await party.all_have()
    three.exchange.is_lost = lambda sender, node, data: node == "c"
    await party.play(1, "e2e4", 0)
    three.exchange.is_lost = lambda sender, node, data: False
    party.leader().actor(party.simul).topic._ring.clear()
    await party.play(1, "e7e5", 1)
    await party.all_have()
    assert [message["t"] for message in party.stranger.heard].count("simul") == 2
    await party.same_everywhere()


async def test_request_to_unreached_leader_is_unavailable(three: Nodes) -> None:
    party = await evening(three)
    three.exchange.is_lost = lambda sender, node, data: True
    three["a"].house.cluster._links.forget("b")  # type: ignore[union-attr]  # it is a node
    three["b"].house.cluster._links.forget("a")  # type: ignore[union-attr]  # it is a node
    assert await party.players[0].refused("leave", simul=party.simul) == "unavailable"
    three.exchange.is_lost = lambda sender, node, data: False


async def test_new_names_are_shown_at_all_nodes(three: Nodes) -> None:
    party = await evening(three)
    await party.host.ask("start", simul=party.simul)
    await party.all_have()
    for socket in (party.host, party.players[0]):
        assert socket.user is not None
        three["a"].house.simuls.rename(msgspec.structs.replace(socket.user, name=f"{socket.user.name}-2"))
    await party.all_have()
    shown = await three["c"].shown(party.simul)
    assert shown["host"]["name"].endswith("-2")
    assert shown["boards"][0]["user"]["name"].endswith("-2")
    await party.same_everywhere()
    assert [message["t"] for message in party.stranger.heard].count("simul") == 1


async def test_unused_replica_is_removed(three: Nodes) -> None:
    party = await evening(three)
    for socket in party.all:
        socket.leave()
    for _ in range(2):
        for at in three.by_name.values():
            at.house.simuls.tick()
    assert [len(at.house.simuls.replicas or ()) for at in three.by_name.values()] == [0, 0, 0]
    audience = party.leader().actor(party.simul).audience
    await until(lambda: audience.is_deserted)


async def test_host_has_at_most_five_open_simuls_at_all_nodes(three: Nodes) -> None:
    (host,) = await guests(three.pool, 1)

    async def announce(at: At) -> str:
        try:
            await at.socket(host).ask("create", **ANNOUNCED)
        except Refusal as error:
            return error.code
        return "ok"

    outcomes = await asyncio.gather(*(announce(three[name]) for _ in range(4) for name in "abc"))
    assert sorted(outcomes) == ["conflict"] * (12 - OPEN_OF_ONE) + ["ok"] * OPEN_OF_ONE
    assert await announce(three["b"]) == "conflict"


async def late_node(party: Evening, name: str) -> list[Any]:
    """From now on what ``name`` is told of it is not shown there, but kept in the list that is returned."""
    kept: list[Any] = []
    party.nodes[name].replica(party.simul).take = kept.append  # type: ignore[method-assign,assignment]  # a slow link
    return kept


async def begins_to_listen(party: Evening, socket: Socket, last: int) -> asyncio.Task[int]:
    """A subscriber who has heard it up to ``last``."""
    task = asyncio.create_task(socket.listen(party.simul, last))
    for _ in range(20):
        await asyncio.sleep(0)
    return task


async def test_subscriber_ahead_of_replica_waits_for_it(three: Nodes) -> None:
    party = await evening(three, host_at="b")
    await party.host.ask("start", simul=party.simul)
    await party.all_have()
    replica = three["c"].replica(party.simul)
    show = replica.take
    kept = await late_node(party, "c")
    await party.play(1, "e2e4", 0)
    await party.host.until(lambda: bool(party.host.of("board")))
    (last,) = party.host.numbered()[-1:]
    assert replica.topic.seq < last
    socket = three["c"].socket()
    task = await begins_to_listen(party, socket, last)
    assert not task.done()
    await until(lambda: bool(kept))
    for news in kept:
        show(news)
    assert await task == last
    assert [message["t"] for message in socket.heard] == ["ok", "simul.crowd"]


async def test_subscriber_ahead_of_leader_gets_a_snapshot(three: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror_module, "BEHIND_S", 0.05)
    party = await evening(three, host_at="b")
    socket = three["c"].socket()
    last = party.leader().actor(party.simul).feed.seq
    assert await socket.listen(party.simul, last + 1000) == last
    assert [message["t"] for message in socket.heard] == ["ok", "simul"]


async def test_subscriber_ahead_of_cut_off_replica_is_refused(three: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror_module, "BEHIND_S", 0.05)
    party = await evening(three, host_at="b")
    cluster = three["c"].house.cluster
    assert cluster is not None
    monkeypatch.setattr(cluster, "is_reached", lambda node: False)
    socket = three["c"].socket()
    with pytest.raises(Refusal, match="try again"):
        await socket.listen(party.simul, party.leader().actor(party.simul).feed.seq + 1)
    assert socket.heard == []
