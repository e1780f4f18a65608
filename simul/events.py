"""What happens to an exhibition, beside its games: the only thing that changes who plays, and where the host is.

Most events are rows of ``simul_event``, in their order, written before anybody is told. ``Prepared`` is kept in a place
of its own, for only its player may know; ``CountdownOver`` is nowhere, for after a restart the countdown begins anew.
What happens at the boards is in the logs of their games.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

from game_core.color import Color
from game_core.events import Result
from lobby.accounts.user import User
from simul.people import Person
from simul.score import Final, Score
from simul.setup import Setup
from simul.wire import BoardEnd

Kept = Literal["log", "prepared", "nowhere"]
"""Where an event is stored before it counts."""


class Seat(msgspec.Struct, frozen=True):
    """A board that begins. Boards have numbers from 1, without gaps."""

    board: int
    game: str
    user: str
    """The player's id."""
    host: Color


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """Base of all events. Instants are Unix ms."""

    kept: ClassVar[Kept] = "log"


class Created(Event, frozen=True, kw_only=True, tag="created"):
    id: str
    host: User
    setup: Setup
    invited: tuple[User, ...] = ()
    at_ms: int


class Edited(Event, frozen=True, kw_only=True, tag="edited"):
    setup: Setup
    invited: tuple[User, ...] | None = None
    """Who is invited now; None: as before."""


class Invited(Event, frozen=True, kw_only=True, tag="invited"):
    user: User


class Arranged(Event, frozen=True, kw_only=True, tag="arranged"):
    """The host has given ``user`` or himself time, or chosen the colour; before the start, or time at his board."""

    user: str
    player_extra_s: int = 0
    host_extra_s: int = 0
    color: Color | None = None
    seq: int = 0
    """At a board: the last event of its game. After a crash it tells whether he has got his time."""


class GiftTakenBack(Event, frozen=True, kw_only=True, tag="gift_taken_back"):
    """The game at ``board`` has refused so many seconds for the player and the host: nobody has been given them."""

    board: int
    player_s: int = 0
    host_s: int = 0


class Noted(Event, frozen=True, kw_only=True, tag="noted"):
    """For the host alone; empty takes the note away."""

    user: str
    note: str


class Joined(Event, frozen=True, kw_only=True, tag="joined"):
    person: Person


class Left(Event, frozen=True, kw_only=True, tag="left"):
    user: str


class Accepted(Event, frozen=True, kw_only=True, tag="accepted"):
    user: str


class Rejected(Event, frozen=True, kw_only=True, tag="rejected"):
    user: str


class Kicked(Event, frozen=True, kw_only=True, tag="kicked"):
    user: str


class Started(Event, frozen=True, kw_only=True, tag="started"):
    """The games of ``seats`` are made in the same transaction."""

    seats: tuple[Seat, ...]
    at_ms: int


class BoardAdded(Event, frozen=True, kw_only=True, tag="board"):
    """Somebody who came late sits down; his game is made in the same transaction."""

    seat: Seat


class At(Event, frozen=True, kw_only=True, tag="at"):
    """The host comes to ``board``, or has left for ``to``.

    ``seq`` and ``ply`` are those of its game and ``host_ms`` is the host's one clock as he came: from them it is known
    after a crash whether he has been there.
    """

    board: int | None
    to: int | None = None
    """With no ``board``: where he goes once he has left the one he was at; None: he has not said."""
    seq: int = 0
    ply: int = 0
    host_ms: int | None = None


class PutOff(Event, frozen=True, kw_only=True, tag="later"):
    board: int
    ply: int
    """In ``clock`` mode it is put off until the host moves: as long as its game has so many half-moves."""


class Break(Event, frozen=True, kw_only=True, tag="break"):
    """All clocks stand until ``until`` at the latest; None: they go on."""

    until: int | None


class Away(Event, frozen=True, kw_only=True, tag="away"):
    """The host is away since ``since``; None: he is back."""

    since: int | None


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    board: int


class Adjudicated(Event, frozen=True, kw_only=True, tag="adjudicated"):
    """The host ends the game at ``board``."""

    board: int
    result: Result


class Ending(Event, frozen=True, kw_only=True, tag="ending"):
    """The host ends all that is played: board by board, the others by ``rest``."""

    rest: BoardEnd
    boards: dict[int, BoardEnd] = {}


class Cancelled(Event, frozen=True, kw_only=True, tag="cancelled"):
    at_ms: int


class Finished(Event, frozen=True, kw_only=True, tag="finished"):
    at_ms: int
    score: Score
    final: Final


class Prepared(Event, frozen=True, kw_only=True, tag="prepared"):
    """The player's move for when the host comes; None takes it back."""

    kept: ClassVar[Kept] = "prepared"

    board: int
    ply: int
    move: str | None


class CountdownOver(Event, frozen=True, kw_only=True, tag="countdown"):
    """The player at ``board`` has been waited for: his clock is being started."""

    kept: ClassVar[Kept] = "nowhere"

    board: int


AnyEvent = (
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
    | Passed
    | Adjudicated
    | Ending
    | Cancelled
    | Finished
    | Prepared
    | CountdownOver
)


def encode_event(event: AnyEvent) -> tuple[str, dict[str, Any]]:
    """The kind of an event and the rest of it, as they are stored."""
    payload: dict[str, Any] = msgspec.to_builtins(event, str_keys=True)
    return payload.pop("kind"), payload


def decode_event(kind: str, payload: dict[str, Any]) -> AnyEvent:
    """The inverse of ``encode_event``. Raises ``msgspec.ValidationError``."""
    return msgspec.convert({"kind": kind, **payload}, AnyEvent, str_keys=True)  # type: ignore[no-any-return]  # mypy cannot tell what a union converts to
