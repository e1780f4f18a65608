"""Portable Game Notation, export format (PGN standard, sections 3.2 and 8)."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

import chess

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

SEVEN_TAGS = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
"""The roster every game has, in its order, with what stands for a value that is not known (8.1.1)."""

MAX_COLUMNS = 80
"""Longest line of move text (3.2.4)."""

_VARIANT_TAGS = {"standard": None, "chess960": "Chess960"}

_TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*", re.ASCII)


def format_pgn(
    headers: Mapping[str, str],
    start_fen: str | None,
    variant: str,
    moves: Sequence[str],
    notations: Sequence[str],
    clocks_ms: Sequence[int | None],
    result: str,
) -> str:
    """One game as PGN, with a line's end after the result.

    Args:
        headers: tags and their values; those of the roster that are missing are written as unknown. ``Result``,
            ``Variant``, ``SetUp`` and ``FEN`` come from the other arguments.
        start_fen: where the game began; None for the usual position.
        variant: ``standard`` or ``chess960``.
        moves: the moves in wire notation.
        notations: the same in SAN.
        clocks_ms: what was left after each move to him who made it, in milliseconds; None where there is no clock.
        result: ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``.

    Raises ``ValueError`` if the sequences differ in length or a tag's name is none.
    """
    tags = format_tags(headers, start_fen, variant, result)
    plies = zip(moves, notations, clocks_ms, strict=True)
    words = _move_words(start_fen or chess.STARTING_FEN, ((san, clock) for _, san, clock in plies))
    return "\n".join([*tags, "", *wrap_words(chain(words, [result]))]) + "\n"


def format_tags(headers: Mapping[str, str], start_fen: str | None, variant: str, result: str) -> Iterator[str]:
    """The lines of a game's tag section; arguments and errors as in ``format_pgn``."""
    fen = start_fen or chess.STARTING_FEN
    tags = {**SEVEN_TAGS, **headers, "Result": result}
    for own in ("FEN", "SetUp", "Variant"):
        tags.pop(own, None)
    variant_tag = _VARIANT_TAGS[variant]
    if variant_tag is not None:
        tags["Variant"] = variant_tag
    if variant_tag is not None or fen != chess.STARTING_FEN:
        tags |= {"FEN": fen, "SetUp": "1"}
    others = sorted(tags.keys() - SEVEN_TAGS.keys())
    return (_format_tag(name, tags[name]) for name in (*SEVEN_TAGS, *others))


def _format_tag(name: str, value: str) -> str:
    if not _TAG_NAME.fullmatch(name):
        raise ValueError(f"not the name of a tag: {name!r}; expected letters, digits and underscores")
    printable = "".join(char if char.isprintable() else " " for char in value)
    escaped = printable.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _move_words(fen: str, plies: Iterable[tuple[str, int | None]]) -> Iterator[str]:
    """The move text but for the result, in pieces that are not to be torn apart.

    Black's moves have a number of their own where something stands between them and White's (8.2.2.2).
    """
    fields = fen.split(" ")
    white, number = fields[1] == "w", int(fields[5]) if len(fields) > 5 else 1
    numbered = True
    for san, clock_ms in plies:
        yield f"{number}{'.' if white else '...'} {san}" if white or numbered else san
        numbered = clock_ms is not None
        if clock_ms is not None:
            yield f"{{[%clk {_format_clock(clock_ms)}]}}"
        number += not white
        white = not white


def _format_clock(left_ms: int) -> str:
    """``h:mm:ss.t``, rounded down: nobody is shown time he does not have."""
    tenths = left_ms // 100
    minutes, tenths = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{tenths // 10:02}.{tenths % 10}"


def wrap_words(words: Iterable[str]) -> Iterator[str]:
    """Lines of ``words``, as many on each as fit.

    A word that ends a line itself ends that line. None begins with a percent sign: that would hide it (standard 6).
    """
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > MAX_COLUMNS and not word.startswith("%"):
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
        if line.endswith("\n"):
            yield line[:-1]
            line = ""
    if line:
        yield line
