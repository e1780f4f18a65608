"""The only place that reads a clock: the server's game axis, told from the event loop's own polls.

``now_ms`` counts milliseconds of *game time*: monotonic, from zero at the start of the process, with the gaps of the
loop cut out. A gap is any stretch of more than ``GAP_NS`` in which the loop did not look at its sockets though it had
to: a long callback, a stopped process (SIGSTOP), a paused machine, a poll that came back that much later than its
timeout. Nobody could move then, so nobody is charged.

::

    poll         callbacks            poll   poll (waits)      poll
    ────●━━━━━━━━━━━━━━━━━━━━━━━━━━━●──●────●────────────●━━━●────
        returned                    entered  a frame comes ┘
        a frame that comes anywhere here is   it is stamped now: the
        read after the *next* poll: stamped   loop was waiting for it
        with the time of this one

A frame read in a busy iteration came at some time since the previous poll, nobody knows when; it gets the earliest.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Protocol

from realtime.clock.priority_selector import PrioritySelector

if TYPE_CHECKING:
    import selectors
    from collections.abc import Callable

GAP_NS = 250_000_000
"""A loop that did not poll for longer than this is charged to nobody: a garbage collection or a burst of work stays
below it, and a player's hand is slower than it."""

LONGEST_POLL_S = 0.1
"""No poll waits longer, so that a stop of the process during an idle poll shows as a poll that is late."""

BUSY_NS = 1_000_000
"""After callbacks of more than this, a poll first asks what is there already: only then does it matter whether a frame
had come before the poll or woke it."""

READ_BYTES = 64 * 1024
"""Most that is read at once without a buffer of ours: malloc has it at hand, and asks the kernel for twice as much."""

WALL_DRIFT = 50e-6
"""By so much of the time that has passed since it was told may a clock be off: some five seconds a day."""

WALL_SLACK_MS = 5
"""The wall clock's offset is kept until it is off by more than this, so that one instant has one Unix time."""


class ServerTime(Protocol):
    """What everybody else is told of time."""

    cut_ms: int
    """Gaps of the loop that are no part of game time, all together."""

    def now_ms(self) -> int:
        """Game time now."""

    def stamp_ms(self) -> int:
        """Game time of a frame that is being read now; never the future."""

    def wall_ms(self, game_ms: int) -> int:
        """Unix milliseconds of an instant of game time near now."""


class LoopTime:
    """Game time from the polls of one event loop.

    The selector reports every poll by ``leave_poll``. Between two polls game time runs on, but
    by no more than ``GAP_NS``: should the gap turn out longer, what has been told of it stands and the rest is cut.

    Args:
        monotonic_ns: a monotonic clock, in nanoseconds.
        wall_ns: the machine's Unix clock, in nanoseconds; used until ``set_wall`` tells of another.
    """

    def __init__(
        self,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
        wall_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self.monotonic_ns = monotonic_ns
        self._wall_ns = wall_ns
        start = monotonic_ns()
        self._offset = -start
        """Game time is the monotonic clock plus this; a cut lowers it."""
        self._seen = start
        """Monotonic time of the last poll or reading: more than a gap after it is a gap."""
        self._latest = 0
        """The latest game time told to anybody, in ns: time never goes back behind it."""
        self._left = start
        """Monotonic time at which the last poll returned."""
        self._polled = 0
        """Game time at which the last poll returned, in ns ..."""
        self._polled_before = 0
        """... and the one before it."""
        self._waited = False
        """Whether what the last poll found came while it was waiting."""
        self._wall_offset_ms = 0
        self._wall: tuple[int, int, int] | None = None
        """What ``set_wall`` has told: the Unix clock less the monotonic one, by how much that may be off, and when it
        was told by the monotonic one; all in ns."""
        self.cut_ms = 0
        """Game time cut out so far, for the metrics."""

    def now_ms(self) -> int:
        """Game time now, in ms."""
        now = self.monotonic_ns()
        if now - self._seen > GAP_NS:
            self._cut(now, self._latest)
        self._seen = now
        latest = min(now + self._offset, self._polled + GAP_NS)
        if latest > self._latest:
            self._latest = latest
        return self._latest // 1_000_000

    def stamp_ms(self) -> int:
        """When a frame that is being read now came in: the last poll if that waited for it, else the one before."""
        return (self._polled if self._waited else self._polled_before) // 1_000_000

    def wall_ms(self, game_ms: int) -> int:
        """Unix milliseconds of ``game_ms``, an instant near now."""
        now_ns = self._wall_ns() if self._wall is None else self.monotonic_ns() + self._wall[0]
        offset = now_ns // 1_000_000 - self.now_ms()
        if abs(offset - self._wall_offset_ms) > WALL_SLACK_MS:
            self._wall_offset_ms = offset
        return game_ms + self._wall_offset_ms

    def set_wall(self, unix_ns: int, asked_ns: int, told_ns: int) -> None:
        """From now on Unix time is that of another clock, the one that all nodes ask: the database's.

        Of what is told more than once the surest counts, and what contradicts it: then that clock was set, or this
        machine was asleep.

        Args:
            unix_ns: what it showed at some time between the next two.
            asked_ns, told_ns: monotonic time when it was asked, and when the answer was there.
        """
        offset, error = unix_ns - (asked_ns + told_ns) // 2, (told_ns - asked_ns) // 2
        if self._wall is not None:
            known, known_error, since = self._wall
            known_error += int(WALL_DRIFT * (told_ns - since))
            if error > known_error and abs(offset - known) <= error + known_error:
                return
        self._wall = offset, error, told_ns

    def is_busy(self, now_ns: int) -> bool:
        """Whether the callbacks since the last poll took long enough to ask what came during them."""
        return now_ns - self._left > BUSY_NS

    def leave_poll(self, entered_ns: int, left_ns: int, timeout_ns: int, *, waited: bool) -> None:
        """A poll has returned.

        Args:
            entered_ns: monotonic time at which it began.
            left_ns: monotonic time at which it ended.
            timeout_ns: how long it was meant to wait at most.
            waited: it found nothing at first, so what it found came while it waited.
        """
        late_ns = left_ns - entered_ns - timeout_ns
        if entered_ns - self._left + max(0, late_ns) > GAP_NS:
            self._cut(left_ns, self._latest)
        self._seen = self._left = left_ns
        self._polled_before = self._polled
        self._polled = self._latest = max(self._latest, left_ns + self._offset)
        self._waited = waited

    def _cut(self, now_ns: int, game_ns: int) -> None:
        """Let game time go on from ``game_ns`` at the monotonic time ``now_ns``."""
        offset = game_ns - now_ns
        self.cut_ms += (self._offset - offset) // 1_000_000
        self._offset = offset


class PollingSelector(PrioritySelector):
    """The selector, which tells a ``LoopTime`` of every poll. Costs about half a microsecond a poll."""

    def __init__(self, server_time: LoopTime) -> None:
        super().__init__()
        self.server_time = server_time

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As the base class, but for at most ``LONGEST_POLL_S``; the loop just polls again."""
        server_time = self.server_time
        timeout = LONGEST_POLL_S if timeout is None or timeout > LONGEST_POLL_S else max(timeout, 0.0)
        entered = server_time.monotonic_ns()
        waits = timeout > 0.0
        if waits and server_time.is_busy(entered):
            ready = super().select(0)
            if ready:
                server_time.leave_poll(entered, server_time.monotonic_ns(), 0, waited=False)
                return ready
            ready = super().select(timeout)
            left = server_time.monotonic_ns()
        else:
            ready = super().select(timeout)
            left = server_time.monotonic_ns()
            waits = waits and left - entered > BUSY_NS
        server_time.leave_poll(entered, left, int(timeout * 1e9), waited=waits)
        return ready


class TimedEventLoop(asyncio.SelectorEventLoop):
    """A selector event loop that knows the server's time."""

    def __init__(self, server_time: LoopTime | None = None) -> None:
        self.server_time = server_time or LoopTime()
        self._rows = PollingSelector(self.server_time)
        super().__init__(self._rows)

    async def create_connection(self, *args: Any, **options: Any) -> Any:
        """As the base class, with small reads: this is the way to the database."""
        transport, protocol = await super().create_connection(*args, **options)
        read_little(transport)
        return transport, protocol

    async def create_unix_connection(self, *args: Any, **options: Any) -> Any:
        """As the base class, with small reads."""
        transport, protocol = await super().create_unix_connection(*args, **options)
        read_little(transport)
        return transport, protocol

    def deprioritize(self, transport: asyncio.BaseTransport) -> None:
        """Read from ``transport`` after all others (``priority_selector.py``)."""
        self._rows.deprioritize(transport.get_extra_info("socket").fileno())

    def prioritize(self, transport: asyncio.BaseTransport) -> None:
        """Read from ``transport`` like from any other; also once it is lost, for another gets its number."""
        self._rows.prioritize(transport.get_extra_info("socket").fileno())


def new_event_loop() -> TimedEventLoop:
    """For ``asyncio.Runner(loop_factory=new_event_loop)``."""
    return TimedEventLoop()


def read_little(transport: asyncio.BaseTransport) -> None:
    """Read at most ``READ_BYTES`` at once from ``transport``, whose protocol has no buffer of its own.

    For those asyncio makes one of 256 KiB for each read, which costs ten times what the read does.
    """
    if hasattr(transport, "max_size"):
        transport.max_size = READ_BYTES


def deprioritize(transport: asyncio.BaseTransport) -> None:
    """Read from ``transport`` after all others, where the running loop has a back row."""
    loop = asyncio.get_running_loop()
    if isinstance(loop, TimedEventLoop):
        loop.deprioritize(transport)


def prioritize(transport: asyncio.BaseTransport) -> None:
    """Read from ``transport`` like from any other. To be called at the latest when its connection is lost."""
    loop = asyncio.get_running_loop()
    if isinstance(loop, TimedEventLoop):
        loop.prioritize(transport)


def running_time() -> LoopTime:
    """The time of the running loop, which ``new_event_loop`` must have made."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, TimedEventLoop):
        raise TypeError(f"expected a loop of realtime.clock.loop_time.new_event_loop, got {type(loop).__name__}")
    return loop.server_time
