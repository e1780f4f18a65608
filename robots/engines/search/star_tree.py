"""Alpha-beta search in Chinese checkers.

A position has some eighty moves, most of them pointless: below the root only those are searched that do not lose
ground, those that gain most first. Their gain is the whole change of the evaluation, so the last half-move is a look at
the moves without playing them. Counted are positions whose moves are generated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from game_core.chinese_checkers.board import INDEX
from game_core.chinese_checkers.hops import reachable
from game_core.chinese_checkers.position import MOST_MOVES
from robots.engines.search.deepening import INFINITY, UNLIMITED, OutOfNodes
from robots.engines.search.star_score import BLACK_WORTH, ROW, WHITE_WORTH, total
from robots.levels import MOST_PLIES, WIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from game_core.chinese_checkers.position import Position
    from game_core.chinese_checkers.side import Side

ENDED = WIN + MOST_PLIES

BACKWARD = -ROW
"""Moves that lose more are not searched below the root."""

FEW = 2
"""A side may have won although pieces are outside its goal, if at most so many of them have not passed the middle and
at most so many holes of the goal are empty (``game_core.chinese_checkers.side``)."""

TEMPO = 9 * ROW // 4
"""Worth of the move: half of what a good one gains in the opening, so that scores of odd and even depths, of which the
first have one more own move, are near each other."""

WIDTH = 30
"""Moves of a position that are searched below the root: those that gain most."""

EXACT, LOWER, UPPER = 0, 1, 2
"""Whether a stored score is exact, at least or at most that."""

Step = tuple[int, int]
"""What a move gains, and the set of its two holes."""

Key = tuple[int, int, int]
"""A position: the pieces of the side to move, those of the other, and the side: 0 for the one at the root."""


class _StarStored(NamedTuple):
    depth: int
    bound: int
    score: int
    best: int
    """The set of the two holes of the best move."""


class StarTree:
    """The tree below a position on the star: a ``SearchTree``."""

    def __init__(self, position: Position, earlier: Iterable[Position] = ()) -> None:
        """``earlier``: positions of the game, which count as draws when they come again."""
        turn = position.turn
        self._worths = (WHITE_WORTH, BLACK_WORTH) if turn == "w" else (BLACK_WORTH, WHITE_WORTH)
        white, black = position.sides
        self._sides: tuple[Side, Side] = (white, black) if turn == "w" else (black, white)
        self._own, self._foes = _pieces(position)
        self._most_plies = 2 * MOST_MOVES - position.plies
        self._score = total(self._own, self._worths[0]) - total(self._foes, self._worths[1])
        self._line: set[Key] = {(*_pieces(one), int(one.turn != turn)) for one in earlier}
        self._root: dict[str, Step] = {}
        for text in position.legal_moves():
            origin, end = (INDEX[name] for name in text.split("-"))
            self._root[text] = (self._worths[0][end] - self._worths[0][origin], 1 << origin | 1 << end)
        self._table: dict[Key, _StarStored] = {}
        self.nodes = 0
        self.most_nodes = UNLIMITED

    @property
    def moves(self) -> Sequence[str]:
        return sorted(self._root, key=lambda text: (-self._root[text][0], text))

    def score(self, move: str, depth: int, alpha: int, beta: int) -> int:
        gain, change = self._root[move]
        return -self._search(self._foes, self._own ^ change, 1, -self._score - gain, depth - 1, -beta, -alpha, 1)

    def _search(self, own: int, foes: int, side: int, score: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the score of a position for the side to move (fail-soft).

        Args:
            own, foes: the pieces of the side to move, and those of the other.
            side: 0 for the side that moves at the root.
            score: the evaluation, for the side to move.
            ply: half-moves from the root.
        """
        if self._has_won(foes, own, 1 - side):
            return ply - ENDED
        if ply > 1 and self._has_won(own, foes, side):
            return ENDED - ply
        key = (own, foes, side)
        if key in self._line or ply >= self._most_plies:
            return 0
        if depth <= 0:
            return score + TEMPO
        stored = self._table.get(key)
        if stored is not None and stored.depth >= depth:
            known = stored.score
            if (
                stored.bound == EXACT
                or (stored.bound == LOWER and known >= beta)
                or (stored.bound == UPPER and known <= alpha)
            ):
                return known
        self.nodes += 1
        if self.nodes > self.most_nodes:
            raise OutOfNodes
        steps = find_steps(own, own | foes, self._worths[side])
        if not steps:
            return score
        if depth == 1 and (own & ~self._sides[side].goal).bit_count() > 1:
            gain, change = steps[0]
            if (foes, own ^ change, 1 - side) not in self._line:
                return score + gain - TEMPO
        if stored is not None and stored.best != steps[0][1]:
            steps.sort(key=lambda step: step[1] == stored.best, reverse=True)
        self._line.add(key)
        try:
            return self._best(key, score, steps[:WIDTH], depth, alpha, beta, ply)
        finally:
            self._line.discard(key)

    def _best(self, key: Key, score: int, steps: list[Step], depth: int, alpha: int, beta: int, ply: int) -> int:
        own, foes, side = key
        best, chosen, lower = -INFINITY, 0, alpha
        for gain, change in steps:
            after = (foes, own ^ change, 1 - side, -score - gain, depth - 1)
            if chosen == 0:
                found = -self._search(*after, -beta, -lower, ply + 1)
            else:
                found = -self._search(*after, -lower - 1, -lower, ply + 1)
                if lower < found < beta:
                    found = -self._search(*after, -beta, -lower, ply + 1)
            if found > best:
                best, chosen = found, change
                if found > lower:
                    lower = found
                    if found >= beta:
                        break
        if abs(best) < WIN:  # others depend on the way to the position
            bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
            self._table[key] = _StarStored(depth, bound, best, chosen)
        return best

    def _has_won(self, own: int, foes: int, side: int) -> bool:
        """Return whether the side has won. Asks the rules only where it is possible."""
        of = self._sides[side]
        if not own & ~of.goal:
            return True
        if (own & ~of.far).bit_count() > FEW or (of.goal & ~(own | foes)).bit_count() > FEW:
            return False
        return of.has_won(own, foes)


def find_steps(own: int, occupied: int, worth: Sequence[int], least: int = BACKWARD) -> list[Step]:
    """Return the moves of the pieces on ``own`` that gain at least ``least``, the best first; all if there are none."""
    steps: list[Step] = []
    rest = own
    while rest:
        origin = rest & -rest
        rest ^= origin
        hole = origin.bit_length() - 1
        ends = reachable(hole, occupied)
        here = worth[hole]
        while ends:
            end = ends & -ends
            ends ^= end
            gain = worth[end.bit_length() - 1] - here
            if gain >= least:
                steps.append((gain, origin | end))
    if not steps and least > -INFINITY:
        return find_steps(own, occupied, worth, -INFINITY)
    steps.sort(reverse=True)
    return steps


def _pieces(position: Position) -> tuple[int, int]:
    """Return the pieces of the side to move, and those of the other."""
    if position.turn == "w":
        return position.white, position.black
    return position.black, position.white
