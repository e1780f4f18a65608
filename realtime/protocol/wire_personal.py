"""Wire types of messages to one person, on all their sockets."""

from __future__ import annotations

from typing import Literal, TypedDict

from lobby.wire.lobby import (
    ChallengeAwayWire,
    ChallengeGoneWire,
    ChallengeWire,
    PairedWire,
    PoolGoneWire,
    PoolWire,
    UserWire,
)
from lobby.wire.moderation import NoticeWire


class SimulHostingWire(TypedDict):
    """All running simuls that the person hosts, or plays or may take over as the stand-in; sent when they change."""

    t: Literal["simul.hosting"]
    simuls: list[str]


class SimulStandInWire(TypedDict):
    """The host has named the person the stand-in of a simul, which has this name."""

    t: Literal["simul.stand_in"]
    simul: str
    name: str
    host: UserWire


PersonalWire = (
    PairedWire
    | ChallengeWire
    | ChallengeGoneWire
    | ChallengeAwayWire
    | PoolWire
    | PoolGoneWire
    | NoticeWire
    | SimulHostingWire
    | SimulStandInWire
)
