"""Writer of scores with comments and variations (PGN standard, sections 3.2 and 8), for any game."""

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
"""The seven-tag roster in order, with the values for unknown ones (8.1.1)."""

MAX_COLUMNS = 80
"""Longest line of move text (3.2.4)."""

_TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*", re.ASCII)

_WORD = re.compile(r"(?:\[%[^\]]{0,60}\]|[^ ])+")
"""Commands stay on one line, because some readers do not look for them across two."""


def format_score(tags: dict[str, str], words: Iterable[str]) -> str:
    """Return a score of ``tags``, the seven first, and ``words`` of its moves, with a final newline.

    Raises ``ValueError`` if a tag's name is invalid.
    """
    others = sorted(tags.keys() - SEVEN_TAGS.keys())
    tag_lines = (_format_tag(name, tags.get(name, SEVEN_TAGS.get(name, ""))) for name in (*SEVEN_TAGS, *others))
    return "\n".join([*tag_lines, "", *wrap_words(words)]) + "\n"


def write_each(games: Iterable[GameT], format_game: Callable[[GameT], str]) -> Iterator[str]:
    """Yield the text of ``games`` one by one, with an empty line between them."""
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
        named: returns the name of a move.
        closed: returns a comment as words: in braces, or in the game's other form if it contains a brace.
    """

    def __init__(self, named: Callable[[str], str], closed: Callable[[str], Iterable[str]]) -> None:
        self._named = named
        self._closed = closed

    def of(self, line: Line, first_ply: int) -> Iterator[str]:
        """Yield the words of ``line``, whose first move is half-move ``first_ply`` of the game, from 0."""
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
        """Yield what follows a move."""
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
    """Return the words of a comment without braces."""
    return _WORD.findall(f"{{{comment}}}")


def wrap_words(words: Iterable[str]) -> Iterator[str]:
    """Yield lines of ``words``, filled as far as they fit.

    A word with a final newline ends its line. No line begins with a percent sign, which would hide it (standard 6).
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
