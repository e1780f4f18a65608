"""Rules common to all variants of Chinese checkers. They differ in the start position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chinese_checkers.fen import parse_fen
from game_core.chinese_checkers.position import MOST_MOVES, THREEFOLD, Position
from game_core.chinese_checkers.side import Side
from game_core.errors import BadPosition
from game_core.plain_rules import PlainRules
from game_core.rules import Finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.color import Color, Pair
    from game_core.rules import Leaps


class Star(PlainRules):
    """Chinese checkers for two. A move is ``e5-g5``, from and to; its path is found here.

    Attributes:
        home: the set of holes on which White's pieces start. Black's are opposite.
    """

    game = "chinese-checkers"
    profiles: tuple[str, ...] = ("online",)

    def __init__(self, variant: str, home: int) -> None:
        self.variant = variant
        self.home = home
        self._sides: Pair[Side] = (Side.white(home), Side.black(home))

    def under(self, profile: str) -> Star:
        """Themselves: profiles differ in clocks and conduct."""
        del profile
        return self

    def start(self, fen: str | None) -> Position:
        """The initial position, or that of ``fen``.

        Raises ``BadPosition`` if it is malformed, if a side has not its number of pieces, or if it is over already.
        """
        if fen is None:
            return Position(self._sides, (self._sides[0].home, self._sides[1].home), "w")
        men, turn = parse_fen(fen)
        for name, held in zip(("white", "black"), men, strict=True):
            if held.bit_count() != self.home.bit_count():
                wanted = self.home.bit_count()
                raise BadPosition(f"{held.bit_count()} {name} pieces where each side has {wanted}: {fen!r}")
        position = Position(self._sides, men, turn)
        if position.outcome is not None:
            raise BadPosition(f"the game is over in {fen!r}: {position.outcome.reason}")
        return position

    def turn(self, position: Position) -> Color:
        return position.turn

    def legal_moves(self, position: Position) -> Sequence[str]:
        return position.legal_moves()

    def leaps(self, position: Position, move: str) -> Sequence[Leaps]:
        """Return the shortest path of a move by hops: all others lead to the same position."""
        leaps = position.leaps(move)
        return () if leaps is None else (leaps,)

    def is_same_move(self, move: str, notation: str, text: str, before: str | None) -> bool:
        """Accept a written-out path, ``e5-g5-i5``, with the same ends."""
        del notation, before
        words = text.split("-")
        return f"{words[0]}-{words[-1]}" == move

    def draw_in(self, position: Position) -> int | None:
        """Return the number of moves until each side has made all it may; None before the first, and when the game is
        over."""
        return position.moves_left if position.plies and position.outcome is None else None

    def missing_for_claim(self, position: Position) -> str:
        return (
            "draws are automatic in this variant and cannot be claimed: this position has occurred "
            f"{position.repeats} of {THREEFOLD} times, and each side may make {position.moves_left} of {MOST_MOVES} "
            "more moves"
        )

    def can_win(self, position: Position, color: Color) -> bool:
        """Return True: nothing is captured and every move can be undone, so every position is reachable."""
        del position, color
        return True

    def find_win(self, identity: str, color: Color, nodes: int) -> Finding:
        """Return yes; see ``can_win``."""
        del identity, color, nodes
        return Finding("yes", "material", 0)
