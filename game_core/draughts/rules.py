"""The rules of a variant of draughts, as the server uses them."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from game_core.draughts.board import Board
from game_core.draughts.by_hand import DraughtsHand
from game_core.draughts.endings import can_win
from game_core.draughts.moves import find_moves
from game_core.draughts.notation.fen import parse_fen
from game_core.draughts.notation.spelling import find_move, squares_of
from game_core.draughts.paths import MAX_RETRACED, find_paths, leaps_of
from game_core.draughts.position import Position
from game_core.errors import BadPosition, IllegalMove
from game_core.plain_rules import PlainRules
from game_core.rules import Finding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from game_core.color import Color
    from game_core.draughts.board import Move
    from game_core.draughts.laws import Laws
    from game_core.draughts.limits import EndgameLimit
    from game_core.draughts.men import Men
    from game_core.rules import Hand, Leaps

MOST_PATHS = 8
"""Paths of one capture that are shown. Kings may have hundreds; others can still be written."""


@lru_cache(maxsize=16)
def _known(board: Board, fen: str) -> tuple[Men, Mapping[str, Move]]:
    """Return the pieces of ``fen``, a position of a game, and its legal moves. Cached, because a move may be sent
    repeatedly."""
    men = parse_fen(board, fen)
    return men, find_moves(board, men)


def _is_meant(board: Board, fen: str, move: str, text: str) -> bool:
    """Return whether ``text`` means ``move`` and no other in ``fen``."""
    men, legal = _known(board, fen)
    try:
        return find_move(board, men, legal, text).text == move
    except IllegalMove:
        return False


class Draughts(PlainRules):
    """The rules of ``draughts`` / ``laws.name``. Moves are ``32-28`` and ``28x19``, or ``c3-d4`` and ``c3xe5``.

    Captures with the same ends that capture different pieces are written with all landing squares: ``47x33x24``. A move
    is accepted with its ends and as many of the squares between as make it unambiguous.
    """

    game = "draughts"

    def __init__(self, laws: Laws) -> None:
        self.variant = laws.name
        self.board = Board(laws)
        self.profiles: tuple[str, ...] = ("online", *(profile for profile, _ in laws.profiles))
        self._under = {profile: self._with(limits) for profile, limits in laws.profiles}

    def _with(self, limits: tuple[EndgameLimit, ...]) -> Draughts:
        laws = self.board.laws
        return self if limits == laws.limits else Draughts(msgspec.structs.replace(laws, limits=limits, profiles=()))

    @property
    def hand(self) -> Hand | None:
        return DraughtsHand(self.board)

    def under(self, profile: str) -> Draughts:
        """Return the rules with the profile's limits on endings."""
        return self._under.get(profile, self)

    def start(self, fen: str | None) -> Position:
        """The initial position, or that of ``fen``.

        Raises ``BadPosition`` if it is malformed, cannot come about in a game or is over already.
        """
        position = Position.first(self.board, self.board.start if fen is None else parse_fen(self.board, fen))
        if position.outcome is not None:
            raise BadPosition(f"the game is over in {fen!r}: {position.outcome.reason}")
        return position

    def turn(self, position: Position) -> Color:
        return position.men.turn

    def legal_moves(self, position: Position) -> Sequence[str]:
        return list(position.legal)

    def leaps(self, position: Position, move: str) -> Sequence[Leaps]:
        """Return the first paths of a capture. Raises ``IllegalMove``."""
        found = find_move(self.board, position.men, position.legal, move)
        if not found.taken:
            return ()
        known = position.paths.get(found.text)
        if known is None:
            known = position.paths[found.text] = self._find_leaps(position, found)
        return known

    def _find_leaps(self, position: Position, move: Move) -> tuple[Leaps, ...]:
        if move.taken.bit_count() > MAX_RETRACED:
            return (position.leaps(move),)
        paths = islice(find_paths(self.board, position.men, move), MOST_PATHS)
        return tuple(leaps_of(self.board, move, path) for path in paths)

    def is_same_move(self, move: str, notation: str, text: str, before: str | None) -> bool:
        """Accept the same ends, if no other move has them. Otherwise any squares that identify this capture among those
        with the same ends, which depends on the position."""
        del notation
        played, meant = squares_of(self.board, move), squares_of(self.board, text)
        if played is None or meant is None or (played[0], played[-1]) != (meant[0], meant[-1]):
            return False
        if before is None or played == meant:
            return True
        return _is_meant(self.board, before, move, text)

    def draw_in(self, position: Position) -> int | None:
        """Return the nearest of all limits that apply. The limit on moves without progress applies from the first such
        move."""
        return position.draw_in

    def missing_for_claim(self, position: Position) -> str:
        del position
        return "draws are automatic in this variant and cannot be claimed"

    def can_win(self, position: Position, color: Color) -> bool:
        """Return False for a lone king that is there to hold the draw (``endings.can_win``)."""
        return can_win(self.board, position.men, color)

    def find_win(self, identity: str, color: Color, nodes: int) -> Finding:
        """Return the answer of ``can_win``."""
        del nodes
        can = can_win(self.board, parse_fen(self.board, identity), color)
        return Finding("yes" if can else "no", "material", 0)
