"""Rated games in the database, and the appends that end them."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

from game_core.events import ClockReading, Ended
from lobby.ids import new_id
from lobby.ratings.ratings import COLUMNS, Rating, rating_of_row
from realtime.journal.appends import Append, Cause, GameSummary
from tests.realtime.stored_games import NODE, moved

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.events import Result
    from realtime.journal.appends import Outcome
    from realtime.journal.rated_ends import RatedEnds
    from realtime.postgres.database import Pool

BLITZ = {"base_s": 180, "inc_s": 2}

_numbers = itertools.count(1)


async def make_member(pool: Pool, *, kind: str = "member", name: str | None = None) -> str:
    """Create a person who can be rated; return the id."""
    person = new_id()
    await pool.execute("INSERT INTO person (id, name, kind) VALUES ($1, $2, $3)", person, name or f"M{person}", kind)
    return person


async def make_rated_game(
    pool: Pool, white: str, black: str, *, owner: str | None = NODE, variant: str = "standard", tc: Any = BLITZ
) -> str:
    """Create a rated live game of epoch 1 without events; return the id."""
    game = f"rated{next(_numbers):06}"
    await pool.execute(
        "INSERT INTO game (id, game, variant, profile, rated, speed, tc, status, owner, epoch, white, black) "
        "VALUES ($1, 'chess', $2, 'online', true, 'blitz', $3, 'live', $4, 1, $5, $6)",
        game,
        variant,
        tc,
        owner,
        white,
        black,
    )
    return game


def end_of(
    game: str,
    result: Result,
    done: Callable[[Outcome], None],
    *,
    first_seq: int = 1,
    epoch: int = 1,
    mate: bool = False,
    plies: int = 20,
) -> Append:
    """Return the append that ends a game, by a resignation or with a mating move."""
    clock = ClockReading(w=1000, b=2000)
    end = Ended(result=result, reason="checkmate" if mate else "resignation", clock=clock)
    return Append(
        game=game,
        epoch=epoch,
        first_seq=first_seq,
        events=(moved(first_seq), end) if mate else (end,),
        cause=Cause(user="anna", key=f"{game}-end", request="move" if mate else "resign"),
        done=done,
        summary=GameSummary("over", plies, result, end.reason),
    )


async def ended(ends: RatedEnds, append_of: Callable[[Callable[[Outcome], None]], Append]) -> Outcome:
    """Return the outcome of an append."""
    answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    ends.append(append_of(answer.set_result))
    return await answer


async def rating_of(pool: Pool, person: str, perf: str = "blitz") -> Rating | None:
    """Return the stored rating."""
    row = await pool.fetchrow(
        f"SELECT {COLUMNS} FROM rating WHERE person = $1 AND perf = $2 AND games > 0", person, perf
    )
    return None if row is None else rating_of_row(row)
