"""What those are told who look at many games at once: mini boards, television, the games being played."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from game_core.color import Color
from game_core.events import Result
from game_core.leaps import LeapsWire
from realtime.protocol.wire_types import ClockWire, GameTermsWire, LiveGameWire, PlayerWire, Status


class MiniChangeWire(TypedDict):
    """What a mini board shows after something has happened; it takes the place of whatever came before."""

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
    """The same with what does not change; after ``sub``, and when a player is called something else."""

    players: dict[Color, PlayerWire]
    simul: str | None
    watchers: int


class TvWire(TypedDict):
    """``tv``: the game of every channel that has had one."""

    t: Literal["tv"]
    seq: int
    channels: dict[str, str]


class TvGameWire(TypedDict):
    """``tv.game``: a channel shows another game from now on."""

    t: Literal["tv.game"]
    seq: int
    channel: str
    g: str


TvEventWire = TvGameWire


class TvChannelsWire(TypedDict):
    """``GET /api/v1/tv``: by channel the game that it shows."""

    channels: dict[str, LiveGameWire]


class LiveCardsWire(TypedDict):
    """``GET /api/v1/live``."""

    games: list[LiveGameWire]


class OembedWire(TypedDict):
    """``GET /oembed``: as oembed.com says, of the type ``rich``."""

    version: Literal["1.0"]
    type: Literal["rich"]
    provider_name: str
    provider_url: str
    title: str
    html: str
    width: int
    height: int
    cache_age: NotRequired[int]
