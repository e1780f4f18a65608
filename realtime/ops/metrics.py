"""Prometheus metrics.

The hot path increments plain numbers, which become metrics at a scrape. A histogram costs one bisection.
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
"""From 50 µs, the decision of a move, to 5 s, a stalled database."""

BATCH_ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 500)
"""Up to the journal's largest batch."""


STAGES = ("decode", "decide", "wait", "journal", "rated_end", "publish")
"""Stages of a move. The end of a rated game has ``rated_end`` instead of ``wait`` and ``journal``."""

UNANSWERED = ("flags", "ends", "late")
"""Why a search for who can still win gave no answer: the queue that was full or broken, or the time."""


class Histogram:
    """A Prometheus histogram: counts of observations by upper bound."""

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
        """Return cumulative counts by bound, the last ``+Inf``."""
        cumulative, buckets = 0, []
        for bound, count in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            cumulative += count
            buckets.append((bound, float(cumulative)))
        return buckets


class Metrics(Collector):
    """The metrics of one process.

    Attributes:
        stages: seconds spent in each stage of a move.
        batch_rows: rows of each batch of the journal.
    """

    def __init__(self, traffic: Traffic | None = None) -> None:
        self.moves = 0
        self.moves_made = 0
        """All moves, delayed ones included; not exported."""
        self.events = 0
        self.ended: dict[str, int] = {}
        self.refused: dict[str, int] = {}
        """Requests answered with an error, by code."""
        self.stages = {name: Histogram(LATENCY_S) for name in STAGES}
        self.batch_rows = Histogram(BATCH_ROWS)
        self.journal_failures = 0
        self.loop_lag = Histogram(LATENCY_S)
        """Delay of due callbacks of the event loop, in seconds."""
        self.collections = Histogram(LATENCY_S)
        """Duration of garbage collections, which stop the loop, in seconds."""
        self.verdicts: dict[tuple[str, str], int] = {}
        """Answers to who can still win, by answer and layer."""
        self.verdict_seconds = Histogram(LATENCY_S)
        self.no_verdicts: dict[str, int] = {}
        """Questions without an answer, by queue, and ``late`` for timeouts."""
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        """Name to (help, reader): values that are read from elsewhere at a scrape."""
        self.counters: dict[str, tuple[str, Callable[[], float]]] = {}
        """The same for values that only grow."""
        self._traffic = traffic

    def events_published(self, events: Iterable[AnyEvent], took_s: float | None) -> None:
        """Count events of a game of this node that became visible to its players, or to everybody, which took
        ``took_s``.

        Delayed events count in ``published`` when the public sees them, without a time, because that would reveal the
        end.
        """
        self.moves_made += sum(type(event) is Moved for event in events)
        if took_s is not None:
            self.published(events)
            self.stages["publish"].observe(took_s)

    def published(self, events: Iterable[AnyEvent]) -> None:
        """Count events that became visible."""
        for event in events:
            self.events += 1
            kind = type(event)
            if kind is Moved:
                self.moves += 1
            elif isinstance(event, Ended):
                self.ended[event.reason] = self.ended.get(event.reason, 0) + 1

    def batch_stored(self, *, rows: int, waited_s: float, took_s: float) -> None:
        """Count a batch that the journal has written."""
        self.batch_rows.observe(rows)
        self.stages["wait"].observe(max(0.0, waited_s - took_s))
        self.stages["journal"].observe(took_s)

    def rated_end_stored(self, *, took_s: float) -> None:
        """Count a rated end that was written."""
        self.stages["rated_end"].observe(took_s)

    def batch_failed(self, trouble: str | None) -> None:
        """Count a failed write of the journal or of a rated end."""
        del trouble
        self.journal_failures += 1

    def verdict(self, answer: str, layer: str, took_s: float) -> None:
        """Count an answer to who can win."""
        self.verdicts[answer, layer] = self.verdicts.get((answer, layer), 0) + 1
        self.verdict_seconds.observe(took_s)

    def no_verdict(self, why: str) -> None:
        """Count a missing or late answer to who can win."""
        self.no_verdicts[why] = self.no_verdicts.get(why, 0) + 1

    def error(self, code: str) -> None:
        """Count a request that was refused with ``code``."""
        self.refused[code] = self.refused.get(code, 0) + 1

    def collect(self) -> Iterable[Metric]:
        """Yield all metrics for one scrape."""
        build = GaugeMetricFamily("zeitnot_build_info", "Always 1.", labels=["version", "python"])
        build.add_metric([__version__, platform.python_version()], 1)
        yield build
        yield _counter("zeitnot_moves", "Moves published.", self.moves)
        yield _counter("zeitnot_events", "Game events published.", self.events)
        yield _labelled("zeitnot_games_ended", "Games ended.", "reason", self.ended, get_args(EndReason))
        yield _labelled("zeitnot_errors", "Requests refused.", "code", self.refused, get_args(ErrorCode))
        stages = HistogramMetricFamily("zeitnot_stage_seconds", "Time of each stage of a move.", labels=["stage"])
        for name, histogram in self.stages.items():
            stages.add_metric([name], histogram.buckets(), histogram.total)
        yield stages
        batches = HistogramMetricFamily("zeitnot_journal_batch_rows", "Rows in each journal batch.")
        batches.add_metric([], self.batch_rows.buckets(), self.batch_rows.total)
        yield batches
        yield _counter(
            "zeitnot_journal_failures",
            "Journal batches and rated results that could not be written.",
            self.journal_failures,
        )
        verdicts = CounterMetricFamily(
            "zeitnot_verdicts", "Decisions whether a side can still win.", labels=["answer", "layer"]
        )
        for labels in product(get_args(verdict.Answer), get_args(verdict.Layer)):
            verdicts.add_metric(labels, self.verdicts.get(labels, 0))
        yield verdicts
        seconds = HistogramMetricFamily("zeitnot_verdict_seconds", "Time of such a decision, without queueing.")
        seconds.add_metric([], self.verdict_seconds.buckets(), self.verdict_seconds.total)
        yield seconds
        yield _labelled(
            "zeitnot_verdicts_missing", "Such decisions that were not made.", "why", self.no_verdicts, UNANSWERED
        )
        delayed = HistogramMetricFamily("zeitnot_loop_lag_seconds", "Event loop delay, sampled 50 times a second.")
        delayed.add_metric([], self.loop_lag.buckets(), self.loop_lag.total)
        yield delayed
        pauses = HistogramMetricFamily("zeitnot_collection_seconds", "Duration of each garbage collection.")
        pauses.add_metric([], self.collections.buckets(), self.collections.total)
        yield pauses
        for name, (text, read) in self.counters.items():
            yield _counter(f"zeitnot_{name}", text, read())
        for name, (text, read) in self.gauges.items():
            yield GaugeMetricFamily(f"zeitnot_{name}", text, read())
        if self._traffic is not None:
            yield from _of_traffic(self._traffic)


def _of_traffic(traffic: Traffic) -> Iterable[Metric]:
    yield GaugeMetricFamily("zeitnot_connections", "Open sockets.", traffic.open)
    yield _counter("zeitnot_connections_opened", "Sockets opened.", traffic.opened)
    yield _labelled("zeitnot_connections_closed", "Sockets closed.", "code", traffic.closed, (*CLOSE_CODES, OTHER))
    yield _labelled("zeitnot_handshakes_refused", "Handshakes refused.", "status", traffic.refused, REFUSALS)
    yield _counter("zeitnot_messages", "Messages received.", traffic.messages)
    yield _counter("zeitnot_messages_rate_limited", "Messages refused before decoding.", traffic.rate_limited)
    yield _counter("zeitnot_messages_bad", "Messages that could not be decoded.", traffic.bad_messages)
    yield _counter("zeitnot_frames_skipped", "Droppable frames not sent to slow clients.", traffic.skipped)
    yield _counter("zeitnot_slow_clients", "Sockets closed because they read too slowly.", traffic.slow)
    yield _counter("zeitnot_failures", "Requests that failed with an internal error.", traffic.failures)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(name, text, value)


def _labelled(name: str, text: str, label: str, values: Mapping[Any, int], known: Iterable[str | int]) -> Metric:
    """Return a labelled metric, with 0 for each of ``known`` without a count: ``increase()`` does not see the first
    count of a new series."""
    family = CounterMetricFamily(name, text, labels=[label])
    for key, value in {**dict.fromkeys(known, 0), **values}.items():
        family.add_metric([str(key)], value)
    return family
