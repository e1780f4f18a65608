"""Reads of delayed games: what the public may see of their rows and stored events.

``PublicDelay.releases`` decides, as for the live view, on the ages and half-moves of the stored events.

Delay by seconds goes by the time at which the events were stored. An event becomes visible when its transaction
commits, and ``at`` is when that transaction began. A write is given up after ten seconds (``journal.WRITE_TIMEOUT_S``),
so the two differ by ten seconds at most. Reads therefore add ten seconds to the delay (``hidden_for`` of
``migrations/0012_simuls.sql``); subscribers of a table get its events on time.

Delay by moves goes by the stored events: the players have seen them, or are about to. A game that is over is not
hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.public_delay import NO_DELAY, Stamp, count_released, stamp_log
from realtime.games.delay.exemptions import DelayExemptions, Exempt
from realtime.journal.game_rows import GameRow
from realtime.journal.journal import decode_event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from game_core.events import AnyEvent
    from game_core.game import Game, Setup
    from game_core.public_delay import PublicDelay
    from realtime.postgres.database import Pool

DOUBT_MS = 10_000
"""Longest time between ``at`` and the commit, as in ``hidden_for``."""

_LOGS = """
SELECT game.id, game.delay_s = 0 OR game.created_at <= now() - hidden_for(game.delay_s) AS has_begun, log.*
FROM game CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(
        CASE WHEN kind = 'move' THEN 1 WHEN kind = 'takeback' THEN -(payload ->> 'plies')::integer
            WHEN kind IN ('touch', 'signal', 'made', 'ruling') THEN NULL ELSE 0 END ORDER BY seq
    ), '{}') AS steps, coalesce(array_agg(
        greatest(0, extract(epoch FROM clock_timestamp() - event.at) * 1000)::bigint ORDER BY seq
    ), '{}') AS ages_ms
    FROM event WHERE event.game = game.id
) AS log
WHERE game.id = ANY ($1::text[]) AND (game.simul IS NULL OR game.simul NOT IN (
    SELECT simul FROM game
    WHERE simul IN (SELECT simul FROM game WHERE id = ANY ($1::text[])) AND $2::text IN (white, black)
))
"""
"""``step_of`` and the age of every event."""

_AGES_OF = """
SELECT event.game, array_agg(
    greatest(0, extract(epoch FROM clock_timestamp() - event.at) * 1000)::bigint ORDER BY seq) AS ages_ms
FROM game JOIN event ON event.game = game.id
WHERE game.id = ANY ($1::text[]) AND game.delay_s > 0 GROUP BY event.game
"""

_SINCE = """
SELECT kind, payload, greatest(0, extract(epoch FROM clock_timestamp() - event.at) * 1000)::bigint AS age_ms
FROM event WHERE game = $1 AND seq > $2 ORDER BY seq
"""


class PublicPart(msgspec.Struct, frozen=True):
    """A game as one viewer may see it.

    Attributes:
        last_seq: number of the last event that they may see; None: all events.
    """

    row: GameRow
    last_seq: int | None = None


class VisibleProgress(msgspec.Struct, frozen=True):
    """The visible part of a game that is hidden from a viewer.

    Attributes:
        has_begun: they may know that the game exists.
        seq: number of the last visible event.
        moves: number of moves among the visible events.
    """

    has_begun: bool
    seq: int
    moves: int


class RecordedDelay(msgspec.Struct, frozen=True):
    """What a rebuilt table needs to know about the delay of its game.

    Attributes:
        exempt: who is exempt from the delay.
        ages_ms: for each event, the least time since it became visible; empty for a delay by moves.
    """

    exempt: Exempt
    ages_ms: list[int]


async def as_public(pool: Pool, rows: Sequence[GameRow], viewer: str | None) -> list[PublicPart]:
    """Return ``rows`` in their order as ``viewer`` (an id; None: anonymous) may see them, without those that are still
    secret. Games that are not hidden from the viewer cost no query."""
    hidden = [row.setup for row in rows if row.is_hidden and viewer not in (row.white.id, row.black.id)]
    if not hidden:
        return [PublicPart(row) for row in rows]
    delays = {setup.id: setup.public_delay for setup in hidden}
    seen = {}
    for log in await pool.fetch(_LOGS, list(delays), viewer):
        last = released_of(delays[log["id"]], log["steps"], log["ages_ms"])
        seen[log["id"]] = VisibleProgress(
            log["has_begun"], last, moves=sum((step or 0) > 0 for step in log["steps"][:last])
        )
    visible = []
    for row in rows:
        found = seen.get(row.setup.id)
        if found is None:
            visible.append(PublicPart(row))
        elif found.has_begun:
            visible.append(PublicPart(_before_its_end(row, found), found.seq))
    return visible


def released_of(delay: PublicDelay, steps: Sequence[int | None], ages_ms: Sequence[int]) -> int:
    """Return how many events the public may see of a game that goes on, or whose end is hidden, by their steps and
    ages."""
    return count_released(delay, stamp_log(steps, _least(ages_ms), 0), Stamp(0, sum(step or 0 for step in steps)))


def _least(ages_ms: Sequence[int]) -> list[int]:
    """Return the least time since each event became visible, in ms."""
    return [max(0, age_ms - DOUBT_MS) for age_ms in ages_ms]


async def past_of(pool: Pool, exemptions: DelayExemptions, setup: Setup) -> RecordedDelay | None:
    """Return what is known about the delay of a game; None if it has none. Call it before reading the events: events
    that are stored in between count as new."""
    return await past_with(exemptions, setup, await ages_of(pool, (setup.id,)) if setup.delay_s else {})


async def ages_of(pool: Pool, games: Sequence[str]) -> dict[str, list[int]]:
    """Return ``RecordedDelay.ages_ms`` for each of ``games`` that has a delay by seconds."""
    rows = await pool.fetch(_AGES_OF, list(games))
    return {row["game"]: _least(row["ages_ms"]) for row in rows}


async def past_with(
    exemptions: DelayExemptions, setup: Setup, ages_ms: Mapping[str, list[int]]
) -> RecordedDelay | None:
    """Return the same as ``past_of``, from the result of ``ages_of``."""
    if setup.public_delay == NO_DELAY:
        return None
    return RecordedDelay(await exemptions.load(setup), ages_ms.get(setup.id, []))


async def published_since(pool: Pool, game: Game, seq: int) -> list[tuple[AnyEvent, int]]:
    """Return the events of ``game`` after ``seq``, each with the least time since it became visible, in ms."""
    rows = await pool.fetch(_SINCE, game.setup.id, seq)
    doubt_ms = DOUBT_MS if game.setup.delay_s else 0
    return [(decode_event(row["kind"], row["payload"]), max(0, row["age_ms"] - doubt_ms)) for row in rows]


def _before_its_end(row: GameRow, found: VisibleProgress) -> GameRow:
    both_have_moved = found.moves >= 2
    return msgspec.structs.replace(
        row,
        status="live" if both_have_moved else "created",
        result="*",
        reason=None,
        plies=2 if both_have_moved else 0,  # as in the rows of all games that are not over
        ended_at=None,
        ratings_after=None,
    )
