"""Shares of the server's time: ``python -m bench.shares PROFILE`` sums up the samples of ``py-spy record -f raw``.

Each sample counts for the innermost frame of its stack that belongs to a part of ours or to a library. Samples outside
the event loop (the start, waiting threads) are left out.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

TURN = "_run_once"
"""In every stack of the event loop's thread after the start."""

PARTS = (
    ("rules: legality, the position after, SAN, FEN, outcome", r"game_core/(chess|draughts)/|chess/__init__\.py"),
    ("folding the event into the game", r"game_core/evolve\.py"),
    ("clocks, lag, deciding", r"game_core/|realtime/games/seats\.py"),
    ("epoll", r"selectors\.py|realtime/clock/(loop_time|priority_selector)\.py"),
    ("writing to sockets", r"_SelectorSocketTransport\.write|_SelectorSocketTransport\._write"),
    ("reading from sockets", r"_SelectorSocketTransport\._read"),
    ("websocket frames", r"websockets/"),
    ("encoding, decoding, framing", r"realtime/(protocol/|games/table_view\.py)"),
    ("journal: rows, asyncpg", r"asyncpg/|realtime/(journal|postgres)/|lobby/ledger\.py"),
    ("timers", r"realtime/clock/timers\.py|call_later|call_at|asyncio/(events\.py:1[0-4]\d\)|timeouts)"),
    (
        "table, topic: asking, publishing, answering",
        r"realtime/(games|fanout|watching)/",
    ),
    (
        "session: finding verb and table",
        r"realtime/(dispatch|net)/",
    ),
    ("Python's garbage collector", r"realtime/clock/garbage_collection\.py"),
    ("metrics", r"realtime/ops/metrics\.py"),
    ("the event loop", r"asyncio/"),
)
"""A stack belongs to the first part that describes one of its frames, from the innermost outwards."""

REST = "the rest"

_PLACES = [(part, re.compile(pattern)) for part, pattern in PARTS]


def shares(lines: Iterable[str], within: str = "") -> Counter[str]:
    """Return samples by part. ``within``: count only stacks that contain this text."""
    found: Counter[str] = Counter()
    for line in lines:
        stack, _, samples = line.strip().rpartition(" ")
        if TURN in stack and within in stack:
            found[part_of(stack)] += int(samples)
    return found


def part_of(stack: str) -> str:
    """Return the part of a stack ``outer (file:line);…;inner (file:line)``."""
    for frame in reversed(stack.split(";")):
        for part, place in _PLACES:
            if place.search(frame):
                return part
    return REST


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.shares", description=__doc__)
    parser.add_argument("profile", type=Path, metavar="PROFILE", help="of py-spy record -f raw")
    parser.add_argument("--within", default="", metavar="TEXT", help="only stacks in which this is said")
    asked = parser.parse_args()
    with asked.profile.open(encoding="utf-8") as lines:
        found = shares(lines, asked.within)
    for part, samples in found.most_common():
        sys.stdout.write(f"{samples / found.total():6.1%}  {part}\n")
    sys.stdout.write(f"{found.total():,} samples\n")


if __name__ == "__main__":
    main()
