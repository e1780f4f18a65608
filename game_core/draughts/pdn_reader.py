"""PDN import: text in pieces, games as they are complete. All draughts, and the star in the same form.

What is understood beyond PDN 3.0: results at the ends of games, and either form of them; ``:`` for captures, blanks and
zeros before numbers, moves without a sign between their squares, squares by letters where numbers are usual and the
other way round, whole captures that need not be whole, ``;`` comments, a missing ``GameType``. What is lost: numbers of
moves, line comments, braces around signs of strength, line breaks in comments, results at the ends of variations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.draughts.pdn_draft import PdnDraft
from game_core.draughts.pdn_game import PdnGame
from game_core.scores.reader import ScoreReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.errors import BadScore


class PdnReader(ScoreReader[PdnGame]):
    """Reads games from text that comes in pieces of any size."""

    def __init__(self) -> None:
        super().__init__(PdnDraft)


def read_games(pieces: Iterable[str]) -> Iterator[PdnGame | BadScore]:
    """All games of a text that comes in pieces, in order; for each that cannot be read what is wrong with it."""
    reader = PdnReader()
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.close()
