"""What the core refuses, as one tree.

GameError
├── Refused              a command that the rules do not allow now; carries the wire code
│   └── IllegalMove      ``illegal_move``: not a move of this position
│       ├── InvalidMove      text that no notation reads as a move
│       └── AmbiguousMove    text that more than one legal move answers to
├── BadPosition          a start position that cannot be played from
├── BadScore             a game in PGN or PDN that cannot be read; carries line and column
├── BadTimeControl       a time control outside the limits of the protocol
├── UnknownVariant       no rules are registered under this game and variant
└── UnknownProfile       no rule profile has this name
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from game_core.events import AnyEvent


RefusalCode = Literal["illegal_move", "not_your_turn", "stale_ply", "game_over", "forbidden", "conflict"]
"""The error codes of the protocol that the core gives."""


class GameError(Exception):
    """Base of everything the core raises on purpose."""


class Refused(GameError):
    """A command that is not allowed in the present state of the game.

    Attributes:
        code: the error code of the protocol.
        events: what happens all the same. Empty but for a wrong draw claim, which stands as an offer (Article 9.1),
            its intended move as played (9.5), and for a command that comes when time is out: the end of the game.
            The caller stores them, then reports the refusal.
    """

    def __init__(self, code: RefusalCode, message: str, events: tuple[AnyEvent, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.events = events


class IllegalMove(Refused):
    """The text is no move of this position: malformed, illegal or ambiguous."""

    def __init__(self, message: str) -> None:
        super().__init__("illegal_move", message)


class InvalidMove(IllegalMove):
    """The text is no move of any position: no notation has such words."""


class AmbiguousMove(IllegalMove):
    """More than one legal move goes by this text; more of the origin, or the piece to promote to, tells them apart."""


class BadPosition(GameError):
    """A start position that is malformed or cannot be played from."""


class BadScore(GameError):
    """A game in PGN or PDN that cannot be read.

    Attributes:
        game: which game of the input, from 1.
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


class UnknownVariant(GameError):
    """No rules are registered under this game and variant."""


class UnknownProfile(GameError):
    """No rule profile has this name."""
