"""Worker that examines finished games and bans players who keep others waiting.

The transaction that ends a game inserts a row into ``unjudged`` (migration 0009). The worker deletes that row in one
transaction with the conduct of both players and the resulting bans. So each game is judged once, despite crashes and
whichever node is first. Nothing is sent from here: ``Bans.refresh`` reports what is stored.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.color import COLORS, Color, other
from game_core.errors import GameError
from game_core.events import ClockSet, Ended, Moved, Result, Ruled, TakenBack
from game_core.profiles import profile_named
from game_core.registry import rules_for
from game_core.time_control import parse_time_control, slower
from lobby.moderation.bans import insert_play_ban
from lobby.moderation.game_conduct import GameEnd, conduct_of
from lobby.moderation.play_bans import WINDOW, RecordedGame, due_ban
from lobby.ratings.ratings import LEAST_PLIES
from lobby.robots.robot_accounts import is_robot
from lobby.wire.moderation import Deed
from realtime.journal.journal_sql import decode_cause, decode_event
from realtime.postgres.database import FAILURES, classify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.events import AnyEvent
    from lobby.moderation.bans import Bans
    from lobby.ports import Connection
    from realtime.postgres.database import Pool

AT_ONCE = 50
"""Games read together: about as many as end in a second of a busy evening."""

EVERY_S = 5.0
"""Interval between polls when no game of this node has ended: for games and bans of other nodes."""

_GAMES = """
    SELECT g.id, g.game, g.variant, g.profile, g.tc, g.black_tc, g.fen, g.white, g.black, g.reason, g.plies, g.rated,
           g.laws IS NOT NULL AS is_by_laws, g.created_at, coalesce(g.ended_at, u.at) AS ended_at
    FROM unjudged u JOIN game g ON g.id = u.game
    WHERE g.delay_s = 0 OR u.at <= now() - hidden_for(g.delay_s) ORDER BY u.at LIMIT $1
"""
"""Query of games to review. A game with a delayed view is reviewed once its end is public, since others would notice a
ban."""

_LAST_EVENTS = """
    SELECT e.game, e.kind, e.payload, e.cause, e.at
    FROM unnest($1::text[]) AS asked (id) JOIN event e ON e.game = asked.id
    WHERE e.kind IN ('move', 'takeback', 'clock', 'ruling', 'end') AND e.seq >= coalesce((
        SELECT m.seq FROM event m WHERE m.game = asked.id AND m.kind IN ('move', 'takeback') ORDER BY m.seq DESC LIMIT 1
    ), 0)
    ORDER BY e.game, e.seq
"""
"""Events from the last change of the board on: the beginning of the present turn, later clock changes, and the end."""

LOSERS: dict[Result, Color] = {"1-0": "b", "0-1": "w"}

log = logging.getLogger(__name__)


class Verdicts(msgspec.Struct, frozen=True):
    """The verdict on one game."""

    game: str
    people: dict[Color, str]
    deeds: dict[Color, Deed]
    ended_at: Any

    @property
    def is_clean(self) -> bool:
        """Return whether neither player misbehaved."""
        return all(deed == "ok" for deed in self.deeds.values())


class PlayBanWorker:
    """The consumer of finished games.

    Args:
        pool: the database.
        bans: refreshed after every poll.
    """

    def __init__(self, pool: Pool, bans: Bans) -> None:
        self._pool = pool
        self._bans = bans
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Poll soon, because a game has ended."""
        self._woken.set()

    async def run(self) -> None:
        """Judge all pending games and then new ones, until cancelled."""
        while True:
            try:
                while await self.judge_some() == AT_ONCE:
                    pass
                await self._bans.refresh()
            except FAILURES as error:
                if classify(error) is None:
                    log.exception("finished games could not be checked for conduct; trying again")
                else:
                    log.warning("the database is in trouble (%r); finished games wait to be checked for conduct", error)
            except Exception:
                log.exception("finished games could not be checked for conduct; trying again")
            try:
                async with asyncio.timeout(EVERY_S):
                    await self._woken.wait()
            except TimeoutError:
                continue
            self._woken.clear()

    async def judge_some(self) -> int:
        """Judge up to ``AT_ONCE`` games and return their number."""
        rows = await self._pool.fetch(_GAMES, AT_ONCE)
        if not rows:
            return 0
        # Nobody keeps a robot waiting. Nor are such games a record of good conduct: they would push out a bad one.
        robots = [row["id"] for row in rows if is_robot(row["white"]) or is_robot(row["black"])]
        if robots:
            await self._pool.execute("DELETE FROM unjudged WHERE game = ANY($1)", robots)
        events: dict[str, list[Any]] = {row["id"]: [] for row in rows if row["id"] not in robots}
        for event in await self._pool.fetch(_LAST_EVENTS, list(events)):
            events[event["game"]].append(event)
        verdicts = [_verdicts(row, events[row["id"]]) for row in rows if row["id"] in events]
        await self._store_clean([found for found in verdicts if found.is_clean])
        for found in verdicts:
            if not found.is_clean:
                await self._store(found)
        return len(rows)

    async def _store_clean(self, verdicts: Sequence[Verdicts]) -> None:
        sides = [(found, color) for found in verdicts for color in COLORS]
        await self._pool.execute(
            """
            WITH taken AS (DELETE FROM unjudged WHERE game = ANY($1) RETURNING game)
            INSERT INTO deed (game, person, what, ended_at)
            SELECT game, person, 'ok', ended_at FROM unnest($1::text[], $2::text[], $3::timestamptz[])
                AS done (game, person, ended_at) JOIN taken USING (game)
            ON CONFLICT DO NOTHING
            """,
            [found.game for found, _ in sides],
            [found.people[color] for found, color in sides],
            [found.ended_at for found, _ in sides],
        )

    async def _store(self, found: Verdicts) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            taken = await connection.fetchval("DELETE FROM unjudged WHERE game = $1 RETURNING true", found.game)
            if not taken:
                return  # another node was first
            # Lock people in id order (no deadlock), so that two nodes never evaluate the same record concurrently.
            await connection.execute(
                "SELECT FROM person WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", list(found.people.values())
            )
            for color, person in found.people.items():
                await _enter(connection, found, person, found.deeds[color])


async def _enter(connection: Connection, found: Verdicts, person: str, deed: Deed) -> None:
    """Store the conduct of ``person`` and the ban that follows from it."""
    await connection.execute(
        "INSERT INTO deed (game, person, what, ended_at) VALUES ($1, $2, $3, $4)",
        found.game,
        person,
        deed,
        found.ended_at,
    )
    if deed == "ok":
        return
    # Put this game first even if one that ended later was stored earlier.
    rows = await connection.fetch(
        """
        SELECT what, level FROM deed WHERE person = $1 AND game <> $2
        ORDER BY ended_at DESC, game LIMIT $3
        """,
        person,
        found.game,
        WINDOW - 1,
    )
    sentence = due_ban([RecordedGame(deed), *(RecordedGame(row["what"], row["level"]) for row in rows)])
    if sentence is None:
        return
    await connection.execute(
        "UPDATE deed SET level = $3 WHERE game = $1 AND person = $2", found.game, person, sentence.level
    )
    await insert_play_ban(connection, person, deed, found.game, sentence.minutes)
    log.info("banned for %d minutes: %s", sentence.minutes, deed, extra={"person": person, "game": found.game})


def _verdicts(row: Any, records: Sequence[Any]) -> Verdicts:
    """Return the verdict on the game of ``row``, from its last events."""
    people: dict[Color, str] = {"w": row["white"], "b": row["black"]}
    try:
        deeds = conduct_of(_ending(row, records, people))
    except (GameError, msgspec.ValidationError):
        # A game that this version cannot read must not block all the others.
        log.exception("a finished game cannot be checked for conduct", extra={"game": row["id"]})
        deeds = {"w": "ok", "b": "ok"}
    return Verdicts(row["id"], people, deeds, row["ended_at"])


def _ending(row: Any, records: Sequence[Any], people: dict[Color, str]) -> GameEnd:
    tc = parse_time_control(row["tc"])
    assert tc is not None, "the trigger leaves out games without a clock"
    black_tc = parse_time_control(row["black_tc"]) or tc
    rules = rules_for(row["game"], row["variant"], row["profile"])
    first: Color = rules.turn(rules.start(row["fen"]))
    turn = first if row["plies"] % 2 == 0 else other(first)
    events: list[AnyEvent] = [decode_event(record["kind"], record["payload"]) for record in records]
    requester: Color | None = None
    loser: Color | None = None
    fallen: Color | None = None
    began_at, ended_at = row["created_at"], row["ended_at"]
    for record, event in zip(records, events, strict=True):
        if isinstance(event, Ended):
            cause = decode_cause(record["cause"])
            requester = next((color for color in COLORS if cause is not None and people[color] == cause.user), None)
            ended_at, loser, fallen = record["at"], LOSERS.get(event.result), _fallen(event)
        elif isinstance(event, Moved):
            began_at = record["at"]
    return GameEnd(
        reason=row["reason"] or "",
        turn=turn,
        is_rated=row["rated"],
        # After a takeback the board may hold fewer moves than were made.
        has_begun=row["plies"] >= LEAST_PLIES
        if row["rated"]
        else row["plies"] >= 2 or any(isinstance(event, TakenBack) for event in events),
        requester=requester,
        loser=loser,
        fallen=fallen,
        is_by_laws=row["is_by_laws"],
        estimate_ms=(tc if turn == "w" else black_tc).estimated_s * 1000,
        thought_ms=_thought_ms(events, turn),
        waited_ms=int((ended_at - began_at).total_seconds() * 1000),
        first_move_ms=profile_named(row["profile"]).first_move_limit_ms(slower(tc, black_tc)) or 0,
    )


def _fallen(end: Ended) -> Color | None:
    """Return the side whose flag alone is down at the end of the game."""
    clock = end.clock
    if clock is None or (clock.w > 0) == (clock.b > 0):
        return None
    return "w" if clock.w == 0 else "b"


def _thought_ms(events: Sequence[AnyEvent], turn: Color) -> int | None:
    """Return the time used by ``turn`` in the present move; None if the server held the clock or it is unknown."""
    left_ms: int | None = None
    thought_ms = 0
    for event in events:
        reading = event.clock if isinstance(event, Moved | TakenBack | ClockSet | Ruled | Ended) else None
        if reading is None:
            return None
        now_ms = reading.w if turn == "w" else reading.b
        if isinstance(event, ClockSet):
            if event.why != "moretime":
                return None
            if left_ms is not None and event.by is not None and event.by != turn:
                # The extra time cannot be told from the time used since. The clock reading after it is the new start,
                # so that no player is charged for time they were given.
                left_ms = now_ms
                continue
        if left_ms is not None:
            thought_ms += max(0, left_ms - now_ms)
        left_ms = now_ms
    return thought_ms
