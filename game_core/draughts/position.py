"""An immutable position of draughts: pieces, repetitions, and counts of limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from game_core.draughts.endings import find_end
from game_core.draughts.limits import IDLE, count_limits
from game_core.draughts.moves import find_moves
from game_core.draughts.notation.fen import format_fen
from game_core.draughts.notation.spelling import find_move
from game_core.draughts.paths import leaps_of
from game_core.remembering import Remembering
from game_core.rules import Outcome, Played

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game_core.draughts.board import Board, Move
    from game_core.draughts.limits import Balance
    from game_core.draughts.men import Men
    from game_core.rules import Leaps


THREEFOLD = 3
"""Repetitions that end a game."""


class History(NamedTuple):
    """The history that a position needs."""

    keys: tuple[Men, ...]
    """The positions since the last irreversible move, the present one last."""
    quiet: int
    """Consecutive half-moves by kings without a capture."""
    balance: Balance | None
    counted: tuple[int, ...]
    """Counts of the limits on endings; empty if there are too many pieces."""


class Position(Remembering):
    """A position of a game. Immutable; its private slots cache computed answers.

    Attributes:
        board: of the variant.
        men: pieces and side to move.
        past: the history.
        paths: cached paths of captures. Sockets ask for them at every subscription.
    """

    __slots__ = ("_fen", "_legal", "board", "men", "past", "paths")

    def __init__(self, board: Board, men: Men, past: History) -> None:
        super().__init__()
        self.board = board
        self.men = men
        self.past = past
        self.paths: dict[str, tuple[Leaps, ...]] = {}
        self._fen: str | None = None
        self._legal: Mapping[str, Move] | None = None

    @classmethod
    def first(cls, board: Board, men: Men) -> Position:
        """Return the position without a history."""
        return cls(board, men, History((men,), 0, *count_limits(board.laws.limits, board.field, men)))

    @property
    def fen(self) -> str:
        """The position as text."""
        if self._fen is None:
            self._fen = format_fen(self.board, self.men)
        return self._fen

    @property
    def legal(self) -> Mapping[str, Move]:
        """The legal moves by text, even if a draw has ended the game."""
        if self._legal is None:
            self._legal = find_moves(self.board, self.men)
        return self._legal

    def _play(self, text: str) -> Played:
        move = find_move(self.board, self.men, self.legal, text)
        return Played(
            position=self._after(move),
            move=move.text,
            notation=move.text,
            check=False,
            leaps=self.leaps(move) if move.taken else None,
            before=self.fen if move.text.count("x") > 1 else None,
        )

    def leaps(self, move: Move) -> Leaps:
        """Return the first path of ``move``, a capture."""
        return leaps_of(self.board, move, move.path)

    def _after(self, move: Move) -> Position:
        board, before, past = self.board, self.men, self.past
        men = board.after(before, move)
        king = bool(before.kings & move.start)
        # A man's move is irreversible unless it is sideways.
        final = move.taken or not (king or board.is_sideways(move))
        return Position(
            board,
            men,
            History(
                (men,) if final or not board.laws.threefold else (*past.keys, men),
                past.quiet + 1 if king and not move.taken else 0,
                *count_limits(board.laws.limits, board.field, men, past.balance, past.counted),
            ),
        )

    def _find_outcome(self) -> Outcome | None:
        end = find_end(self.board, self.men)
        if end is not None:
            return end
        if len(self.past.keys) > THREEFOLD and self.past.keys.count(self.men) >= THREEFOLD:
            return Outcome(winner=None, reason="threefold")
        return Outcome(winner=None, reason="draw_rule") if 0 in self._moves_left() else None

    def _moves_left(self) -> list[int]:
        """Return the remaining moves of each side for each limit that applies."""
        laws, past = self.board.laws, self.past
        left = [laws.quiet_moves - past.quiet // 2] if past.quiet else []
        for limit, counted in zip(laws.limits, past.counted, strict=False):
            if counted != IDLE:
                left.append(limit.moves - counted // 2)
        return left

    @property
    def draw_in(self) -> int | None:
        """Return the remaining moves of each side until the nearest limit draws the game; a begun move counts as
        one."""
        return None if self.outcome is not None else min(self._moves_left(), default=None)

    def __eq__(self, other: object) -> bool:
        """Return whether the games are in the same state, counters and earlier positions included."""
        if not isinstance(other, Position):
            return NotImplemented
        return self.past == other.past and self.men == other.men and self.board.laws == other.board.laws

    def __hash__(self) -> int:
        return hash(self.men)

    def __repr__(self) -> str:
        return f"Position({self.fen!r})"
