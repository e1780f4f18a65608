"""Deadlines of all tables in one heap with a single event-loop timer.

A due deadline is decided only after one more poll of the sockets, so a move that has already reached the machine comes
first.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.clock.loop_time import ServerTime

log = logging.getLogger(__name__)


class Alarm(Protocol):
    """An object with a deadline, ``due_ms``, which may change."""

    def due_ms(self) -> int | None:
        """Return the deadline on the game axis, or None."""

    def on_timer(self) -> None:
        """Handle the deadline, which has passed."""


class _Entry:
    """An entry of the heap. It has no alarm once that is forgotten or has an earlier entry."""

    __slots__ = ("alarm", "due_ms", "order")

    def __init__(self, due_ms: int, order: int, alarm: Alarm) -> None:
        self.due_ms = due_ms
        self.order = order
        self.alarm: Alarm | None = alarm

    def __lt__(self, other: _Entry) -> bool:
        return (self.due_ms, self.order) < (other.due_ms, other.order)


class Timers:
    """A heap of alarms.

    An alarm whose deadline moves later costs nothing: its old entry fires, sees the new deadline and is pushed again.
    Only an earlier deadline adds an entry, so there is about one a table.
    """

    def __init__(self, time: ServerTime, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._time = time
        self._loop = loop or asyncio.get_running_loop()
        self._heap: list[_Entry] = []
        self._armed: dict[Alarm, _Entry] = {}
        """The earliest entry of each alarm."""
        self._order = itertools.count()
        self._handle: asyncio.TimerHandle | None = None
        self._wakes_ms: int | None = None

    def __len__(self) -> int:
        return len(self._armed)

    def arm(self, alarm: Alarm) -> None:
        """Schedule ``alarm``. Call it when its deadline may have become earlier."""
        due_ms = alarm.due_ms()
        if due_ms is None:
            return
        armed = self._armed.get(alarm)
        if armed is not None:
            if armed.due_ms <= due_ms:
                return
            armed.alarm = None
        self._push(alarm, due_ms)
        self._schedule()

    def forget(self, alarm: Alarm) -> None:
        """Remove ``alarm``, and drop the reference to it."""
        entry = self._armed.pop(alarm, None)
        if entry is not None:
            entry.alarm = None

    def close(self) -> None:
        """Cancel everything."""
        if self._handle is not None:
            self._handle.cancel()
        self._heap.clear()
        self._armed.clear()

    def _push(self, alarm: Alarm, due_ms: int) -> None:
        entry = _Entry(due_ms, next(self._order), alarm)
        self._armed[alarm] = entry
        heapq.heappush(self._heap, entry)

    def _schedule(self) -> None:
        if not self._heap:
            return
        first_ms = self._heap[0].due_ms
        if self._handle is not None:
            if self._wakes_ms is not None and self._wakes_ms <= first_ms:
                return
            self._handle.cancel()
        self._wakes_ms = first_ms
        delay_s = max(0, first_ms - self._time.now_ms()) / 1000
        self._handle = self._loop.call_later(delay_s, self._wake)

    def _wake(self) -> None:
        self._handle = None
        now_ms = self._time.now_ms()
        due: list[Alarm] = []
        while self._heap and self._heap[0].due_ms <= now_ms:
            alarm = heapq.heappop(self._heap).alarm
            if alarm is not None:
                del self._armed[alarm]
                due.append(alarm)
        if due:
            # Callbacks queued now run before the frames of the next poll are read; queued once more from there, they
            # run after them.
            self._after_poll(lambda: self._after_poll(lambda: self._ring(due)))
        self._schedule()

    def _after_poll(self, callback: Callable[[], None]) -> None:
        self._loop.call_soon(callback)

    def _ring(self, alarms: list[Alarm]) -> None:
        now_ms = self._time.now_ms()
        for alarm in alarms:
            try:
                self._ring_or_arm(alarm, now_ms)
            except Exception:  # an error in one game must not keep the flags of others from falling
                log.exception("a timer callback failed; the others run")

    def _ring_or_arm(self, alarm: Alarm, now_ms: int) -> None:
        due_ms = alarm.due_ms()
        if due_ms is None:
            return
        if due_ms <= now_ms:
            alarm.on_timer()
        else:
            self.arm(alarm)
