"""Scores as text, comments and variations with them (PGN standard, sections 3.2 and 8), of whatever game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from game_core.scores.marks import format_marks, tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from game_core.scores.lines import Line, Ply

GameT = TypeVar("GameT")

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

_TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*", re.ASCII)

_WORD = re.compile(r"(?:\[%[^\]]{0,60}\]|[^ ])+")
"""Programs' commands stay on one line: not every reader looks for them on two."""


def format_score(tags: dict[str, str], words: Iterable[str]) -> str:
    """A score with its ``tags``, the seven first, and the ``words`` of its moves, and a line's end after the last.

    Raises ``ValueError`` if a tag's name is none.
    """
    others = sorted(tags.keys() - SEVEN_TAGS.keys())
    tag_lines = (_format_tag(name, tags.get(name, SEVEN_TAGS.get(name, ""))) for name in (*SEVEN_TAGS, *others))
    return "\n".join([*tag_lines, "", *wrap_words(words)]) + "\n"


def write_each(games: Iterable[GameT], format_game: Callable[[GameT], str]) -> Iterator[str]:
    """The text of ``games``, a piece a game, with an empty line between them."""
    between = ""
    for game in games:
        yield between + format_game(game)
        between = "\n"


def _format_tag(name: str, value: str) -> str:
    if not _TAG_NAME.fullmatch(name):
        raise ValueError(f"not the name of a tag: {name!r}; expected letters, digits and underscores")
    printable = "".join(char if char.isprintable() else " " for char in value)
    escaped = printable.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


class LineWords:
    """The words of lines.

    Args:
        named: how the name of a move is written.
        closed: a comment as words: in braces, or how else the game has it when there is a brace in it.
    """

    def __init__(self, named: Callable[[str], str], closed: Callable[[str], Iterable[str]]) -> None:
        self._named = named
        self._closed = closed

    def of(self, line: Line, first_ply: int) -> Iterator[str]:
        """The words of ``line``, whose first move is the half-move ``first_ply`` of the game, from 0."""
        yield from self._comments(line.comments)
        numbered = True
        for number, ply in enumerate(line.plies, first_ply):
            move, second = divmod(number, 2)
            if numbered or not second:
                yield f"{move + 1}{'...' if second else '.'} {self._named(ply.san)}"
            else:
                yield self._named(ply.san)
            numbered = False
            for word in self._remarks(ply, number):
                yield word
                numbered |= not word.startswith("$")

    def _remarks(self, ply: Ply, number: int) -> Iterator[str]:
        """What stands behind a move."""
        yield from (f"${nag}" for nag in ply.nags)
        marks = format_marks(ply.clock_ms, ply.spent_ms, draw=ply.draw)
        if marks:
            yield f"{{{marks}}}"
        yield from self._comments(ply.comments)
        for variation in ply.variations:
            yield "("
            yield from self.of(variation, number)
            yield ")"
        yield from self._comments(ply.afterwards)

    def _comments(self, comments: Iterable[str]) -> Iterator[str]:
        for comment in map(tidy, comments):
            if comment:
                yield from self._closed(comment)


def in_braces(comment: str) -> list[str]:
    """The words of a comment without braces."""
    return _WORD.findall(f"{{{comment}}}")


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
