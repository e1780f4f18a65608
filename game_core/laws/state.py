"""The state of a game by the Laws beside its moves and clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color, Pair
from game_core.laws.articles import Articles, articles_of
from game_core.laws.kinds import kind_of
from game_core.laws.terms import ALWAYS, LawsTerms

if TYPE_CHECKING:
    from game_core.time_control import TimeControl


MOST_ACTS = 40
"""Of those that nothing else limits, because each is an event that is stored for ever. Legal moves have no
limit."""


class MadeMove(msgspec.Struct, frozen=True):
    """A move whose piece is put down, and whose player has not pressed the clock."""

    move: str
    san: str
    position: str
    """The position as the pieces lie."""
    irregular: bool
    """It is illegal."""
    seq: int
    """Number of its event."""


class UnclaimedMove(msgspec.Struct, frozen=True):
    """A completed illegal move that the opponent may still claim. It is the last move on the board."""

    by: Color
    move: str
    touched: tuple[str, ...]
    """What its player had touched: it binds them again if the move is taken back."""
    gained_ms: int
    """What they got for it: the increment, and what a Bronstein delay gave back."""
    spent_ms: int
    """How much of its delay was used."""


class SheetEntry(msgspec.Struct, frozen=True):
    """A half-move on a score sheet, as its player wrote it."""

    text: str
    right: bool


class LawsState(msgspec.Struct, frozen=True):
    """The state after the events so far."""

    terms: LawsTerms
    articles: Articles
    since_ms: int
    """When the game began, or was loaded: the default time counts from then."""
    seated: Pair[bool] = (False, False)
    """Whether each side has come to the board."""
    adjusting: bool = False
    """The side to move has said that it adjusts pieces (4.2)."""
    touched: tuple[str, ...] = ()
    """Squares of the pieces that the side to move has touched, in order (4.3)."""
    made: MadeMove | None = None
    has_made: bool = False
    """The side to move has put a piece down since the opponent's last move, which can no longer be claimed (A4c)."""
    pending: UnclaimedMove | None = None
    illegal: Pair[int] = (0, 0)
    """Illegal moves of each side that were ruled on."""
    ruling_seq: int = 0
    """The ``seq`` of the last ruling; 0 if there was none."""
    irregular: tuple[tuple[int, str], ...] = ()
    """Half-moves on the board after a completed illegal move, with the position that it led to."""
    has_offered: bool = False
    """A draw was offered with the present move, and may have been declined since (9.1)."""
    offered: tuple[int, ...] = ()
    """Half-moves on the board with which a draw was offered."""
    positions: tuple[str, ...] = ()
    """With score sheets: the position before each half-move on the board, with which entries are compared."""
    sheets: Pair[tuple[SheetEntry, ...]] = ((), ())
    """The score sheet of each side: entries from the first half-move on (8.1)."""
    signed: Pair[bool] = (False, False)
    """Whether each side has signed the result (8.7)."""
    acts: int = 0
    """Pieces put down, announcements and rulings since the last legal move was completed (``MOST_ACTS``)."""
    corrections: Pair[int] = (0, 0)
    """Corrections of each side's score sheet since then (``MOST_ACTS``)."""
    restarts_refused: Pair[int] = (0, 0)
    """Offers of each side to play anew that were declined."""


def first_state(profile: str, terms: LawsTerms | None, tc: TimeControl | None, now_ms: int) -> LawsState | None:
    """Return the state at the start; None: the game is not by the Laws.

    Args:
        terms: what was agreed; None: the usual terms, if the profile has some.
        tc: the control that determines the kind of the game.
    """
    if terms is None:
        if profile not in ALWAYS:
            return None
        terms = LawsTerms()
    return LawsState(terms, articles_of(profile, terms, kind_of(tc)), now_ms)
