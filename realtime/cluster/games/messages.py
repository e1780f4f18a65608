"""Messages between nodes about games.

Only durations are sent between nodes, such as the age of an event or the time a player took. The receiver may run
another version of the server, so new fields need a default.
"""

from __future__ import annotations

from typing import Any

import msgspec

from game_core.color import Color
from game_core.events import AnyEvent, ClockReading
from lobby.accounts.user import User
from realtime.games.clocks.attendance import Attendance


class Attach(msgspec.Struct, frozen=True):
    """``game.attach``, to the owner: send the events of this game from now on."""

    g: str
    here: Attendance


class SeatSeen(msgspec.Struct, frozen=True):
    """A player as the owner sees them; ``gone_ms`` as in ``Seat``."""

    gone_ms: int
    goodbye: bool = False


class AttendanceReport(msgspec.Struct, frozen=True):
    """``game.crowd``, to attached nodes: the attendance.

    Attributes:
        others: number of spectators not connected to the receiver.
    """

    g: str
    white: SeatSeen
    black: SeatSeen
    others: int


class ReplicatedChatLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A chat line.

    Attributes:
        delayed: it was written among the spectators of the delayed view.
    """

    room: str
    user: User
    text: str
    at: int
    key: str | None = None
    delayed: bool = msgspec.field(default=False, name="late")


class Attached(msgspec.Struct, frozen=True):
    """``game.attached``, to a node that attaches: the state of the game. The events from now on follow.

    Attributes:
        seq: number of the last event.
        age_ms: time since that event was published.
        clock: the current clock; None: the game has none.
        turn_ms: start of the turn.
        here: listeners at the receiver, as far as the owner knows.
    """

    g: str
    seq: int
    age_ms: int
    turn_ms: int
    clock: ClockReading | None
    crowd: AttendanceReport
    lines: list[ReplicatedChatLine]
    here: Attendance | None = None


class GameRef(msgspec.Struct, frozen=True):
    """The id of a game. ``game.detach``: stop sending its events; ``game.elsewhere``: the sender does not own it;
    ``game.opened``: the receiver owns it and is to open it.
    """

    g: str


class GameRefs(msgspec.Struct, frozen=True, omit_defaults=True):
    """``game.mine``: the sender owns these games now. ``game.free``: it does so no longer."""

    games: list[str]


class ReattachRequest(msgspec.Struct, frozen=True):
    """``game.again``: the sender may have missed messages; attach again to all its games."""


class Events(msgspec.Struct, frozen=True):
    """``game.ev``: events that were just published; the first has number ``seq``."""

    g: str
    seq: int
    events: list[AnyEvent]


class ClocksHeld(msgspec.Struct, frozen=True):
    """``game.hold``: the clocks are held.

    Attributes:
        ago_ms: time since the hold began; None: it began with the last event.
    """

    g: str
    why: str
    ago_ms: int | None


class ChatMessage(msgspec.Struct, frozen=True):
    """``game.said``: a chat line was written."""

    g: str
    line: ReplicatedChatLine


class HintWanted(msgspec.Struct, frozen=True):
    """``game.hint``: the opponent of the robot of ``color``, which listens at the receiver, asks for a hint after
    ``ply`` half-moves."""

    g: str
    color: Color
    ply: int


class ListenerCount(msgspec.Struct, frozen=True):
    """``game.here``, to the owner: the number of listeners at the sender."""

    g: str
    here: Attendance


class GameRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """``game.ask``, to the owner: a request of a client about a game.

    Attributes:
        request: the request as it came, with a key.
        ceiling_ms: lag ceiling of the client's connection.
        seq: number of the last event shown to the client.
        spent_ms: time from that event to the receipt of the client's frame.
        age_ms: time since the frame was received.
    """

    g: str
    request: dict[str, Any]
    user: User
    ceiling_ms: int
    seq: int
    spent_ms: int
    age_ms: int


class GameReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer.

    Attributes:
        fields: fields of the ``ok``; None: the sender does not own the game.
        seq: number of the last event published before the answer.
    """

    fields: dict[str, Any] | None = None
    seq: int = 0


class BarrierPassed(msgspec.Struct, frozen=True):
    """Answer to ``game.barrier``: all that was received here before it has been sent on."""


class GameCreated(msgspec.Struct, frozen=True, omit_defaults=True):
    """``game.begun``: a game was created."""

    g: str
    white: str
    black: str
    created_ms: int
    host: str | None = None
    has_delayed_end: bool = msgspec.field(default=False, name="is_delayed")
    is_real_time: bool = False
