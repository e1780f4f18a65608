"""Rows of games: reading them with their events, and inserting new ones."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.color import Color, of
from game_core.events import Result, Unrated
from game_core.game import Setup
from game_core.host_control import format_board_control, parse_board_control
from game_core.laws.terms import LawsTerms
from game_core.public_delay import NO_DELAY, PublicDelay
from game_core.simul_board import SimulBoard
from game_core.time_control import speed
from lobby.accounts.user import User
from lobby.pairing import Countries, GameFacts, MatchScore, NewGame
from lobby.ratings.at_start import RatingAtStart, RatingsAtStart
from realtime.journal.appends import Cause
from realtime.journal.journal_sql import read_cause, read_event
from realtime.journal.live_games import LiveGame
from realtime.protocol.wire_types import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    import asyncpg
    from asyncpg.pool import PoolConnectionProxy

    from game_core.clock import Clock
    from game_core.events import AnyEvent

    Pool = asyncpg.Pool[asyncpg.Record]

COLUMNS = """
    g.id, g.game, g.variant, g.profile, g.rated, g.tc, g.fen, g.pausable, g.status, g.result, g.reason, g.owner,
    g.epoch, g.plies, g.created_at, g.ended_at, g.rematch_of,
    g.black_tc, g.match_games, g.match_white, g.match_black, g.simul, g.board, g.exhibition,
    g.white_rating, g.white_provisional, g.black_rating, g.black_provisional,
    g.delay_s, g.delay_moves, g.hints, g.laws,
    g.delay_s > 0 AND (g.status <> 'over' OR g.ended_at > now() - hidden_for(g.delay_s))
        OR g.delay_moves > 0 AND g.status <> 'over' AS is_hidden,
    g.unrated, rw.rating AS w_after, rb.rating AS b_after,
    CASE WHEN g.status <> 'over' AND (g.stopped_at IS NOT NULL OR g.deadline IS NOT NULL) THEN (
        SELECT (extract(epoch FROM coalesce(g.stopped_at, now()) - at) * 1000)::bigint FROM event
        WHERE game = g.id AND payload ? 'clock' ORDER BY seq DESC LIMIT 1
    ) END AS thought_ms,
    CASE WHEN g.status <> 'over' THEN (extract(epoch FROM g.deadline - now()) * 1000)::bigint END AS left_ms,
    w.id AS w_id, w.name AS w_name, w.kind AS w_kind, w.title AS w_title,
    b.id AS b_id, b.name AS b_name, b.kind AS b_kind, b.title AS b_title,
    (SELECT country FROM profile WHERE person = g.white) AS w_country,
    (SELECT country FROM profile WHERE person = g.black) AS b_country
"""
FROM = """
    FROM game g JOIN person w ON w.id = g.white JOIN person b ON b.id = g.black
    LEFT JOIN rated_game rw ON g.rated AND rw.game = g.id AND rw.person = g.white
    LEFT JOIN rated_game rb ON g.rated AND rb.game = g.id AND rb.person = g.black
"""
"""The tables and joins that ``game_row`` reads."""


ROWS_AT_ONCE = 100
"""Rows of new games encoded in one go: a few milliseconds."""


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """One game's row: the agreed terms and the present state."""

    setup: Setup
    white: User
    black: User
    status: Status
    result: Result
    reason: str | None
    owner: str | None
    epoch: int
    plies: int
    created_at: datetime
    ended_at: datetime | None
    rematch_of: str | None
    match: MatchScore
    """The match score before this game."""
    ratings: RatingsAtStart
    """The players' ratings at the start."""
    countries: Countries = (None, None)
    """The countries that the players show now."""
    ratings_after: dict[Color, int] | None
    """The players' ratings after the game; None if it did not count, or not yet."""
    unrated: Unrated | None = None
    """Reason why an agreed rated game is unrated; None if the ``end`` event has it."""
    is_hidden: bool
    """Part of the game is still under public delay; filter with ``delayed_reads.as_public`` before showing."""
    thought_ms: int | None = None
    """Time that the side to move of a stopped game has thought since the last event with a clock. Correspondence: the
    time since that event."""
    left_ms: int | None = None
    """Correspondence: time left of the side to move now. A row written before there were deadlines may hold that of an
    earlier move."""

    def charged(self, clock: Clock) -> Clock:
        """Return ``clock``, just rebuilt from the events, with the thinking time since them deducted from ``left``."""
        if clock.run is None or clock.held is not None:
            return clock
        now_ms = clock.since_ms
        if self.left_ms is not None:
            had_ms = of(clock.left, clock.run)
            left_ms = max(self.left_ms, had_ms - (self.thought_ms or 0))
            return msgspec.structs.replace(clock, since_ms=now_ms - max(0, had_ms - left_ms))
        if not self.thought_ms or self.thought_ms < 0:
            return clock
        clock = msgspec.structs.replace(clock, since_ms=now_ms - self.thought_ms)
        return clock.hold("", now_ms).resume(now_ms)


Log = list[tuple["AnyEvent", Cause | None]]
"""A game's events in order, each with its cause."""


_INSERT = """
    INSERT INTO game
        (id, game, variant, profile, rated, speed, tc, fen, pausable, white, black, owner, epoch, rematch_of,
         white_rating, white_provisional, black_rating, black_provisional,
         black_tc, match_games, match_white, match_black, simul, board, exhibition, delay_s, delay_moves,
         unrated, hints, laws)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
            $23, $24, $25, $26, $27, $28, $29, $30)
"""


async def insert_game(
    connection: PoolConnectionProxy[asyncpg.Record],
    new: NewGame,
    *,
    owner: str,
    epoch: int,
) -> None:
    """Insert the row of a new game, inside the caller's transaction."""
    await connection.execute(_INSERT, *_values(new, owner, epoch))


async def insert_games(
    connection: PoolConnectionProxy[asyncpg.Record], games: Sequence[NewGame], *, owner: str, epoch: int
) -> None:
    """Insert the rows of many new games, inside the caller's transaction, in one pipeline. The event loop runs other
    tasks after each ``ROWS_AT_ONCE``."""
    for place in range(0, len(games), ROWS_AT_ONCE):
        some = games[place : place + ROWS_AT_ONCE]
        await connection.executemany(_INSERT, [_values(new, owner, epoch) for new in some])


def _values(new: NewGame, owner: str, epoch: int) -> tuple[Any, ...]:
    white, black = new.ratings
    simul_board = new.simul_board
    return (
        new.id,
        new.game,
        new.variant,
        new.profile,
        new.rated,
        speed(new.pace),
        format_board_control(new.tc),
        new.fen,
        new.pausable,
        new.white.id,
        new.black.id,
        owner,
        epoch,
        new.rematch_of,
        None if white is None else white.rating,
        None if white is None else white.provisional,
        None if black is None else black.rating,
        None if black is None else black.provisional,
        format_board_control(new.black_tc),
        new.match.games,
        new.match.white,
        new.match.black,
        None if simul_board is None else simul_board.id,
        None if simul_board is None else simul_board.board,
        None if simul_board is None else _stored(simul_board),
        new.delay.seconds if simul_board is None else simul_board.delay_s,
        new.delay.moves,
        new.unrated,
        new.hints,
        None if new.laws is None else msgspec.to_builtins(new.laws),
    )


def setup_of(new: NewGame) -> Setup:
    """Return the setup of a new game for the core."""
    return Setup(
        id=new.id,
        game=new.game,
        variant=new.variant,
        rated=new.rated,
        profile=new.profile,
        tc=new.tc,
        fen=new.fen,
        pausable=new.pausable,
        black_tc=new.black_tc,
        simul_board=new.simul_board,
        delay=new.delay,
        unrated=new.unrated,
        hints=new.hints,
        laws=new.laws,
    )


def facts_of(row: GameRow) -> GameFacts:
    """Return the facts of a finished game that a rematch needs."""
    setup = row.setup
    return NewGame(
        id=setup.id,
        game=setup.game,
        variant=setup.variant,
        profile=setup.profile,
        rated=setup.rated or row.unrated is not None,
        tc=setup.tc,
        fen=setup.fen,
        pausable=setup.pausable,
        white=row.white,
        black=row.black,
        rematch_of=row.rematch_of,
        black_tc=setup.black_tc,
        match=row.match.after(row.result),
        simul_board=setup.simul_board,
        delay=setup.delay,
        hints=setup.hints,
        laws=setup.laws,
    )


async def find_game(pool: Pool, game_id: str) -> GameRow | None:
    """Return the row of a game; None if there is none."""
    row = await pool.fetchrow(f"SELECT {COLUMNS} {FROM} WHERE g.id = $1", game_id)
    return None if row is None else game_row(row)


async def read_log(pool: Pool, game_id: str, after_seq: int = 0) -> Log:
    """Return the events of a game after ``after_seq``."""
    rows = await pool.fetch(
        "SELECT kind, payload::text, cause::text FROM event WHERE game = $1 AND seq > $2 ORDER BY seq",
        game_id,
        after_seq,
    )
    return [(read_event(kind, payload), read_cause(cause)) for kind, payload, cause in rows]


async def find_games(pool: Pool, game_ids: Sequence[str]) -> dict[str, tuple[GameRow, Log]]:
    """Return the rows of many games with their events, by id; missing ones are left out."""
    rows = await pool.fetch(f"SELECT {COLUMNS} {FROM} WHERE g.id = ANY ($1::text[])", list(game_ids))
    found: dict[str, tuple[GameRow, Log]] = {row["id"]: (game_row(row), []) for row in rows}
    events = await pool.fetch(
        "SELECT game, kind, payload::text, cause::text FROM event WHERE game = ANY ($1::text[]) ORDER BY game, seq",
        list(found),
    )
    for game, kind, payload, cause in events:
        found[game][1].append((read_event(kind, payload), read_cause(cause)))
    return found


def begun_game(new: NewGame, setup: Setup, begun_ms: int) -> LiveGame:
    """Return the entry of a game that begins now."""
    return LiveGame(
        new.white.id,
        new.black.id,
        begun_ms,
        new.host,
        has_delayed_end=setup.delay_s > 0,
        is_real_time=speed(setup.pace) not in ("correspondence", "unlimited"),
    )


async def live_games(pool: Pool) -> list[tuple[str, LiveGame]]:
    """Return all unfinished games with their ids, newest first."""
    rows = await pool.fetch(
        """
        SELECT id, white, black, created_at, delay_s > 0 AS has_delayed_end, deadline IS NOT NULL AS is_correspondence,
               speed NOT IN ('correspondence', 'unlimited') AS is_real_time,
               CASE exhibition->>'host' WHEN 'w' THEN white WHEN 'b' THEN black END AS host
        FROM game WHERE status <> 'over' ORDER BY created_at DESC
        """
    )
    return [
        (
            row["id"],
            LiveGame(
                row["white"],
                row["black"],
                unix_ms(row["created_at"]),
                row["host"],
                row["has_delayed_end"],
                row["is_correspondence"],
                row["is_real_time"],
            ),
        )
        for row in rows
    ]


def unix_ms(instant: datetime) -> int:
    """Convert an instant of the database to Unix ms."""
    return int(instant.timestamp() * 1000)


def game_row(row: Any) -> GameRow:
    """Decode a row of ``COLUMNS``."""
    return GameRow(
        setup=Setup(
            id=row["id"],
            game=row["game"],
            variant=row["variant"],
            rated=row["rated"],
            profile=row["profile"],
            tc=parse_board_control(row["tc"]),
            fen=row["fen"],
            pausable=row["pausable"],
            black_tc=parse_board_control(row["black_tc"]),
            simul_board=_simul_board(row),
            delay=_delay(row),
            unrated=None if row["rated"] else row["unrated"],
            hints=row["hints"],
            laws=None if row["laws"] is None else msgspec.convert(row["laws"], LawsTerms),
        ),
        white=User(row["w_id"], row["w_name"], row["w_kind"], row["w_title"]),
        black=User(row["b_id"], row["b_name"], row["b_kind"], row["b_title"]),
        status=row["status"],
        result=row["result"],
        reason=row["reason"],
        owner=row["owner"],
        epoch=row["epoch"],
        plies=row["plies"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
        rematch_of=row["rematch_of"],
        match=MatchScore(row["match_games"], row["match_white"], row["match_black"]),
        ratings=(
            _rating(row["white_rating"], row["white_provisional"]),
            _rating(row["black_rating"], row["black_provisional"]),
        ),
        countries=(row["w_country"], row["b_country"]),
        ratings_after=ratings_after(row["w_after"], row["b_after"]),
        unrated=row["unrated"],
        is_hidden=row["is_hidden"],
        thought_ms=row["thought_ms"],
        left_ms=row["left_ms"],
    )


def _stored(simul_board: SimulBoard) -> dict[str, Any]:
    """Return the fields that have no column of their own."""
    fields: dict[str, Any] = msgspec.to_builtins(simul_board)
    del fields["id"], fields["board"]
    return fields


def _simul_board(row: Any) -> SimulBoard | None:
    if row["simul"] is None:
        return None
    return msgspec.convert({**row["exhibition"], "id": row["simul"], "board": row["board"]}, SimulBoard)


def _delay(row: Any) -> PublicDelay:
    if row["simul"] is not None:
        return NO_DELAY  # the simul has it
    return PublicDelay(row["delay_s"], row["delay_moves"])


def ratings_after(white: float | None, black: float | None) -> dict[Color, int] | None:
    """Return the ratings after a game; None if it has not counted."""
    return None if white is None or black is None else {"w": round(white), "b": round(black)}


def _rating(rating: int | None, provisional: bool | None) -> RatingAtStart | None:  # noqa: FBT001  columns
    return None if rating is None or provisional is None else RatingAtStart(rating, provisional)
