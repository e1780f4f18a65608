"""Events of a simul beside its games: the only thing that changes who plays and where the host is.

Most events are rows of ``simul_event``, in order, written before anybody is told. ``Prepared`` has a table of its own,
because only its player may see it. ``CountdownOver`` is not stored: after a restart the countdown begins again. What
happens on the boards is in the journals of their games.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

from game_core.color import Color
from game_core.events import Result
from lobby.accounts.user import User
from simul.people import Person
from simul.score import Final, Score
from simul.setup import SimulSetup
from simul.wire import BoardEnd

Kept = Literal["log", "prepared", "nowhere"]
"""Where an event is stored before it is applied."""


class BoardSeat(msgspec.Struct, frozen=True):
    """A board to be created. Boards are numbered from 1 without gaps."""

    board: int
    game: str
    user: str
    """The player's id."""
    host: Color


class SimulEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """Base of all events. Instants are Unix ms."""

    kept: ClassVar[Kept] = "log"


class Created(SimulEvent, frozen=True, kw_only=True, tag="created"):
    id: str
    host: User
    setup: SimulSetup
    invited: tuple[User, ...] = ()
    stand_in: User | None = None
    at_ms: int


class Edited(SimulEvent, frozen=True, kw_only=True, tag="edited"):
    setup: SimulSetup
    invited: tuple[User, ...] | None = None
    """The invited people; None: unchanged."""
    stand_in: User | msgspec.UnsetType | None = msgspec.UNSET
    """The stand-in; None: nobody any more; unset: unchanged."""


class Invited(SimulEvent, frozen=True, kw_only=True, tag="invited"):
    user: User


class Arranged(SimulEvent, frozen=True, kw_only=True, tag="arranged"):
    """The host has set time or colour of ``user`` or of themselves: before the start, or time during a game."""

    user: str
    player_extra_s: int = 0
    host_extra_s: int = 0
    color: Color | None = None
    seq: int = 0
    """At a board: the last event of its game. After a crash it shows whether the time was added."""


class GiftTakenBack(SimulEvent, frozen=True, kw_only=True, tag="gift_taken_back"):
    """The game at ``board`` has refused added seconds of the player and the host; nobody has them."""

    board: int
    player_s: int = 0
    host_s: int = 0


class Noted(SimulEvent, frozen=True, kw_only=True, tag="noted"):
    """A note for the host alone; empty deletes it."""

    user: str
    note: str


class Joined(SimulEvent, frozen=True, kw_only=True, tag="joined"):
    person: Person


class Left(SimulEvent, frozen=True, kw_only=True, tag="left"):
    user: str


class Accepted(SimulEvent, frozen=True, kw_only=True, tag="accepted"):
    user: str


class Rejected(SimulEvent, frozen=True, kw_only=True, tag="rejected"):
    user: str


class Kicked(SimulEvent, frozen=True, kw_only=True, tag="kicked"):
    user: str


class Started(SimulEvent, frozen=True, kw_only=True, tag="started"):
    """The start. The games of ``seats`` are created in the same transaction."""

    seats: tuple[BoardSeat, ...]
    at_ms: int


class BoardAdded(SimulEvent, frozen=True, kw_only=True, tag="board"):
    """A late joiner gets a board. Its game is created in the same transaction."""

    seat: BoardSeat


class At(SimulEvent, frozen=True, kw_only=True, tag="at"):
    """The host arrives at ``board``, or has left for ``to``.

    ``seq`` and ``ply`` are those of the game, and ``host_ms`` is the host's one clock, at the arrival. After a crash
    they show whether the visit took place.
    """

    board: int | None
    to: int | None = None
    """Without ``board``: where the host goes next; None: undecided."""
    seq: int = 0
    ply: int = 0
    host_ms: int | None = None


class PutOff(SimulEvent, frozen=True, kw_only=True, tag="later"):
    board: int
    ply: int
    """In ``clock`` mode a board is put off until the host moves there: while its game has this many half-moves."""


class Break(SimulEvent, frozen=True, kw_only=True, tag="break"):
    """A break stops all clocks until ``until`` at the latest; None: it is over."""

    until: int | None


class Away(SimulEvent, frozen=True, kw_only=True, tag="away"):
    """Who plays for the host, and since when they are away; None: they are present.

    An older version reads only ``since``, and takes the acting host for the host.
    """

    since: int | None
    by_stand_in: bool = False
    """The stand-in plays for the host."""
    offered: bool = False
    """The host plays, and lets the stand-in take over."""


class TurnPassed(SimulEvent, frozen=True, kw_only=True, tag="passed"):
    board: int


class Adjudicated(SimulEvent, frozen=True, kw_only=True, tag="adjudicated"):
    """The host has ended the game at ``board``."""

    board: int
    result: Result


class Ending(SimulEvent, frozen=True, kw_only=True, tag="ending"):
    """The host has ended all live boards: ``boards`` one by one, all others by ``rest``."""

    rest: BoardEnd
    boards: dict[int, BoardEnd] = {}


class Cancelled(SimulEvent, frozen=True, kw_only=True, tag="cancelled"):
    at_ms: int


class Finished(SimulEvent, frozen=True, kw_only=True, tag="finished"):
    at_ms: int
    score: Score
    final: Final


class Prepared(SimulEvent, frozen=True, kw_only=True, tag="prepared"):
    """The player's prepared move; None withdraws it."""

    kept: ClassVar[Kept] = "prepared"

    board: int
    ply: int
    move: str | None


class CountdownOver(SimulEvent, frozen=True, kw_only=True, tag="countdown"):
    """The countdown at ``board`` is over: the player's clock is being started."""

    kept: ClassVar[Kept] = "nowhere"

    board: int


AnySimulEvent = (
    Created
    | Edited
    | Invited
    | Arranged
    | GiftTakenBack
    | Noted
    | Joined
    | Left
    | Accepted
    | Rejected
    | Kicked
    | Started
    | BoardAdded
    | At
    | PutOff
    | Break
    | Away
    | TurnPassed
    | Adjudicated
    | Ending
    | Cancelled
    | Finished
    | Prepared
    | CountdownOver
)


def encode_event(event: AnySimulEvent) -> tuple[str, dict[str, Any]]:
    """Return the kind and the payload of an event as they are stored."""
    payload: dict[str, Any] = msgspec.to_builtins(event, str_keys=True)
    return payload.pop("kind"), payload


def decode_event(kind: str, payload: dict[str, Any]) -> AnySimulEvent:
    """Rebuild a stored event: the inverse of ``encode_event``. Raises ``msgspec.ValidationError``."""
    return msgspec.convert({"kind": kind, **payload}, AnySimulEvent, str_keys=True)  # type: ignore[no-any-return]  # mypy cannot tell what a union converts to
