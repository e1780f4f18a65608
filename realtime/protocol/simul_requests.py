"""What a client may ask of simuls: one frozen value a request type, as in ``requests.py``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from game_core.color import Color
from game_core.events import Result
from realtime.protocol.request_fields import Change, Id, MoveText, Ply
from simul import draft as d
from simul.wire import BoardEnd, HostColor, Mode

BoardNumber = Annotated[int, Meta(ge=1, le=d.MAX_BOARDS)]
Instant = Annotated[int, Meta(ge=0, le=2**53)]
"""Unix ms."""
Person = Annotated[str, Meta(min_length=1, max_length=32)]
"""A name, or an id."""
BoardKey = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,3}$")]
"""The number of a board where it is the name of a field."""


class SimulCreate(Change, frozen=True, kw_only=True):
    """Announce a simul; the fields are those of ``simul.draft.Draft``."""

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


class OfSimul(Change, frozen=True, kw_only=True):
    """Base of all that concern one simul."""

    simul: Id


class SimulEdit(OfSimul, frozen=True, kw_only=True):
    """Announce it otherwise; with ``user`` or ``board`` what is arranged for one person."""

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


class SimulInvite(OfSimul, frozen=True, kw_only=True):
    user: Person


class SimulJoin(OfSimul, frozen=True, kw_only=True):
    game: d.Word | None = None
    variant: d.Word | None = None


class SimulLeave(OfSimul, frozen=True, kw_only=True):
    pass


class SimulAccept(OfSimul, frozen=True, kw_only=True):
    user: Person


class SimulAcceptAll(OfSimul, frozen=True, kw_only=True):
    pass


class SimulReject(OfSimul, frozen=True, kw_only=True):
    user: Person


class SimulKick(OfSimul, frozen=True, kw_only=True):
    user: Person


class SimulStart(OfSimul, frozen=True, kw_only=True):
    pass


class SimulCancel(OfSimul, frozen=True, kw_only=True):
    pass


class SimulAt(OfSimul, frozen=True, kw_only=True):
    """The host goes to a board."""

    board: BoardNumber


class SimulNext(OfSimul, frozen=True, kw_only=True):
    """The host goes on."""


class SimulLater(OfSimul, frozen=True, kw_only=True):
    """The host puts a board off."""

    board: BoardNumber


class SimulBreak(OfSimul, frozen=True, kw_only=True):
    """All clocks stand until ``until``; null: they go on."""

    until: Instant | None


class SimulAdjudicate(OfSimul, frozen=True, kw_only=True):
    g: Id
    result: Result


class SimulEnd(OfSimul, frozen=True, kw_only=True):
    """End all boards: those named so, the others by ``rest``."""

    rest: BoardEnd = "draw"
    boards: Annotated[dict[BoardKey, BoardEnd], Meta(max_length=d.MAX_BOARDS)] = msgspec.field(default_factory=dict)


class SimulPrepare(OfSimul, frozen=True, kw_only=True):
    """A player's move for when the host comes; null takes it back."""

    g: Id
    ply: Ply
    move: MoveText | None


class SimulPass(OfSimul, frozen=True, kw_only=True):
    """A player lets the host go on."""

    g: Id


SIMUL_REQUESTS: dict[str, type[Change]] = {
    "simul.create": SimulCreate,
    "simul.edit": SimulEdit,
    "simul.invite": SimulInvite,
    "simul.join": SimulJoin,
    "simul.leave": SimulLeave,
    "simul.accept": SimulAccept,
    "simul.accept_all": SimulAcceptAll,
    "simul.reject": SimulReject,
    "simul.kick": SimulKick,
    "simul.start": SimulStart,
    "simul.cancel": SimulCancel,
    "simul.at": SimulAt,
    "simul.next": SimulNext,
    "simul.later": SimulLater,
    "simul.break": SimulBreak,
    "simul.adjudicate": SimulAdjudicate,
    "simul.end": SimulEnd,
    "simul.prepare": SimulPrepare,
    "simul.pass": SimulPass,
}
"""Every request type about simuls and its name on the wire."""
