"""Events that wait for each other: everybody hears all of them, once, in order, and before what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from realtime.gathering import GATHER_S, GatheringTopic
from realtime.topics import Message, Subscription
from tests.realtime.table_harness import Ear

if TYPE_CHECKING:
    from collections.abc import Callable


class Socket(Ear):
    """Counts what is written to it; a write may hold several frames."""

    def __init__(self, codec: str = "json") -> None:
        super().__init__()
        self.codec = codec
        self.writes = 0

    def write(self, frame: bytes) -> None:
        self.writes += 1
        while frame:
            # Short messages only: a length of seven bits.
            end = 2 + frame[1]
            super().write(frame[:end])
            frame = frame[end:]

    def seqs(self) -> list[int]:
        return [message["seq"] for message in self.heard]


class Clock:
    """The event loop's, in the hands of the test."""

    def __init__(self) -> None:
        self.due: list[Callable[[], None]] = []

    def later(self, delay_s: float, call: Callable[[], None]) -> None:
        assert delay_s == GATHER_S
        self.due.append(call)

    def turn(self) -> None:
        """Let ``GATHER_S`` pass."""
        due, self.due = self.due, []
        for call in due:
            call()


def publish(topic: GatheringTopic, seq: int) -> None:
    topic.publish(Message({"t": "e", "seq": seq}, seq))


def test_the_first_goes_at_once_and_those_after_it_together() -> None:
    clock, socket = Clock(), Socket()
    topic = GatheringTopic("lobby", later=clock.later)
    topic.add(socket, Subscription())  # type: ignore[arg-type]  # a socket to a topic
    for seq in range(1, 6):
        publish(topic, seq)
    assert socket.seqs() == [1]
    clock.turn()
    assert (socket.seqs(), socket.writes) == ([1, 2, 3, 4, 5], 2)
    clock.turn()
    assert clock.due == []
    publish(topic, 6)
    assert socket.seqs()[-1] == 6


class Crowd(RuleBasedStateMachine):
    """Sockets come, go, come back with what they have seen, and ask for answers at any moment."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.topic = GatheringTopic("lobby", ring=1000, later=self.clock.later)
        self.sockets = [Socket("json") for _ in range(4)]
        self.since: dict[int, int] = {}
        self.seq = 0

    @initialize()
    def begin(self) -> None:
        self.come(0)

    @rule(count=st.integers(1, 3))
    def happen(self, count: int) -> None:
        for _ in range(count):
            self.seq += 1
            publish(self.topic, self.seq)

    @rule()
    def wait(self) -> None:
        self.clock.turn()

    @rule(which=st.integers(0, 3))
    def come(self, which: int) -> None:
        """As the snapshot, or the ring, has told him everything up to now."""
        socket = self.sockets[which]
        if which in self.since:
            self.topic.catch_up(socket)  # type: ignore[arg-type]  # a socket to a topic
        else:
            socket.heard = []
            self.since[which] = self.seq
        self.topic.add(socket, Subscription())  # type: ignore[arg-type]  # a socket to a topic

    @rule(which=st.integers(0, 3))
    def go(self, which: int) -> None:
        if self.since.pop(which, None) is not None:
            self.topic.remove(self.sockets[which])  # type: ignore[arg-type]  # a socket to a topic

    @rule(which=st.integers(0, 3))
    def ask(self, which: int) -> None:
        if which in self.since:
            self.topic.catch_up(self.sockets[which])  # type: ignore[arg-type]  # a socket to a topic
            assert self.sockets[which].seqs() == list(range(self.since[which] + 1, self.seq + 1))

    @rule()
    def come_to_rest(self) -> None:
        while self.clock.due:
            self.clock.turn()
        for which, since in self.since.items():
            assert self.sockets[which].seqs() == list(range(since + 1, self.seq + 1))

    @invariant()
    def nobody_misses_or_repeats(self) -> None:
        for which, since in self.since.items():
            heard: list[Any] = self.sockets[which].seqs()
            assert heard == list(range(since + 1, since + 1 + len(heard)))


Crowd.TestCase.settings = settings(max_examples=60, deadline=None)
TestCrowd = Crowd.TestCase
