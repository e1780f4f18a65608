"""Standard chess."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import chess

from game_core.chess.by_hand import ChessHand
from game_core.chess.laws import PROMOTIONS
from game_core.chess.legality import has_legal_move, is_safe
from game_core.chess.notation.fen import parse_fen
from game_core.chess.position import Position
from game_core.chess.verdict import can_win as find_win
from game_core.chess.winnable import FEW_MEN, can_win, is_dead, may_be_dead
from game_core.errors import BadPosition
from game_core.rules import Finding, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from game_core.color import Color
    from game_core.events import EndReason
    from game_core.rules import Hand, Leaps, Played

THREEFOLD = 3
"""Repetitions on which a draw may be claimed (Article 9.2)."""

FIFTY_MOVES = 100
"""Half-moves without capture or pawn move after which a draw may be claimed (9.3)."""


STARTS_KEPT = 32
"""Cached start positions: a thousand games that are rebuilt together share them."""


class Standard:
    """The rules and laws of ``chess`` / ``standard``. Moves are UCI; castling is ``e1g1``, and ``e1h1`` is understood.

    Other variants are subclasses: they override the hooks of ``Laws`` and those methods of ``Rules`` that differ.
    """

    game = "chess"
    variant = "standard"
    notation: Literal["san", "pdn"] = "san"
    starts = 1
    profiles: tuple[str, ...] = ("online", "fide", "uscf")

    initial = chess.STARTING_FEN
    pgn_tag: str | None = None
    pgn_names = frozenset({"standard", "chess", "normal", "orthodox", "regular"})
    chess960 = False
    promotions: Mapping[str, chess.PieceType | None] = PROMOTIONS
    is_valid = staticmethod(is_safe)
    has_move = staticmethod(has_legal_move)

    def board(self, fen: str) -> chess.Board:
        return chess.Board(fen, chess960=self.chess960)

    def refusal(self, wire: str, *, check: bool) -> str:
        return f"{wire} leaves the king in check" if check else f"{wire} leaves your own king in check"

    def ending(self, board: chess.Board, *, check: bool, mobile: bool) -> Outcome | None:
        """Return mate or stalemate."""
        if mobile:
            return None
        if check:
            return Outcome(winner="b" if board.turn else "w", reason="checkmate")
        return Outcome(winner=None, reason="stalemate")

    def is_dead(self, board: chess.Board, *, is_irreversible: bool) -> bool:
        """A reversible move does not make a position dead, except that with few men it may force the last capture."""
        return (is_irreversible or board.occupied.bit_count() <= FEW_MEN) and is_dead(board)

    @property
    def hand(self) -> Hand | None:
        return ChessHand(self)

    def under(self, profile: str) -> Standard:
        """Return the rules themselves: profiles differ in clocks and conduct only."""
        del profile
        return self

    def start(self, fen: str | None) -> Position:
        """Return the initial position, or that of ``fen``.

        Raises ``BadPosition`` if it is malformed, impossible in a game, or over.
        """
        return _start(self, self.initial if fen is None else fen)

    def draw_start(self, number: int) -> str | None:
        """Return None: there is only one start position."""
        del number
        return None

    def turn(self, position: Position) -> Color:
        return "w" if position.board.turn else "b"

    def fen(self, position: Position) -> str:
        return position.fen

    def is_check(self, position: Position) -> bool:
        return position.check

    def legal_moves(self, position: Position) -> Sequence[str]:
        return [move.uci() for move in position.board.legal_moves]

    def leaps(self, position: Position, move: str) -> Sequence[Leaps]:
        """Return nothing: pieces that a knight jumps over stay on the board."""
        del position, move
        return ()

    def play(self, position: Position, move: str) -> Played:
        """Play ``move``. Raises ``IllegalMove`` with the reason."""
        return position.play(move)

    def recall(self, position: Position, texts: Sequence[str], *, evaded: bool) -> Position:
        """Return the position of the last of ``texts``, with the earlier ones it may repeat."""
        return position.recall(texts, evaded=evaded)

    def is_same_move(self, move: str, notation: str, text: str, before: str | None) -> bool:
        """Accept king takes rook for castling. In Chess960 there is no other way to write it."""
        del before
        if self.chess960 or not notation.startswith("O-O"):
            return False
        rook_file = "a" if notation.startswith("O-O-O") else "h"
        return text == f"{move[:2]}{rook_file}{move[3]}"

    def outcome(self, position: Position) -> Outcome | None:
        return position.outcome

    def claimable(self, position: Position) -> EndReason | None:
        """Return ``threefold`` or ``fifty_moves`` if a draw may be claimed here; None in a game that is over."""
        if position.outcome is not None:
            return None
        if position.repeats >= THREEFOLD:
            return "threefold"
        return "fifty_moves" if position.board.halfmove_clock >= FIFTY_MOVES else None

    def draw_in(self, position: Position) -> int | None:
        """Return None: no limit applies to a few pieces only, and a claim is answered when it is made."""
        del position
        return None

    def missing_for_claim(self, position: Position) -> str:
        return (
            f"this position has occurred {position.repeats} of {THREEFOLD} times, and "
            f"{position.board.halfmove_clock} of {FIFTY_MOVES} half-moves have been made without a capture or pawn move"
        )

    def can_win(self, position: Position, color: Color) -> bool:
        return can_win(position.board, color == "w")

    def may_be_dead(self, position: Position) -> bool:
        return may_be_dead(position.board, check=position.check, is_irreversible=position.is_irreversible)

    def identity(self, position: Position) -> str:
        """Return the FEN without its counters."""
        return position.keys[-1]

    def find_win(self, identity: str, color: Color, nodes: int) -> Finding:
        verdict = find_win(self.board(identity), color == "w", nodes)
        return Finding(verdict.answer, verdict.layer, verdict.nodes)


@lru_cache(maxsize=STARTS_KEPT)
def _start(rules: Standard, fen: str) -> Position:
    position = Position.first(rules, parse_fen(fen, rules))
    if position.outcome is not None:
        raise BadPosition(f"the game is over in {fen!r}: {position.outcome.reason}")
    return position
