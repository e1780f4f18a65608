"""Wire types of people and the lobby, as in docs/protocol.md.

They exist for type checking: mypy checks the functions that build these dicts, and ``codegen/protocol_types.py``
generates the client's types from them.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from game_core.color import Color
from game_core.laws.terms import LawsTermsWire
from game_core.time_control import ControlWire

Kind = Literal["guest", "member", "bot"]
"""Kind of an account."""

Wish = Literal["w", "b", "random"]
"""A requested colour."""

Profile = Literal["online", "official", "fmjd", "fide", "uscf"]
"""Rule profile. ``Rules.profiles`` lists those of a variant."""

RoomName = Literal["players", "spectators"]
"""The two chat rooms of a game."""

Closed = Literal["accepted", "declined", "cancelled", "expired"]
"""Why a challenge is closed."""

DeclineReason = Literal["later", "too_fast", "too_slow", "variant", "rated", "casual", "generic"]
"""Why a challenge was declined."""

PoolName = Literal["1+0", "2+1", "3+0", "3+2", "5+0", "5+3", "10+0", "10+5", "15+10", "30+20"]
"""The pools of quick pairing: minutes, and seconds of increment."""

PoolEnd = Literal["paired", "left", "away", "ban"]
"""Why a person does not wait in a pool any more."""


class UserWire(TypedDict):
    """Public view of a person."""

    id: str
    name: str
    kind: Kind
    title: str | None


class LawsOptionsWire(TypedDict):
    """``laws`` of a seek or a challenge."""

    supervised: NotRequired[bool]
    draw_from: NotRequired[int | None]
    default_s: NotRequired[int]
    score_sheet: NotRequired[bool]


class TermsWire(TypedDict):
    """Agreed terms. ``delay_s`` or ``delay_moves`` is the public delay, if there is one; ``laws`` is present in games
    by the Laws as played over a board."""

    game: str
    variant: str
    tc: ControlWire | None
    rated: bool
    rules: str
    position: int | None
    delay_s: NotRequired[int]
    delay_moves: NotRequired[int]
    laws: NotRequired[LawsTermsWire]


class SeekSpecWire(TermsWire):
    """The stored fields of a seek."""

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
    """The lobby's own part of the messages after ``sub`` to ``lobby``."""

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
    """A closed seek; numbered."""

    t: Literal["lobby.gone"]
    seq: int
    seek: str


class LobbyCountWire(TypedDict):
    """Numbers of games and people; may be lost. ``pools`` is present if it has changed."""

    t: Literal["lobby.count"]
    games: int
    online: int
    pools: NotRequired[dict[str, list[int]]]


class WaiterWire(TypedDict):
    """A person who waits in a casual pool, for others to take. ``rating`` is that in this speed and variant, null for
    guests."""

    user: UserWire
    rating: int | None
    provisional: bool | None
    pool: PoolName
    game: str
    variant: str
    since: int


class RobotsWire(TypedDict):
    """The robots of the server: ``games`` are the variants that they play, by game. They take no new game while they
    are ``busy``."""

    busy: bool
    games: dict[str, list[str]]


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
        "laws": NotRequired[LawsTermsWire],
        "opponent_tc": ControlWire | None,
        "fen": str | None,
        "color": Wish,
        "expires": int,
    },
)


class ChallengeWire(ChallengeTermsWire):
    """Pushed to both people concerned."""

    t: Literal["challenge"]


class ChallengeCardWire(ChallengeTermsWire):
    """What the page of a challenge's link shows. ``g`` is its game."""

    status: Literal["open"] | Closed
    g: str | None
    reason: DeclineReason | None


class ChallengeGoneWire(TypedDict):
    """Pushed to both people concerned."""

    t: Literal["challenge.gone"]
    challenge: str
    why: Closed
    reason: NotRequired[DeclineReason]


class ChallengeAwayWire(TypedDict):
    """Pushed to the recipient of a challenge by name: whether the challenger has been away for a while."""

    t: Literal["challenge.away"]
    challenge: str
    away: bool


class PoolWire(TypedDict):
    """Pushed to a person who waits in a pool; ``since`` is when they joined (Unix ms)."""

    t: Literal["pool"]
    pool: PoolName
    game: str
    variant: str
    rated: bool
    since: int


class PoolGoneWire(TypedDict):
    """Pushed to a person who does not wait any more."""

    t: Literal["pool.gone"]
    why: PoolEnd


class PairedWire(TypedDict):
    """Pushed to a player whose game begins."""

    t: Literal["paired"]
    g: str
    color: Color
    opponent: UserWire


class ChatLineWire(TypedDict):
    """An earlier line of chat."""

    user: UserWire
    text: str
    at: int
