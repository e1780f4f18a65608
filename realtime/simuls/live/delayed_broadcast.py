"""The delayed view of a simul: the same messages with the same numbers, published after a delay.

    Audience ──(published)──► queue by due time ──(timer)──► replicated snapshot ──► the delayed topic

Before the start everyone sees the same, because new players must know where to join. Clocks are sent as they were, with
``at`` shifted by the delay; so are the ends of countdowns and breaks. When the simul is over and all is published, its
listeners move to the live topic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core.public_delay import PublicDelay, Stamp
from realtime.fanout.message import Message
from realtime.games.delay.delayed_reads import DOUBT_MS
from realtime.games.delay.release_queue import ReleaseQueue
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

MAX_WAITING = 100_000
"""Maximum number of queued messages: a hundred moves a second for a quarter of an hour. At some 300 bytes each that is
30 MB, and few simuls of a server need it. Beyond it the queue is dropped, and the simul as it stands is shown when that
is due.
"""

NOTHING: dict[str, Any] = {
    "boards": [], "order": [], "at": None, "host_clock": None, "countdown": None, "break_until": None,
    "away_since": None, "finished": None, "score": {"wins": 0, "draws": 0, "losses": 0, "live": 0, "aborted": 0},
}  # fmt: skip
"""Public fields of a running or just finished simul after a restart, when the server cannot know its state as of the
delay.
"""


class DelayedBroadcast:
    """The simul as it was ``delay_ms`` ago (a ``shared_snapshot.SnapshotSource``).

    Attributes:
        topic: listeners on the delayed view.
        delay_ms: the delay.
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
        """Start from the present state, which is public.

        Args:
            topic: listeners without a delay.
            on_event: called with each message when it is published late.
            on_leap: called when the delayed snapshot has been replaced without a message.
            on_end: called when nothing is left to publish.
        """
        self.delay_ms = feed.state.setup.delay_s * 1000
        self.topic = topic.open_delayed()
        self._feed = feed
        self._time = time
        self._timers = timers
        self._on_event = on_event
        self._on_leap = on_leap
        self._on_end = on_end
        self._queue: ReleaseQueue[bytes] = ReleaseQueue(PublicDelay(feed.state.setup.delay_s), MAX_WAITING)
        """Messages, or a snapshot to switch to, as frames that live listeners already have."""
        self._release(self._now())

    @property
    def seq(self) -> int:
        """Return the number of the last published message."""
        seq: int = self._released["seq"]
        return seq

    @property
    def is_host_here(self) -> bool:
        """Return whether the host is connected now."""
        return self._feed.is_host_here

    def snapshot(self, user: str | None, watchers: int) -> dict[str, Any]:
        """Return the ``simul`` message for an anonymous visitor."""
        return {**self._released.snapshot(), "watchers": watchers, "host_online": self.is_host_here}

    def score(self) -> Score:
        """Return the score as published."""
        score = self._released["score"]
        return Score(**{name: score[name] for name in Score.__struct_fields__})

    def hide(self, age_ms: int = 0) -> None:
        """Hide the boards until the delay has passed, because the server has restarted.

        Args:
            age_ms: time since the end of the simul; 0 if it runs.
        """
        now = self._now()
        self._queue.push(Stamp(self._time.now_ms() - age_ms, 0), self._snapshot(), self._snapshot)
        self._release({**now, **NOTHING, "status": "running"})
        self._timers.arm(self)

    def follow(self, message: Message) -> None:
        """Queue ``message``, which was published live just now."""
        self._queue.push(Stamp(self._time.now_ms(), 0), message.binary, self._snapshot)
        if len(self._queue) == 1:
            self._timers.arm(self)

    def close(self) -> None:
        """Stop publishing."""
        self._queue.clear()
        self._timers.forget(self)

    def due_ms(self) -> int | None:
        """Return when the first message of the queue is due (``timers.Alarm``)."""
        return self._queue.due_ms()

    def on_timer(self) -> None:
        """Publish what is due."""
        for waiting in self._queue.pop_released(Stamp(self._time.now_ms(), 0)):
            body = msgspec.msgpack.decode(frame_payload(waiting.what))
            later(body, self.delay_ms)
            if body["t"] == "simul":
                self._release(body)
                self._on_leap()
            elif body["seq"] > self.seq:  # otherwise the last snapshot includes it
                self._released.apply(body)
                message = Message(body, body["seq"])
                self.topic.publish(message)
                self._on_event(message)
        if self._queue:
            self._timers.arm(self)
        elif self._released["status"] in ("finished", "cancelled"):
            self._on_end()

    def _snapshot(self) -> bytes:
        return frame_binary(encode_msgpack(self._now()))

    def _now(self) -> dict[str, Any]:
        """Return the present simul as a copy."""
        return dict(msgspec.msgpack.decode(encode_msgpack({**self._feed.snapshot(None, 0)})))

    def _release(self, shown: dict[str, Any]) -> None:
        self._released = SimulReplica(shown)
        self.topic.seq = shown["seq"]


def hidden_since(summary: Summary, wall_ms: int) -> int | None:
    """Return the time (ms) since the end of a simul whose end is not public yet, 0 while it runs; None if nothing of it
    is hidden at ``wall_ms``.
    """
    delay_ms = summary.setup.delay_s * 1000
    if not delay_ms or summary.status in ("created", "cancelled"):
        return None
    if summary.status == "running" or summary.ended_ms is None:
        return 0
    age_ms = max(0, wall_ms - summary.ended_ms - DOUBT_MS)
    return age_ms if age_ms < delay_ms else None


def summary_as_public(summary: Summary, delayed: DelayedBroadcast | None, wall_ms: int) -> Summary:
    """Return the public list entry: for a simul with a delayed view, only that it runs and its delayed score."""
    if delayed is None and hidden_since(summary, wall_ms) is None:
        return summary
    score = Score(live=summary.boards) if delayed is None else delayed.score()
    return msgspec.structs.replace(summary, status="running", score=score, final=None, ended_ms=None)


def later(body: dict[str, Any], ms: int) -> None:
    """Shift the instants from which clocks are drawn, in a message or snapshot. ``body`` is changed in place."""
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
