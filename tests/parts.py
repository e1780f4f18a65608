"""Run parts of the checks, each a target of the Makefile, and print at the end how long each took.

    python tests/parts.py lint check-web check-core check-rest

All parts run, even after one has failed; the exit status is 1 if any failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time


def run(parts: list[str]) -> int:
    """Run ``parts`` one after the other; return the exit status."""
    rows: list[tuple[str, float, bool]] = []
    for part in parts:
        began = time.monotonic()
        ended = subprocess.run(["make", "--no-print-directory", part], check=False)
        rows.append((part, time.monotonic() - began, ended.returncode == 0))
    one, five, fifteen = os.getloadavg()
    lines = [f"{part:<12} {seconds:6.0f} s  {'passed' if passed else 'FAILED'}" for part, seconds, passed in rows]
    lines.append(f"{'all':<12} {sum(seconds for _, seconds, _ in rows):6.0f} s")
    lines.append(f"load of the machine: {one:.1f} {five:.1f} {fifteen:.1f} (1, 5, 15 minutes), {os.cpu_count()} cores")
    print("\n".join(lines), flush=True)  # noqa: T201  it is what this program is for
    return 0 if all(passed for *_, passed in rows) else 1


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
