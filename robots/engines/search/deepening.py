"""The root of a search: iterative deepening within a number of nodes, with exact scores for all moves near the best.

Iterative deepening and the order of moves by the scores of the previous depth are those of D. J. Slate and L. R. Atkin,
"CHESS 4.5" (in *Chess Skill in Man and Machine*, 1977). A plain alpha-beta search (D. E. Knuth and R. W. Moore, "An
Analysis of Alpha-Beta Pruning", *Artificial Intelligence* 6, 1975) knows the score of the best move only. Levels draw
among several, so the window at the root is wider by as much as a drawn move may be worse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from robots.engines.engine import FoundMoves
from robots.levels import MOST_PLIES, WIN, Candidate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robots.levels import Level

INFINITY = WIN + MOST_PLIES + 1
"""Beyond every score."""

UNLIKELY = 5.0
"""Temperatures by which a move may be worse and still be drawn: its chance is ``exp(-5)``, one in 150, of the best."""

FORCED = 4
"""The only legal move gets one part in so many of the nodes."""

UNLIMITED = 1 << 60
"""More nodes than any search."""


class OutOfNodes(Exception):
    """The budget of a search is used up."""


class SearchTree(Protocol):
    """What lies below a position: one implementation for each family."""

    nodes: int
    """Positions examined so far."""
    most_nodes: int
    """At this number ``score`` raises ``OutOfNodes``."""

    @property
    def moves(self) -> Sequence[str]:
        """The legal moves of the position, in a fixed order with likely good ones first."""

    def score(self, move: str, depth: int, alpha: int, beta: int) -> int:
        """Return the score of ``move`` for the side that makes it, looking ``depth`` half-moves ahead.

        Between ``alpha`` and ``beta`` it is exact; outside it is a bound. Raises ``OutOfNodes``.
        """


def search(tree: SearchTree, level: Level) -> FoundMoves:
    """Search within the nodes and the depth of ``level``.

    An iteration that the budget interrupts counts as far as it went. Every move is examined one half-move deep,
    whatever the budget.
    """
    moves = tree.moves
    scored = dict.fromkeys(moves, 0)
    exact = list(moves)
    # The only move is searched for its score, which tells whether to offer a draw or to resign.
    nodes = level.nodes if len(moves) > 1 else level.nodes // FORCED
    margin = int(level.temperature * UNLIKELY)
    reached = 0
    for depth in range(1, level.depth + 1):
        tree.most_nodes = nodes if depth > 1 else UNLIMITED
        iteration = _Iteration(margin, level.breadth)
        try:
            for move in sorted(scored, key=lambda one: -scored[one]):
                iteration.add(move, tree.score(move, depth, iteration.alpha, INFINITY))
        except OutOfNodes:
            if iteration.exact:
                scored |= iteration.scored
                exact = [move for move in exact if move not in iteration.scored or move in iteration.exact]
                exact += [move for move in iteration.exact if move not in exact]
            break
        scored, exact, reached = iteration.scored, iteration.exact, depth
        best = max(scored.values())
        if tree.nodes >= nodes or abs(best) >= WIN + MOST_PLIES - depth:
            break
    ranks = {move: rank for rank, move in enumerate(moves)}
    exact.sort(key=lambda move: (-scored[move], ranks[move]))
    return FoundMoves([Candidate(move, scored[move]) for move in exact], len(moves), tree.nodes, reached)


class _Iteration:
    """One depth: scores so far, and the score that the next move must exceed to matter."""

    def __init__(self, margin: int, breadth: int) -> None:
        self._margin, self._breadth = margin, breadth
        self.scored: dict[str, int] = {}
        self.exact: list[str] = []
        self._top: list[int] = []
        """The ``breadth`` best exact scores, falling."""

    @property
    def alpha(self) -> int:
        top = self._top
        if not top:
            return -INFINITY
        near = top[0] - self._margin - 1 if self._margin else top[0]
        return max(near, top[-1]) if len(top) == self._breadth else near

    def add(self, move: str, score: int) -> None:
        if score > self.alpha:
            self.exact.append(move)
            self._top = sorted((*self._top, score), reverse=True)[: self._breadth]
        self.scored[move] = score
