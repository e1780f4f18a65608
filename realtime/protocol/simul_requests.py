"""The requests about simuls, declared as in ``requests.py``."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from game_core.color import Color
from game_core.events import Result
from realtime.protocol.permissions import ACTING_HOST, BOARD, HOST, PLAY, STAND_IN, Permission
from realtime.protocol.request_fields import ChangeRequest, Id, MoveText, Ply, RequestTypes, with_fields
from simul import draft as d
from simul.wire import BoardEnd

SIMUL_REQUESTS = RequestTypes()
"""All request types about simuls."""

BoardNumber = Annotated[int, Meta(ge=1, le=d.MAX_BOARDS)]
Instant = Annotated[int, Meta(ge=0, le=2**53)]
"""Unix ms."""
Person = Annotated[str, Meta(min_length=1, max_length=32)]
"""The name or id of a user."""
BoardKey = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,3}$")]
"""The number of a board as the key of a map."""

RobotLevel = Annotated[int, Meta(ge=1, le=8)]

_DRAFT = msgspec.structs.fields(d.Draft)


@SIMUL_REQUESTS.declare("simul.create", Permission("somebody", "host"))
@with_fields((field.name, field.type, msgspec.field(default=field.default)) for field in _DRAFT)
class SimulCreate(ChangeRequest, frozen=True, kw_only=True):
    """Create a simul."""

    stand_in: Person | None = None


class OfSimul(ChangeRequest, frozen=True, kw_only=True):
    """Base of all requests about a simul."""

    simul: Id


@SIMUL_REQUESTS.declare("simul.edit", HOST)
@with_fields((field.name, field.type | UnsetType, UNSET) for field in _DRAFT)
class SimulEdit(OfSimul, frozen=True, kw_only=True):
    """Change the settings of a simul; with ``user`` or ``board``, those of one participant."""

    stand_in: Person | UnsetType | None = UNSET
    user: Person | None = None
    board: BoardNumber | None = None
    player_extra_s: d.ExtraS | None = None
    color: Color | UnsetType | None = UNSET
    note: d.Note | None = None


@SIMUL_REQUESTS.declare("simul.invite", HOST)
class SimulInvite(OfSimul, frozen=True, kw_only=True):
    user: Person


@SIMUL_REQUESTS.declare("simul.join", PLAY)
class SimulJoin(OfSimul, frozen=True, kw_only=True):
    game: d.Word | None = None
    variant: d.Word | None = None


@SIMUL_REQUESTS.declare("simul.leave", PLAY)
class SimulLeave(OfSimul, frozen=True, kw_only=True):
    pass


@SIMUL_REQUESTS.declare("simul.accept", HOST)
class SimulAccept(OfSimul, frozen=True, kw_only=True):
    user: Person


@SIMUL_REQUESTS.declare("simul.accept_all", HOST)
class SimulAcceptAll(OfSimul, frozen=True, kw_only=True):
    pass


@SIMUL_REQUESTS.declare("simul.add_robots", HOST)
class SimulAddRobots(OfSimul, frozen=True, kw_only=True):
    """The host fills empty boards with robots of about this level."""

    level: RobotLevel


@SIMUL_REQUESTS.declare("simul.reject", HOST)
class SimulReject(OfSimul, frozen=True, kw_only=True):
    user: Person


@SIMUL_REQUESTS.declare("simul.kick", HOST)
class SimulKick(OfSimul, frozen=True, kw_only=True):
    user: Person


@SIMUL_REQUESTS.declare("simul.start", HOST)
class SimulStart(OfSimul, frozen=True, kw_only=True):
    pass


@SIMUL_REQUESTS.declare("simul.cancel", HOST)
class SimulCancel(OfSimul, frozen=True, kw_only=True):
    pass


@SIMUL_REQUESTS.declare("simul.at", ACTING_HOST)
class SimulAt(OfSimul, frozen=True, kw_only=True):
    """The host moves to a board."""

    board: BoardNumber


@SIMUL_REQUESTS.declare("simul.next", ACTING_HOST)
class SimulNext(OfSimul, frozen=True, kw_only=True):
    """The host moves to the next board."""


@SIMUL_REQUESTS.declare("simul.later", ACTING_HOST)
class SimulLater(OfSimul, frozen=True, kw_only=True):
    """The host postpones a board."""

    board: BoardNumber


@SIMUL_REQUESTS.declare("simul.break", ACTING_HOST)
class SimulBreak(OfSimul, frozen=True, kw_only=True):
    """Stop all clocks until ``until``; null: resume them."""

    until: Instant | None


@SIMUL_REQUESTS.declare("simul.adjudicate", ACTING_HOST)
class SimulAdjudicate(OfSimul, frozen=True, kw_only=True):
    g: Id
    result: Result


@SIMUL_REQUESTS.declare("simul.end", HOST)
class SimulEnd(OfSimul, frozen=True, kw_only=True):
    """End all boards: those in ``boards`` as given there, all others by ``rest``."""

    rest: BoardEnd = "draw"
    boards: Annotated[dict[BoardKey, BoardEnd], Meta(max_length=d.MAX_BOARDS)] = msgspec.field(default_factory=dict)


@SIMUL_REQUESTS.declare("simul.hand_over", STAND_IN)
class SimulHandOver(OfSimul, frozen=True, kw_only=True):
    """The host lets the stand-in take over; or the stand-in who plays gives the simul back."""


@SIMUL_REQUESTS.declare("simul.take_over", STAND_IN)
class SimulTakeOver(OfSimul, frozen=True, kw_only=True):
    """The stand-in plays for the host, who is away or has handed over; or the host takes the simul back."""


@SIMUL_REQUESTS.declare("simul.prepare", BOARD)
class SimulPrepare(OfSimul, frozen=True, kw_only=True):
    """Prepare a participant's move, played when the host arrives; null cancels it."""

    g: Id
    ply: Ply
    move: MoveText | None


@SIMUL_REQUESTS.declare("simul.pass", BOARD)
class SimulPass(OfSimul, frozen=True, kw_only=True):
    """Pass: the participant lets the host move on."""

    g: Id
