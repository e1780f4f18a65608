"""What moves cost, and whether one more game can be had.

Jobs are done by deadline, so a game waits for the jobs of those with a shorter clock only. A game is admitted if every
game, this one included, could wait for one move of all these and still lose no more than a tenth of its clock, and if
the engines can keep up with the moves of all games: the test for earliest deadline first (C. L. Liu and J. W. Layland,
"Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment", *Journal of the ACM* 20, 1973) with all
robots to move at once, and its bound on utilisation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robots.levels import level_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from robots.jobs import Workload
    from robots.levels import Level

SHARE = 0.1
"""Of a clock that may be lost to waiting in the queue."""

UNTIMED_S = 300.0
"""Games with a longer clock or without one count as this long: nobody waits for more than half a minute, which is the
deadline of their jobs."""

MOVES = 30
"""Of a side, over which its clock is spread: a thirtieth is the mean interval between its moves, in which the opponent
thinks too."""

MOST_BUSY = 0.7
"""Part of the engines' time that all games may need."""

SECONDS_A_NODE: Mapping[str, float] = {"chess": 1.5e-5, "draughts": 2e-5, "chinese-checkers": 6e-5}
"""By family, before anything was measured: on one core of a machine that is a few years old, pessimistic."""

OVERHEAD_S = 0.004
"""Of a job, beside the search: replaying the game, two lines between processes."""

MOST_GAMES = 500
"""Games at once, whatever they cost: each of them is a subscription and a clock to watch."""

NEW = 0.2
"""Weight of a new measurement in the running average."""


class MoveCosts:
    """Seconds for a move by variant and level: measured, as an exponential average."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, str, int], float] = {}

    def of(self, game: str, variant: str, level: int) -> float:
        known = self._seconds.get((game, variant, level))
        if known is not None:
            return known
        return OVERHEAD_S + level_of(game, level).nodes * SECONDS_A_NODE[game]

    def measured(self, game: str, variant: str, level: int, seconds: float) -> None:
        """Count one move that was not reduced."""
        self._seconds[game, variant, level] = (1 - NEW) * self.of(game, variant, level) + NEW * seconds


def fits(games: Iterable[Workload], costs: MoveCosts, slots: int) -> bool:
    """Return whether no clock of ``games`` loses more than its share, if all ask for a move at once, and ``slots``
    engines keep up with all moves."""
    waits = sorted(
        (UNTIMED_S if one.clock_s is None else min(one.clock_s, UNTIMED_S), costs.of(one.game, one.variant, one.level))
        for one in games
    )
    if len(waits) > MOST_GAMES or sum(MOVES * cost / clock_s for clock_s, cost in waits) > MOST_BUSY * slots:
        return False
    queue = 0.0
    for clock_s, cost in waits:
        queue += cost / slots
        if queue > SHARE * clock_s:
            return False
    return True


def reduced(level: Level, expected_s: float, left_s: float) -> Level | None:
    """Return a level with fewer nodes for a move that is needed in ``left_s`` and expected to take ``expected_s``.

    None: there is time enough. Of the time that is left half is used, since the estimate may be wrong.
    """
    allowed = max(0.0, left_s) / 2
    if expected_s <= allowed:
        return None
    nodes = max(LEAST_NODES, int(level.nodes * allowed / expected_s))
    return None if nodes >= level.nodes else level.with_nodes(nodes)


LEAST_NODES = 20
"""Of a move with fewer nodes."""
