"""Who can still win (Articles 1.3, 5.2b, 6.9, 9.6), exactly: is there any series of legal moves by which a side mates?
That wins standard chess and Chess960; variants that are won otherwise have a search of their own.

Layers, the cheap ones first; the first that knows decides:

========== ======= =============================================================================================
``material`` no    too little to mate with, whatever the other side has
``reach``  no      where the men could ever get to rules a mate out
``search`` either  a helped mate was found, or all that could come was looked at and there is none
``stages`` no      where the kings could stand when a mate is given, and whose move it is then, rules it out
========== ======= =============================================================================================

The search goes first for as long as most mates take to be found, and goes on when ``stages`` have ruled nothing out.

A verdict of yes or no is certain. Only the search can end undecided, for want of nodes. A game in play does not ask
this at every move: ``winnable`` tells in microseconds whether a closer look is worth while. Draws that a count of moves
or repetitions brings about are not looked at.
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
"""Two thirds of all mates that are found are found by then, in games nearly all."""

MOST_WAYS = 20_000
"""Between stages, where a search has no bound; else as many as nodes, though they take less time. With more than that
the men have too much room for anything to be ruled out."""


class Verdict(NamedTuple):
    """Whether a side can still win, and how that is known."""

    answer: Answer
    layer: Layer
    """Which layer said so."""
    nodes: int
    """Positions the search went on from; 0 if it was not needed."""
    line: tuple[chess.Move, ...] = ()
    """With "yes", moves from the position to a mate: the proof."""


def can_win(board: chess.Board, color: chess.Color, nodes: int) -> Verdict:
    """Whether ``color`` can mate from ``board``, which is not changed.

    Args:
        board: a legal position, standard or Chess960.
        color: the side that is to mate.
        nodes: most positions that the search goes on from, some 1,000 to 10,000 a second. It may keep the caller for
            seconds, so an event loop asks a worker.
    """
    if board.has_insufficient_material(color):
        return Verdict("no", "material", 0)
    if not mates_in_reach(board)[0 if color else 1]:
        return Verdict("no", "reach", 0)
    search = find_mate(board, color, min(nodes, FIRST_NODES))
    if search.line is None and not search.exhausted:
        if is_mate_ruled_out(board, color, min(nodes, MOST_WAYS)):
            return Verdict("no", "stages", search.nodes)
        if nodes > FIRST_NODES:
            search = find_mate(board, color, nodes)
    if search.line is not None:
        return Verdict("yes", "search", search.nodes, search.line)
    return Verdict("no" if search.exhausted else "undecided", "search", search.nodes)
