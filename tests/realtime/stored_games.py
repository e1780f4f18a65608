"""Games written directly to the database, and their stored events."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from game_core.events import ClockReading, Moved
from realtime.journal.appends import Append, Cause
from realtime.journal.journal_sql import decode_cause, decode_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.events import AnyEvent
    from realtime.journal.appends import Outcome
    from realtime.postgres.database import Pool

NODE = "node-a"
"""Owner of the games of ``make_games``."""

_numbers = itertools.count(1)


async def make_games(pool: Pool, count: int, *, owner: str | None = NODE, status: str = "live") -> list[str]:
    """Insert ``count`` games of epoch 1 without events; return their ids."""
    ids = [f"game{next(_numbers):06}" for _ in range(count)]
    await pool.executemany(
        "INSERT INTO game (id, game, variant, profile, rated, speed, status, owner, epoch) "
        "VALUES ($1, 'chess', 'standard', 'online', false, 'blitz', $2, $3, 1)",
        [(game, status, owner) for game in ids],
    )
    return ids


def moved(ply: int) -> Moved:
    """Return a move that is identified by its ply."""
    return Moved(
        ply=ply,
        by="b" if ply % 2 else "w",
        move="e2e4",
        san="e4",
        position="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        clock=ClockReading(w=180_000 - ply, b=180_000, run="b"),
        spent_ms=ply,
    )


def append_of(
    game: str, seq: int, done: Callable[[Outcome], None], *events: AnyEvent, epoch: int = 1, **more: Any
) -> Append:
    """Return an append of a move (or of ``events``) at ``seq``."""
    cause = Cause(user="anna", key=f"{game}-{seq}", request="move")
    return Append(game=game, epoch=epoch, first_seq=seq, events=events or (moved(seq),), cause=cause, done=done, **more)


async def stored_log(pool: Pool, game: str) -> list[tuple[int, AnyEvent, Cause | None]]:
    """Return the events of ``game``."""
    rows = await pool.fetch("SELECT seq, kind, payload, cause FROM event WHERE game = $1 ORDER BY seq", game)
    return [(row["seq"], decode_event(row["kind"], row["payload"]), decode_cause(row["cause"])) for row in rows]
