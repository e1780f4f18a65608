"""People who wait in pools, as the lobby's subscribers see them: casual ones by name, rated ones as a number."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lobby.pools.pools import POOLS as CONTROLS
from lobby.pools.pools import PoolKey
from realtime.watching.lobby_view import POOLS, REPEAT_TICKS, WAITERS, WAITERS_TOLD, waiting_order
from tests.realtime.watching.test_lobby_view import Hall

CASUAL, RATED = PoolKey("3+2", rated=False), PoolKey("3+2", rated=True)
RUSSIAN = PoolKey("5+0", rated=False, game="draughts", variant="russian")

STEP = st.tuples(st.sampled_from([CASUAL, RATED, RUSSIAN, None, "left", "came", "tick"]), st.sampled_from("abcd"))


class Client:
    """The waiting people and counts as a client computes them from its messages."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        first = hall.shown()
        self.seq, self.waiters, self.pools = first["seq"], {}, first["pools"]
        for card in first["waiters"]:
            self.waiters[card["user"]["id"]] = card

    def read(self) -> list[str]:
        """Apply the messages since the last call; return their types."""
        heard, self.hall.ears[0].heard = self.hall.ears[0].heard, []
        for message in heard:
            if "seq" in message:
                self.seq += 1
                assert message["seq"] == self.seq
            if message["t"] == "lobby.waiter":
                self.waiters[message["card"]["user"]["id"]] = message["card"]
            elif message["t"] == "lobby.waiter_gone":
                del self.waiters[message["user"]]
            self.pools = message.get("pools", self.pools)
        return [message["t"] for message in heard]


def test_casual_waiters_are_named_and_rated_ones_counted() -> None:
    hall = Hall()
    hall.view.tick()
    hall.lobby.join("anna", CASUAL, n=1)
    hall.lobby.join("bert", RATED, n=2)
    hall.lobby.join("carl", RUSSIAN, n=3)
    hall.playing["3+2"] = 4
    client = Client(hall)
    hall.view.tick()
    hall.view.tick()
    client.read()
    shown = hall.shown()
    assert [card["user"]["id"] for card in shown["waiters"]] == ["anna", "carl"]
    assert (shown["waiters"][1]["pool"], shown["waiters"][1]["variant"]) == ("5+0", "russian")
    assert shown["pools"] == client.pools == {"3+2": [1, 1, 4], "russian 5+0": [1, 0, 0]}


def test_nothing_is_sent_while_nothing_changes() -> None:
    hall = Hall()
    hall.lobby.join("anna", CASUAL)
    for _ in range(4):
        hall.view.tick()
    client = Client(hall)
    client.seq = 0
    hall.ears[0].heard = []
    for _ in range(4):
        hall.view.tick()
    assert client.read() == []
    assert hall.lobby.snapshots == 1


def test_who_is_away_cannot_be_taken() -> None:
    hall = Hall()
    hall.lobby.join("anna", CASUAL)
    hall.view.tick()
    hall.lobby.pools.left("anna", 0)
    for _ in range(2):
        hall.view.tick()
    assert (hall.shown()["waiters"], hall.shown()["pools"]) == ([], {})


def test_people_who_become_invisible_are_neither_named_nor_counted() -> None:
    hall = Hall()
    hall.lobby.join("anna", CASUAL, n=1)
    hall.lobby.join("bert", CASUAL, n=2)
    hall.view.tick()
    client = Client(hall)
    hall.ears[0].heard = []
    hall.people.set_invisible_remotely("anna", invisible=True)
    for _ in range(2):
        hall.view.tick()
    assert "lobby.waiter_gone" in client.read()
    assert client.waiters.keys() == {"bert"}
    assert client.pools == hall.shown()["pools"] == {"3+2": [1, 0, 0]}


def test_people_after_the_invisible_ones_are_shown() -> None:
    hall = Hall()
    for number in range(WAITERS + 1):
        hall.lobby.join(f"p{number:03}", CASUAL, n=number + 1)
    hall.people.set_invisible_remotely("p000", invisible=True)
    for _ in range(WAITERS // WAITERS_TOLD + 1):
        hall.view.tick()
    assert [card["user"]["id"] for card in hall.shown()["waiters"]] == [f"p{n:03}" for n in range(1, WAITERS + 1)]


def test_counts_change_every_other_second() -> None:
    hall = Hall()
    heard = []
    for number in range(6):
        hall.lobby.join(f"p{number}", RATED)
        hall.view.tick()
        heard += [message["pools"] for message in hall.ears[0].heard if "pools" in message]
        hall.ears[0].heard = []
    assert heard == [{"3+2": [0, 1, 0]}, {"3+2": [0, 3, 0]}, {"3+2": [0, 5, 0]}]


def test_lost_counts_are_repeated() -> None:
    hall = Hall()
    hall.lobby.join("anna", CASUAL)
    hall.view.tick()
    client = Client(hall)
    hall.ears[0].heard = []
    hall.lobby.pools.stop("anna", 2)
    for _ in range(4):
        hall.view.tick()
    hall.ears[0].heard = [message for message in hall.ears[0].heard if "seq" in message]  # its buffer was full
    for _ in range(REPEAT_TICKS):
        hall.view.tick()
    assert client.read().count("lobby.count") == 1
    assert client.pools == {}


def test_a_crowd_costs_each_subscriber_a_bounded_amount() -> None:
    hall = Hall()
    for number in range(3 * WAITERS):
        hall.lobby.join(f"p{number:03}", CASUAL, n=number + 1)
    for place in (f"{variant} {pool}" for variant in ("a", "b", "c", "d", "e", "f", "g") for pool in CONTROLS):
        hall.playing[place] = len(place)
    client = Client(hall)
    for _ in range(WAITERS // WAITERS_TOLD + 3):
        hall.view.tick()
        assert client.read().count("lobby.waiter") <= WAITERS_TOLD
    shown = hall.shown()
    assert [card["user"]["id"] for card in shown["waiters"]] == [f"p{number:03}" for number in range(WAITERS)]
    assert len(shown["pools"]) == POOLS
    assert shown["pools"]["3+2"] == [3 * WAITERS, 0, 0]


@given(st.lists(STEP, max_size=40))
def test_who_applies_the_events_has_what_the_snapshot_says(steps: list[tuple[Any, str]]) -> None:
    hall = Hall()
    client = Client(hall)
    for n, (what, name) in enumerate(steps, 1):
        if isinstance(what, PoolKey):
            hall.lobby.join(name, what, n=n)
        elif what is None:
            hall.lobby.pools.stop(name, n)
        elif what == "tick":
            hall.view.tick()
        elif what == "left":
            hall.lobby.pools.left(name, 0)
        else:
            hall.lobby.pools.came(name)
    for _ in range(2):
        hall.view.tick()
    client.read()
    shown = hall.shown()
    assert sorted(client.waiters.values(), key=waiting_order) == shown["waiters"]
    assert client.pools == shown["pools"]
    assert client.seq == shown["seq"]
    assert not any(waiter.place.rated for waiter in hall.lobby.pools.casual(99, 0, hall.people.is_shown))
