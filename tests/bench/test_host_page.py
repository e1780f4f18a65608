"""The benchmark of a simul's pages runs from end to end at its smallest size. Its figures are not checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow("a benchmark")

ROOT = Path(__file__).parents[2]

PHASES = [
    *(f"host: {what}" for what in ("begins", "loads", "looks on", "scrolls", "switches", "plays")),
    *(f"spectator: {what}" for what in ("loads", "follows", "scrolls")),
]


@pytest.fixture(scope="module")
def report(chromium: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.host_page", "--tiny", "--json"]
    run = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=400)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.timeout(450)
def test_every_phase_is_reported_with_its_frames(report: dict[str, Any]) -> None:
    assert [phase["phase"] for phase in report["phases"]] == PHASES
    assert all(phase["frame"] is not None and phase["heap_mb"] > 0 for phase in report["phases"])


def test_each_key_press_is_a_switch_or_overtaken(report: dict[str, Any]) -> None:
    (switches,) = [phase for phase in report["phases"] if phase["phase"] == "host: switches"]
    assert switches["switches"] + switches["overtaken"] == 8


def test_snapshot_and_load_are_measured_for_both_pages(report: dict[str, Any]) -> None:
    for what in ("snapshot_bytes", "loaded_ms"):
        assert all(report[what][who] > 0 for who in ("host", "spectator"))
