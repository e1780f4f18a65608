"""Timers: one heap of alarms; a due alarm rings only after one further poll of the sockets."""

from __future__ import annotations

import asyncio
import socket
import weakref
from typing import Any

from realtime.clock.loop_time import running_time
from realtime.clock.timers import Timers
from tests.realtime.fake_time import FakeTime


class FakeLoop:
    """The two calls of a loop that timers make, turned by the test."""

    def __init__(self) -> None:
        self.ready: list[Any] = []
        self.later: list[tuple[float, Any]] = []

    def call_soon(self, callback: Any) -> None:
        self.ready.append(callback)

    def call_later(self, delay_s: float, callback: Any) -> Any:
        entry = (delay_s, callback)
        self.later.append(entry)

        class Handle:
            def cancel(_) -> None:  # noqa: N805  the test's own self is outside
                if entry in self.later:
                    self.later.remove(entry)

        return Handle()

    def turn(self) -> None:
        """One iteration: what was ready at its start runs."""
        ready, self.ready = self.ready, []
        for callback in ready:
            callback()

    def wake(self) -> None:
        """The armed wake-up comes."""
        _, callback = self.later.pop()
        callback()


class Bell:
    """An alarm with a deadline that a test sets."""

    def __init__(self, due_ms: int | None) -> None:
        self.due = due_ms
        self.rung = 0

    def due_ms(self) -> int | None:
        return self.due

    def on_timer(self) -> None:
        self.rung += 1
        self.due = None


def _timers() -> tuple[Timers, FakeTime, FakeLoop]:
    time, loop = FakeTime(), FakeLoop()
    return Timers(time, loop), time, loop  # type: ignore[arg-type]  # a loop as far as timers need one


def test_alarm_rings_when_due_and_not_before() -> None:
    timers, time, loop = _timers()
    bell = Bell(1000)
    timers.arm(bell)
    assert loop.later[0][0] == 1.0
    time.advance(1000)
    loop.wake()
    loop.turn()
    loop.turn()
    assert bell.rung == 1


def test_due_alarm_rings_after_one_further_poll() -> None:
    timers, time, loop = _timers()
    bell = Bell(10)
    timers.arm(bell)
    time.advance(10)
    loop.wake()
    assert bell.rung == 0
    loop.turn()  # runs before the frames of the next poll are read
    assert bell.rung == 0
    loop.turn()  # runs after them
    assert bell.rung == 1


def test_frame_of_further_poll_disarms_alarm() -> None:
    timers, time, loop = _timers()
    bell = Bell(10)
    timers.arm(bell)
    time.advance(10)
    loop.wake()
    loop.turn()
    bell.due = None  # the move was read by the poll in between
    loop.turn()
    assert bell.rung == 0


def test_postponed_deadline_goes_back_to_the_heap() -> None:
    timers, time, loop = _timers()
    bell = Bell(10)
    timers.arm(bell)
    bell.due = 5000
    timers.arm(bell)
    assert len(timers) == 1
    time.advance(10)
    loop.wake()
    loop.turn()
    loop.turn()
    assert (bell.rung, len(timers)) == (0, 1)
    time.advance(4990)
    loop.wake()
    loop.turn()
    loop.turn()
    assert bell.rung == 1


def test_earlier_deadline_wakes_loop_earlier_and_rings_once() -> None:
    timers, time, loop = _timers()
    bell = Bell(60_000)
    timers.arm(bell)
    bell.due = 50
    timers.arm(bell)
    assert [delay for delay, _ in loop.later] == [0.05]
    time.advance(60_000)
    loop.wake()
    loop.turn()
    loop.turn()
    assert bell.rung == 1


def test_forgotten_alarm_does_not_ring() -> None:
    timers, time, loop = _timers()
    bell = Bell(10)
    timers.arm(bell)
    timers.forget(bell)
    time.advance(10)
    loop.wake()
    loop.turn()
    loop.turn()
    assert bell.rung == 0


def test_failing_alarm_does_not_stop_the_others() -> None:
    class Broken(Bell):
        def on_timer(self) -> None:
            super().on_timer()
            raise KeyError("a fault in the rules of one game")

    timers, time, loop = _timers()
    broken, bell = Broken(1000), Bell(1000)
    timers.arm(broken)
    timers.arm(bell)
    time.advance(1000)
    loop.wake()
    loop.turn()
    loop.turn()
    assert (broken.rung, bell.rung) == (1, 1)


def test_close_disarms_all_alarms() -> None:
    timers, _, loop = _timers()
    timers.arm(Bell(10))
    timers.close()
    assert (loop.later, len(timers)) == ([], 0)


async def test_received_frame_is_read_before_alarm_rings_on_real_loop() -> None:
    loop = asyncio.get_running_loop()
    timers = Timers(running_time(), loop)
    near, far = socket.socketpair()
    order: list[str] = []
    done = asyncio.Event()
    with near, far:
        near.setblocking(False)

        def read() -> None:
            near.recv(1)
            order.append("frame")
            loop.remove_reader(near)

        loop.add_reader(near, read)

        class Flag(Bell):
            def on_timer(self) -> None:
                super().on_timer()
                order.append("flag")
                done.set()

        timers.arm(Flag(running_time().now_ms()))
        # The frame comes when the alarm is already due: the loop is busy, and has not polled since.
        loop.call_soon(far.send, b"x")
        await done.wait()
    timers.close()
    assert order == ["frame", "flag"]


def test_forgotten_alarm_is_freed_at_once() -> None:
    timers, _, _ = _timers()
    bell = Bell(14 * 86_400_000)
    timers.arm(bell)
    bell.due = 3_600_000
    timers.arm(bell)
    timers.forget(bell)
    gone = weakref.ref(bell)
    del bell
    assert gone() is None
