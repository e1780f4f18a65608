"""Wire types of HTTP answers: pages of games, people, the server's status, failures."""

from __future__ import annotations

from typing import TypedDict

from game_core.errors import ErrorCode
from lobby.accounts.preferences import Setting
from lobby.wire.lobby import UserWire
from realtime.protocol.wire_types import ListedGameWire, LiveGameWire


class GamesPageWire(TypedDict):
    """``GET /api/v1/games``; ``next`` as ``before`` gives the page after it."""

    games: list[ListedGameWire]
    next: str | None


class LiveGamesWire(TypedDict):
    """``GET /api/v1/games?live=1``."""

    games: list[LiveGameWire]
    next: None


class ResultsWire(TypedDict):
    """Finished games against others."""

    won: int
    drawn: int
    lost: int
    total: int


class FoundUserWire(UserWire):
    """A user whom a search has found."""

    online: bool
    country: str | None


class SearchResultWire(TypedDict):
    """``GET /api/v1/search``."""

    users: list[FoundUserWire]
    game: str | None


class MySettingsWire(TypedDict):
    """``GET`` and ``PUT /api/v1/me/settings``."""

    settings: dict[str, Setting]


class StatusWire(TypedDict):
    """``GET /healthz`` and ``/readyz``."""

    status: str


class FailureBodyWire(TypedDict):
    """The ``error`` of a failure."""

    code: ErrorCode
    message: str


class FailureWire(TypedDict):
    """Every answer with a status of 400 or more."""

    error: FailureBodyWire
