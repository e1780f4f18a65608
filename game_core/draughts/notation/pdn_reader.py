"""PDN import: text in chunks, games as they are complete. For all draughts, and for Chinese checkers in the same form.

Extensions of PDN 3.0: results at the ends of games as ``1-0`` or ``2-0``; ``:`` for captures, blanks and zeros before
numbers, moves without a sign between their squares, squares by letters where numbers are usual and vice versa, complete
captures where that is not needed, ``;`` comments, a missing ``GameType``. Not kept: move numbers, line comments, braces
around move-quality symbols (NAGs), line breaks in comments, results at the ends of variations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.draughts.notation.pdn_builder import PdnBuilder
from game_core.draughts.notation.pdn_game import PdnGame
from game_core.scores.reader import ScoreReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.errors import BadScore


class PdnReader(ScoreReader[PdnGame]):
    """A reader of games from text in chunks of any size."""

    def __init__(self) -> None:
        super().__init__(PdnBuilder)


def read_games(pieces: Iterable[str]) -> Iterator[PdnGame | BadScore]:
    """Yield all games of a text in chunks, in order, and a ``BadScore`` for each that cannot be read."""
    reader = PdnReader()
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.close()
