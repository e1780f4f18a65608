"""Alpha-beta search in draughts, with the moves and limits of ``game_core``.

- Transposition table: positions reached again are not searched again (R. D. Greenblatt et al., "The Greenblatt Chess
  Program", 1967).
- Quiescence: a position with a capture is never evaluated, since captures are compulsory (C. Shannon, "Programming a
  Computer for Playing Chess", 1950; A. L. Samuel used it for checkers in 1959).
- Moves are tried in the order of how often they caused a cutoff (J. Schaeffer, "The History Heuristic", 1983); late
  ones are searched less deep first, with a window of zero width (T. A. Marsland, "A Review of Game-Tree Pruning",
  1986).
- A position that occurred before on the way to it or in the game counts as a draw.
"""

from __future__ import annotations

import math
from collections import defaultdict
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from game_core.draughts.endings import find_end
from game_core.draughts.moves import find_moves, has_capture, has_move
from robots.engines.search.deepening import INFINITY, UNLIMITED, OutOfNodes
from robots.engines.search.draughts_score import DraughtsScore
from robots.levels import MOST_PLIES, WIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.draughts.board import Move
    from game_core.draughts.men import Men
    from game_core.draughts.position import Position

EXACT, LOWER, UPPER = 0, 1, 2
"""Whether a stored score is exact, at least or at most that."""

DEEPEST = 120
"""Half-moves from the root at which a position is evaluated in any case: Python's stack is finite."""

MOST_FIRST_NODES = 500
"""Positions after which the first iteration, which is never interrupted, follows no more captures. Otherwise it takes
a tenth of them; with thirty kings on the board it has taken tens of thousands."""

LONGEST_S = 3.0
"""Of the processor's time. After it a search takes what it has: with many kings a position takes milliseconds."""

LOOKS_AT_TIME_EVERY = 64
"""Positions."""

LATE = 3
"""Moves of a position that are searched to the full depth."""

ENDED = WIN + MOST_PLIES
"""A position lost at the root; each half-move until then takes 1 off."""


class _Stored(NamedTuple):
    depth: int
    bound: int
    score: int
    move: str


class DraughtsTree:
    """The tree below a position of draughts: a ``SearchTree``."""

    def __init__(self, position: Position, longest_s: float | None = LONGEST_S) -> None:
        """``longest_s``: of the processor's time, for all searches of the tree; None: no limit."""
        self._board = board = position.board
        self._laws = laws = board.laws
        self._men, self._quiet = position.men, position.past.quiet
        self._evaluate = DraughtsScore(board).score
        self._most_quiet = 2 * laws.quiet_moves
        self._few_end = laws.kings_draw or laws.lone_man_loses
        self._lost = ENDED if laws.losing else -ENDED
        self._root = dict(position.legal)
        self._line = set(position.past.keys)
        """Positions of the game since the last irreversible move, and those on the way to the present one."""
        self._table: dict[Men, _Stored] = {}
        self._moves: dict[Men, dict[str, Move]] = {}
        self._history: defaultdict[str, int] = defaultdict(int)
        self.nodes = 0
        self.most_nodes = UNLIMITED
        self._until_s = math.inf if longest_s is None else process_time() + longest_s
        self._looks_at = LOOKS_AT_TIME_EVERY
        self._follows_captures = True

    @property
    def moves(self) -> Sequence[str]:
        return sorted(self._root, key=lambda text: (-self._root[text].taken.bit_count(), text))

    def score(self, move: str, depth: int, alpha: int, beta: int) -> int:
        return -self._after(self._men, self._root[move], depth - 1, -beta, -alpha, 1, self._quiet)

    def _after(self, men: Men, move: Move, depth: int, alpha: int, beta: int, ply: int, quiet: int) -> int:
        """Return the score of the position after ``move``, for the side to move then."""
        quiet = quiet + 1 if men.kings & move.start and not move.taken else 0
        return self._search(self._board.after(men, move), depth, alpha, beta, ply, quiet)

    def _search(self, men: Men, depth: int, alpha: int, beta: int, ply: int, quiet: int) -> int:
        """Return the score of ``men`` for the side to move (fail-soft).

        Args:
            ply: half-moves from the root.
            quiet: consecutive half-moves by kings without a capture.
        """
        self.nodes += 1
        if self.nodes > self.most_nodes:
            raise OutOfNodes
        if self.nodes >= self._looks_at:
            self._look_at_time()
        if quiet >= self._most_quiet or men in self._line:
            return 0
        stored = self._table.get(men)
        if stored is not None and stored.depth >= depth:
            score = _from_node(stored.score, ply)
            if (
                stored.bound == EXACT
                or (stored.bound == LOWER and score >= beta)
                or (stored.bound == UPPER and score <= alpha)
            ):
                return score
        board = self._board
        if depth <= 0 or ply >= DEEPEST:
            if not has_move(board, men):
                return self._lost + ply if self._lost < 0 else self._lost - ply
            if ply >= DEEPEST or not self._follows_captures or not has_capture(board, men):
                return self._end_of_few(men, ply) if self._is_few(men) else self._evaluate(men)
        moves = self._moves.get(men)
        if moves is None:
            moves = self._moves[men] = find_moves(board, men)
        if not moves:
            return self._lost + ply if self._lost < 0 else self._lost - ply
        if self._is_few(men) and find_end(board, men) is not None:
            return self._end_of_few(men, ply)
        self._line.add(men)
        try:
            return self._best(men, moves, stored, depth, alpha, beta, ply, quiet)
        finally:
            self._line.discard(men)

    def _look_at_time(self) -> None:
        is_late, is_first = process_time() > self._until_s, self.most_nodes == UNLIMITED
        if is_late and not is_first:
            raise OutOfNodes
        self._follows_captures = not (is_first and (is_late or self.nodes > MOST_FIRST_NODES))
        self._looks_at = self.nodes + LOOKS_AT_TIME_EVERY

    def _best(
        self,
        men: Men,
        moves: dict[str, Move],
        stored: _Stored | None,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        quiet: int,
    ) -> int:
        history, after = self._history, self._after
        order = list(moves)
        if len(order) > 1:
            order.sort(key=history.__getitem__, reverse=True)
            if stored is not None and stored.move != order[0] and stored.move in moves:
                order.remove(stored.move)
                order.insert(0, stored.move)
        # A forced move does not count as looking ahead.
        below = depth - 1 if len(order) > 1 else depth
        best, chosen, lower = -INFINITY, order[0], alpha
        for number, text in enumerate(order):
            move = moves[text]
            if number == 0:
                score = -after(men, move, below, -beta, -lower, ply + 1, quiet)
            else:
                less = 1 if number >= LATE and depth > 2 and not move.taken else 0
                score = -after(men, move, below - less, -lower - 1, -lower, ply + 1, quiet)
                if score > lower and (less or score < beta):
                    score = -after(men, move, below, -beta, -lower, ply + 1, quiet)
            if score > best:
                best, chosen = score, text
                if score > lower:
                    lower = score
                    if score >= beta:
                        history[text] += depth * depth + 1
                        break
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        self._table[men] = _Stored(depth, bound, _to_node(best, ply), chosen)
        return best

    def _is_few(self, men: Men) -> bool:
        return self._few_end and not men.white & (men.white - 1) and not men.black & (men.black - 1)

    def _end_of_few(self, men: Men, ply: int) -> int:
        """Return the score of one piece against one, where the laws end such games."""
        end = find_end(self._board, men)
        if end is None:
            return self._evaluate(men)
        if end.winner is None:
            return 0
        return ENDED - ply if end.winner == men.turn else ply - ENDED


def _to_node(score: int, ply: int) -> int:
    """Return the score with a certain end counted from the node and not from the root."""
    return score + ply if score >= WIN else score - ply if score <= -WIN else score


def _from_node(score: int, ply: int) -> int:
    return score - ply if score >= WIN else score + ply if score <= -WIN else score
