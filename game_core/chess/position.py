"""A chess position as an immutable value: variant, board, texts, and the earlier positions it may repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess

from game_core.chess.legality import find_step
from game_core.chess.placement import format_placement, move_placement, spread_placement
from game_core.chess.san import format_san
from game_core.remembering import Remembering
from game_core.rules import Outcome, Played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.chess.laws import Laws
    from game_core.chess.legality import Step

FIVEFOLD = 5
"""Repetitions that end a game without a claim (Article 9.6a of later editions)."""

SEVENTY_FIVE_MOVES = 150
"""Half-moves without capture or pawn move that end a game without a claim (9.6b of later editions)."""


class Position(Remembering):
    """A position of a game. Immutable; its private slots cache computed answers.

    Attributes:
        laws: the variant's hooks.
        board: the library's board, with an empty move stack (a full one holds 44 KB after 80 moves). ``ep_square`` is
            set only if a capture there is legal.
        keys: the positions since the last irreversible move (capture, pawn move, loss of castling rights or of an en
            passant capture), this one last. A key is the FEN without its counters: equal for exactly those positions
            that are the same by Article 9.2.
        check: whether the side to move is in check.
        is_irreversible: whether the last move cannot be undone. This includes moves out of check, because nobody moves
            back into check; they do not end a series of repetitions.
    """

    __slots__ = ("_castling", "_mobile", "_squares", "board", "check", "is_irreversible", "keys", "laws")

    def __init__(
        self,
        laws: Laws,
        board: chess.Board,
        squares: bytes,
        castling: str,
        earlier: tuple[str, ...],
        *,
        evaded: bool = False,
    ) -> None:
        """Take ownership of ``board`` with its ``squares`` and ``castling`` field.

        ``earlier`` are the keys before this one; ``evaded`` is whether the previous position was a check.
        """
        super().__init__()
        if board.ep_square is not None and not board.has_legal_en_passant():
            board.ep_square = None
        en_passant = "-" if board.ep_square is None else chess.SQUARE_NAMES[board.ep_square]
        key = f"{format_placement(squares)} {'w' if board.turn else 'b'} {castling} {en_passant}"
        self.laws = laws
        self.board = board
        self.keys = (*earlier, key)
        self.check = board.is_check()
        self.is_irreversible = evaded or not earlier
        self._squares = squares
        self._castling = castling
        self._mobile: bool | None = None

    @classmethod
    def first(cls, laws: Laws, board: chess.Board) -> Position:
        """Return the position on ``board``, which it takes over, without a history."""
        return cls(laws, board, spread_placement(board.board_fen()), board.castling_xfen(), ())

    def recall(self, texts: Sequence[str], *, evaded: bool) -> Position:
        """Return the position with FEN ``texts[-1]``, reached from this one through all of ``texts``.

        ``evaded`` is whether the previous position was a check.
        """
        last = texts[-1]
        placement, _, castling, _, counter, _ = last.split(" ")
        # A series of repetitions begins no earlier than this counter says; loss of a right or of an en passant capture
        # ends it.
        first = max(0, len(texts) - 1 - int(counter))
        earlier = () if int(counter) < len(texts) else self.keys
        before = _FenParts(self.fen) if not first else _FenParts(texts[first - 1])
        keys: list[str] = []
        for text in texts[first:]:
            after = _FenParts(text)
            if before.en_passant != "-" or after.rights != before.rights:
                earlier, keys = (), []
            keys.append(after.key)
            before = after
        board = self.laws.board(last)
        return Position(self.laws, board, spread_placement(placement), castling, (*earlier, *keys[:-1]), evaded=evaded)

    @property
    def fen(self) -> str:
        """The complete FEN, castling rights as in X-FEN."""
        return f"{self.keys[-1]} {self.board.halfmove_clock} {self.board.fullmove_number}"

    @property
    def repeats(self) -> int:
        """How often this position has been on the board, this time included."""
        return self.keys.count(self.keys[-1])

    @property
    def mobile(self) -> bool:
        """Whether there is a legal move."""
        if self._mobile is None:
            self._mobile = self.laws.has_move(self.board, check=self.check)
        return self._mobile

    def _play(self, text: str) -> Played:
        laws = self.laws
        step = find_step(self.board, text, laws, check=self.check)
        position = self._after(step)
        notation = format_san(self.board, step, laws, check=self.check)
        if position.check:
            notation += "+" if position.mobile else "#"
        return Played(position=position, move=step.move.uci(), notation=notation, check=position.check)

    def _after(self, step: Step) -> Position:
        """Return the position after ``step``, which is legal here."""
        before = self.board
        board = before.copy(stack=False)
        board.push(step.move)
        board.clear_stack()
        same_rights = board.castling_rights == before.castling_rights
        castling = self._castling
        if not board.castling_rights:
            castling = "-"
        elif not same_rights or (board.rooks ^ before.rooks) & chess.BB_BACKRANKS:
            # X-FEN names a rook by its file if another one stands outside of it.
            castling = board.castling_xfen()
        squares = move_placement(self._squares, step, white=before.turn)
        reversible = same_rights and board.halfmove_clock > 0 and before.ep_square is None
        return Position(self.laws, board, squares, castling, self.keys if reversible else (), evaded=self.check)

    def _find_outcome(self) -> Outcome | None:
        """Return the outcome: mate and stalemate before all else."""
        board = self.board
        ending = self.laws.ending(board, check=self.check, mobile=self.mobile)
        if ending is not None:
            return ending
        if self.laws.is_dead(board, is_irreversible=self.is_irreversible):
            return Outcome(winner=None, reason="dead_position")
        if self.repeats >= FIVEFOLD:
            return Outcome(winner=None, reason="fivefold")
        if board.halfmove_clock >= SEVENTY_FIVE_MOVES:
            return Outcome(winner=None, reason="seventyfive_moves")
        return None

    def __eq__(self, other: object) -> bool:
        """Return whether the games are in the same state, counters and earlier positions included."""
        if not isinstance(other, Position):
            return NotImplemented
        return self.keys == other.keys and self.fen == other.fen and self.laws.variant == other.laws.variant

    def __hash__(self) -> int:
        return hash(self.fen)

    def __repr__(self) -> str:
        return f"Position({self.fen!r})"


class _FenParts:
    """The parts of a FEN that matter for repetition.

    Attributes:
        rights: number of castling rights, which never increases.
    """

    __slots__ = ("en_passant", "key", "rights")

    def __init__(self, fen: str) -> None:
        self.key, _, _ = fen.rsplit(" ", 2)
        _, _, castling, self.en_passant = self.key.split(" ")
        self.rights = 0 if castling == "-" else len(castling)
