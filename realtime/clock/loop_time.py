"""Game time, the server's clock, driven by the event loop's own polls. No other module reads a clock.

``now_ms`` counts milliseconds of *game time*: monotonic, from zero at the start of the process, without the gaps of the
loop. A gap is a stretch of more than ``GAP_NS`` in which the loop did not poll its sockets although it should have: a
long callback, a stopped process (SIGSTOP), a paused machine, a poll that returned that much later than its timeout.
Nobody could move then, so nobody is charged.

::

    poll         callbacks            poll   poll (waits)      poll
    ────●━━━━━━━━━━━━━━━━━━━━━━━━━━━●──●────●────────────●━━━●────
        returned                    entered  a frame comes ┘
        a frame that comes anywhere here is   it is stamped now: the
        read after the *next* poll: stamped   loop was waiting for it
        with the time of this one

A frame read in a busy iteration arrived at an unknown time since the previous poll; it gets the earliest.
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
"""Longest stretch without a poll that is charged. Garbage collections and bursts of work stay below it."""

LONGEST_POLL_S = 0.1
"""Longest poll, so that a stop of the process during an idle poll shows as a late return."""

BUSY_NS = 1_000_000
"""After callbacks of more than this a poll first checks without waiting: only then does it matter whether a frame had
arrived before the poll or woke it."""

READ_BYTES = 64 * 1024
"""Read size for protocols without a buffer of ours. malloc has such blocks at hand, and asks the kernel for larger
ones."""

WALL_DRIFT = 50e-6
"""Assumed drift of a clock: about five seconds a day."""

WALL_SLACK_MS = 5
"""The offset of the wall clock is kept until it is off by more than this, so that one instant has one Unix time."""


class ServerTime(Protocol):
    """The clock as other modules see it."""

    cut_ms: int
    """Total length of gaps, which are not part of game time."""

    def now_ms(self) -> int:
        """Return the present game time."""

    def stamp_ms(self) -> int:
        """Return the arrival time of the frame that is being read; never in the future."""

    def wall_ms(self, game_ms: int) -> int:
        """Return Unix milliseconds of an instant of game time near now."""


class LoopTime:
    """Game time from the polls of one event loop.

    The selector reports every poll by ``leave_poll``. Between two polls game time advances by at most ``GAP_NS``: if
    the gap turns out longer, times already given stand and the rest is cut.

    Args:
        monotonic_ns: a monotonic clock, in nanoseconds.
        wall_ns: the machine's Unix clock, in nanoseconds; used until ``set_wall`` provides another.
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
        """Game time minus monotonic time; a cut lowers it."""
        self._seen = start
        """Monotonic time of the last poll or reading, from which a gap is measured."""
        self._latest = 0
        """The latest game time given to anybody, in ns: time never goes back behind it."""
        self._left = start
        """Monotonic time at which the last poll returned."""
        self._polled = 0
        """Game time at which the last poll returned, in ns."""
        self._polled_before = 0
        """The same for the poll before it."""
        self._waited = False
        """Whether the last poll's frames arrived while it was waiting."""
        self._wall_offset_ms = 0
        self._wall: tuple[int, int, int] | None = None
        """Values of ``set_wall``: the Unix clock less the monotonic one, its uncertainty, and its monotonic time; all
        in ns."""
        self.cut_ms = 0
        """Game time cut so far, for the metrics."""

    def now_ms(self) -> int:
        """Return the present game time in ms."""
        now = self.monotonic_ns()
        if now - self._seen > GAP_NS:
            self._cut(now, self._latest)
        self._seen = now
        latest = min(now + self._offset, self._polled + GAP_NS)
        if latest > self._latest:
            self._latest = latest
        return self._latest // 1_000_000

    def stamp_ms(self) -> int:
        """Return the arrival time of the frame that is being read: the last poll if that waited for it, else the one
        before."""
        return (self._polled if self._waited else self._polled_before) // 1_000_000

    def wall_ms(self, game_ms: int) -> int:
        """Return Unix milliseconds of ``game_ms``, an instant near now."""
        now_ns = self._wall_ns() if self._wall is None else self.monotonic_ns() + self._wall[0]
        offset = now_ns // 1_000_000 - self.now_ms()
        if abs(offset - self._wall_offset_ms) > WALL_SLACK_MS:
            self._wall_offset_ms = offset
        return game_ms + self._wall_offset_ms

    def set_wall(self, unix_ns: int, sent_ns: int, received_ns: int) -> None:
        """Set Unix time by the database's clock, which all nodes share.

        Of several values the most certain counts, and one that contradicts it: then that clock was set, or this machine
        was suspended.

        Args:
            unix_ns: the database's clock at some time between the next two.
            sent_ns, received_ns: monotonic times of the request and of the answer.
        """
        offset, error = unix_ns - (sent_ns + received_ns) // 2, (received_ns - sent_ns) // 2
        if self._wall is not None:
            known, known_error, since = self._wall
            known_error += int(WALL_DRIFT * (received_ns - since))
            if error > known_error and abs(offset - known) <= error + known_error:
                return
        self._wall = offset, error, received_ns

    def is_busy(self, now_ns: int) -> bool:
        """Return whether the callbacks since the last poll took long enough to check for frames that came during
        them."""
        return now_ns - self._left > BUSY_NS

    def leave_poll(self, entered_ns: int, left_ns: int, timeout_ns: int, *, waited: bool) -> None:
        """Note that a poll has returned.

        Args:
            entered_ns: monotonic time at which it began.
            left_ns: monotonic time at which it ended.
            timeout_ns: its timeout.
            waited: it found nothing at first, so its frames came while it waited.
        """
        late_ns = left_ns - entered_ns - timeout_ns
        if entered_ns - self._left + max(0, late_ns) > GAP_NS:
            self._cut(left_ns, self._latest)
        self._seen = self._left = left_ns
        self._polled_before = self._polled
        self._polled = self._latest = max(self._latest, left_ns + self._offset)
        self._waited = waited

    def _cut(self, now_ns: int, game_ns: int) -> None:
        """Continue game time from ``game_ns`` at the monotonic time ``now_ns``."""
        offset = game_ns - now_ns
        self.cut_ms += (self._offset - offset) // 1_000_000
        self._offset = offset


class PollingSelector(PrioritySelector):
    """A selector that reports every poll to a ``LoopTime``. Costs about half a microsecond a poll."""

    def __init__(self, server_time: LoopTime) -> None:
        super().__init__()
        self.server_time = server_time

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Poll for at most ``LONGEST_POLL_S``; the loop then polls again."""
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
    """A selector event loop with the server's clock."""

    def __init__(self, server_time: LoopTime | None = None) -> None:
        self.server_time = server_time or LoopTime()
        self._polling = PollingSelector(self.server_time)
        super().__init__(self._polling)

    async def create_connection(self, *args: Any, **options: Any) -> Any:
        """Connect with small reads. Used for connections to the database."""
        transport, protocol = await super().create_connection(*args, **options)
        read_little(transport)
        return transport, protocol

    async def create_unix_connection(self, *args: Any, **options: Any) -> Any:
        """Connect with small reads."""
        transport, protocol = await super().create_unix_connection(*args, **options)
        read_little(transport)
        return transport, protocol

    def deprioritize(self, transport: asyncio.BaseTransport) -> None:
        """Read from ``transport`` after all others (``priority_selector.py``)."""
        self._polling.deprioritize(transport.get_extra_info("socket").fileno())

    def prioritize(self, transport: asyncio.BaseTransport) -> None:
        """Read from ``transport`` at normal priority. Call it for a lost transport too, because its descriptor is
        reused."""
        self._polling.prioritize(transport.get_extra_info("socket").fileno())


def new_event_loop() -> TimedEventLoop:
    """Create the event loop, for ``asyncio.Runner(loop_factory=new_event_loop)``."""
    return TimedEventLoop()


def read_little(transport: asyncio.BaseTransport) -> None:
    """Read at most ``READ_BYTES`` at once from ``transport``, whose protocol has no buffer of its own.

    asyncio allocates 256 KiB for each such read, which costs ten times as much as the read.
    """
    if hasattr(transport, "max_size"):
        transport.max_size = READ_BYTES


def deprioritize(transport: asyncio.BaseTransport) -> None:
    """Read from ``transport`` after all others, if the running loop has a ``PrioritySelector``."""
    loop = asyncio.get_running_loop()
    if isinstance(loop, TimedEventLoop):
        loop.deprioritize(transport)


def prioritize(transport: asyncio.BaseTransport) -> None:
    """Read from ``transport`` at normal priority. Call it at the latest when its connection is lost."""
    loop = asyncio.get_running_loop()
    if isinstance(loop, TimedEventLoop):
        loop.prioritize(transport)


def running_time() -> LoopTime:
    """Return the clock of the running loop, which ``new_event_loop`` must have created."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, TimedEventLoop):
        raise TypeError(f"expected a loop of realtime.clock.loop_time.new_event_loop, got {type(loop).__name__}")
    return loop.server_time
