"""Wire types of games and simuls in the lobby. Seeks and challenges are in ``lobby/wire/lobby.py``."""

from __future__ import annotations

from typing import Literal, TypedDict

from lobby.wire.lobby import LobbyAddWire, LobbyGoneWire, OpenSeeksWire
from realtime.protocol.wire_types import LiveGameWire
from simul.wire_lists import SimulCardWire


class LobbySnapshotWire(OpenSeeksWire):
    """Sent after ``sub`` to ``lobby``. ``top`` are the best-rated games in play, best first; ``simuls`` are those open
    to join, newest first."""

    top: list[LiveGameWire]
    simuls: list[SimulCardWire]


class LobbyGameWire(TypedDict):
    """A game that is new among the best, or has changed; numbered."""

    t: Literal["lobby.game"]
    seq: int
    card: LiveGameWire


class LobbyGameGoneWire(TypedDict):
    """A game that is not among the best any more, or is over; numbered."""

    t: Literal["lobby.game_gone"]
    seq: int
    g: str


class LobbySimulWire(TypedDict):
    """A simul that may be joined now, or has changed; numbered."""

    t: Literal["lobby.simul"]
    seq: int
    card: SimulCardWire


class LobbySimulGoneWire(TypedDict):
    """A simul that cannot be joined any more; numbered."""

    t: Literal["lobby.simul_gone"]
    seq: int
    simul: str


LobbyEventWire = LobbyAddWire | LobbyGoneWire | LobbyGameWire | LobbyGameGoneWire | LobbySimulWire | LobbySimulGoneWire
