"""Hints for the opponent of a robot: the best move, and who is better."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from game_core.color import other
from game_core.draughts.laws import backwards
from game_core.draughts.variants import VARIANTS
from robots.jobs import RobotError
from robots.levels import HIGHEST

if TYPE_CHECKING:
    from game_core.color import Color
    from robots.playing.move_source import MoveSource
    from robots.playing.played_game import PlayedGame

HINT_S = 3.5
"""Time for a hint. The server gives up after four seconds."""

BETTER = {
    "chess": (120, 300),
    "antichess": (250, 500),
    "draughts": (40, 150),
    **{backwards(laws).name: (150, 400) for laws in VARIANTS},
    "chinese-checkers": (450, 1_200),
}
"""Scores from which a side is better, and from which it is winning, by variant or else by family: hundredths of a pawn,
man or row.

The side that moves first is not better for that: engines score the start of chess at up to 105, depending on the number
of nodes, that of antichess at 180, those of losing draughts at 100, that of the star at 380. A man ahead often decides
a game of draughts, a pawn seldom one of chess; on the star a good move gains three rows.
"""

log = logging.getLogger(__name__)


async def find_hint(source: MoveSource, game: PlayedGame) -> dict[str, Any] | None:
    """Return the fields of ``hint.give`` for the opponent, who is to move. None: no engine has the time, or plays this.

    The job has the nodes of the highest level, or fewer if the engines are busy, and comes after the moves of all
    games.
    """
    ply = game.ply
    try:
        async with asyncio.timeout(HINT_S):
            deadline_s = asyncio.get_running_loop().time() + HINT_S
            answer = await source.answer(game.job(HIGHEST, deadline_s, is_hint=True))
    except (RobotError, TimeoutError) as error:
        log.info("no hint: %s", str(error) or "the engines are busy")
        return None
    better, winning = judge(game.kind, answer.score, game.opponent)
    return {"ply": ply, "move": answer.move, "better": better, "winning": winning}


def judge(kind: tuple[str, str], score: int, mover: Color) -> tuple[Color | str, bool]:
    """Return who is better, ``w``, ``b`` or ``equal``, and whether that side is winning.

    Args:
        kind: family and variant.
        score: of the side ``mover``, as of ``JobAnswer``.
    """
    game, variant = kind
    better, winning = BETTER.get(variant) or BETTER[game]
    if abs(score) < better:
        return "equal", False
    return mover if score > 0 else other(mover), abs(score) >= winning
