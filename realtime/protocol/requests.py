"""What a client may ask: one frozen value a request type of the protocol, declared with its name and permission.

The map comes from the codec; ``decode_request`` makes it a typed request or says which field is wrong. Unknown fields
are ignored: newer clients send them.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from game_core.errors import Refusal
from lobby.errors import BadMessage
from lobby.wire.lobby import DeclineReason, PoolName, Profile
from realtime.protocol.permissions import ANYBODY, OWNER, PLAY, READ, RECIPIENT, SEAT, Permission
from realtime.protocol.request_fields import (
    SAFE_INT,
    Change,
    DelayMoves,
    DelayS,
    Id,
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
    position: bool = False
    """Only what a small board shows."""

    def needs(self) -> Permission:
        """Return what this request requires: more for the user's own topic."""
        return READ if self.topic == PRIVATE_TOPIC else self.permission


@REQUESTS.declare("unsub", ANYBODY)
class Unsub(Request, frozen=True, kw_only=True):
    topic: Topic


class Terms(Change, frozen=True, kw_only=True):
    """What a seek and a challenge say of the game they want."""

    tc: Any
    """Required, may be null (no clock). As it came: ``game_core.time_control`` parses it."""
    game: Name = "chess"
    variant: Name = "standard"
    rated: bool = False
    color: Literal["w", "b", "random"] = "random"
    min_rating: Rating | None = None
    max_rating: Rating | None = None
    rules: Profile = "online"
    position: Annotated[int, Meta(ge=0, le=959)] | None = None
    """Of the start positions of chess960, by Scharnagl's numbers; null: one is drawn."""
    delay_s: DelayS = 0
    """So much later the public sees the game."""
    delay_moves: DelayMoves = 0
    """The same in moves of both sides, instead."""


@REQUESTS.declare("seek", PLAY)
class Seek(Terms, frozen=True, kw_only=True):
    """List a wish in the lobby, or be paired at once."""


@REQUESTS.declare("unseek", OWNER)
class Unseek(Change, frozen=True, kw_only=True):
    seek: Id


@REQUESTS.declare("accept", PLAY)
class Accept(Change, frozen=True, kw_only=True):
    seek: Id


@REQUESTS.declare("challenge", PLAY)
class Challenge(Terms, frozen=True, kw_only=True):
    to: Name | None = None
    """A name, ``robot``, ``self``, or nothing: open, by link."""
    level: Annotated[int, Meta(ge=1, le=8)] | None = None
    fen: Annotated[str, Meta(min_length=1, max_length=256)] | None = None
    opponent_tc: Any = None
    """As ``tc``; null: the same for both."""


@REQUESTS.declare("challenge.accept", RECIPIENT)
class ChallengeAccept(Change, frozen=True, kw_only=True):
    challenge: Id


@REQUESTS.declare("challenge.decline", RECIPIENT)
class ChallengeDecline(Change, frozen=True, kw_only=True):
    challenge: Id
    reason: DeclineReason = "generic"


@REQUESTS.declare("challenge.cancel", OWNER)
class ChallengeCancel(Change, frozen=True, kw_only=True):
    challenge: Id


@REQUESTS.declare("pool.join", PLAY)
class PoolJoin(Change, frozen=True, kw_only=True):
    """Wait for an opponent in a pool, in none but this one."""

    pool: PoolName
    rated: bool = False


@REQUESTS.declare("pool.leave", PLAY)
class PoolLeave(Change, frozen=True, kw_only=True):
    """Wait no more."""


class OfGame(Change, frozen=True, kw_only=True):
    """Base of all that players ask of their game."""

    g: Id


@REQUESTS.declare("move", SEAT)
class Move(OfGame, frozen=True, kw_only=True):
    move: MoveText
    ply: Ply
    draw: bool = False
    lag: Seq | None = None
    """What the client says its network cost it, in ms; believed up to what the server measured."""
    seen: Seq | None = None


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
    """A whole hour at once is the most anybody has a use for; the protocol sets no bound, the server must."""


@REQUESTS.declare("flag", SEAT)
class Flag(OfGame, frozen=True, kw_only=True):
    pass


@REQUESTS.declare("claim", SEAT)
class Claim(OfGame, frozen=True, kw_only=True):
    what: Literal["win", "draw"]


@REQUESTS.declare("rematch", SEAT)
class Rematch(OfGame, frozen=True, kw_only=True):
    do: Literal["offer", "accept", "decline"]


@REQUESTS.declare("pause", SEAT)
class Pause(OfGame, frozen=True, kw_only=True):
    on: bool


@REQUESTS.declare("chat", PLAY)
class Chat(Change, frozen=True, kw_only=True):
    topic: Topic
    text: Annotated[str, Meta(min_length=1, max_length=1000)]
    """As typed; ``lobby.chat`` cleans and measures it."""


REQUESTS.update(SIMUL_REQUESTS)


def decode_request(message: dict[str, Any]) -> Request:
    """The typed request in ``message``, which a codec has decoded.

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
    """The ``id`` to answer ``message`` with although it may be no valid request."""
    number = message.get("id")
    return number if type(number) is int and -SAFE_INT <= number <= SAFE_INT else None


_AT_FIELD = re.compile(r"^(?P<what>.*) - at `\$\.(?P<field>[^`]*)`$")
_MISSING = re.compile(r"^Object missing required field `(?P<field>[^`]*)`$")


def named_error(error: msgspec.ValidationError) -> str:
    """msgspec's sentence with the field in front: ``ply: expected int, got str``."""
    text = str(error)
    if found := _MISSING.match(text):
        return f"{found['field']}: missing"
    if found := _AT_FIELD.match(text):
        what = found["what"].replace("`", "")
        return f"{found['field']}: {what[:1].lower()}{what[1:]}"
    return text
