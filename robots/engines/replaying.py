"""The positions of a job's game, by the rules of ``game_core``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.errors import GameError
from game_core.registry import rules_for
from robots.jobs import BadJob

if TYPE_CHECKING:
    from game_core.rules import Position
    from robots.jobs import Job


def positions_of(job: Job) -> list[Position]:
    """Return all positions of the game, the present one last.

    Raises ``BadJob``: they cannot be reached, or the game is over.
    """
    try:
        rules = rules_for(job.game, job.variant, job.profile)
        positions = [rules.start(job.fen)]
        for move in job.moves:
            positions.append(rules.play(positions[-1], move).position)
    except GameError as error:
        raise BadJob(str(error)) from error
    outcome = rules.outcome(positions[-1])
    if outcome is not None:
        raise BadJob(f"the game is over: {outcome.reason}")
    return positions
