"""An immutable position on the star: pieces, repetitions and move counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chinese_checkers.board import HOLES, INDEX
from game_core.chinese_checkers.fen import format_fen
from game_core.chinese_checkers.hops import hop_path, hop_tree, is_step, legal_moves
from game_core.color import other
from game_core.errors import IllegalMove, InvalidMove
from game_core.remembering import Remembering
from game_core.rules import Leaps, Outcome, Played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.chinese_checkers.side import Side
    from game_core.color import Color, Pair

THREEFOLD = 3
"""Repetitions of a position that draw the game."""

MOST_MOVES = 200
"""Moves of each side after which the game is drawn."""

_LONGEST_TEXT = 512
"""Longest accepted move text in characters; the names of all holes together are shorter."""


class Position(Remembering):
    """A position of a game. Immutable; its private slots cache computed answers.

    Attributes:
        sides: the goals of White and Black.
        white, black: the sets of holes with their pieces.
        turn: the side to move.
        plies: half-moves since the start.
        repeats: how often this position has been on the board, this time included.
    """

    __slots__ = (
        "_before",
        "_earlier",
        "_hops",
        "_key",
        "black",
        "plies",
        "repeats",
        "sides",
        "turn",
        "white",
    )

    def __init__(
        self,
        sides: Pair[Side],
        men: Pair[int],
        turn: Color,
        earlier: tuple[int, ...] = (),
        before: tuple[int, ...] = (),
    ) -> None:
        """Create a position.

        ``earlier`` are the keys of earlier positions with the same side to move, ``before`` those with the other.
        """
        super().__init__()
        self.sides = sides
        self.white, self.black = men
        self.turn: Color = turn
        self.plies = len(earlier) + len(before)
        # No piece is ever captured or bound to move forward, so every position can recur.
        self._key = self.white << len(HOLES) | self.black
        self.repeats = earlier.count(self._key) + 1
        self._earlier = earlier
        self._before = before
        self._hops: tuple[int, dict[int, int]] | None = None

    @property
    def fen(self) -> str:
        return format_fen(self.white, self.black, self.turn)

    @property
    def own(self) -> int:
        """The holes with pieces of the side to move."""
        return self.white if self.turn == "w" else self.black

    @property
    def moves_left(self) -> int:
        """How many moves each side may still make, or the side that has more of them."""
        return MOST_MOVES - self.plies // 2

    def legal_moves(self) -> Sequence[str]:
        return legal_moves(self.own, self.white | self.black)

    def leaps(self, move: str) -> Leaps | None:
        """Return the path of ``move``, which is ``from-to`` and legal; None for a step."""
        origin, end = move.split("-")
        return _leaps(hop_path(INDEX[end], self._tree(INDEX[origin])))

    def _play(self, text: str) -> Played:
        holes = _read(text)
        path = self._find(text, holes)
        change = 1 << holes[0] | 1 << holes[-1]
        men = (self.white ^ change, self.black) if self.turn == "w" else (self.white, self.black ^ change)
        position = Position(self.sides, men, other(self.turn), self._before, (*self._earlier, self._key))
        move = f"{HOLES[holes[0]]}-{HOLES[holes[-1]]}"
        return Played(position, move, move, check=False, leaps=_leaps(path))

    def _find(self, wire: str, holes: list[int]) -> tuple[int, ...]:
        """Return the path of the move through ``holes``, empty for a step. Raises ``IllegalMove``."""
        origin, *between, end = holes
        if not self.own >> origin & 1:
            raise IllegalMove(f"no piece of the side to move in {HOLES[origin]}: {wire!r}")
        if (self.white | self.black) >> end & 1:
            raise IllegalMove(f"{HOLES[end]} is not empty: {wire!r}")
        tree = self._tree(origin)
        path = hop_path(end, tree)
        if not path and (between or not is_step(origin, end)):
            raise IllegalMove(f"neither a step nor a chain of hops: {wire!r}")
        if not all(hole == origin or hole in tree for hole in between):
            raise IllegalMove(f"no chain of hops lands in all these holes: {wire!r}")
        return path

    def _tree(self, origin: int) -> dict[int, int]:
        """Return the hops of the piece in ``origin``. Cached, because the paths of all its moves are asked for in a
        row."""
        if self._hops is None or self._hops[0] != origin:
            self._hops = (origin, hop_tree(origin, self.white | self.black))
        return self._hops[1]

    def _find_outcome(self) -> Outcome | None:
        """Return the outcome: a win before a draw, the mover's win before the opponent's."""
        white, black = self.sides
        won: dict[Color, bool] = {
            "w": white.has_won(self.white, self.black),
            "b": black.has_won(self.black, self.white),
        }
        for color in (other(self.turn), self.turn):
            if won[color]:
                return Outcome(winner=color, reason="goal")
        if self.repeats >= THREEFOLD:
            return Outcome(winner=None, reason="threefold")
        if self.plies >= 2 * MOST_MOVES:
            return Outcome(winner=None, reason="draw_rule")
        return None

    def __eq__(self, other: object) -> bool:
        """Return whether the games are in the same state, earlier positions included."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._whole == other._whole

    @property
    def _whole(self) -> tuple[object, ...]:
        return self.sides, self.white, self.black, self.turn, self._earlier, self._before

    def __hash__(self) -> int:
        return hash((self._key, self.turn, self.plies))

    def __repr__(self) -> str:
        return f"Position({self.fen!r})"


def _read(wire: str) -> list[int]:
    """The holes that ``wire`` names, at least two. Raises ``InvalidMove``."""
    words = wire.split("-") if len(wire) <= _LONGEST_TEXT else []
    holes = [INDEX.get(word, -1) for word in words]
    if len(holes) < 2 or min(holes) < 0:
        raise InvalidMove(f"{wire[:40]!r} is not a move; expected two holes with '-' between them")
    return holes


def _leaps(path: tuple[int, ...]) -> Leaps | None:
    return Leaps(tuple(HOLES[hole] for hole in path)) if path else None
