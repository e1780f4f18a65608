"""Wire types of ratings, as in docs/protocol.md."""

from __future__ import annotations

from typing import TypedDict

from lobby.wire.lobby import UserWire


class RatingWire(TypedDict):
    """One present rating of a person; ``last`` is when the last game that counts ended (Unix ms)."""

    rating: int
    deviation: int
    provisional: bool
    games: int
    last: int


class RatingHistoryWire(TypedDict):
    """``GET /api/v1/users/{name}/ratings/{perf}``. ``points`` are pairs of an instant and a rating, oldest first."""

    perf: str
    points: list[list[int]]


class LeaderWire(TypedDict):
    """One line of a leaderboard."""

    rank: int
    user: UserWire
    rating: int
    games: int
    country: str | None


class LeaderboardWire(TypedDict):
    """``GET /api/v1/leaderboards/{perf}``."""

    perf: str
    people: list[LeaderWire]


class LeaderboardsWire(TypedDict):
    """``GET /api/v1/leaderboards``: the first entries of every board."""

    boards: dict[str, list[LeaderWire]]
