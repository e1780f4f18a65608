"""PGN import (standard sections 3.1 and 8): text in chunks, games as they are complete.

The library's reader is not used: it reads whole lines of any length from a file, has no limits, ignores unknown words,
and reports neither line nor column of an error. Boards and legal moves are the library's here too.

Extensions of the standard: moves in any English or numeric notation, ``!?``, ``+-`` and the like, ``e.p.``, ``(=)``,
unescaped quotation marks in tags, a game without a result, null moves in variations. Not kept: move numbers, escaped
lines, line breaks in comments, comments outside of games, empty variations, results at the ends of variations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chess.pgn_builder import PgnBuilder
from game_core.chess.pgn_game import PgnGame
from game_core.scores.reader import ScoreReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.errors import BadScore


class PgnReader(ScoreReader[PgnGame]):
    """A reader of chess games from text in chunks of any size."""

    def __init__(self) -> None:
        super().__init__(PgnBuilder)


def read_games(pieces: Iterable[str]) -> Iterator[PgnGame | BadScore]:
    """Yield all games of a text in chunks, in order, and a ``BadScore`` for each that cannot be read."""
    reader = PgnReader()
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.close()
