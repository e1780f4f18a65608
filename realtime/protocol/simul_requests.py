"""The requests about simuls, declared as in ``requests.py``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from game_core.color import Color
from game_core.events import Result
from realtime.protocol.permissions import BOARD, HOST, PLAY, Permission
from realtime.protocol.request_fields import ChangeRequest, Id, MoveText, Ply, RequestTypes
from simul import draft as d
from simul.wire import BoardEnd, HostColor, Mode

SIMUL_REQUESTS = RequestTypes()
"""All request types about simuls."""

BoardNumber = Annotated[int, Meta(ge=1, le=d.MAX_BOARDS)]
Instant = Annotated[int, Meta(ge=0, le=2**53)]
"""Unix ms."""
Person = Annotated[str, Meta(min_length=1, max_length=32)]
"""The name or id of a user."""
BoardKey = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,3}$")]
"""The number of a board as the key of a map."""


@SIMUL_REQUESTS.declare("simul.create", Permission("somebody", "host"))
class SimulCreate(ChangeRequest, frozen=True, kw_only=True):
    """Create a simul; the fields are those of ``simul.draft.Draft``."""

    name: d.Name
    tc: Any
    text: d.Text = ""
    game: d.Word = "chess"
    variant: d.Word = "standard"
    variants: Annotated[tuple[d.Offer, ...], Meta(min_length=1, max_length=d.MAX_OFFERS)] | None = None
    mode: Mode = "clock"
    host_color: HostColor = "alternating"
    host_tc: Any = None
    host_extra_s: d.ExtraS = 0
    host_extra_per_board_s: d.PerBoardS = 0
    countdown_s: d.CountdownS = 10
    passes: d.Passes = 3
    auto_next: bool = True
    rated: bool = False
    fen: d.Fen | None = None
    draws: Literal["free", "none"] | d.DrawMove = "free"
    max_boards: d.Boards = 100
    min_rating: d.Rating | None = None
    max_rating: d.Rating | None = None
    guests: bool | None = None
    members: bool = False
    invited: Annotated[tuple[d.Word, ...], Meta(max_length=d.MAX_BOARDS)] | None = None
    auto_accept: bool = False
    late_join: d.LateJoin | None = None
    away_limit_s: d.AwayLimitS = 600
    delay_s: d.DelayS = 0
    start_at: d.Instant | None = None


class OfSimul(ChangeRequest, frozen=True, kw_only=True):
    """Base of all requests about a simul."""

    simul: Id


@SIMUL_REQUESTS.declare("simul.edit", HOST)
class SimulEdit(OfSimul, frozen=True, kw_only=True):
    """Change the settings of a simul; with ``user`` or ``board``, those of one participant."""

    user: Person | None = None
    board: BoardNumber | None = None
    player_extra_s: d.ExtraS | None = None
    color: Color | UnsetType | None = UNSET
    note: d.Note | None = None
    name: d.Name | UnsetType = UNSET
    tc: Any = UNSET
    text: d.Text | UnsetType = UNSET
    game: d.Word | UnsetType = UNSET
    variant: d.Word | UnsetType = UNSET
    variants: Annotated[tuple[d.Offer, ...], Meta(min_length=1, max_length=d.MAX_OFFERS)] | UnsetType | None = UNSET
    mode: Mode | UnsetType = UNSET
    host_color: HostColor | UnsetType = UNSET
    host_tc: Any = UNSET
    host_extra_s: d.ExtraS | UnsetType = UNSET
    host_extra_per_board_s: d.PerBoardS | UnsetType = UNSET
    countdown_s: d.CountdownS | UnsetType = UNSET
    passes: d.Passes | UnsetType = UNSET
    auto_next: bool | UnsetType = UNSET
    rated: bool | UnsetType = UNSET
    fen: d.Fen | UnsetType | None = UNSET
    draws: Literal["free", "none"] | d.DrawMove | UnsetType = UNSET
    max_boards: d.Boards | UnsetType = UNSET
    min_rating: d.Rating | UnsetType | None = UNSET
    max_rating: d.Rating | UnsetType | None = UNSET
    guests: bool | UnsetType | None = UNSET
    members: bool | UnsetType = UNSET
    invited: Annotated[tuple[d.Word, ...], Meta(max_length=d.MAX_BOARDS)] | UnsetType | None = UNSET
    auto_accept: bool | UnsetType = UNSET
    late_join: d.LateJoin | UnsetType | None = UNSET
    away_limit_s: d.AwayLimitS | UnsetType = UNSET
    delay_s: d.DelayS | UnsetType = UNSET
    start_at: d.Instant | UnsetType | None = UNSET


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


@SIMUL_REQUESTS.declare("simul.at", HOST)
class SimulAt(OfSimul, frozen=True, kw_only=True):
    """The host moves to a board."""

    board: BoardNumber


@SIMUL_REQUESTS.declare("simul.next", HOST)
class SimulNext(OfSimul, frozen=True, kw_only=True):
    """The host moves to the next board."""


@SIMUL_REQUESTS.declare("simul.later", HOST)
class SimulLater(OfSimul, frozen=True, kw_only=True):
    """The host postpones a board."""

    board: BoardNumber


@SIMUL_REQUESTS.declare("simul.break", HOST)
class SimulBreak(OfSimul, frozen=True, kw_only=True):
    """Stop all clocks until ``until``; null: resume them."""

    until: Instant | None


@SIMUL_REQUESTS.declare("simul.adjudicate", HOST)
class SimulAdjudicate(OfSimul, frozen=True, kw_only=True):
    g: Id
    result: Result


@SIMUL_REQUESTS.declare("simul.end", HOST)
class SimulEnd(OfSimul, frozen=True, kw_only=True):
    """End all boards: those in ``boards`` as given there, all others by ``rest``."""

    rest: BoardEnd = "draw"
    boards: Annotated[dict[BoardKey, BoardEnd], Meta(max_length=d.MAX_BOARDS)] = msgspec.field(default_factory=dict)


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
