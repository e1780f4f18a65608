"""PGN export of whole games, comments and variations with them (standard sections 3.2 and 8).

What it writes, ``pgn_reader`` reads as the same game, with ``?`` for those of the seven tags it did not have.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import chess

from game_core.chess.pgn_marks import format_marks, tidy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.chess.pgn_game import Line, PgnGame, Ply

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

_WORD = re.compile(r"(?:\[%[^\]]{0,60}\]|[^ ])+")
"""Programs' commands stay on one line: not every reader looks for them on two."""


def format_game(game: PgnGame) -> str:
    """``game`` as PGN, with a line's end after the result. Raises ``ValueError`` if a tag's name is none."""
    fields = (game.fen or chess.STARTING_FEN).split(" ")
    first_ply = 2 * (int(fields[5]) - 1) + (fields[1] == "b")
    words = [*_line_words(game.line, first_ply), game.result]
    return "\n".join([*_tag_lines(game), "", *wrap_words(words)]) + "\n"


def write_games(games: Iterable[PgnGame]) -> Iterator[str]:
    """The text of ``games``, a piece a game, with an empty line between them."""
    between = ""
    for game in games:
        yield between + format_game(game)
        between = "\n"


def _tag_lines(game: PgnGame) -> Iterator[str]:
    """The tag section. The tags that are fields of a game come from these, whatever else it has of them."""
    fen = game.fen or chess.STARTING_FEN
    tags = {**SEVEN_TAGS, **game.tags, "Result": game.result}
    for own in ("FEN", "SetUp", "Variant"):
        tags.pop(own, None)
    variant_tag = _VARIANT_TAGS[game.variant]
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


def _line_words(line: Line, first_ply: int) -> Iterator[str]:
    """The words of ``line``, whose first move is the half-move ``first_ply`` of the game, from 0."""
    yield from _comment_words(line.comments)
    numbered = True
    for number, ply in enumerate(line.plies, first_ply):
        move, black = divmod(number, 2)
        if numbered or not black:
            yield f"{move + 1}{'...' if black else '.'} {ply.san}"
        else:
            yield ply.san
        numbered = False
        for word in _remark_words(ply, number):
            yield word
            numbered |= not word.startswith("$")


def _remark_words(ply: Ply, number: int) -> Iterator[str]:
    """What stands behind a move."""
    yield from (f"${nag}" for nag in ply.nags)
    marks = format_marks(ply.clock_ms, ply.spent_ms, draw=ply.draw)
    if marks:
        yield f"{{{marks}}}"
    yield from _comment_words(ply.comments)
    for variation in ply.variations:
        yield "("
        yield from _line_words(variation, number)
        yield ")"
    yield from _comment_words(ply.afterwards)


def _comment_words(comments: Iterable[str]) -> Iterator[str]:
    for comment in map(tidy, comments):
        if "}" in comment:
            # A comment in braces ends there; one to the end of the line does not.
            yield f";{comment}\n"
        elif comment:
            yield from _WORD.findall(f"{{{comment}}}")


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
