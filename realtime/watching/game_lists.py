"""Lists of games, newest first: the filters, and the queries that answer them from an index.

A query never reads a game that is not on the list. A user's games are a range of ``game_white`` and one of
``game_black``, those of two users one of ``game_pair`` for each color. The games of all users are one range of
``game_created`` or, with a filter by kind, one of ``game_kind`` for each kind (``migrations/0010_archive.sql``).

The statements below consist of constants of this module; user input is always passed as an argument.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from game_core.color import Color, other
from game_core.registry import registered, variants_of
from game_core.time_control import Speed
from realtime.journal.game_rows import COLUMNS, FROM, GameRow, game_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.postgres.database import Pool
    from realtime.protocol.wire_http import ResultsWire

Outcome = Literal["won", "drawn", "lost"]
"""The outcome of a game for one player."""

Cursor = tuple[datetime, str]
"""A position in the list: the creation time of a game, and its id, which separates games of the same instant."""

VARIANTS = list(dict.fromkeys(variant for _, variant in registered()))
"""The names of all variants of all games."""

RESULTS: dict[tuple[Outcome, Color], str] = {
    ("won", "w"): "1-0",
    ("won", "b"): "0-1",
    ("lost", "w"): "0-1",
    ("lost", "b"): "1-0",
    ("drawn", "w"): "1/2-1/2",
    ("drawn", "b"): "1/2-1/2",
}


class GameFilter(msgspec.Struct, frozen=True, kw_only=True):
    """A filter; a field that is None selects everything.

    Attributes:
        user: id of a player.
        opponent: id of their opponent. This, ``color`` and ``result`` refer to ``user`` and require it.
        color: the color of ``user``.
        games: families as in the registry; a game must be of one of these.
        result: the outcome for ``user``.
        since: created at this time or later.
        until: created before this time.
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


class Viewer(msgspec.Struct, frozen=True):
    """The viewer of a list: games they may not know of yet are left out, so that no page ends with one.

    Attributes:
        id: the person's id; None: anonymous.
    """

    id: str | None = None


ANONYMOUS = Viewer()


async def list_games(
    pool: Pool, wanted: GameFilter = ALL, *, before: Cursor | None = None, limit: int = 50, viewer: Viewer | None = None
) -> list[GameRow]:
    """Return the first ``limit`` matching games, newest first, after the one at ``before``; with ``viewer``, only those
    that the viewer may know of.
    """
    query, arguments = list_query(wanted, before, limit, viewer)
    return [game_row(row) for row in await pool.fetch(query, *arguments)]


def list_query(
    wanted: GameFilter, before: Cursor | None, limit: int, viewer: Viewer | None = None
) -> tuple[str, list[Any]]:
    """Return the statement for a list, and its arguments."""
    arguments = _Arguments()
    places = _places(wanted, before, arguments)
    if viewer is not None:
        places.append(_known_to(viewer, arguments))
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
    """Return ``won``, ``drawn``, ``lost`` and ``total`` of the user's games against another that have a result."""
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
    """The arguments of a statement, numbered by position."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def add(self, value: Any) -> str:
        """Add ``value`` and return its placeholder ``$n``."""
        self.values.append(value)
        return f"${len(self.values)}"


def _places(wanted: GameFilter, before: Cursor | None, arguments: _Arguments) -> list[str]:
    """Return the conditions on the position in the list and on the kind of game."""
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


def _known_to(viewer: Viewer, arguments: _Arguments) -> str:
    """Return the condition that hides games with a delayed view. Such a game becomes public some seconds after its
    creation, and its players know of it at once. The hidden games are few and found at once; a condition on each row
    would keep the lists from their indexes.
    """
    hidden = """
        SELECT h.id FROM game h WHERE h.delay_s > 0 AND (h.ended_at IS NULL OR h.ended_at > now() - hidden_for(900))
            AND h.created_at > now() - hidden_for(h.delay_s)
    """
    if viewer.id is not None:
        person = f"{arguments.add(viewer.id)}::text"
        simuls = f"SELECT simul FROM simul_player WHERE person = {person}"  # noqa: S608  the place of an argument
        hidden += f" AND {person} NOT IN (h.white, h.black) AND (h.simul IS NULL OR h.simul NOT IN ({simuls}))"
    return f"id NOT IN ({hidden})"


def _of_person(wanted: GameFilter, places: list[str], most: str, arguments: _Arguments) -> Iterator[str]:
    """Return a user's games as White and those as Black. A game against oneself counts as White unless a color is
    given.
    """
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
            # Finding it by its result would reveal the result.
            conditions.append(f"result = '{RESULTS[wanted.result, color]}'")
            conditions.append("(delay_s = 0 OR ended_at <= now() - hidden_for(delay_s))")
        if is_sided or color == "b":
            conditions.append("white <> black")
        yield _first(conditions, most)


def _of_kind(wanted: GameFilter, places: list[str], most: str, arguments: _Arguments) -> str:
    """Return everybody's matching games by kind: as many short ranges of the index as there are kinds."""
    variants = VARIANTS if wanted.games is None else [name for game in wanted.games for name in variants_of(game)]
    domains = {"variant": variants, "speed": list(get_args(Speed)), "rated": [False, True]}
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
    return wanted.games is not None or any(value is not None for _, value in _kinds(wanted))


def _first(conditions: list[str], most: str) -> str:
    where = " AND ".join(conditions)
    order = f"ORDER BY created_at DESC, id DESC LIMIT {most}"
    return f"(SELECT id, created_at FROM game WHERE {where} {order})"  # noqa: S608  constants
