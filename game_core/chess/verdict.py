"""Exact answer to who can still win (Articles 1.3, 5.2b, 6.9, 9.6): is there a series of legal moves by which a side
mates? For standard chess and Chess960; variants with another goal have a search of their own.

Layers, cheap ones first. The first that has an answer decides:

========== ======= =============================================================================================
layer      answer  method
========== ======= =============================================================================================
``material`` no    too little material to mate, whatever the other side has
``reach``  no      the squares that the men could ever reach rule a mate out
``search`` either  a helpmate was found, or all reachable positions were searched without one
``stages`` no      the squares of the kings and the side to move at a mate rule it out
========== ======= =============================================================================================

The search first runs for as long as most mates take to be found, and continues if ``stages`` rules nothing out.

A verdict of yes or no is certain. Only the search can end undecided, at its node limit. A game in play does not run
this at every move: ``winnable`` tells in microseconds whether a closer look is worth while. Draws by move counts or
repetition are ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from game_core.chess.helpmate import find_mate
from game_core.chess.reach import mates_in_reach
from game_core.chess.stages import is_mate_ruled_out

if TYPE_CHECKING:
    import chess

Answer = Literal["yes", "no", "undecided"]

Layer = Literal["material", "reach", "search", "stages"]

FIRST_NODES = 200
"""Number of nodes of the first search. Two thirds of all mates that are found, and nearly all in games, need no
more."""

MOST_TRANSITIONS = 20_000
"""Most transitions between stages for a search without a limit; else the number of nodes. Above
this the analysis is never conclusive."""


class Verdict(NamedTuple):
    """Whether a side can still win, and how that is known."""

    answer: Answer
    layer: Layer
    """The layer that decided."""
    nodes: int
    """Positions expanded by the search; 0 if it was not needed."""
    line: tuple[chess.Move, ...] = ()
    """With "yes", the moves from the position to a mate as a proof."""


def can_win(board: chess.Board, color: chess.Color, nodes: int) -> Verdict:
    """Return whether ``color`` can mate from ``board``, which is not changed.

    Args:
        board: a legal position, standard or Chess960.
        color: the side that is to mate.
        nodes: most positions that the search expands, about 1,000 to 10,000 a second. It may take seconds, so call it
            in a worker process and not in an event loop.
    """
    if board.has_insufficient_material(color):
        return Verdict("no", "material", 0)
    if not mates_in_reach(board)[0 if color else 1]:
        return Verdict("no", "reach", 0)
    search = find_mate(board, color, min(nodes, FIRST_NODES))
    if search.line is None and not search.exhausted:
        if is_mate_ruled_out(board, color, min(nodes, MOST_TRANSITIONS)):
            return Verdict("no", "stages", search.nodes)
        if nodes > FIRST_NODES:
            search = find_mate(board, color, nodes)
    if search.line is not None:
        return Verdict("yes", "search", search.nodes, search.line)
    return Verdict("no" if search.exhausted else "undecided", "search", search.nodes)
