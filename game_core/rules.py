"""The interface of a game's rules.

Nothing outside the registry and the client's board asks which game it is.
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
"""A value of the rules' own type: immutable, with whatever history repetition rules need."""


class Played(msgspec.Struct, frozen=True):
    """A played move: the position after it and its notations."""

    position: Position
    move: str
    """Canonical wire notation, the same for all spellings of a move."""
    notation: str
    check: bool
    leaps: Leaps | None = None
    """None for a single step, and in games with nothing else."""
    before: str | None = None
    """The FEN before the move, if other spellings of it can be recognised only with the position."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ends by its rules."""

    winner: Color | None
    reason: EndReason


class Finding(msgspec.Struct, frozen=True):
    """The result of a search for whether a side can still win."""

    answer: Literal["yes", "no", "undecided"]
    """"yes" and "no" are certain."""
    layer: str
    """The layer that answered, or did not: a name of the rules' own."""
    nodes: int
    """Number of expanded positions."""


class Recall(Protocol):
    """Restores a position from the texts that the rules wrote of a played game."""

    def __call__(self, position: Position, texts: Sequence[str], *, evaded: bool) -> Position:
        """Return the position reached from ``position`` through positions whose ``fen`` is ``texts``.

        Args:
            texts: of each position after ``position``, in order; at least one.
            evaded: whether the last position but one was a check.
        """


class Hand(Protocol):
    """Pieces touched and put down by hand. Methods are pure, as those of ``Rules``."""

    def play(self, position: Position, move: str) -> tuple[Played, bool]:
        """Make ``move``, and return whether it is irregular.

        Raises ``IllegalMove`` for what is no move at all: not a piece of the side to move, or no place to put it.
        """

    def lie(self, fen: str) -> Position:
        """Return the position ``fen``, which an illegal move led to. It has no history."""

    def owner(self, position: Position, square: str) -> Color | None:
        """Return whose piece stands on ``square``; None if there is none, or no such square."""

    def touches(self, position: Position, move: str) -> Sequence[str]:
        """Return the squares of the pieces that are touched by making ``move``, in order."""

    def bound(self, position: Position, touched: Sequence[str], *, rook_first: bool) -> Sequence[str] | None:
        """Return the legal moves that remain after the pieces on ``touched`` were touched in this order; None: all of
        them, because none of those pieces can be moved or captured (4.5)."""

    def is_unfinished(self, position: Position, move: str) -> bool:
        """Return whether ``move``, which was made here, lacks only the piece that it promotes to."""

    def needs_arbiter(self, position: Position) -> bool:
        """Return whether play cannot go on from ``position``, which an illegal move led to (A4c)."""

    def is_written(self, position: Position, move: str, notation: str, text: str, language: str) -> bool:
        """Return whether ``text``, as a player wrote it, names ``move``, which was made here and is ``notation``.

        Args:
            language: of its piece letters, a known one.
        """

    def may_win_on_time(self, position: Position, color: Color) -> bool:
        """Return whether ``color`` has the pieces that US rule 14E asks for."""


class Rules(Protocol):
    """The rules of one variant. Methods are pure; positions are values."""

    @property
    def game(self) -> str:
        """The family: ``chess``, ``draughts``."""

    @property
    def variant(self) -> str:
        """The variant: ``standard``."""

    @property
    def notation(self) -> Literal["san", "pdn"]:
        """Wire name of the notation of its moves."""

    @property
    def starts(self) -> int:
        """Number of start positions, numbered from 0; 1 if all games begin alike."""

    @property
    def profiles(self) -> tuple[str, ...]:
        """Rule profiles of the variant, the usual one first."""

    @property
    def hand(self) -> Hand | None:
        """What hands can do on its board, in games by the Laws; None: it has no profile for them."""

    @property
    def recall(self) -> Recall | None:
        """Restores a position from texts. It requires that sides alternate, no move has ``leaps``, and
        ``Played.before`` is None. None: moves have to be replayed."""

    def under(self, profile: str) -> Rules:
        """Return the rules under ``profile``, one of ``profiles``: themselves if it changes nothing here."""

    def start(self, fen: str | None) -> Position:
        """Return the start position: the variant's own, or ``fen``. Raises ``BadPosition``."""

    def draw_start(self, number: int) -> str | None:
        """Return the FEN of start position ``number`` (any non-negative integer, modulo ``starts``); None if there is
        only one."""

    def turn(self, position: Position) -> Color:
        """Return the side to move."""

    def fen(self, position: Position) -> str:
        """Return the position as text."""

    def is_check(self, position: Position) -> bool:
        """Return whether the side to move is in check; always False in games without check."""

    def legal_moves(self, position: Position) -> Sequence[str]:
        """Return all legal moves in wire notation."""

    def leaps(self, position: Position, move: str) -> Sequence[Leaps]:
        """Return the possible paths of ``move``, which is legal: none for a single step; some of very many."""

    def play(self, position: Position, move: str) -> Played:
        """Play ``move``. Raises ``IllegalMove``."""

    def is_same_move(self, move: str, notation: str, text: str, before: str | None) -> bool:
        """Return whether ``text`` is another spelling of ``move``, which was played and written as ``notation``.

        The position is not an argument, because it lies somewhere back in the game and clients may ask repeatedly.
        ``before`` is that of ``Played``, where ``play`` gave one.
        """

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game is over by the position (mate, stalemate, dead position, fivefold, ...)."""

    def claimable(self, position: Position) -> EndReason | None:
        """Return the reason for which the side to move may claim a draw here, or None."""

    def draw_in(self, position: Position) -> int | None:
        """Return the moves of each side until a limit draws the game; None while none applies."""

    def missing_for_claim(self, position: Position) -> str:
        """Return how far the game is from a draw that may be claimed, as the end of a sentence."""

    def can_win(self, position: Position, color: Color) -> bool:
        """Return whether any series of legal moves lets ``color`` win (Article 6.9), as far as a quick check shows.

        False is certain; ``find_win`` may refute True.
        """

    def may_be_dead(self, position: Position) -> bool:
        """Return whether ``find_win`` is worth while for both sides at ``position``. Takes microseconds, because it is
        called after every move of a running game."""

    def identity(self, position: Position) -> str:
        """Return a text that is equal for exactly the positions that are the same (9.2). It describes the position
        without counters and history."""

    def find_win(self, identity: str, color: Color, nodes: int) -> Finding:
        """Return the exact answer. It may take seconds: not for an event loop.

        Args:
            identity: of a position of these rules.
            nodes: most positions to expand; beyond that the answer is "undecided".
        """
