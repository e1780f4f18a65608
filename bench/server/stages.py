"""The server's own counters of the time of each stage: ``zeitnot_stage_seconds`` of its ``/metrics``."""

from __future__ import annotations

import asyncio
import re
import urllib.request

_SAMPLE = re.compile(r'^zeitnot_stage_seconds_(sum|count)\{stage="(\w+)"\} (\S+)$', re.MULTILINE)

Stages = dict[str, tuple[float, float]]
"""Total seconds and count by stage."""

OF_A_MOVE = ("decode", "decide", "wait", "journal", "publish")


async def stages(url: str) -> Stages:
    """Return the counters of the server at ``url`` since its start."""

    def read() -> str:
        with urllib.request.urlopen(f"{url}/metrics") as response:  # noqa: S310  our own server's
            text: str = response.read().decode()
        return text

    found = {(stage, what): float(value) for what, stage, value in _SAMPLE.findall(await asyncio.to_thread(read))}
    return {stage: (found[stage, "sum"], found[stage, "count"]) for stage in OF_A_MOVE}


def mean_us(before: Stages, after: Stages) -> dict[str, float]:
    """Return the mean time of each stage between two readings."""
    return {
        stage: 1e6 * (after[stage][0] - before[stage][0]) / max(1.0, after[stage][1] - before[stage][1])
        for stage in OF_A_MOVE
    }
