"""Wire types for viewers of many games: mini boards, TV, the games in play."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from game_core.color import Color
from game_core.events import Result
from game_core.leaps import LeapsWire
from realtime.protocol.wire_events import ClockWire
from realtime.protocol.wire_types import GameTermsWire, LiveGameWire, PlayerWire, Status


class MiniChangeWire(TypedDict):
    """A mini board after a change; it replaces the previous state."""

    t: Literal["mini"]
    g: str
    seq: int
    position: str
    last: str | None
    leaps: LeapsWire | None
    turn: Color
    ply: int
    check: bool
    clock: ClockWire | None
    status: Status
    result: Result
    reason: str | None
    next: str | None


class MiniWire(MiniChangeWire, GameTermsWire):
    """The same with what does not change; sent after ``sub``, and when a player has another name."""

    players: dict[Color, PlayerWire]
    simul: str | None
    watchers: int


class TvWire(TypedDict):
    """``tv``: the game of every channel that has had one."""

    t: Literal["tv"]
    seq: int
    channels: dict[str, str]


class TvGameWire(TypedDict):
    """``tv.game``: a channel switches to another game."""

    t: Literal["tv.game"]
    seq: int
    channel: str
    g: str


TvEventWire = TvGameWire


class TvChannelsWire(TypedDict):
    """``GET /api/v1/tv``: the game that each channel shows."""

    channels: dict[str, LiveGameWire]


class LiveCardsWire(TypedDict):
    """``GET /api/v1/live``. ``total`` is the number of all games that match, each board of a simul included."""

    games: list[LiveGameWire]
    total: NotRequired[int]


class OembedWire(TypedDict):
    """``GET /oembed``: an answer of type ``rich`` as defined at oembed.com."""

    version: Literal["1.0"]
    type: Literal["rich"]
    provider_name: str
    provider_url: str
    title: str
    html: str
    width: int
    height: int
    cache_age: NotRequired[int]
