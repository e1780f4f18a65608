"""PGN import (standard sections 3.1 and 8): text in pieces, games as they are complete.

Not the library's reader: it asks a file for whole lines of any length, has no limits, passes over words it does not
know, and says of what is wrong neither line nor column. Boards and legal moves are the library's here too.

What is understood beyond the standard: moves in any English or numeric notation, ``!?``, ``+-`` and the like, ``e.p.``,
``(=)``, quotation marks in tags that nobody escaped, a game that ends without its result, passed turns in variations.
What is lost: numbers of moves, escaped lines, line breaks in comments, comments outside of games, empty variations,
results at the ends of variations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chess.pgn_draft import PgnDraft
from game_core.chess.pgn_game import PgnGame
from game_core.scores.reader import ScoreReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.errors import BadScore


class PgnReader(ScoreReader[PgnGame]):
    """Reads games of chess from text that comes in pieces of any size."""

    def __init__(self) -> None:
        super().__init__(PgnDraft)


def read_games(pieces: Iterable[str]) -> Iterator[PgnGame | BadScore]:
    """All games of a text that comes in pieces, in order; for each that cannot be read what is wrong with it."""
    reader = PgnReader()
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.close()
