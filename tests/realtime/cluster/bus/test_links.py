"""Links between nodes: numbered parcels, order, detected losses, bounds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from realtime.cluster.bus.cluster import HEARTBEAT_S, IDLE_S
from realtime.cluster.bus.links import ITEM_BYTES, MESSAGE, PARCEL_BYTES, SILENT_S, Links

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.cluster.bus.links import Item


class Wire:
    """A bus whose parcels the test carries itself."""

    def __init__(self) -> None:
        self.is_up = True
        self.parcels: list[bytes] = []

    async def open(self, node: str, receive: Callable[[bytes], None]) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    def send(self, node: str, data: bytes) -> None:
        if self.is_up:
            self.parcels.append(data)


class Ear:
    """The receiving end, and what it noticed in which order."""

    def __init__(self) -> None:
        self.heard: list[int | str] = []
        self.links = Links("b", Wire(), on_item=self._hear, on_gap=lambda sender: self.heard.append("gap"))

    def _hear(self, sender: str, item: Item) -> None:
        self.heard.append(msgspec.msgpack.decode(bytes(item.body), type=int))


async def send(links: Links, numbers: range) -> None:
    for number in numbers:
        links.send("b", MESSAGE, 0, "t", msgspec.msgpack.encode(number))
        await asyncio.sleep(0)


async def test_messages_of_one_loop_turn_share_a_parcel() -> None:
    wire, ear = Wire(), Ear()
    links = Links("a", wire)
    for number in range(5):
        links.send("b", MESSAGE, 0, "t", msgspec.msgpack.encode(number))
    await asyncio.sleep(0)
    assert len(wire.parcels) == 1
    ear.links.receive(wire.parcels[0])
    assert ear.heard == [0, 1, 2, 3, 4]


async def test_parcels_and_messages_are_bounded() -> None:
    wire = Wire()
    links = Links("a", wire)
    for _ in range(5):
        links.send("b", MESSAGE, 0, "t", bytes(PARCEL_BYTES // 2))
    await asyncio.sleep(0)
    assert len(wire.parcels) == 5
    links.send("b", MESSAGE, 0, "t", bytes(ITEM_BYTES))
    with pytest.raises(ValueError, match="more than fit"):
        links.send("b", MESSAGE, 0, "t", bytes(ITEM_BYTES + 1))


@given(fate=st.lists(st.sampled_from(["arrives", "is lost", "comes twice"]), min_size=1, max_size=30))
def test_gap_is_reported_before_later_messages(fate: list[str]) -> None:
    async def run() -> None:
        wire, ear = Wire(), Ear()
        await send(Links("a", wire), range(len(fate)))
        for what, parcel in zip(fate, wire.parcels, strict=True):
            for _ in range({"arrives": 1, "is lost": 0, "comes twice": 2}[what]):
                ear.links.receive(parcel)
        expected: list[int | str] = []
        lost = False
        for number, what in enumerate(fate):
            lost = lost or what == "is lost"
            if what != "is lost":
                expected += ["gap", number] if lost else [number]
                lost = False
        assert ear.heard == expected
        assert ear.links.gaps == expected.count("gap")

    asyncio.run(run())


async def test_messages_during_bus_outage_are_reported_as_gap() -> None:
    wire, ear = Wire(), Ear()
    links = Links("a", wire)
    await send(links, range(1))
    wire.is_up = False
    await send(links, range(1, 3))
    wire.is_up = True
    await send(links, range(3, 4))
    for parcel in wire.parcels:
        ear.links.receive(parcel)
    assert ear.heard == [0, "gap", 3]


async def test_heartbeat_reveals_loss_of_last_parcel() -> None:
    wire, ear = Wire(), Ear()
    links = Links("a", wire)
    await send(links, range(2))
    links.beat({"b"}, 60.0)
    assert len(wire.parcels) == 2, "recent traffic replaces the heartbeat"
    links.beat({"b"}, 0.0)
    for parcel in (wire.parcels[0], wire.parcels[2]):
        ear.links.receive(parcel)
    assert ear.heard == [0, "gap"]


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x93\x01\x02\x03", msgspec.msgpack.encode(["a", 1, [[0, 1]]])])
async def test_malformed_parcel_is_only_logged(data: bytes, caplog: pytest.LogCaptureFixture) -> None:
    ear = Ear()
    ear.links.receive(data)
    assert ear.heard == []
    assert "not of this protocol" in caplog.text


async def test_forgotten_node_is_told_of_a_gap() -> None:
    wire, ear = Wire(), Ear()
    links = Links("a", wire)
    await send(links, range(3))
    links.forget("b")
    await send(links, range(10, 12))
    for parcel in wire.parcels:
        ear.links.receive(parcel)
    assert ear.heard == [0, 1, 2, "gap", 10, 11]


class Pair:
    """Two nodes, and the ways between them, each of which may be dead."""

    def __init__(self, now: list[float]) -> None:
        self.wires = {name: Wire() for name in "ab"}
        self.links = {name: Links(name, wire) for name, wire in self.wires.items()}
        self.dead: set[str] = set()
        """Whose words do not arrive."""
        self._now = now

    async def pass_on(self, seconds: float) -> None:
        """Let time pass in which both beat, as often as a cluster lets them."""
        for _ in range(round(seconds / HEARTBEAT_S)):
            self._now[0] += HEARTBEAT_S
            for name, other in ("ab", "ba"):
                self.links[name].beat({other}, IDLE_S)
            for _ in range(3):
                await asyncio.sleep(0)
                self._carry()

    def _carry(self) -> None:
        for name, other in ("ab", "ba"):
            parcels, self.wires[name].parcels = self.wires[name].parcels, []
            for parcel in parcels if name not in self.dead else ():
                self.links[other].receive(parcel)

    def reach(self) -> tuple[bool, bool]:
        """Whether ``a`` reaches ``b``, and ``b`` reaches ``a``."""
        return self.links["a"].is_reached("b"), self.links["b"].is_reached("a")


@pytest.fixture
async def pair(monkeypatch: pytest.MonkeyPatch) -> Pair:
    now = [100.0]
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
    return Pair(now)


@pytest.mark.parametrize("mute", ["a", "b", "ab"])
async def test_node_that_is_not_heard_is_unreached_in_both_directions(pair: Pair, mute: str) -> None:
    await pair.pass_on(1.0)
    assert pair.reach() == (True, True)
    pair.dead |= set(mute)
    await pair.pass_on(SILENT_S - 2 * HEARTBEAT_S)
    assert pair.reach() == (True, True), "nothing is known yet"
    await pair.pass_on(3 * HEARTBEAT_S)
    assert pair.reach() == (False, False)
    await pair.pass_on(60)
    pair.dead.clear()
    await pair.pass_on(2 * HEARTBEAT_S)
    assert pair.reach() == (True, True)


async def test_two_new_nodes_reach_each_other_after_one_heartbeat(pair: Pair) -> None:
    pair.links["a"].beat({"b"}, 0.0)
    for _ in range(4):
        pair._carry()
        await asyncio.sleep(0)
    assert pair.reach() == (True, True)
    assert not any(wire.parcels for wire in pair.wires.values()), "and are quiet then"


async def test_node_never_heard_is_not_reached(pair: Pair) -> None:
    pair.dead.add("b")
    await pair.pass_on(1.0)
    assert pair.reach() == (False, False)


async def test_forgotten_node_is_reached_again(pair: Pair) -> None:
    await pair.pass_on(1.0)
    pair.links["a"].forget("b")
    assert pair.reach() == (False, True)
    await pair.pass_on(2 * HEARTBEAT_S)
    assert pair.reach() == (True, True)


async def test_node_of_older_version_is_reached_once_heard(pair: Pair) -> None:
    pair.links["a"].receive(msgspec.msgpack.encode(["old", 1, []]))
    assert pair.links["a"].is_reached("old")
