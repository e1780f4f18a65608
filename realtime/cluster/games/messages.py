"""What nodes say to each other about games.

Between two nodes only durations travel: how long ago something was shown, how long a player took. Whoever gets such a
message may be of another version of the server, so what is added has a default.
"""

from __future__ import annotations

from typing import Any

import msgspec

from game_core.events import AnyEvent, ClockReading
from lobby.accounts.user import User
from realtime.games.attendance import Attendance


class Attach(msgspec.Struct, frozen=True):
    """``game.attach``, to the owner: tell me of this game from now on."""

    g: str
    here: Attendance


class SeatSeen(msgspec.Struct, frozen=True):
    """A player as the owner knows him; ``gone_ms`` as of ``Seat``."""

    gone_ms: int
    goodbye: bool = False


class Crowd(msgspec.Struct, frozen=True):
    """``game.crowd``, to who has attached: who is here.

    Attributes:
        others: how many watch elsewhere than at the node that is told.
    """

    g: str
    white: SeatSeen
    black: SeatSeen
    others: int


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of chat.

    Attributes:
        late: it was written among those who see the game later.
    """

    room: str
    user: User
    text: str
    at: int
    key: str | None = None
    late: bool = False


class Attached(msgspec.Struct, frozen=True):
    """``game.attached``, to who wants to attach: how it stands. What happens from now on he is told.

    Attributes:
        seq: of the last event.
        age_ms: how long ago that was published.
        clock: as it stands now; None: there is none.
        turn_ms: since when the turn lasts.
        here: who listens at the node that is told, as the owner has it.
    """

    g: str
    seq: int
    age_ms: int
    turn_ms: int
    clock: ClockReading | None
    crowd: Crowd
    lines: list[Said]
    here: Attendance | None = None


class Game(msgspec.Struct, frozen=True):
    """A game by its id. ``game.detach``: tell me no more; ``game.elsewhere``: I do not own it;
    ``game.opened``: it is yours, open it."""

    g: str


class Games(msgspec.Struct, frozen=True, omit_defaults=True):
    """``game.mine``: I own them now. ``game.free``: I own them no more."""

    games: list[str]


class Again(msgspec.Struct, frozen=True):
    """``game.again``: I may have missed something; attach again to all that is mine."""


class Events(msgspec.Struct, frozen=True):
    """``game.ev``: these were published just now, the first with number ``seq``."""

    g: str
    seq: int
    events: list[AnyEvent]


class Hold(msgspec.Struct, frozen=True):
    """``game.hold``: the clocks stand.

    Attributes:
        ago_ms: since when; None: since the last event.
    """

    g: str
    why: str
    ago_ms: int | None


class Spoken(msgspec.Struct, frozen=True):
    """``game.said``: somebody has written."""

    g: str
    line: Said


class Present(msgspec.Struct, frozen=True):
    """``game.here``, to the owner: so many listen here now."""

    g: str
    here: Attendance


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """``game.ask``, to the owner: somebody asks this of a game.

    Attributes:
        request: as it came.
        ceiling_ms: lag ceiling of his connection.
        seq: of the last event that he was shown.
        spent_ms: how long after that his frame was received.
        age_ms: how long ago it was received.
    """

    g: str
    request: dict[str, Any]
    user: User
    ceiling_ms: int
    seq: int
    spent_ms: int
    age_ms: int


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is answered.

    Attributes:
        fields: of the ``ok``; None: the game is not ours.
        seq: of the last event that was published before.
    """

    fields: dict[str, Any] | None = None
    seq: int = 0


class Passed(msgspec.Struct, frozen=True):
    """Answers ``game.barrier``: whatever was received here before it has been sent on."""


class Begun(msgspec.Struct, frozen=True, omit_defaults=True):
    """``game.begun``: a game was made."""

    g: str
    white: str
    black: str
    created_ms: int
    host: str | None = None
    is_delayed: bool = False
