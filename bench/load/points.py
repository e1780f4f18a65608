"""Percentiles of delays."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

POINTS = (50, 90, 99)


def points_ms(seconds: Sequence[float]) -> dict[str, float]:
    """Return ``p50``, ``p90``, ``p99`` and ``max`` of at least two delays, in milliseconds."""
    hundredths = statistics.quantiles(seconds, n=100, method="inclusive")
    return {**{f"p{point}": hundredths[point - 1] * 1000 for point in POINTS}, "max": max(seconds) * 1000}
