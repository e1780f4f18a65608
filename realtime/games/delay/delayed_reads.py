"""Games that the public sees later, as it sees them: from their rows, and the events that are stored of them.

By seconds: from the instants at which they were stored.

What is stored becomes visible when its transaction has ended, and ``at`` is when that began: at most ten seconds
before, which is when a write that does not end is given up (``journal.WRITE_TIMEOUT_S``). So nothing is told here until
ten seconds after its delay (``hidden_for`` of ``migrations/0012_simuls.sql``); who listens at a table hears it in time.

``PublicDelay.releases`` decides, as for the live view, on the ages and half-moves of the stored events.

By moves: from what is stored, for that is what the players have been shown, or are about to be. Once the game is over
there is nothing to hide.
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
"""As in ``hidden_for``."""

_LOGS = """
SELECT game.id, game.delay_s = 0 OR game.created_at <= now() - hidden_for(game.delay_s) AS has_begun, log.*
FROM game CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(
        CASE kind WHEN 'move' THEN 1 WHEN 'takeback' THEN -(payload ->> 'plies')::integer ELSE 0 END ORDER BY seq
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
    """A game as somebody may see it.

    Attributes:
        last_seq: of the last event that he may see; None: of all.
    """

    row: GameRow
    last_seq: int | None = None


class Seen(msgspec.Struct, frozen=True):
    """What somebody may see of a game that is hidden from him.

    Attributes:
        has_begun: he may know that there is one.
        seq: of the last event.
        moves: how many of the events are moves.
    """

    has_begun: bool
    seq: int
    moves: int


class Past(msgspec.Struct, frozen=True):
    """What a table that is rebuilt has to know of the delay of its game.

    Attributes:
        ages_ms: for each event, how long it has been visible at least; where it goes by moves none.
    """

    exempt: Exempt
    ages_ms: list[int]


async def as_told(pool: Pool, rows: Sequence[GameRow], viewer: str | None) -> list[PublicPart]:
    """``rows`` as ``viewer`` (an id; None is a stranger) may see them, in their order, without those that he may not
    know of yet. Of games that all may see as they are nothing is asked.
    """
    hidden = [row.setup for row in rows if row.is_hidden and viewer not in (row.white.id, row.black.id)]
    if not hidden:
        return [PublicPart(row) for row in rows]
    delays = {setup.id: setup.public_delay for setup in hidden}
    seen = {}
    for log in await pool.fetch(_LOGS, list(delays), viewer):
        last = released_of(delays[log["id"]], log["steps"], log["ages_ms"])
        seen[log["id"]] = Seen(log["has_begun"], last, moves=sum(step > 0 for step in log["steps"][:last]))
    visible = []
    for row in rows:
        found = seen.get(row.setup.id)
        if found is None:
            visible.append(PublicPart(row))
        elif found.has_begun:
            visible.append(PublicPart(_before_its_end(row, found), found.seq))
    return visible


def released_of(delay: PublicDelay, steps: Sequence[int], ages_ms: Sequence[int]) -> int:
    """How many events the public may see of a game that goes on, or whose end is hidden, by their steps and ages."""
    return count_released(delay, stamp_log(steps, _least(ages_ms), 0), Stamp(0, sum(steps)))


def _least(ages_ms: Sequence[int]) -> list[int]:
    """For how long events have been visible at least."""
    return [max(0, age_ms - DOUBT_MS) for age_ms in ages_ms]


async def past_of(pool: Pool, exemptions: DelayExemptions, setup: Setup) -> Past | None:
    """What is known of the delay of a game; None where there is none. To be asked before its events are read: what is
    stored in between counts as new.
    """
    return await past_with(exemptions, setup, await ages_of(pool, (setup.id,)) if setup.delay_s else {})


async def ages_of(pool: Pool, games: Sequence[str]) -> dict[str, list[int]]:
    """For each of ``games`` that the public sees later by seconds, what ``Past.ages_ms`` is."""
    rows = await pool.fetch(_AGES_OF, list(games))
    return {row["game"]: _least(row["ages_ms"]) for row in rows}


async def past_with(exemptions: DelayExemptions, setup: Setup, ages_ms: Mapping[str, list[int]]) -> Past | None:
    """The same of a game for which ``ages_of`` was asked."""
    if setup.public_delay == NO_DELAY:
        return None
    return Past(await exemptions.load(setup), ages_ms.get(setup.id, []))


async def told_since(pool: Pool, game: Game, seq: int) -> list[tuple[AnyEvent, int]]:
    """The events of ``game`` after ``seq``, each with for how long (in ms) it has been visible at least."""
    rows = await pool.fetch(_SINCE, game.setup.id, seq)
    doubt_ms = DOUBT_MS if game.setup.delay_s else 0
    return [(decode_event(row["kind"], row["payload"]), max(0, row["age_ms"] - doubt_ms)) for row in rows]


def _before_its_end(row: GameRow, found: Seen) -> GameRow:
    both_have_moved = found.moves >= 2
    return msgspec.structs.replace(
        row,
        status="live" if both_have_moved else "created",
        result="*",
        reason=None,
        plies=2 if both_have_moved else 0,  # as the rows of all games that go on
        ended_at=None,
        ratings_after=None,
    )
