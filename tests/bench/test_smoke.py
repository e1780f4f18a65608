"""Smoke test of every scenario at its smallest size. Its figures are not checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

MOST_S = 240
pytestmark = [pytest.mark.timeout(MOST_S + 10), pytest.mark.slow("every scenario of the benchmark")]

FIGURES = {
    "relay": {"messages / CPU s"},
    "moves": {"moves / CPU s"},
    "moves-mix": {"moves / CPU s"},
    "latency": {
        "moves / s",
        *(f"to {end} {point} ms" for end in ("opponent", "ok") for point in ("p50", "p90", "p99", "max")),
        *(f"stage {stage} µs" for stage in ("decode", "decide", "wait", "journal", "publish")),
    },
    "workers": {
        "moves / s",
        "moves / CPU s",
        "to opponent p50 ms",
        "to opponent p99 ms",
        "games between nodes, %",
        "NATS, % of a core",
    },
    "fan-out": {"deliveries / CPU s"},
    "neighbours": {f"to opponent {point} ms" for point in ("p50", "p90", "p99", "max")},
    "join-storm": {
        *(f"its players {point} ms" for point in ("p50", "max")),
        *(f"others {point} ms" for point in ("p50", "p99", "max")),
        *(f"a join {point} ms" for point in ("p50", "p99")),
        "server's core, %",
    },
    "ticks": {"CPU ms a second"},
    "lobby": {"to watcher p50 ms", "to watcher p99 ms", "CPU µs an event and watcher"},
    "simul": {
        *(f"{way} {point} ms" for way in ("host → participant", "participant → host") for point in ("p50", "p99")),
        "server CPU µs a move",
        "bytes a spectator and move",
        "KB of the snapshot",
    },
    "memory": {"KB a spectator", "KB a live game"},
    "restart": {"serving s", "first move s", "all in memory s"},
    "mixed": {
        *(f"to opponent {point} ms" for point in ("p50", "p99", "max")),
        "moves / s",
        "new games / s",
        "server's core, %",
        "games held",
    },
}


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """``python -m bench`` to its end."""
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=MOST_S)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench") / "figures.json"


@pytest.fixture(scope="module")
def report(saved: Path) -> dict[str, Any]:
    run = bench("--tiny", "--json", "--save", str(saved))
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("scenario", FIGURES)
def test_scenario_reports_its_figures(report: dict[str, Any], scenario: str) -> None:
    figures = [figure for figure in report["figures"] if figure["scenario"] == scenario]
    assert {figure["what"] for figure in figures} == FIGURES[scenario]
    assert all(figure["rounds"] for figure in figures)


def test_saved_report_equals_the_printed_one(report: dict[str, Any], saved: Path) -> None:
    assert json.loads(saved.read_text(encoding="utf-8")) == report


@pytest.mark.parametrize("scenario", ["moves", "moves-mix", "workers", "fan-out", "neighbours", "ticks"])
def test_baseline_is_measured_in_the_same_run(report: dict[str, Any], scenario: str) -> None:
    figures = [figure for figure in report["figures"] if figure["scenario"] == scenario and "%" not in figure["what"]]
    assert all(figure["bare_rounds"] for figure in figures)


def test_players_are_connected_to_different_nodes(report: dict[str, Any]) -> None:
    figures = {figure["what"]: figure for figure in report["figures"] if figure["scenario"] == "workers"}
    assert figures["games between nodes, %"]["case"] == "4 games, 2 workers, different nodes"
    assert figures["games between nodes, %"]["value"] == 100


def test_report_names_machine_and_versions(report: dict[str, Any]) -> None:
    assert {"python", "cpu", "cores", "websockets", "asyncpg"} <= set(report["machine"])


def test_unknown_scenario_is_refused() -> None:
    run = bench("chess")
    assert run.returncode == 2
    assert "there is no scenario 'chess'" in run.stderr
