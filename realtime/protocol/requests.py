"""The requests of clients: one frozen struct for each request type, declared with its name and permission.

A codec decodes a message to a map; ``decode_request`` converts it to a typed request or reports the invalid field.
Unknown fields are ignored, because newer clients may send them.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from game_core.errors import Refusal
from lobby.errors import BadMessage
from lobby.wire.lobby import DeclineReason, PoolName, Profile
from realtime.protocol.permissions import ANYBODY, OWNER, PLAY, READ, RECIPIENT, ROBOT, SEAT, Permission
from realtime.protocol.request_fields import (
    SAFE_INT,
    ChangeRequest,
    DelayMoves,
    DelayS,
    Id,
    Key,
    MoveText,
    Name,
    Ply,
    Rating,
    Request,
    RequestTypes,
    Seq,
    Topic,
)
from realtime.protocol.simul_requests import SIMUL_REQUESTS

REQUESTS = RequestTypes()
"""Every request type of the protocol."""

Better = Literal["w", "b", "equal"]
"""The side that is better."""

PRIVATE_TOPIC = "user"
"""The topic for which ``sub`` requires a session or a token."""


@REQUESTS.declare("ping", ANYBODY)
class Ping(Request, frozen=True, kw_only=True):
    """Answered with ``now``."""


@REQUESTS.declare("sub", ANYBODY)
class Sub(Request, frozen=True, kw_only=True):
    topic: Topic
    from_seq: Seq | None = msgspec.field(name="from", default=None)
    """The last ``seq`` seen; only what came after is sent."""
    ticks: bool = True
    legal: bool = False
    laws: bool = False
    """The client can play by the Laws as played over a board."""
    position: bool = False
    """Only the data of a mini board."""

    def needs(self) -> Permission:
        """Return the required permission; the private topic requires more."""
        return READ if self.topic == PRIVATE_TOPIC else self.permission


@REQUESTS.declare("unsub", ANYBODY)
class Unsub(Request, frozen=True, kw_only=True):
    topic: Topic


class Terms(ChangeRequest, frozen=True, kw_only=True):
    """The terms of the game in a seek or a challenge."""

    tc: Any
    """Required; null means no clock. Not validated here: ``game_core.time_control`` parses it."""
    game: Name = "chess"
    variant: Name = "standard"
    rated: bool = False
    color: Literal["w", "b", "random"] = "random"
    min_rating: Rating | None = None
    max_rating: Rating | None = None
    rules: Profile = "online"
    position: Annotated[int, Meta(ge=0, le=959)] | None = None
    """The number of the chess960 start position (Scharnagl's numbering); null: a random one."""
    delay_s: DelayS = 0
    """The public delay in seconds."""
    delay_moves: DelayMoves = 0
    """The public delay in moves of both sides; an alternative to ``delay_s``."""
    laws: Any = None
    """How the Laws as played over a board are applied. Not validated here: ``game_core.laws.terms`` parses it."""


@REQUESTS.declare("seek", PLAY)
class Seek(Terms, frozen=True, kw_only=True):
    """Create a seek, or be paired at once with a matching one."""


@REQUESTS.declare("unseek", OWNER)
class Unseek(ChangeRequest, frozen=True, kw_only=True):
    seek: Id


@REQUESTS.declare("accept", PLAY)
class Accept(ChangeRequest, frozen=True, kw_only=True):
    seek: Id
    laws: bool = False


@REQUESTS.declare("challenge", PLAY)
class Challenge(Terms, frozen=True, kw_only=True):
    to: Name | None = None
    """A user name, ``robot`` or ``self``; null: an open challenge, by link."""
    level: Annotated[int, Meta(ge=1, le=8)] | None = None
    fen: Annotated[str, Meta(min_length=1, max_length=256)] | None = None
    opponent_tc: Any = None
    """The opponent's control, as ``tc``; null: the same for both."""
    hints: bool = False
    """Against robots of levels 1 to 4: the challenger may ask for hints."""


@REQUESTS.declare("challenge.accept", RECIPIENT)
class ChallengeAccept(ChangeRequest, frozen=True, kw_only=True):
    challenge: Id
    laws: bool = False


@REQUESTS.declare("challenge.decline", RECIPIENT)
class ChallengeDecline(ChangeRequest, frozen=True, kw_only=True):
    challenge: Id
    reason: DeclineReason = "generic"


@REQUESTS.declare("challenge.cancel", OWNER)
class ChallengeCancel(ChangeRequest, frozen=True, kw_only=True):
    challenge: Id


@REQUESTS.declare("pool.join", PLAY)
class PoolJoin(ChangeRequest, frozen=True, kw_only=True):
    """Wait for an opponent in a pool, and leave any other pool."""

    pool: PoolName
    rated: bool = False
    game: Name = "chess"
    variant: Name = "standard"


@REQUESTS.declare("pool.take", PLAY)
class PoolTake(ChangeRequest, frozen=True, kw_only=True):
    """Play a person who waits in a casual pool, without waiting for the next pairing."""

    user: Id
    pool: PoolName
    game: Name = "chess"
    variant: Name = "standard"


@REQUESTS.declare("pool.leave", PLAY)
class PoolLeave(ChangeRequest, frozen=True, kw_only=True):
    """Leave the pool."""


class OfGame(ChangeRequest, frozen=True, kw_only=True):
    """Base of all requests about a game."""

    g: Id


@REQUESTS.declare("move", SEAT)
class Move(OfGame, frozen=True, kw_only=True):
    move: MoveText
    ply: Ply
    draw: bool = False
    lag: Seq | None = None
    """Network lag in ms as measured by the client; limited by the measurement of the server."""
    seen: Seq | None = None


@REQUESTS.declare("touch", SEAT)
class Touch(OfGame, frozen=True, kw_only=True):
    """In a game by the Laws: touch the piece on a square (Articles 4.3 and 4.4)."""

    square: Name
    ply: Ply | None = None
    """As of the move; null is not checked: a touch that is delivered late would bind on another turn."""
    seen: Seq | None = None


@REQUESTS.declare("signal", SEAT)
class Signal(OfGame, frozen=True, kw_only=True):
    """In a game by the Laws: begin or end to adjust pieces ("j'adoube", Article 4.2)."""

    on: bool
    ply: Ply | None = None
    """As in ``touch``, and ``seen``."""
    seen: Seq | None = None


@REQUESTS.declare("press", SEAT)
class Press(OfGame, frozen=True, kw_only=True):
    """In a game by the Laws: press the clock, which completes the move (Article 6.7)."""

    ply: Ply
    move: MoveText | None = None
    """The move that it completes; null: whatever is on the board."""
    lag: Seq | None = None
    """As in ``move``, and ``seen``."""
    seen: Seq | None = None


@REQUESTS.declare("write", SEAT)
class Write(OfGame, frozen=True, kw_only=True):
    """In a game by the Laws: write a move on one's own score sheet (Article 8.1)."""

    ply: Ply
    text: Annotated[str, Meta(min_length=1, max_length=20)]
    language: Name = "en"


@REQUESTS.declare("sign", SEAT)
class Sign(OfGame, frozen=True, kw_only=True):
    """In a game by the Laws: sign the result (Article 8.7)."""


@REQUESTS.declare("restart", SEAT)
class Restart(OfGame, frozen=True, kw_only=True):
    """In a game by the Laws: play anew, because the first position or the colours were wrong (Articles 7.1, 7.2)."""

    do: Literal["offer", "accept", "decline"]
    what: Literal["position", "colors"]


@REQUESTS.declare("resign", SEAT)
class Resign(OfGame, frozen=True, kw_only=True):
    pass


@REQUESTS.declare("abort", SEAT)
class Abort(OfGame, frozen=True, kw_only=True):
    pass


@REQUESTS.declare("draw", SEAT)
class Draw(OfGame, frozen=True, kw_only=True):
    do: Literal["offer", "accept", "decline", "claim"]
    move: MoveText | None = None


@REQUESTS.declare("takeback", SEAT)
class Takeback(OfGame, frozen=True, kw_only=True):
    do: Literal["offer", "accept", "decline"]


@REQUESTS.declare("moretime", SEAT)
class MoreTime(OfGame, frozen=True, kw_only=True):
    seconds: Annotated[int, Meta(ge=1, le=3600)]
    """At most an hour at once: a limit of the server, not of the protocol."""


@REQUESTS.declare("flag", SEAT)
class Flag(OfGame, frozen=True, kw_only=True):
    pass


@REQUESTS.declare("claim", SEAT)
class Claim(OfGame, frozen=True, kw_only=True):
    what: Literal["win", "draw", "illegal_move"]


@REQUESTS.declare("rematch", SEAT)
class Rematch(OfGame, frozen=True, kw_only=True):
    do: Literal["offer", "accept", "decline"]


@REQUESTS.declare("pause", SEAT)
class Pause(OfGame, frozen=True, kw_only=True):
    on: bool


@REQUESTS.declare("hint", SEAT)
class Hint(OfGame, frozen=True, kw_only=True):
    """Ask for a hint. Answered with ``ply``, ``move``, ``better`` and ``winning``."""


@REQUESTS.declare("hint.give", ROBOT)
class HintGive(OfGame, frozen=True, kw_only=True):
    """The answer of the robot to ``hint.asked``."""

    ply: Ply
    move: MoveText
    better: Better
    winning: bool = False


@REQUESTS.declare("chat", PLAY)
class Chat(ChangeRequest, frozen=True, kw_only=True):
    topic: Topic
    text: Annotated[str, Meta(min_length=1, max_length=1000)]
    """As typed; ``lobby.chat`` cleans it and checks its length."""


@REQUESTS.declare("robots", ROBOT)
class Robots(Request, frozen=True, kw_only=True):
    """Report of the process that plays for the robots, once a second. Answered with ``active``."""

    holder: Key
    active: bool = False
    leaving: bool = False
    games: Annotated[dict[Name, Annotated[list[Name], Meta(max_length=64)]], Meta(max_length=16)] = msgspec.field(
        default_factory=dict
    )
    free: Annotated[int, Meta(ge=0, le=1000)] = 0
    least_s: Annotated[int, Meta(ge=0, le=86400)] = 0
    laws: bool = False
    """It plays games by the Laws as played over a board."""


REQUESTS.update(SIMUL_REQUESTS)


def decode_request(message: dict[str, Any]) -> Request:
    """Return the typed request in ``message``, which a codec has decoded.

    Raises:
        Refusal: ``unknown_type``, or ``bad_message`` with a text that names the field.
    """
    name = message.get("t")
    if type(name) is not str:
        raise BadMessage("t: expected the name of a request")
    request = REQUESTS.get(name)
    if request is None:
        raise Refusal("unknown_type", f"there is no request {name[:32]!r}")
    try:
        return msgspec.convert(message, request)
    except msgspec.ValidationError as error:
        raise BadMessage(named_error(error)) from error


def request_id(message: dict[str, Any]) -> int | None:
    """Return the ``id`` for the answer to ``message``, even if the rest of it is invalid; None if there is none."""
    number = message.get("id")
    return number if type(number) is int and -SAFE_INT <= number <= SAFE_INT else None


_AT_FIELD = re.compile(r"^(?P<what>.*) - at `\$\.(?P<field>[^`]*)`$")
_MISSING = re.compile(r"^Object missing required field `(?P<field>[^`]*)`$")


def named_error(error: msgspec.ValidationError) -> str:
    """Return msgspec's error message with the field name first: ``ply: expected int, got str``."""
    text = str(error)
    if found := _MISSING.match(text):
        return f"{found['field']}: missing"
    if found := _AT_FIELD.match(text):
        what = found["what"].replace("`", "")
        return f"{found['field']}: {what[:1].lower()}{what[1:]}"
    return text
