"""Commands in comments: ``%clk``, ``%emt``, and a draw offer as ``(=)``."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARK = re.compile(
    r"\[%(?P<name>clk|emt)\s+(?:(?P<hours>[0-9]{1,4}):)?(?P<minutes>[0-9]{1,2}):(?P<seconds>[0-9]{1,2})"
    r"(?:[.,](?P<fraction>[0-9]{1,9}))?\s*\]|\(=\)",
    re.ASCII,
)

_CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), " ")


class Marks(NamedTuple):
    """A parsed comment."""

    text: str
    """The rest of the comment with single blanks, perhaps empty. It keeps unreadable marks and other programs'
    commands."""
    clock_ms: int | None
    spent_ms: int | None
    draw: bool


def parse_marks(comment: str) -> Marks:
    """Parse the marks in ``comment``. Of two clocks the last counts."""
    text = tidy(comment)
    left = tidy(_MARK.sub(" ", text))
    if left == text or _MARK.search(left):
        # No mark at all, or a mark within a mark, which nobody means. What is written back must not say more than what
        # was read.
        return Marks(text, None, None, draw=False)
    times: dict[str, int] = {}
    draw = False
    for mark in _MARK.finditer(text):
        if mark["name"] is None:
            draw = True
        else:
            times[mark["name"]] = _milliseconds(mark)
    return Marks(left, times.get("clk"), times.get("emt"), draw)


def tidy(text: str) -> str:
    """Return ``text`` on one line, with single blanks and no control characters."""
    return " ".join(text.translate(_CONTROLS).split())


def _milliseconds(mark: re.Match[str]) -> int:
    minutes = int(mark["hours"] or 0) * 60 + int(mark["minutes"])
    fraction = (mark["fraction"] or "").ljust(3, "0")[:3]
    return (minutes * 60 + int(mark["seconds"])) * 1000 + int(fraction)


def format_marks(clock_ms: int | None, spent_ms: int | None, *, draw: bool) -> str:
    """Return the marks as one comment, perhaps empty. Times are exact: in tenths, or milliseconds if needed."""
    marks = ["(=)"] if draw else []
    if clock_ms is not None:
        marks.append(f"[%clk {_format_time(clock_ms)}]")
    if spent_ms is not None:
        marks.append(f"[%emt {_format_time(spent_ms)}]")
    return " ".join(marks)


def _format_time(time_ms: int) -> str:
    seconds, fraction = divmod(time_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}." + (f"{fraction:03}" if fraction % 100 else f"{fraction // 100}")
