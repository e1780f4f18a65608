"""Speeds of the stored games, compared with their time controls and corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.host_control import parse_board_control
from game_core.time_control import slower, speed

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.time_control import Speed
    from realtime.postgres.database import Connection

GAMES_AT_ONCE = 1000
"""Games written with one statement."""

# The controls that determine the speed: of a board, the participant's (``pace_of``).
_TC = "CASE exhibition ->> 'host' WHEN 'w' THEN coalesce(black_tc, tc) ELSE tc END"
_OTHER_TC = "CASE WHEN exhibition IS NULL THEN black_tc END"
_CONTROLS = f"concat({_TC}, ' ', {_OTHER_TC})"
_SPEEDS = f"""
SELECT {_TC} AS tc, {_OTHER_TC} AS other_tc, {_CONTROLS} AS controls, speed, count(*) AS games
FROM game GROUP BY 1, 2, 3, 4 ORDER BY 3, 4
"""  # noqa: S608  constants of this module
# Never waits for a row, because it may hold others that a journal waits for.
_WRITE_SPEEDS = f"""
WITH wrong AS (
    SELECT id, correct.speed FROM game
    JOIN unnest($1::text[], $2::text[]) AS correct (controls, speed) ON {_CONTROLS} = correct.controls
    WHERE game.speed <> correct.speed AND id > $3 ORDER BY id LIMIT $4 FOR NO KEY UPDATE OF game SKIP LOCKED
), written AS (
    UPDATE game SET speed = wrong.speed FROM wrong WHERE game.id = wrong.id RETURNING game.id
)
SELECT max(id) FROM written
"""  # noqa: S608  constants of this module


async def compare_speeds(connection: Connection, differs: Callable[[str], None]) -> dict[str, Speed]:
    """Return the right speeds of wrong ones, by ``_CONTROLS``. ``differs`` is called with a description of each."""
    found: dict[str, Speed] = {}
    for row in await connection.fetch(_SPEEDS):
        correct = speed(slower(parse_board_control(row["tc"]), parse_board_control(row["other_tc"])))
        if row["speed"] != correct:
            found[row["controls"]] = correct
            differs(f"{row['games']} games of {row['tc']}: {row['speed']}, should be {correct}")
    return found


async def write_speeds(connection: Connection, differs: Callable[[str], None]) -> None:
    """Correct the wrong ones in portions, each committed by itself."""
    correct = await compare_speeds(connection, differs)
    last: str | None = ""
    while correct and last is not None:
        last = await connection.fetchval(_WRITE_SPEEDS, [*correct], [*correct.values()], last, GAMES_AT_ONCE)
