"""What a game must be able to say of itself, and the registry of all games.

Nothing outside this registry and the client's board asks which game it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from game_core.color import Color
from game_core.events import EndReason
from game_core.leaps import Leaps as Leaps

if TYPE_CHECKING:
    from collections.abc import Sequence

Position = Any
"""A value of the rules' own type: immutable to its users, with whatever history repetition rules need."""


class Played(msgspec.Struct, frozen=True):
    """A move that was played: the position after it and its names."""

    position: Position
    move: str
    """Canonical wire notation: two spellings of one move have the same."""
    notation: str
    check: bool
    leaps: Leaps | None = None
    """None for a plain step, and in games that know nothing else."""
    before: str | None = None
    """The FEN that it was played in, where nothing else tells other spellings of the move from other moves."""


class Outcome(msgspec.Struct, frozen=True):
    """How the rules end a game by themselves."""

    winner: Color | None
    reason: EndReason


class Finding(msgspec.Struct, frozen=True):
    """What came of looking whether a side can still win."""

    answer: Literal["yes", "no", "undecided"]
    """"yes" and "no" are certain."""
    layer: str
    """What knew, or did not: a word of the rules' own."""
    nodes: int
    """Positions that were gone on from."""


class Recall(Protocol):
    """How rules tell a position from the texts that they wrote of a game that was played."""

    def __call__(self, position: Position, texts: Sequence[str], *, evaded: bool) -> Position:
        """What one gets who plays on from ``position`` through positions whose ``fen`` is ``texts``.

        Args:
            texts: of each position after ``position``, in order; at least one.
            evaded: whether there was a check in the last position but one.
        """


class Rules(Protocol):
    """One variant of one game. Methods are pure; positions are values."""

    @property
    def game(self) -> str:
        """The family: ``chess``, ``draughts``."""

    @property
    def variant(self) -> str:
        """The rules within it: ``standard``."""

    @property
    def notation(self) -> Literal["san", "pdn"]:
        """Under which name a move's notation goes over the wire."""

    @property
    def starts(self) -> int:
        """How many start positions there are, with numbers from 0; 1 where all games begin alike."""

    @property
    def profiles(self) -> tuple[str, ...]:
        """The rule profiles that it may be played by, the usual one first."""

    @property
    def recall(self) -> Recall | None:
        """Tells a position from texts; sides take turns then, no move is told by its ``leaps``, and ``Played.before``
        is None. None: moves have to be played anew."""

    def under(self, profile: str) -> Rules:
        """These rules as ``profile``, one of ``profiles``, has them: themselves where it changes nothing here."""

    def start(self, fen: str | None) -> Position:
        """The start position: the variant's own, or ``fen``. Raises ``BadPosition``."""

    def draw_start(self, number: int) -> str | None:
        """The FEN of start position ``number`` (any non-negative integer, taken modulo ``starts``);
        None where the variant has just one."""

    def turn(self, position: Position) -> Color:
        """Who is to move."""

    def fen(self, position: Position) -> str:
        """The position as text."""

    def is_check(self, position: Position) -> bool:
        """Whether the side to move is in check; always False where the game knows none."""

    def legal_moves(self, position: Position) -> Sequence[str]:
        """All legal moves in wire notation."""

    def leaps(self, position: Position, move: str) -> Sequence[Leaps]:
        """The ways in which ``move``, a legal one, may go: none for a plain step; of very many some."""

    def play(self, position: Position, move: str) -> Played:
        """Play ``move``. Raises ``IllegalMove``."""

    def is_same_move(self, move: str, notation: str, text: str, before: str | None) -> bool:
        """Whether ``text`` is another spelling of ``move``, which was played and noted as ``notation``.

        Without the position: that lies somewhere back in the game, and whoever asks may ask again and again. Only where
        ``play`` said that it takes one, ``before`` is that.
        """

    def outcome(self, position: Position) -> Outcome | None:
        """How the game is over on the board by itself (mate, stalemate, dead position, fivefold, ...)."""

    def claimable(self, position: Position) -> EndReason | None:
        """The reason for which the side to move may claim a draw here, or None."""

    def draw_in(self, position: Position) -> int | None:
        """After how many more moves of each side a limit ends the game as a draw; None while none counts."""

    def missing_for_claim(self, position: Position) -> str:
        """How far the game is from a draw that may be claimed, as a sentence's end."""

    def can_win(self, position: Position, color: Color) -> bool:
        """Whether any series of legal moves lets ``color`` win (Article 6.9), as far as can be told at once.

        False is certain; of True ``find_win`` may know better.
        """

    def may_be_dead(self, position: Position) -> bool:
        """Whether it is worth while to ask ``find_win`` for both sides if ``position`` has been reached. Microseconds,
        for it is asked after every move of a game that goes on."""

    def identity(self, position: Position) -> str:
        """A text that is the same for exactly those positions that are the same (9.2), and tells them whole but for
        counters and what came before."""

    def find_win(self, identity: str, color: Color, nodes: int) -> Finding:
        """The exact answer, which may take seconds: nothing for an event loop.

        Args:
            identity: of a position of these rules.
            nodes: most positions to go on from; with none left the answer is "undecided".
        """
