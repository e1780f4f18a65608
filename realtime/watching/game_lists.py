"""Lists of games, newest first: what may be asked for, and the queries that answer it from an index.

A list never reads a game that is not on it: a person's are a range of ``game_white`` and one of ``game_black``, those
of two people one of ``game_pair`` a colour, and everybody's one of ``game_created`` or, where kinds are asked for, one
of ``game_kind`` for each kind that there is (``migrations/0010_archive.sql``).

The statements below are put together from constants of this module; what somebody asks for is always an argument.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from game_core.color import Color, other
from game_core.registry import registered
from game_core.time_control import Speed
from realtime.journal.game_rows import COLUMNS, FROM, GameRow, game_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.postgres.database import Pool
    from realtime.protocol.wire_types import ResultsWire

Outcome = Literal["won", "drawn", "lost"]
"""What a game was for somebody."""

Cursor = tuple[datetime, str]
"""A place in the list: when a game was made, and its id, which tells it from others of the same instant."""

VARIANTS = list(dict.fromkeys(variant for _, variant in registered()))
"""The names of all variants, of whatever game."""

RESULTS: dict[tuple[Outcome, Color], str] = {
    ("won", "w"): "1-0",
    ("won", "b"): "0-1",
    ("lost", "w"): "0-1",
    ("lost", "b"): "1-0",
    ("drawn", "w"): "1/2-1/2",
    ("drawn", "b"): "1/2-1/2",
}


class GameFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which games; None asks for nothing in particular.

    Attributes:
        user: id of a person who has played them.
        opponent: id of whom against. This, ``color`` and ``result`` are ``user``'s, and are asked for with him only.
        color: which he had.
        games: of one of these, by the names the registry has for them.
        result: what it was for him.
        since: made then or later.
        until: made before then.
    """

    user: str | None = None
    opponent: str | None = None
    color: Color | None = None
    games: tuple[str, ...] | None = None
    variant: str | None = None
    speed: Speed | None = None
    rated: bool | None = None
    result: Outcome | None = None
    since: datetime | None = None
    until: datetime | None = None


ALL = GameFilter()


class Eye(msgspec.Struct, frozen=True):
    """Who looks at a list: it leaves out what he may not know of yet, so that no page ends with such a game.

    Attributes:
        viewer: his id; None: a stranger.
    """

    viewer: str | None = None


STRANGER = Eye()


async def list_games(
    pool: Pool, wanted: GameFilter = ALL, *, before: Cursor | None = None, limit: int = 50, eye: Eye | None = None
) -> list[GameRow]:
    """The first ``limit`` games that fit, newest first, after the one at ``before``: all of them, or those that ``eye``
    may know of."""
    query, arguments = list_query(wanted, before, limit, eye)
    return [game_row(row) for row in await pool.fetch(query, *arguments)]


def list_query(wanted: GameFilter, before: Cursor | None, limit: int, eye: Eye | None = None) -> tuple[str, list[Any]]:
    """The statement for a list, and its arguments."""
    arguments = _Arguments()
    places = _places(wanted, before, arguments)
    if eye is not None:
        places.append(_known_to(eye, arguments))
    most = arguments.add(limit)
    if wanted.user is not None:
        found = " UNION ALL ".join(_of_person(wanted, places, most, arguments))
    elif _asks_for_kind(wanted):
        found = _of_kind(wanted, places, most, arguments)
    else:
        found = _first(places or ["true"], most)
    query = f"""
        SELECT {COLUMNS} {FROM}
        WHERE g.id IN (SELECT id FROM ({found}) AS found ORDER BY created_at DESC, id DESC LIMIT {most})
        ORDER BY g.created_at DESC, g.id DESC
    """  # noqa: S608  constants
    return query, arguments.values


async def count_versus(pool: Pool, user: str, against: str) -> ResultsWire:
    """``won``, ``drawn``, ``lost`` and ``total`` of the games of ``user`` against another that have a result."""
    row = await pool.fetchrow(
        """
        SELECT coalesce(sum(won), 0)::int AS won, coalesce(sum(drawn), 0)::int AS drawn,
               coalesce(sum(lost), 0)::int AS lost
        FROM (
            SELECT count(*) FILTER (WHERE result = '1-0') AS won, count(*) FILTER (WHERE result = '1/2-1/2') AS drawn,
                   count(*) FILTER (WHERE result = '0-1') AS lost
            FROM game WHERE white = $1 AND black = $2 AND white <> black
            UNION ALL
            SELECT count(*) FILTER (WHERE result = '0-1'), count(*) FILTER (WHERE result = '1/2-1/2'),
                   count(*) FILTER (WHERE result = '1-0')
            FROM game WHERE white = $2 AND black = $1 AND white <> black
            UNION ALL
            -- Those that the public does not know the end of are few, and found at once.
            SELECT -count(*) FILTER (WHERE result = CASE white WHEN $1 THEN '1-0' ELSE '0-1' END),
                   -count(*) FILTER (WHERE result = '1/2-1/2'),
                   -count(*) FILTER (WHERE result = CASE white WHEN $1 THEN '0-1' ELSE '1-0' END)
            FROM game WHERE delay_s > 0 AND ended_at > now() - hidden_for(900)
                AND ended_at > now() - hidden_for(delay_s)
                AND $1 IN (white, black) AND $2 IN (white, black) AND white <> black
        ) AS sides (won, drawn, lost)
        """,
        user,
        against,
    )
    assert row is not None, "an aggregate has one row"
    won, drawn, lost = row
    return {"won": won, "drawn": drawn, "lost": lost, "total": won + drawn + lost}


class _Arguments:
    """The values of a statement, each with its place."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def add(self, value: Any) -> str:
        """``$n``, which stands for ``value``."""
        self.values.append(value)
        return f"${len(self.values)}"


def _places(wanted: GameFilter, before: Cursor | None, arguments: _Arguments) -> list[str]:
    """Conditions on where in the list a game is, and of what kind it is at all."""
    found = []
    if before is not None:
        at, game_id = arguments.add(before[0]), arguments.add(before[1])
        found.append(f"(created_at, id) < ({at}::timestamptz, {game_id}::text)")
    if wanted.games is not None:
        found.append(f"game = ANY({arguments.add(wanted.games)}::text[])")
    if wanted.since is not None:
        found.append(f"created_at >= {arguments.add(wanted.since)}")
    if wanted.until is not None:
        found.append(f"created_at < {arguments.add(wanted.until)}")
    return found


def _known_to(eye: Eye, arguments: _Arguments) -> str:
    """Games that the public sees some seconds later are known from then on, and at once to who plays there. Those that
    are not yet are few, and found at once; a condition on each row would keep the lists from their indexes.
    """
    hidden = """
        SELECT h.id FROM game h WHERE h.delay_s > 0 AND (h.ended_at IS NULL OR h.ended_at > now() - hidden_for(900))
            AND h.created_at > now() - hidden_for(h.delay_s)
    """
    if eye.viewer is not None:
        viewer = f"{arguments.add(eye.viewer)}::text"
        circle = f"SELECT simul FROM simul_player WHERE person = {viewer}"  # noqa: S608  the place of an argument
        hidden += f" AND {viewer} NOT IN (h.white, h.black) AND (h.simul IS NULL OR h.simul NOT IN ({circle}))"
    return f"id NOT IN ({hidden})"


def _of_person(wanted: GameFilter, places: list[str], most: str, arguments: _Arguments) -> Iterator[str]:
    """His games as White and those as Black; one against himself is among the first, unless a side is asked for."""
    user = arguments.add(wanted.user)
    kinds = [f"{column} = {arguments.add(value)}" for column, value in _kinds(wanted) if value is not None]
    against = None if wanted.opponent is None else arguments.add(wanted.opponent)
    is_sided = wanted.opponent is not None or wanted.color is not None or wanted.result is not None
    sides: tuple[tuple[Color, str], ...] = (("w", "white"), ("b", "black"))
    names = dict(sides)
    for color, side in sides:
        if wanted.color not in (None, color):
            continue
        conditions = [f"{side} = {user}", *places, *kinds]
        if against is not None:
            conditions.append(f"{names[other(color)]} = {against}")
        if wanted.result is not None:
            # To be found by its result would tell it.
            conditions.append(f"result = '{RESULTS[wanted.result, color]}'")
            conditions.append("(delay_s = 0 OR ended_at <= now() - hidden_for(delay_s))")
        if is_sided or color == "b":
            conditions.append("white <> black")
        yield _first(conditions, most)


def _of_kind(wanted: GameFilter, places: list[str], most: str, arguments: _Arguments) -> str:
    """Everybody's games of each kind that fits: as many short ranges of the index as there are kinds."""
    domains = {"variant": VARIANTS, "speed": list(get_args(Speed)), "rated": [False, True]}
    types = {"variant": "text", "speed": "text", "rated": "boolean"}
    kinds = ", ".join(
        f"unnest({arguments.add(domains[column] if value is None else [value])}::{types[column]}[]) AS a_{column}"
        for column, value in _kinds(wanted)
    )
    conditions = ["variant = a_variant", "speed = a_speed", "rated = a_rated", *places]
    games = _first(conditions, most)
    return f"(SELECT of_kind.id, of_kind.created_at FROM {kinds}, LATERAL {games} AS of_kind)"  # noqa: S608  constants


def _kinds(wanted: GameFilter) -> tuple[tuple[str, Any], ...]:
    return ("variant", wanted.variant), ("speed", wanted.speed), ("rated", wanted.rated)


def _asks_for_kind(wanted: GameFilter) -> bool:
    return any(value is not None for _, value in _kinds(wanted))


def _first(conditions: list[str], most: str) -> str:
    where = " AND ".join(conditions)
    order = f"ORDER BY created_at DESC, id DESC LIMIT {most}"
    return f"(SELECT id, created_at FROM game WHERE {where} {order})"  # noqa: S608  constants
