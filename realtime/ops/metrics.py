"""What the server counts, in Prometheus' terms.

The hot path adds to plain numbers; they become metrics when somebody scrapes. A histogram costs one bisection.
"""

from __future__ import annotations

import platform
from bisect import bisect_left
from itertools import product
from typing import TYPE_CHECKING, Any, get_args

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from game_core.chess import verdict
from game_core.errors import ErrorCode
from game_core.events import Ended, EndReason, Moved
from realtime import __version__
from realtime.ops.traffic import CLOSE_CODES, OTHER, REFUSALS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from game_core.events import AnyEvent
    from realtime.ops.traffic import Traffic

LATENCY_S = (0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""From 50 µs, what deciding a move takes, to 5 s, a database that has stalled."""

BATCH_ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 500)
"""Up to the journal's largest batch."""


STAGES = ("decode", "decide", "wait", "journal", "rated_end", "publish")
"""Of a move; ``rated_end`` is what the end of a rated game has instead of ``wait`` and ``journal``."""

UNANSWERED = ("flags", "ends", "late")
"""Why nobody found out who can still win: the lane that was full or broken, or the time."""


class Histogram:
    """Counts of observations by upper bound, as Prometheus wants them."""

    __slots__ = ("_bounds", "_counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count one observation."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    def buckets(self) -> list[tuple[str, float]]:
        """Cumulative counts by bound, the last ``+Inf``."""
        cumulative, buckets = 0, []
        for bound, count in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            cumulative += count
            buckets.append((bound, float(cumulative)))
        return buckets


class Metrics(Collector):
    """The numbers of one process.

    Attributes:
        stages: seconds spent in each stage of the straight line of a move.
        batch_rows: rows of each batch of the journal.
    """

    def __init__(self) -> None:
        self.moves = 0
        self.moves_made = 0
        """Those that the public sees later included: for us alone."""
        self.events = 0
        self.ended: dict[str, int] = {}
        self.refused: dict[str, int] = {}
        """Requests answered with an error, by code."""
        self.stages = {name: Histogram(LATENCY_S) for name in STAGES}
        self.batch_rows = Histogram(BATCH_ROWS)
        self.journal_failures = 0
        self.loop_lag = Histogram(LATENCY_S)
        """Seconds by which the event loop was late for something that was due."""
        self.collections = Histogram(LATENCY_S)
        """Seconds for which everything stood while Python looked for garbage."""
        self.verdicts: dict[tuple[str, str], int] = {}
        """Answers to who can still win, by answer and what knew it."""
        self.verdict_seconds = Histogram(LATENCY_S)
        self.no_verdicts: dict[str, int] = {}
        """Questions without an answer, by lane, and ``late`` for those that were waited for."""
        self.garbage: Callable[[], float] = lambda: 0.0
        """Objects that only the collector could free."""
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        """Name to (help, reader): what is read from elsewhere at a scrape."""
        self.traffic: Traffic | None = None

    def told(self, events: Iterable[AnyEvent], took_s: float | None) -> None:
        """Events of a game of this node became visible to its players, or to everybody, which took ``took_s``.

        What the public sees later is ``published`` then, and not timed: that would tell of the end.
        """
        self.moves_made += sum(type(event) is Moved for event in events)
        if took_s is not None:
            self.published(events)
            self.stages["publish"].observe(took_s)

    def published(self, events: Iterable[AnyEvent]) -> None:
        """Events of a game became visible."""
        for event in events:
            self.events += 1
            kind = type(event)
            if kind is Moved:
                self.moves += 1
            elif isinstance(event, Ended):
                self.ended[event.reason] = self.ended.get(event.reason, 0) + 1

    def batch_stored(self, *, rows: int, waited_s: float, took_s: float) -> None:
        """The journal's observer: a batch was written."""
        self.batch_rows.observe(rows)
        self.stages["wait"].observe(max(0.0, waited_s - took_s))
        self.stages["journal"].observe(took_s)

    def rated_end_stored(self, *, took_s: float) -> None:
        """The observer of the rated ends: one was written."""
        self.stages["rated_end"].observe(took_s)

    def batch_failed(self, trouble: str | None) -> None:
        """Of both: a try went wrong."""
        del trouble
        self.journal_failures += 1

    def verdict(self, answer: str, layer: str, took_s: float) -> None:
        """It was found out, or was not, who can win."""
        self.verdicts[answer, layer] = self.verdicts.get((answer, layer), 0) + 1
        self.verdict_seconds.observe(took_s)

    def no_verdict(self, why: str) -> None:
        """Nobody could find out who can win, or not in time."""
        self.no_verdicts[why] = self.no_verdicts.get(why, 0) + 1

    def error(self, code: str) -> None:
        """A request was refused with ``code``."""
        self.refused[code] = self.refused.get(code, 0) + 1

    def collect(self) -> Iterable[Metric]:
        """Everything, for one scrape."""
        build = GaugeMetricFamily("zeitnot_build_info", "Always 1.", labels=["version", "python"])
        build.add_metric([__version__, platform.python_version()], 1)
        yield build
        yield _counter("zeitnot_moves", "Moves published.", self.moves)
        yield _counter("zeitnot_events", "Events of games published.", self.events)
        yield _labelled("zeitnot_games_ended", "Games ended.", "reason", self.ended, get_args(EndReason))
        yield _labelled("zeitnot_errors", "Requests refused.", "code", self.refused, get_args(ErrorCode))
        stages = HistogramMetricFamily("zeitnot_stage_seconds", "Time in each stage of a move.", labels=["stage"])
        for name, histogram in self.stages.items():
            stages.add_metric([name], histogram.buckets(), histogram.total)
        yield stages
        batches = HistogramMetricFamily("zeitnot_journal_batch_rows", "Rows of each batch of the journal.")
        batches.add_metric([], self.batch_rows.buckets(), self.batch_rows.total)
        yield batches
        yield _counter(
            "zeitnot_journal_failures", "Batches and rated ends that did not reach the database.", self.journal_failures
        )
        verdicts = CounterMetricFamily(
            "zeitnot_verdicts", "Whether somebody can still win, as it was found out.", labels=["answer", "layer"]
        )
        for labels in product(get_args(verdict.Answer), get_args(verdict.Layer)):
            verdicts.add_metric(labels, self.verdicts.get(labels, 0))
        yield verdicts
        seconds = HistogramMetricFamily("zeitnot_verdict_seconds", "Time a question about that took, waiting left out.")
        seconds.add_metric([], self.verdict_seconds.buckets(), self.verdict_seconds.total)
        yield seconds
        yield _labelled(
            "zeitnot_verdicts_missing", "Questions about that without an answer.", "why", self.no_verdicts, UNANSWERED
        )
        late = HistogramMetricFamily("zeitnot_loop_lag_seconds", "How late the event loop was, 50 times a second.")
        late.add_metric([], self.loop_lag.buckets(), self.loop_lag.total)
        yield late
        pauses = HistogramMetricFamily("zeitnot_collection_seconds", "Time in each garbage collection.")
        pauses.add_metric([], self.collections.buckets(), self.collections.total)
        yield pauses
        yield _counter("zeitnot_garbage", "Objects that garbage collections have freed.", self.garbage())
        for name, (text, read) in self.gauges.items():
            yield GaugeMetricFamily(f"zeitnot_{name}", text, read())
        if self.traffic is not None:
            yield from _of_traffic(self.traffic)


def _of_traffic(traffic: Traffic) -> Iterable[Metric]:
    yield GaugeMetricFamily("zeitnot_connections", "Open sockets.", traffic.open)
    yield _counter("zeitnot_connections_opened", "Sockets ever opened.", traffic.opened)
    yield _labelled("zeitnot_connections_closed", "Sockets closed.", "code", traffic.closed, (*CLOSE_CODES, OTHER))
    yield _labelled("zeitnot_handshakes_refused", "Handshakes refused.", "status", traffic.refused, REFUSALS)
    yield _counter("zeitnot_messages", "Messages received.", traffic.messages)
    yield _counter("zeitnot_messages_rate_limited", "Messages refused before decoding.", traffic.rate_limited)
    yield _counter("zeitnot_messages_bad", "Messages that could not be decoded.", traffic.bad_messages)
    yield _counter("zeitnot_frames_skipped", "Droppable frames not sent to slow clients.", traffic.skipped)
    yield _counter("zeitnot_slow_clients", "Sockets closed because they read too slowly.", traffic.slow)
    yield _counter("zeitnot_failures", "Requests that failed by a fault of the server.", traffic.failures)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(name, text, value)


def _labelled(name: str, text: str, label: str, values: Mapping[Any, int], known: Iterable[str | int]) -> Metric:
    """With 0 for each of ``known`` that never came: ``increase()`` does not see the first count of a new series."""
    family = CounterMetricFamily(name, text, labels=[label])
    for key, value in {**dict.fromkeys(known, 0), **values}.items():
        family.add_metric([str(key)], value)
    return family
