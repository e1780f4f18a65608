"""How the lobby looks on the wire where it shows games; seeks and challenges by themselves: ``lobby/wire/lobby.py``."""

from __future__ import annotations

from typing import Literal, TypedDict

from lobby.wire.lobby import LobbyAddWire, LobbyGoneWire, OpenSeeksWire
from realtime.protocol.wire_types import LiveGameWire
from simul.wire_lists import SimulCardWire


class LobbySnapshotWire(OpenSeeksWire):
    """After ``sub`` to ``lobby``; ``top`` are the best-rated games being played, the best first, ``simuls`` exhibitions
    that one may join, the newest first."""

    top: list[LiveGameWire]
    simuls: list[SimulCardWire]


class LobbyGameWire(TypedDict):
    """A game is new among the best, or has gone on; numbered."""

    t: Literal["lobby.game"]
    seq: int
    card: LiveGameWire


class LobbyGameGoneWire(TypedDict):
    """A game is not among the best any more, or over; numbered."""

    t: Literal["lobby.game_gone"]
    seq: int
    g: str


class LobbySimulWire(TypedDict):
    """An exhibition may be joined now, or something about it has changed; numbered."""

    t: Literal["lobby.simul"]
    seq: int
    card: SimulCardWire


class LobbySimulGoneWire(TypedDict):
    """An exhibition cannot be joined any more; numbered."""

    t: Literal["lobby.simul_gone"]
    seq: int
    simul: str


LobbyEventWire = LobbyAddWire | LobbyGoneWire | LobbyGameWire | LobbyGameGoneWire | LobbySimulWire | LobbySimulGoneWire
