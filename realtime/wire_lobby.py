"""How the lobby looks on the wire where it shows games; seeks and challenges by themselves: ``lobby/wire.py``."""

from __future__ import annotations

from typing import Literal, TypedDict

from lobby.wire import LobbyAddWire, LobbyGoneWire, OpenSeeksWire
from realtime.wire_types import LiveGameWire


class LobbySnapshotWire(OpenSeeksWire):
    """After ``sub`` to ``lobby``; ``top`` are the best-rated games being played, the best first."""

    top: list[LiveGameWire]


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


LobbyEventWire = LobbyAddWire | LobbyGoneWire | LobbyGameWire | LobbyGameGoneWire
