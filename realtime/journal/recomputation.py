"""Recomputation of the speeds of the games, and of all ratings from the games, to compare or replace the stored ones.

    games in the order of rated_at ──► Replay ──► differences ──► shown, or written

``realtime/journal/rated_transaction.py`` makes the order of ``rated_at`` the order in which games were counted, so the
numbers are equal to the last bit. Which games count was decided when they ended, by the rules of that day, and is not
decided again. A migration that moves the limits between speeds asks the next start to do the same (``recompute_due``).
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

import msgspec

from game_core.errors import GameError
from game_core.time_control import parse_time_control
from lobby.ratings.rating_replay import RatedGame, RatingChange, Replay
from lobby.ratings.rating_store import LISTED_DAYS, LISTED_DEVIATION
from lobby.ratings.ratings import COLUMNS, Rating, perf_of, rating_of_row
from realtime.journal.speeds import compare_speeds, write_speeds
from realtime.postgres.database import FAILURES, classify, connect
from realtime.protocol.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.postgres.database import Connection

log = logging.getLogger(__name__)

SHOWN = 20
"""Differences that are shown; a changed rule makes differences everywhere."""

AT_ONCE = 1000
"""Games fetched, and rows written, with one statement; only the ratings are kept in memory."""

_NUMBERS = ("rating_before", "deviation_before", "volatility_before", "rating", "deviation", "volatility")
"""Number columns of ``rated_game``."""

_GAMES = f"""
SELECT g.id, g.game, g.variant, g.white, g.black, g.result, g.rated_at,
       CASE g.exhibition ->> 'host' WHEN 'w' THEN coalesce(g.black_tc, g.tc) ELSE g.tc END AS tc,
       {", ".join(f"w.{name} AS w_{name}" for name in ("perf", "at", *_NUMBERS))},
       {", ".join(f"b.{name} AS b_{name}" for name in ("perf", "at", *_NUMBERS))}
FROM game g
LEFT JOIN rated_game w ON w.game = g.id AND w.person = g.white
LEFT JOIN rated_game b ON b.game = g.id AND b.person = g.black
WHERE g.rated_at IS NOT NULL
ORDER BY g.rated_at, g.id
"""  # noqa: S608  constants of this module

_ASIDE = "right_mark"
"""A temporary table like ``rated_game``."""

_STRAY_MARKS = """
FROM rated_game m WHERE NOT EXISTS (
    SELECT FROM game g WHERE g.id = m.game AND g.rated_at IS NOT NULL AND m.person IN (g.white, g.black)
)
"""


class Mark(msgspec.Struct, frozen=True):
    """A row of ``rated_game``."""

    game: str
    person: str
    perf: str
    at: datetime
    numbers: tuple[float, ...]
    """In the order of ``_NUMBERS``."""

    @classmethod
    def of(cls, game: str, at: datetime, change: RatingChange) -> Self:
        """Return the row as it should be."""
        numbers = tuple(
            value
            for rating in (change.before, change.after)
            for value in (rating.rating, rating.deviation, rating.volatility)
        )
        return cls(game, change.person, change.perf, at, numbers)

    @classmethod
    def stored(cls, row: Any, side: str, person: str) -> Self | None:
        """Return the row as stored in a row of ``_GAMES``; ``side`` is ``w`` or ``b``."""
        if row[f"{side}_perf"] is None:
            return None
        numbers = tuple(row[f"{side}_{name}"] for name in _NUMBERS)
        return cls(row["id"], person, row[f"{side}_perf"], row[f"{side}_at"], numbers)


async def recompute_if_due(url: str) -> None:
    """Recompute what is stored if a migration asks for it. Servers that start together take turns.

    Raises:
        DatabaseError: this is not possible with what is stored; the next start would fail in the same way.
        ConnectionError: the database is in trouble; the next start tries again.
    """
    connection = await connect(url, name="zeitnot ratings")
    try:
        if not await connection.fetchval("SELECT EXISTS (SELECT FROM recompute_due)"):
            return
        await write_speeds(connection, RatingsReport().differs)
        async with connection.transaction():
            if await connection.fetchval("DELETE FROM recompute_due RETURNING true"):
                report = RatingsReport()
                await _rewrite_ratings(connection, report)
                for line in report.lines(written=True):
                    log.info("%s", line)
    except (GameError, *FAILURES) as error:
        kind = DatabaseError if classify(error) is None else ConnectionError
        raise kind(
            f"speeds and ratings cannot be recomputed, as migration 0019 asks for: {str(error) or repr(error)}"
        ) from error
    finally:
        await connection.close()


class RatingsReport:
    """The result of a comparison.

    Attributes:
        games, ratings: their numbers.
        count: number of wrong games and ratings.
    """

    def __init__(self) -> None:
        self.games = self.ratings = self.count = 0
        self._named: list[str] = []

    def differs(self, what: str) -> None:
        """Count a difference, and keep it if it is one of the first."""
        self.count += 1
        if self.count <= SHOWN:
            self._named.append(what)

    def lines(self, *, written: bool) -> Iterable[str]:
        """Yield the lines for the user."""
        yield from self._named
        if self.count > SHOWN:
            yield f"… and {self.count - SHOWN} more"
        found = f"{self.games} rated games, {self.ratings} ratings"
        if not self.count:
            yield f"{found}: no differences"
        else:
            yield f"{found}: {self.count} {'were different and are written' if written else 'are different'}"


async def check(connection: Connection) -> RatingsReport:
    """Compare in one snapshot, without locks."""
    report = RatingsReport()
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        replay = await _replay(connection, report, correct=False)
        await _stray_marks(connection, report)
        await _compare_ratings(connection, replay, report)
        await compare_speeds(connection, report.differs)
    return report


async def rewrite(connection: Connection) -> RatingsReport:
    """Write the differences. Rated games that end meanwhile wait, and count afterwards."""
    report = RatingsReport()
    await write_speeds(connection, report.differs)
    await _rewrite_ratings(connection, report)
    return report


async def _rewrite_ratings(connection: Connection, report: RatingsReport) -> None:
    async with connection.transaction():
        await connection.execute("LOCK TABLE rating, rated_game IN SHARE ROW EXCLUSIVE MODE")
        await connection.execute(f"CREATE TEMPORARY TABLE {_ASIDE} (LIKE rated_game) ON COMMIT DROP")
        replay = await _replay(connection, report, correct=True)
        await _stray_marks(connection, report)
        await connection.execute(f"DELETE {_STRAY_MARKS}")
        changed = await _compare_ratings(connection, replay, report)
        await _write_ratings(connection, changed)


async def _replay(connection: Connection, report: RatingsReport, *, correct: bool) -> Replay:
    """Replay the games, and if ``correct`` write the wrong rows."""
    replay, wrong = Replay(), list[Mark]()
    async for row in connection.cursor(_GAMES, prefetch=AT_ONCE):
        report.games += 1
        perf = perf_of(row["game"], row["variant"], parse_time_control(row["tc"]))
        game = RatedGame(perf, row["white"], row["black"], row["result"], row["rated_at"])
        for side, change in zip("wb", replay.add(game), strict=True):
            mark = Mark.of(row["id"], row["rated_at"], change)
            if Mark.stored(row, side, change.person) != mark:
                report.differs(f"game {row['id']}: {perf} of {change.person} became {change.after.rating:.2f}")
                if correct:
                    wrong.append(mark)
        if len(wrong) >= AT_ONCE:
            await _put_aside(connection, wrong)
    if correct:
        await _put_aside(connection, wrong)
        await _write_marks(connection)
    return replay


async def _stray_marks(connection: Connection, report: RatingsReport) -> None:
    for row in await connection.fetch(f"SELECT m.game, m.person {_STRAY_MARKS} ORDER BY 1, 2"):
        report.differs(f"game {row['game']} has counted for {row['person']}, which it should not")


async def _compare_ratings(
    connection: Connection, replay: Replay, report: RatingsReport
) -> dict[tuple[str, str], Rating | None]:
    """Return the right values of wrong ratings; None for those that should not exist."""
    report.ratings = len(replay.ratings)
    missing = dict(replay.ratings)
    changed: dict[tuple[str, str], Rating | None] = {}
    async for row in connection.cursor(
        f"SELECT person, perf, {COLUMNS} FROM rating WHERE games > 0",  # noqa: S608  a constant
        prefetch=AT_ONCE,
    ):
        key = (row["person"], row["perf"])
        right, stored = missing.pop(key, None), rating_of_row(row)
        if right != stored:
            changed[key] = right
            report.differs(f"{key[1]} of {key[0]}: {_text(stored)}, should be {_text(right)}")
    for key, right in missing.items():
        changed[key] = right
        report.differs(f"{key[1]} of {key[0]}: none, should be {_text(right)}")
    return changed


def _text(rating: Rating | None) -> str:
    if rating is None:
        return "none"
    return f"{rating.rating:.2f} ± {rating.deviation:.2f} after {rating.games}"


async def _put_aside(connection: Connection, marks: list[Mark]) -> None:
    """Keep ``marks`` in a temporary table until the games are read: writing to a table that is being read slows the
    reads."""
    await connection.copy_records_to_table(
        _ASIDE,
        columns=("game", "person", "perf", "at", *_NUMBERS),
        records=[(mark.game, mark.person, mark.perf, mark.at, *mark.numbers) for mark in marks],
    )
    marks.clear()


async def _write_marks(connection: Connection) -> None:
    columns = ", ".join(("game", "person", "perf", "at", *_NUMBERS))
    await connection.execute(
        f"""
        INSERT INTO rated_game ({columns}) SELECT {columns} FROM {_ASIDE}
        ON CONFLICT (game, person) DO UPDATE SET perf = excluded.perf, at = excluded.at,
            {", ".join(f"{name} = excluded.{name}" for name in _NUMBERS)}
        """  # noqa: S608  constants of this module
    )


async def _write_ratings(connection: Connection, changed: dict[tuple[str, str], Rating | None]) -> None:
    await connection.executemany(
        "DELETE FROM rating WHERE person = $1 AND perf = $2", [key for key, right in changed.items() if right is None]
    )
    await connection.executemany(
        """
        INSERT INTO rating (person, perf, rating, deviation, volatility, games, last_at, listed)
        SELECT $1, $2, $3::float8, $4::float8, $5::float8, $6, $7::timestamptz,
            $4::float8 <= $8::float8 AND $7::timestamptz > now() - make_interval(days => $9)
            AND EXISTS (SELECT FROM person WHERE id = $1 AND kind = 'member' AND closed_at IS NULL)
        ON CONFLICT (person, perf) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
            volatility = excluded.volatility, games = excluded.games, last_at = excluded.last_at,
            listed = excluded.listed
        """,
        [
            (*key, *(getattr(right, name) for name in Rating.__struct_fields__), LISTED_DEVIATION, LISTED_DAYS)
            for key, right in changed.items()
            if right is not None
        ],
    )
