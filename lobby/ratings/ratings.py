"""Ratings: one for each person and *perf*, which is the speed and variant of a game.

    Rating ──at(now)──> Rating with a deviation that has grown since the last game
    play(white, black, score, ended) ──> both ratings after the game

Every game is a rating period of its own; the time between games counts as idle periods, in fractions. Members and bots
have ratings, guests have none. Ratings depend only on the games in the order of ``rated_at``, so replaying them gives
the same numbers (``rating_replay.py``). That is the order in which they ended, except that a game with a public delay
counts once the public may see its end.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from game_core.registry import USUAL, registered
from game_core.time_control import Speed, speed
from lobby.ratings import glicko
from lobby.ratings.at_start import RatingAtStart
from lobby.ratings.glicko import Strength
from lobby.robots.robot_accounts import is_robot

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import asyncpg

    from game_core.color import Color
    from game_core.events import Result
    from game_core.time_control import TimeControl
    from lobby.accounts.user import User
    from lobby.pairing import NewGame
    from lobby.ports import Connection, Pool
    from lobby.wire.ratings import RatingWire

IDLE_PERIOD = timedelta(days=4.5)
"""Length of an idle period. A frequent player, with a deviation of 60, becomes provisional after a year without
games."""

PROVISIONAL = 110
"""At this deviation the 95 % interval is ±220 points. Above it a rating is provisional."""

LOWEST, HIGHEST = 100.0, 4000.0
"""Bounds of ratings. Seeks cannot ask for more."""

SUREST, LEAST_SURE = 30.0, 350.0
"""Bounds of deviations. A lower one could not follow a player who improves; the upper one is a beginner's."""

CALMEST, WILDEST = 0.01, 0.15
"""Bounds of volatilities, far outside the usual range."""


class Rating(msgspec.Struct, frozen=True):
    """A person's rating in one perf as of their last game, or aged since then (``at``)."""

    rating: float = 1500.0
    deviation: float = LEAST_SURE
    volatility: float = 0.06
    games: int = 0
    last_at: datetime | None = None
    """When the last game ended; None without games."""

    @property
    def provisional(self) -> bool:
        """Whether the rating is uncertain."""
        return self.deviation > PROVISIONAL

    @property
    def rounded(self) -> int:
        """The rating as shown."""
        return round(self.rating)

    def at(self, now: datetime) -> Rating:
        """Return this rating at ``now``: its deviation has grown since the last game. A clock that was set back changes
        nothing."""
        if self.last_at is None or now <= self.last_at:
            return self
        aged = glicko.idle(_strength(self), (now - self.last_at) / IDLE_PERIOD)
        return msgspec.structs.replace(self, deviation=min(aged.deviation, LEAST_SURE))


NEW = Rating()
"""The rating of a new player: Glickman's initial values (step 1)."""


LEAST_PLIES = 4
"""A game with fewer half-moves does not change ratings: each player must have made two moves."""

PAIR_LIMIT, PAIR_WINDOW = 3, timedelta(hours=24)
"""Number of games of the same two players in one perf that count within a period."""

SCORES: Mapping[Result, float] = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
"""White's score by result. A game without one of these does not change ratings."""


def play(white: Rating, black: Rating, score: float, ended: datetime) -> tuple[Rating, Rating]:
    """Return both ratings after a game in which White scored ``score`` and which ended at ``ended``."""
    one, two = white.at(ended), black.at(ended)
    first, second = _strength(one), _strength(two)
    return (
        _after(one, glicko.rate(first, [(second, score)]), ended),
        _after(two, glicko.rate(second, [(first, 1.0 - score)]), ended),
    )


def _strength(rating: Rating) -> Strength:
    return Strength(rating.rating, rating.deviation, rating.volatility)


def _after(before: Rating, after: Strength, ended: datetime) -> Rating:
    return Rating(
        rating=min(max(after.rating, LOWEST), HIGHEST),
        deviation=min(max(after.deviation, SUREST), LEAST_SURE),
        volatility=min(max(after.volatility, CALMEST), WILDEST),
        games=before.games + 1,
        last_at=ended,
    )


# --- perfs -------------------------------------------------------------------------------------------


def perf_of(game: str, variant: str, tc: TimeControl | None) -> str:
    """Return the perf of a game: its speed for standard chess, else ``VARIANT-SPEED``.

    A game without a clock is never rated and counts as correspondence.
    """
    return _perf(game, variant, speed(tc))


def _perf(game: str, variant: str, speed: Speed) -> str:
    pace = "correspondence" if speed == "unlimited" else speed
    return pace if (game, variant) == USUAL else f"{variant}-{pace}"


def perfs() -> tuple[str, ...]:
    """Return all perfs in the order in which they are shown."""
    return tuple(
        _perf(game, variant, pace) for game, variant in registered() for pace in get_args(Speed) if pace != "unlimited"
    )


# --- reading -----------------------------------------------------------------------------------------

COLUMNS = "rating, deviation, volatility, games, last_at"
"""What ``rating_of_row`` reads of ``rating``."""

_PAIR_COUNT = """
SELECT count(*) FROM (
    SELECT FROM game JOIN rated_game ON rated_game.game = game.id AND rated_game.person = game.white
    WHERE least(white, black) = least($1, $2) AND greatest(white, black) = greatest($1, $2)
        AND rated_at IS NOT NULL AND rated_at > now() - $4::interval AND perf = $3
    LIMIT $5
) AS counted
"""


async def ratings_of(connection_or_pool: Connection | Pool, people: Iterable[str], perf: str) -> dict[str, Rating]:
    """The ratings of ``people`` (ids) in ``perf`` now; ``NEW`` for who has not played any.

    Guests have no rating: leave them out, or ask ``rating_at_start``.
    """
    ids = list(people)
    found = dict.fromkeys(ids, NEW)
    rows = await connection_or_pool.fetch(
        f"""
        SELECT person, now() AS at, {COLUMNS} FROM rating
        WHERE person = ANY ($1::text[]) AND perf = $2 AND games > 0
        """,  # noqa: S608  a constant of this module
        ids,
        perf,
    )
    for row in rows:
        found[row["person"]] = rating_of_row(row).at(row["at"])
    return found


async def is_limit_reached(
    connection: Connection | asyncpg.Connection[asyncpg.Record], white: str, black: str, perf: str
) -> bool:
    """Whether no further game of these two (ids) in ``perf`` counts now."""
    count: int = await connection.fetchval(_PAIR_COUNT, white, black, perf, PAIR_WINDOW, PAIR_LIMIT)
    return count >= PAIR_LIMIT


def rating_of_row(row: Any) -> Rating:
    """The rating in the ``COLUMNS`` of a row."""
    return Rating(row["rating"], row["deviation"], row["volatility"], row["games"], row["last_at"])


def rating_at_start(user: User, ratings: Mapping[str, Rating]) -> RatingAtStart | None:
    """What is kept of ``ratings`` with a game of ``user``; None for guests, and for robots, whose games are casual."""
    if user.kind == "guest" or is_robot(user.id):
        return None
    rating = ratings.get(user.id, NEW)
    return RatingAtStart(rating.rounded, rating.provisional)


async def with_ratings(connection: Connection, new: NewGame) -> NewGame:
    """Return ``new`` with the players' current ratings; mark it casual if the daily limit of rated games is reached."""
    people = [user.id for user in (new.white, new.black) if user.kind != "guest"]
    perf = perf_of(new.game, new.variant, new.pace)
    found = await ratings_of(connection, people, perf) if people else {}
    ratings = rating_at_start(new.white, found), rating_at_start(new.black, found)
    new = msgspec.structs.replace(new, ratings=ratings)
    if new.rated and await is_limit_reached(connection, new.white.id, new.black.id, perf):
        return msgspec.structs.replace(new, rated=False, unrated="limit")
    return new


def rating_wire(rating: Rating, now: datetime) -> RatingWire:
    """The rating of the protocol. ``rating`` must have games."""
    assert rating.last_at is not None, "only ratings with games are shown"
    current = rating.at(now)
    return {
        "rating": current.rounded,
        "deviation": round(current.deviation),
        "provisional": current.provisional,
        "games": rating.games,
        "last": int(rating.last_at.timestamp() * 1000),
    }


def ratings_wire(white: Rating, black: Rating) -> dict[Color, int]:
    """The ``ratings`` of an end."""
    return {"w": white.rounded, "b": black.rounded}
