"""What the core refuses, as one tree.

Refusal                  a request that is answered with an error of the protocol; of all packages
GameError
├── Refused              a ``Refusal`` of a command that the rules do not allow now
│   └── IllegalMove      ``illegal_move``: not a move of this position
│       ├── InvalidMove      text that no notation reads as a move
│       └── AmbiguousMove    text that more than one legal move answers to
├── BadPosition          a start position that cannot be played from
├── BadScore             a game in PGN or PDN that cannot be read; carries line and column
├── BadTimeControl       a time control outside the limits of the protocol
├── BadLawsTerms         terms of a game by the Laws that are malformed or do not go together
├── UnknownVariant       no rules are registered under this game and variant
└── UnknownProfile       no rule profile has this name
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from game_core.events import AnyEvent


ErrorCode = Literal[
    "bad_message",
    "unknown_type",
    "unauthenticated",
    "bad_credentials",
    "name_taken",
    "not_found",
    "forbidden",
    "conflict",
    "game_over",
    "stale_ply",
    "not_your_turn",
    "illegal_move",
    "unsupported",
    "rate_limited",
    "unavailable",
]
"""Every error code of the protocol."""

RefusalCode = Literal["illegal_move", "not_your_turn", "stale_ply", "game_over", "forbidden", "conflict"]
"""Those of them that the core gives."""


class Refusal(Exception):
    """A request that is answered with an error. Base of the refusals of all packages.

    Attributes:
        code: the error code of the protocol.
        message: what was wrong and what would be right, for the person who reads the client's log.
    """

    code: ErrorCode

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class GameError(Exception):
    """Base of everything the core raises on purpose."""


class Refused(Refusal, GameError):
    """A command that is not allowed in the present state of the game.

    Attributes:
        events: what happens all the same. Empty but for a wrong draw claim, which stands as an offer (Article 9.1),
            its intended move as played (9.5), and for a command that comes when time is out: the end of the game.
            The caller stores them, then reports the refusal.
    """

    def __init__(self, code: RefusalCode, message: str, events: tuple[AnyEvent, ...] = ()) -> None:
        super().__init__(code, message)
        self.events = events


class IllegalMove(Refused):
    """The text is not a move of this position: malformed, illegal or ambiguous."""

    def __init__(self, message: str) -> None:
        super().__init__("illegal_move", message)


class InvalidMove(IllegalMove):
    """The text is not a move of any position."""


class AmbiguousMove(IllegalMove):
    """The text fits several legal moves; more of the origin, or the promotion piece, would identify one."""


class CorruptLog(GameError):
    """A stored event does not fit the state before it. No ``Refusal``: no request is wrong."""


class BadPosition(GameError):
    """A start position that is malformed or cannot be played."""


class BadScore(GameError):
    """A PGN or PDN game that cannot be read.

    Attributes:
        game: number of the game in the input, from 1.
        line, column: where in the input reading stopped, from 1.
        reason: what is wrong there.
    """

    def __init__(self, reason: str, *, game: int, line: int, column: int) -> None:
        super().__init__(f"game {game}, line {line}, column {column}: {reason}")
        self.game = game
        self.line = line
        self.column = column
        self.reason = reason


class BadTimeControl(GameError):
    """A time control that is malformed or outside the limits of the protocol."""


class BadLawsTerms(GameError):
    """Terms of a game by the Laws that are malformed, or do not fit its profile or time control."""


class UnknownVariant(GameError):
    """No rules are registered under this game and variant."""


class UnknownProfile(GameError):
    """No rule profile has this name."""
