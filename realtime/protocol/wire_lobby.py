"""Wire types of games and simuls in the lobby. Seeks and challenges are in ``lobby/wire/lobby.py``."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from lobby.wire.lobby import LobbyAddWire, LobbyGoneWire, OpenSeeksWire, RobotsWire, WaiterWire
from realtime.protocol.wire_types import LiveGameWire
from simul.wire_lists import SimulCardWire


class LobbySnapshotWire(OpenSeeksWire):
    """Sent after ``sub`` to ``lobby``. ``top`` are the best-rated games in play, best first; ``simuls`` are those open
    to join, newest first; ``waiters`` are people in casual pools, longest waiting first. ``pools`` maps each pool to
    three numbers: people who wait for a casual game, people who wait for a rated one, and games in play. ``robots`` is
    null while no robot plays."""

    top: list[LiveGameWire]
    simuls: list[SimulCardWire]
    waiters: list[WaiterWire]
    pools: dict[str, list[int]]
    robots: NotRequired[RobotsWire | None]


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


class LobbyWaiterWire(TypedDict):
    """A person who waits in a casual pool now, or whose card has changed; numbered."""

    t: Literal["lobby.waiter"]
    seq: int
    card: WaiterWire


class LobbyWaiterGoneWire(TypedDict):
    """A person who cannot be taken from a casual pool any more; numbered."""

    t: Literal["lobby.waiter_gone"]
    seq: int
    user: str


class LobbyRobotsWire(TypedDict):
    """Robots have come, have gone, or play other games; numbered."""

    t: Literal["lobby.robots"]
    seq: int
    robots: RobotsWire | None


LobbyEventWire = (
    LobbyAddWire
    | LobbyGoneWire
    | LobbyGameWire
    | LobbyGameGoneWire
    | LobbySimulWire
    | LobbySimulGoneWire
    | LobbyWaiterWire
    | LobbyWaiterGoneWire
    | LobbyRobotsWire
)
