"""An exhibition as those see it who are told of it later: the same messages with the same numbers, so much later.

    Audience ──(published)──► line of what is due ──(timer)──► the snapshot, told again ──► the late topic

Until it starts all see the same: who wants to join must see where. Clocks are told as they were then, with their ``at``
as much later as the message; so are the ends of countdowns and breaks. Once it is over and all is told the late
listeners become listeners like the others.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from realtime.fanout.message import Message
from realtime.games.delay.delayed_reads import DOUBT_MS
from realtime.protocol.codec import encode_msgpack, frame_binary, frame_payload
from simul.replica import SimulReplica
from simul.score import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.simuls.live.topic import SimulTopic
    from simul.feed import Feed
    from simul.lists import Summary

LINE = 100_000
"""Messages that may wait: a hundred moves a second for a quarter of an hour. At some 300 bytes a message that is 30 MB,
of which one server has few. If there are more, what waits is left out, and the exhibition as it stands is shown when
that is due."""

NOTHING: dict[str, Any] = {
    "boards": [], "order": [], "at": None, "host_clock": None, "countdown": None, "break_until": None,
    "away_since": None, "finished": None, "score": {"wins": 0, "draws": 0, "losses": 0, "live": 0, "aborted": 0},
}  # fmt: skip
"""What is told of one that runs, or has just ended, while a server that has been started anew cannot know what it was
so much earlier."""


class DelayedBroadcast:
    """The exhibition as it was (``shown.Source``).

    Attributes:
        topic: who hears of it late.
        delay_ms: how late.
    """

    def __init__(
        self,
        feed: Feed,
        topic: SimulTopic,
        time: ServerTime,
        timers: Timers,
        *,
        on_event: Callable[[Message], None],
        on_leap: Callable[[], None],
        on_end: Callable[[], None],
    ) -> None:
        """It begins with what is told now, which all may know.

        Args:
            topic: of those who hear of it at once.
            on_event: called with each message that is told late now.
            on_leap: called when the late snapshot has become another, of which no message tells.
            on_end: called when there is nothing left to be told late.
        """
        self.delay_ms = feed.state.setup.delay_s * 1000
        self.topic = topic.delayed()
        self._feed = feed
        self._time = time
        self._timers = timers
        self._on_event = on_event
        self._on_leap = on_leap
        self._on_end = on_end
        self._line: deque[tuple[int, bytes]] = deque()
        """When it is due, and the message, or a snapshot to leap to, as a frame, which others have had already."""
        self._take(self._now())

    @property
    def seq(self) -> int:
        """Number of the last message told."""
        seq: int = self._told["seq"]
        return seq

    @property
    def is_host_here(self) -> bool:
        """Whether the host is connected now."""
        return self._feed.is_host_here

    def snapshot(self, user: str | None, watchers: int) -> dict[str, Any]:
        """The ``simul`` message for a stranger."""
        return {**self._told.snapshot(), "watchers": watchers, "host_online": self.is_host_here}

    def score(self) -> Score:
        """The score as it was told."""
        told = self._told["score"]
        return Score(**{name: told[name] for name in Score.__struct_fields__})

    def hide(self, age_ms: int = 0) -> None:
        """The server was started anew: until the delay has passed nothing is told of the boards.

        Args:
            age_ms: how long it has been over; 0 if it runs.
        """
        now = self._now()
        self._line.append((self._time.now_ms() + max(0, self.delay_ms - age_ms), frame_binary(encode_msgpack(now))))
        self._take({**now, **NOTHING, "status": "running"})
        self._timers.arm(self)

    def follow(self, message: Message) -> None:
        """``message`` was published now."""
        due_ms = self._time.now_ms() + self.delay_ms
        if len(self._line) < LINE:
            self._line.append((due_ms, message.binary))
        else:
            self._line.clear()
            self._line.append((due_ms, frame_binary(encode_msgpack(self._now()))))
        if len(self._line) == 1:
            self._timers.arm(self)

    def close(self) -> None:
        """Nothing is told any more."""
        self._line.clear()
        self._timers.forget(self)

    def due_ms(self) -> int | None:
        """When the first in the line is due (``timers.Alarm``)."""
        return self._line[0][0] if self._line else None

    def ring(self) -> None:
        """Something is due."""
        now_ms = self._time.now_ms()
        while self._line and self._line[0][0] <= now_ms:
            body = msgspec.msgpack.decode(frame_payload(self._line.popleft()[1]))
            later(body, self.delay_ms)
            if body["t"] == "simul":
                self._take(body)
                self._on_leap()
            elif body["seq"] > self.seq:  # or the snapshot that was leapt to knows of it
                self._told.tell(body)
                message = Message(body, body["seq"])
                self.topic.publish(message)
                self._on_event(message)
        if self._line:
            self._timers.arm(self)
        elif self._told["status"] in ("finished", "cancelled"):
            self._on_end()

    def _now(self) -> dict[str, Any]:
        """The exhibition as it is, in maps of its own."""
        return dict(msgspec.msgpack.decode(encode_msgpack({**self._feed.snapshot(None, 0)})))

    def _take(self, shown: dict[str, Any]) -> None:
        self._told = SimulReplica(shown)
        self.topic.seq = shown["seq"]


def hidden_since(summary: Summary, wall_ms: int) -> int | None:
    """For how long (ms) an exhibition has been over which the public does not know the end of, 0 while it runs; None:
    nothing is hidden of it at ``wall_ms``.
    """
    delay_ms = summary.setup.delay_s * 1000
    if not delay_ms or summary.status in ("created", "cancelled"):
        return None
    if summary.status == "running" or summary.ended_ms is None:
        return 0
    age_ms = max(0, wall_ms - summary.ended_ms - DOUBT_MS)
    return age_ms if age_ms < delay_ms else None


def as_told(summary: Summary, late: DelayedBroadcast | None, wall_ms: int) -> Summary:
    """What lists tell everybody: of one that is told later, only that it runs, and the score as it was (``late``)."""
    if late is None and hidden_since(summary, wall_ms) is None:
        return summary
    score = Score(live=summary.boards) if late is None else late.score()
    return msgspec.structs.replace(summary, status="running", score=score, final=None, ended_ms=None)


def later(body: dict[str, Any], ms: int) -> None:
    """Move the instants in a message, or in a snapshot, by which clocks are drawn. ``body`` is changed."""
    clocks = [body.get("clock"), body.get("host_clock"), *(board.get("clock") for board in body.get("boards", ()))]
    for clock in clocks:
        if clock is not None:
            clock["at"] += ms
    for place, name in ((body, "until"), (body, "since"), (body, "break_until"), (body, "away_since")):
        _move(place, name, ms)
    _move(body.get("countdown") or {}, "until", ms)


def _move(place: Mapping[str, Any] | dict[str, Any], name: str, ms: int) -> None:
    if place.get(name) is not None:
        place[name] += ms  # type: ignore[index]  # a dict where there is something
