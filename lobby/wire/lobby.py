"""How people and the lobby look on the wire: the messages of docs/protocol.md as types.

They cost nothing at run time: mypy checks the functions that build these maps against them, and
``codegen/protocol_types.py`` writes the client's types from them.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from game_core.color import Color
from game_core.time_control import ControlWire

Kind = Literal["guest", "member", "bot"]
"""Of an account."""

Wish = Literal["w", "b", "random"]
"""The colour somebody asks for."""

Profile = Literal["online", "official", "fmjd", "fide", "uscf"]
"""Whose rules; which of them a variant knows is said by its ``Rules.profiles``."""

RoomName = Literal["players", "spectators"]
"""The two chat rooms of a game."""

Closed = Literal["accepted", "declined", "cancelled", "expired"]
"""Why a challenge is not open any more."""

DeclineReason = Literal["later", "too_fast", "too_slow", "variant", "rated", "casual", "generic"]
"""Why somebody does not want the game he was challenged to."""

PoolName = Literal["1+0", "2+1", "3+0", "3+2", "5+0", "5+3", "10+0", "10+5", "15+10", "30+20"]
"""The pools of quick pairing: minutes, and seconds of increment."""

PoolEnd = Literal["paired", "left", "away", "ban"]
"""Why somebody does not wait in a pool any more."""


class UserWire(TypedDict):
    """A person, as everybody may see him."""

    id: str
    name: str
    kind: Kind
    title: str | None


class TermsWire(TypedDict):
    """What the two agree on. Where the public sees the game later, ``delay_s`` or ``delay_moves`` says how much."""

    game: str
    variant: str
    tc: ControlWire | None
    rated: bool
    rules: str
    position: int | None
    delay_s: NotRequired[int]
    delay_moves: NotRequired[int]


class SeekSpecWire(TermsWire):
    """What is stored of a seek."""

    color: Wish
    rating: int | None
    provisional: bool | None
    min_rating: int | None
    max_rating: int | None


class SeekWire(SeekSpecWire):
    """An open seek."""

    seek: str
    user: UserWire


class OpenSeeksWire(TypedDict):
    """The lobby's own part of what comes after ``sub`` to ``lobby``."""

    t: Literal["lobby"]
    seq: int
    seeks: list[SeekWire]
    games: int
    online: int


class LobbyAddWire(SeekWire):
    """A new seek; numbered."""

    t: Literal["lobby.add"]
    seq: int


class LobbyGoneWire(TypedDict):
    """A seek that is not open any more; numbered."""

    t: Literal["lobby.gone"]
    seq: int
    seek: str


class LobbyCountWire(TypedDict):
    """Games and people; may be lost."""

    t: Literal["lobby.count"]
    games: int
    online: int


LobbyEventWire = LobbyAddWire | LobbyGoneWire

ChallengeTermsWire = TypedDict(
    "ChallengeTermsWire",
    {
        "challenge": str,
        "from": UserWire,
        "to": UserWire | None,
        "game": str,
        "variant": str,
        "tc": ControlWire | None,
        "rated": bool,
        "rules": str,
        "position": int | None,
        "delay_s": NotRequired[int],
        "delay_moves": NotRequired[int],
        "opponent_tc": ControlWire | None,
        "fen": str | None,
        "color": Wish,
        "expires": int,
    },
)


class ChallengeWire(ChallengeTermsWire):
    """Pushed to both whom it concerns."""

    t: Literal["challenge"]


class ChallengeCardWire(ChallengeTermsWire):
    """What the page of a challenge's link shows; ``g`` is the game it led to."""

    status: Literal["open"] | Closed
    g: str | None
    reason: DeclineReason | None


class ChallengeGoneWire(TypedDict):
    """Pushed to both whom it concerned."""

    t: Literal["challenge.gone"]
    challenge: str
    why: Closed
    reason: NotRequired[DeclineReason]


class ChallengeAwayWire(TypedDict):
    """Pushed to who was challenged by name: whether the other has been away for a while."""

    t: Literal["challenge.away"]
    challenge: str
    away: bool


class PoolWire(TypedDict):
    """Pushed to who waits in a pool; ``since`` is when he began to (Unix ms)."""

    t: Literal["pool"]
    pool: PoolName
    rated: bool
    since: int


class PoolGoneWire(TypedDict):
    """Pushed to who waits no more."""

    t: Literal["pool.gone"]
    why: PoolEnd


class PairedWire(TypedDict):
    """Pushed to a player whose game begins."""

    t: Literal["paired"]
    g: str
    color: Color
    opponent: UserWire


class ChatLineWire(TypedDict):
    """A line that was said before."""

    user: UserWire
    text: str
    at: int
