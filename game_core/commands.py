"""What a player, or the server itself, may ask of a game.

Every command is a small frozen value. ``by`` is the side that asks; the caller has already made
sure that the person asking holds that side.
"""

from typing import Literal

import msgspec

from game_core.color import Color
from game_core.events import Result


class Command(msgspec.Struct, frozen=True):
    """Base of all commands."""


class PlayMove(Command, frozen=True):
    """Play ``move`` (wire notation) as half-move number ``ply`` (0 for the first)."""

    by: Color
    move: str
    ply: int
    draw: bool = False
    """Offer a draw with the move."""
    seen: int | None = None
    """The last ``seq`` the client had seen; older than a takeback makes the move stale."""
    claimed_lag_ms: int | None = None
    """What the client says its network cost it."""
    ceiling_ms: int = 0
    """What the server's own measurements say it can have cost at most."""


class Resign(Command, frozen=True):
    by: Color


class Abort(Command, frozen=True):
    by: Color


class Draw(Command, frozen=True):
    """Offer, accept, decline or claim a draw; a claim may name the intended ``move`` (Article 9.2a, 9.3a)."""

    by: Color
    do: Literal["offer", "accept", "decline", "claim"]
    move: str | None = None
    ceiling_ms: int = 0
    """For a claim, which has to be made in time like a move: as for ``PlayMove``."""


class Takeback(Command, frozen=True):
    by: Color
    do: Literal["offer", "accept", "decline"]


class GiveTime(Command, frozen=True):
    """Give the opponent ``seconds`` more. Of both numbers at least one is above zero, and none below."""

    by: Color
    seconds: int
    own_s: int = 0
    """What ``by`` gives himself; for the host of an exhibition, where he has a clock at each board."""


class ClaimFlag(Command, frozen=True):
    """The opponent's time is out, says ``by``. ``ceiling_ms`` is that of the opponent's connection."""

    by: Color
    ceiling_ms: int = 0


class ClaimLeft(Command, frozen=True):
    """The opponent left ``gone_ms`` ago, says the server; ``by`` wants the win or the draw."""

    by: Color
    what: Literal["win", "draw"]
    gone_ms: int
    """How long the opponent has been away; negative when he is here."""
    goodbye: bool = False
    """He closed the page; he did not merely lose the connection."""
    limit_ms: int | None = None
    """For the host of an exhibition, who may be away for as long as that allows; None: there is no claim yet."""


class Rematch(Command, frozen=True):
    """Offer, accept or decline another game; ``next`` is the id the new game gets when accepted."""

    by: Color
    do: Literal["offer", "accept", "decline"]
    next: str | None = None


class Pause(Command, frozen=True):
    """Stop or restart the clocks of a game that allows it (against oneself or a robot)."""

    by: Color
    on: bool


class Expire(Command, frozen=True):
    """The server's timer: a flag that fell, or a first move that never came."""

    ceiling_ms: int = 0
    """Of the connection of the player to move."""


class Resume(Command, frozen=True):
    """The server lets the clocks go on after a stall, a restart or a hand-over."""


# -- exhibitions: what the server asks of a board -------------------------------------------------------------


class Arrive(Command, frozen=True):
    """``round``: the host comes to the board. Nothing happens if he is there already.

    A participant who is to move plays what he has ``prepared``, without being charged; one who has nothing, or no legal
    move, is waited for (``StartClock``). Then, or at once, the host's time runs.
    """

    host_ms: int | None = None
    """What the host has left on his one clock for all boards; None where he has none, or time for each move."""
    prepared: str | None = None
    """The participant's move for this position, wire notation."""


class StartClock(Command, frozen=True):
    """``round``: the countdown is over, the participant's time runs. Nothing happens if there is none."""


class Depart(Command, frozen=True):
    """``round``: the host goes from the board without a move. Nothing happens if he is not there."""


class Hold(Command, frozen=True):
    """Stop the clocks for a break, or because the host is away. Nothing happens if they stand for that, or for more."""

    why: Literal["break", "host_away"]


class Release(Command, frozen=True):
    """End a ``Hold``: the clocks stand or run as they did before it. Nothing happens without one."""


class Adjudicate(Command, frozen=True):
    """The host ends the game: drawn, lost by him, or without a result; never won by him."""

    result: Result


class CallDead(Command, frozen=True):
    """The server has found out that no series of legal moves lets either side win from here (5.2b)."""

    seq: int
    """The last event of the game when that was said of its position: after another one it is not said."""
