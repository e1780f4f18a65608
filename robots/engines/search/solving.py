"""A job of draughts or Chinese checkers, done in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chinese_checkers.position import Position as StarPosition
from game_core.draughts.position import Position as DraughtsPosition
from robots.engines.replaying import positions_of
from robots.engines.search.deepening import search
from robots.engines.search.draughts_tree import LONGEST_S, DraughtsTree
from robots.engines.search.star_tree import StarTree
from robots.jobs import BadJob

if TYPE_CHECKING:
    from robots.engines.engine import FoundMoves
    from robots.engines.search.deepening import SearchTree
    from robots.jobs import Job
    from robots.levels import Level

FAMILIES = ("draughts", "chinese-checkers")
"""Families of games that our own search plays."""


def solve(job: Job, level: Level, *, longest_s: float | None = LONGEST_S) -> FoundMoves:
    """Return the best moves in the position of ``job``, found within ``longest_s`` of CPU time in draughts.

    Raises ``BadJob``.
    """
    return search(tree_of(job, longest_s), level)


def tree_of(job: Job, longest_s: float | None = LONGEST_S) -> SearchTree:
    """Return the tree below the position of ``job``. Raises ``BadJob``: it cannot be reached, or the game is over."""
    *earlier, position = positions_of(job)
    if isinstance(position, DraughtsPosition):
        return DraughtsTree(position, longest_s)
    if isinstance(position, StarPosition):
        return StarTree(position, earlier)
    raise BadJob(f"not a game of {' or '.join(FAMILIES)}: {job.game}")
