"""Commands to a game, by a player or by the server.

Every command is a small frozen value. ``by`` is the requesting side. The caller has checked that the requester holds
that side.
"""

from typing import Literal

import msgspec

from game_core.color import Color
from game_core.events import Result

Wrong = Literal["position", "colors"]
"""What was wrong at the start of a game by the Laws."""


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
    """The last ``seq`` the client had seen. A move from before a takeback is stale."""
    claimed_lag_ms: int | None = None
    """The network lag that the client claims."""
    ceiling_ms: int = 0
    """The most lag that the server's own measurements allow."""


class Touch(Command, frozen=True):
    """By the Laws: touch the piece on ``square`` (4.3)."""

    by: Color
    square: str
    ply: int | None = None
    """Half-moves on the board; None is not checked."""
    seen: int | None = None
    """As in ``PlayMove``."""


class Signal(Command, frozen=True):
    """By the Laws: say that one adjusts pieces (4.2), or is done with it."""

    by: Color
    on: bool
    ply: int | None = None
    """As in ``Touch``, and ``seen``."""
    seen: int | None = None


class Press(Command, frozen=True):
    """By the Laws: press the clock after half-move number ``ply`` (6.7a). The other fields are as in ``PlayMove``."""

    by: Color
    ply: int
    move: str | None = None
    """The move that the press is to complete: if it was not made, nothing happens. Without it the clock is pressed
    whatever was made."""
    seen: int | None = None
    claimed_lag_ms: int | None = None
    ceiling_ms: int = 0


class ClaimIllegal(Command, frozen=True):
    """By the Laws: claim that the opponent's last move was illegal."""

    by: Color


class TakeSeat(Command, frozen=True):
    """By the Laws: the server has seen that a player is at the board. No effect if they came before."""

    by: Color


class Write(Command, frozen=True):
    """By the Laws: write half-move ``ply`` on one's own score sheet (8.1), with the piece letters of ``language``."""

    by: Color
    ply: int
    text: str
    language: str = "en"


class Sign(Command, frozen=True):
    """By the Laws: sign the result (8.7). No effect if one has signed."""

    by: Color


class Restart(Command, frozen=True):
    """By the Laws: offer, accept or decline to play anew, because the first position or the colours were wrong (7.1,
    7.2). ``next`` is the id of the new game if accepted."""

    by: Color
    do: Literal["offer", "accept", "decline"]
    what: Wrong
    next: str | None = None


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
    """For a claim, which has to be made in time like a move: as in ``PlayMove``."""


class Takeback(Command, frozen=True):
    by: Color
    do: Literal["offer", "accept", "decline"]


class GiveTime(Command, frozen=True):
    """Give the opponent ``seconds`` more. At least one of the two numbers is positive, and none is negative."""

    by: Color
    seconds: int
    own_s: int = 0
    """What ``by`` gives themselves: for the host of a simul with a clock at each board."""


class ClaimFlag(Command, frozen=True):
    """Claim that the opponent's time is out. ``ceiling_ms`` is that of the opponent's connection."""

    by: Color
    ceiling_ms: int = 0


class ClaimLeft(Command, frozen=True):
    """Claim the win or the draw because the opponent left ``gone_ms`` ago, as measured by the server."""

    by: Color
    what: Literal["win", "draw"]
    gone_ms: int
    """How long the opponent has been away; negative while present."""
    goodbye: bool = False
    """The opponent closed the page and did not merely lose the connection."""
    limit_ms: int | None = None
    """For the host of a simul: the absence the simul allows; None: no claim is possible yet."""


class Rematch(Command, frozen=True):
    """Offer, accept or decline a rematch. ``next`` is the id of the new game if accepted."""

    by: Color
    do: Literal["offer", "accept", "decline"]
    next: str | None = None


class Pause(Command, frozen=True):
    """Stop or restart the clocks of a game that allows it (against oneself or a robot)."""

    by: Color
    on: bool


class Expire(Command, frozen=True):
    """The server's timer: a flag has fallen, or a first move was not made in time."""

    ceiling_ms: int = 0
    """Lag ceiling of the connection of the player to move."""


class Resume(Command, frozen=True):
    """Let the clocks continue after a stall, a restart or a hand-over."""


# -- simuls: what the server asks of a board -------------------------------------------------------------


class Arrive(Command, frozen=True):
    """``round``: the host arrives at the board. No effect if they are there already.

    A participant to move plays the ``prepared`` move without being charged. If there is none, or it is illegal, the
    host waits for them (``StartClock``). Otherwise the host's time runs.
    """

    host_ms: int | None = None
    """Time left on the host's one clock for all boards; None without one, or with an allowance for each move."""
    prepared: str | None = None
    """The participant's move for this position, in wire notation."""


class StartClock(Command, frozen=True):
    """``round``: the countdown is over and the participant's time runs. No effect without a countdown."""


class Depart(Command, frozen=True):
    """``round``: the host leaves the board without a move. No effect if they are not there."""


class Hold(Command, frozen=True):
    """Stop the clocks for a break or an absence of the host. No effect if they are stopped for that or for more."""

    why: Literal["break", "host_away"]


class Release(Command, frozen=True):
    """End a ``Hold``: the clocks run or are held as before it. No effect without one."""


class Adjudicate(Command, frozen=True):
    """The host ends the game: as a draw, as a loss of the host, or without a result."""

    result: Result


class CallDead(Command, frozen=True):
    """The server has found that no series of legal moves lets either side win from here (5.2b)."""

    seq: int
    """The last event of the game at that position. After a later event the command has no effect."""
