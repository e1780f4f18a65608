"""How ratings look on the wire: types of docs/protocol.md, as in ``lobby.py``."""

from __future__ import annotations

from typing import TypedDict

from lobby.wire.lobby import UserWire


class RatingWire(TypedDict):
    """One rating of a person as it is now; ``last`` is when his last game of it ended (Unix ms)."""

    rating: int
    deviation: int
    provisional: bool
    games: int
    last: int


class RatingHistoryWire(TypedDict):
    """``GET /api/v1/users/{name}/ratings/{perf}``: ``points`` are pairs of an instant and a rating, oldest first."""

    perf: str
    points: list[list[int]]


class LeaderWire(TypedDict):
    """One line of a leaderboard."""

    rank: int
    user: UserWire
    rating: int
    games: int


class LeaderboardWire(TypedDict):
    """``GET /api/v1/leaderboards/{perf}``."""

    perf: str
    people: list[LeaderWire]


class LeaderboardsWire(TypedDict):
    """``GET /api/v1/leaderboards``: the first of every board."""

    boards: dict[str, list[LeaderWire]]
