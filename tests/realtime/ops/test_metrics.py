"""Metrics of a scrape: labels and counts."""

from __future__ import annotations

from typing import get_args

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from game_core.errors import ErrorCode
from game_core.events import EndReason
from realtime import __version__
from realtime.ops.metrics import STAGES, Metrics
from realtime.ops.traffic import CLOSE_CODES, REFUSALS, Traffic


def scrape(metrics: Metrics) -> dict[str, dict[tuple[str, ...], float]]:
    """Name of the sample to the values of its labels to its value."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(metrics)
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(generate_latest(registry).decode()):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return found


def test_every_label_exists_before_its_first_count() -> None:
    metrics = Metrics(Traffic())
    found = scrape(metrics)
    assert found["zeitnot_games_ended_total"] == {(reason,): 0 for reason in get_args(EndReason)}
    assert found["zeitnot_errors_total"] == {(code,): 0 for code in get_args(ErrorCode)}
    assert found["zeitnot_connections_closed_total"] == {(str(code),): 0 for code in (*CLOSE_CODES, "other")}
    assert found["zeitnot_handshakes_refused_total"] == {(str(status),): 0 for status in REFUSALS}
    assert found["zeitnot_verdicts_missing_total"] == {("flags",): 0, ("ends",): 0, ("late",): 0}
    assert len(found["zeitnot_verdicts_total"]) == 12
    assert {stage for (stage,) in found["zeitnot_stage_seconds_count"]} == set(STAGES)
    ((labels, one),) = found["zeitnot_build_info"].items()
    assert __version__ in labels
    assert one == 1


def test_counts_go_to_their_labels() -> None:
    traffic = Traffic()
    metrics = Metrics(traffic)
    metrics.error("unavailable")
    metrics.verdict("yes", "reach", 0.01)
    metrics.no_verdict("late")
    traffic.count_close(1012)
    traffic.refused[429] += 1
    found = scrape(metrics)
    assert found["zeitnot_errors_total"]["unavailable",] == 1
    assert found["zeitnot_verdicts_total"]["yes", "reach"] == 1
    assert found["zeitnot_verdicts_missing_total"]["late",] == 1
    assert found["zeitnot_connections_closed_total"]["1012",] == 1
    assert found["zeitnot_handshakes_refused_total"]["429",] == 1


def test_unknown_close_codes_share_a_series() -> None:
    traffic = Traffic()
    for code in range(3000, 5000):
        traffic.count_close(code)
    assert traffic.closed == {"other": 1999, 4008: 1}
