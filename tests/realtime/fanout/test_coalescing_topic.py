"""Coalescing topic: all events, once, in order, before anything that follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from realtime.fanout.coalescing_topic import COALESCE_S, CoalescingTopic
from realtime.fanout.message import Message
from realtime.fanout.spectator_queue import FanOut
from realtime.fanout.subscription import Subscription
from tests.realtime.table_harness import Ear

if TYPE_CHECKING:
    from collections.abc import Callable


SOCKETS = 5


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
        self.soon: list[Callable[[], None]] = []

    def later(self, delay_s: float, call: Callable[[], None]) -> None:
        assert delay_s == COALESCE_S
        self.due.append(call)

    def fan_out(self, at_once: int) -> FanOut:
        """Slices of so many, when the test says so."""
        return FanOut(self.soon_after, at_once)

    def soon_after(self, call: Callable[[], None]) -> None:
        self.soon.append(call)

    def go_on(self) -> None:
        """Let the loop turn once."""
        soon, self.soon = self.soon, []
        for call in soon:
            call()

    def turn(self) -> None:
        """Let ``COALESCE_S`` pass, and the loop turn no more often than must be."""
        due, self.due = self.due, []
        for call in due:
            call()


def publish(topic: CoalescingTopic, seq: int) -> None:
    topic.publish(Message({"t": "e", "seq": seq}, seq))


def test_first_event_is_sent_at_once_and_later_ones_together() -> None:
    clock, socket = Clock(), Socket()
    topic = CoalescingTopic("lobby", later=clock.later)
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


def test_many_subscribers_are_written_to_in_slices() -> None:
    clock, sockets = Clock(), [Socket() for _ in range(5)]
    topic = CoalescingTopic("lobby", later=clock.later, fan_out=clock.fan_out(2))
    for socket in sockets:
        topic.add(socket, Subscription())  # type: ignore[arg-type]  # a socket to a topic
    publish(topic, 1)
    clock.go_on()
    assert [socket.writes for socket in sockets] == [1, 1, 0, 0, 0]
    topic.remove(sockets[2])  # type: ignore[arg-type]  # a socket to a topic
    clock.go_on()
    assert [socket.writes for socket in sockets] == [1, 1, 0, 1, 1]
    assert not clock.soon


def test_events_gathered_during_a_slice_follow_it() -> None:
    clock, sockets = Clock(), [Socket() for _ in range(3)]
    topic = CoalescingTopic("lobby", later=clock.later, fan_out=clock.fan_out(1))
    for socket in sockets:
        topic.add(socket, Subscription())  # type: ignore[arg-type]  # a socket to a topic
    publish(topic, 1)
    clock.go_on()
    publish(topic, 2)
    topic.catch_up(sockets[2])  # type: ignore[arg-type]  # a socket to a topic
    assert [socket.seqs() for socket in sockets] == [[1], [], [1, 2]]
    clock.turn()  # before the slice is finished
    clock.go_on()
    assert [socket.seqs() for socket in sockets] == [[1], [1, 2], [1, 2]]
    clock.go_on()
    assert [socket.seqs() for socket in sockets] == [[1, 2]] * 3
    assert [socket.writes for socket in sockets] == [2, 1, 1]


class Crowd(RuleBasedStateMachine):
    """Sockets subscribe, leave, return with the number they have seen, and request answers at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.topic = CoalescingTopic("lobby", ring=1000, later=self.clock.later, fan_out=self.clock.fan_out(2))
        self.sockets = [Socket("json") for _ in range(SOCKETS)]
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
    def go_on(self) -> None:
        self.clock.go_on()

    @rule()
    def wait(self) -> None:
        self.clock.turn()

    @rule(which=st.integers(0, SOCKETS - 1))
    def come(self, which: int) -> None:
        """Join: the snapshot, or the ring, contains everything up to now."""
        socket = self.sockets[which]
        if which in self.since:
            self.topic.catch_up(socket)  # type: ignore[arg-type]  # a socket to a topic
        else:
            socket.heard = []
            self.since[which] = self.seq
        self.topic.add(socket, Subscription())  # type: ignore[arg-type]  # a socket to a topic

    @rule(which=st.integers(0, SOCKETS - 1))
    def go(self, which: int) -> None:
        if self.since.pop(which, None) is not None:
            self.topic.remove(self.sockets[which])  # type: ignore[arg-type]  # a socket to a topic

    @rule(which=st.integers(0, SOCKETS - 1))
    def ask(self, which: int) -> None:
        if which in self.since:
            self.topic.catch_up(self.sockets[which])  # type: ignore[arg-type]  # a socket to a topic
            assert self.sockets[which].seqs() == list(range(self.since[which] + 1, self.seq + 1))

    @rule()
    def come_to_rest(self) -> None:
        while self.clock.due or self.clock.soon:
            self.clock.go_on()
            self.clock.turn()
        for which, since in self.since.items():
            assert self.sockets[which].seqs() == list(range(since + 1, self.seq + 1))

    @invariant()
    def nobody_misses_or_repeats(self) -> None:
        for which, since in self.since.items():
            heard: list[Any] = self.sockets[which].seqs()
            assert heard == list(range(since + 1, since + 1 + len(heard)))


TestCrowd = Crowd.TestCase
