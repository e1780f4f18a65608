"""Lobby snapshot at other nodes: always equal to the leader's."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.pools.pools import PoolKey
from lobby.proposals import Proposal
from lobby.seeks.seeks import new_seek
from realtime.cluster.lobby.lobby_replica import PENDING, LobbyReplica
from realtime.fanout.message import Message
from tests.realtime.table_harness import WHITE, play
from tests.realtime.watching.test_lobby_simuls import Announced, card

MOVES = ("g1f3", "g8f6", "f3g1", "f6g8")


class Told(Announced):
    """A hub's lobby, and the same at another node, which is told what happens."""

    def __init__(self) -> None:
        super().__init__()
        self.view.tick()  # the first tells the counts
        self.replica = LobbyReplica(self.view.snapshot())
        self.view._topic = self

    def publish(self, message: Message) -> None:
        """Tell a numbered message to those who watch, and to the other node."""
        self.topic.publish(message)
        self.replica.apply(message.payload)

    def send(self, message: Message) -> None:
        """The same of one without."""
        self.topic.send(message)
        self.replica.apply(message.payload)

    def seek(self, name: str) -> None:
        """One more, or one fewer."""
        book = self.lobby.book
        event: Any = book.remove(name) or book.add(new_seek(name, WHITE, Proposal(tc=None), 0), 0)
        self.publish(Message(event, event["seq"]))

    def elsewhere(self) -> dict[str, Any]:
        """What the other node shows."""
        shown: dict[str, Any] = msgspec.msgpack.decode(self.replica.snapshot().payload)
        return shown


def test_snapshot_is_encoded_once_between_changes() -> None:
    actor = Told()
    assert actor.replica.snapshot() is actor.replica.snapshot()
    actor.seek("s")
    after = actor.replica.snapshot()
    assert after is actor.replica.snapshot()
    assert after.seq == actor.lobby.seq


def test_unknown_event_of_newer_server_advances_the_number() -> None:
    actor = Told()
    actor.replica.apply(msgspec.msgpack.encode({"t": "lobby.weather", "seq": 101}))
    assert actor.elsewhere()["seq"] == 101


def test_a_hub_of_an_earlier_version_names_nobody_who_waits() -> None:
    actor = Told()
    shown = {name: value for name, value in actor.shown().items() if name not in ("waiters", "pools")}
    replica = LobbyReplica(Message(shown, shown["seq"]))
    replica.apply(msgspec.msgpack.encode({"t": "lobby.waiter_gone", "seq": shown["seq"] + 1, "user": "a"}))
    replica.apply(msgspec.msgpack.encode({"t": "lobby.count", "games": 1, "online": 2}))
    after = msgspec.msgpack.decode(replica.snapshot().payload)
    assert after == {**shown, "seq": shown["seq"] + 1, "waiters": [], "games": 1, "online": 2}


@pytest.mark.parametrize("told", [1, PENDING, PENDING + 1, 3 * PENDING])
def test_snapshot_equals_leader_after_any_number_of_events(told: int) -> None:
    actor = Told()
    for number in range(told):
        actor.seek(f"s{number % 7}")
    assert actor.elsewhere() == actor.shown()


# A game of each number has ratings of its own: of those that are equally strong the newest comes first at the hub, and
# the one that was told last elsewhere, as on a client.
STEP = st.tuples(
    st.sampled_from(["seek", "game", "move", "simul", "wait", "rated", "leave", "beat", "look"]), st.integers(0, 5)
)


@given(st.lists(STEP, max_size=30))
def test_snapshot_equals_leader_after_any_sequence(steps: list[tuple[str, int]]) -> None:
    actor = Told()
    for turn, (what, number) in enumerate(steps, 1):
        name = f"g{number}"
        if what == "seek":
            actor.seek(name)
        elif what == "game" and name in actor.games:
            actor.end(name)
        elif what == "game":
            actor.open(name, 1500, 1500 + number)
        elif what == "move" and name in actor.games:
            harness = actor.games[name]
            play(harness, MOVES[(len(harness.table.game.moves) - 2) % 4])
        elif what == "simul":
            others = [known for known in actor.cards if known["simul"] != f"s{number}"]
            mine = [] if len(others) < len(actor.cards) and number % 2 else [card(number, players=len(steps))]
            actor.cards = sorted([*others, *mine], key=lambda known: -known["created"])
        elif what in ("wait", "rated"):
            actor.lobby.join(name, PoolKey("3+2", rated=what == "rated"), n=turn)
        elif what == "leave":
            actor.lobby.pools.stop(name, turn)
        elif what == "beat":
            actor.view.tick()
        else:
            assert actor.elsewhere() == actor.shown()
    assert actor.elsewhere() == actor.shown()
