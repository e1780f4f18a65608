"""Where each piece of a position could ever get to, and whether a mate could ever be put together of that.

A bound from above, found as a least fixed point. At first every piece is *solid*: it stays where it is and is never
captured. A piece reaches a square if it could go there with nothing but solid pieces in its way; reaching or attacking
something takes solidity away from others, and so on until nothing changes. A king never steps next to what a solid
enemy attacks. Turns, checks, pins and the order of moves are ignored, so more is thought possible than is. In a real
game the first move that breaks the bound would have to be made while it still held, which is a contradiction: what is
found impossible here is impossible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import chess
from chess import BB_ALL, BB_FILE_A, BB_FILE_H

if TYPE_CHECKING:
    from collections.abc import Callable

_OFFICER: Literal[7] = 7
"""Kind of what a pawn becomes: moves as queen and knight, since any officer may be chosen."""

_NOT_A = BB_ALL & ~BB_FILE_A
_NOT_H = BB_ALL & ~BB_FILE_H
_NOT_AB = _NOT_A & ~chess.BB_FILE_B
_NOT_GH = _NOT_H & ~chess.BB_FILE_G


class _Piece:
    """A piece (or all that promote of a side, as one) and what is known of its future so far."""

    __slots__ = ("exposed", "hits", "home", "kind", "reach", "strays", "white")

    def __init__(self, kind: int, home: chess.Bitboard, *, white: bool) -> None:
        self.kind = kind
        self.white = white
        self.home = home
        self.reach = home
        self.hits = 0
        """What it may attack, from anywhere in its reach."""
        self.exposed = False
        """It may be captured."""
        self.strays = False
        """A pawn that may leave its file."""

    @property
    def solid(self) -> bool:
        return self.reach == self.home and not self.exposed


def mates_in_reach(board: chess.Board) -> tuple[bool, bool]:
    """Whether White, and whether Black, could ever give mate as far as this bound can tell.

    False is certain. True is not: the bound knows no tempo and no order. Castling rights and an open en passant
    capture are not looked into; with them the answer is always True.
    """
    if board.castling_rights or board.has_legal_en_passant():
        return True, True
    reach = _Reach(board)
    reach.settle()
    return reach.can_mate(white=True), reach.can_mate(white=False)


class _Reach:
    """The fixed point in the making."""

    def __init__(self, board: chess.Board) -> None:
        self.pieces = [
            _Piece(piece.piece_type, chess.BB_SQUARES[square], white=piece.color)
            for square, piece in board.piece_map().items()
        ]
        self.promoted: dict[bool, _Piece] = {}

    def settle(self) -> None:
        """Widen until nothing changes. Every step only adds, so this ends."""
        while self._widen():
            pass

    def _widen(self) -> bool:
        """One round over all pieces; whether anything was added."""
        pieces = self.pieces
        solid, guarded, occupied, rails = [0, 0], [0, 0], [0, 0], [0, 0]
        king_homes = 0
        for piece in pieces:
            if piece.solid:
                solid[piece.white] |= piece.home
                guarded[piece.white] |= _close_attacks(piece)
            if piece.kind == chess.KING:
                king_homes |= piece.home
            else:
                occupied[piece.white] |= piece.reach
            if piece.kind == chess.PAWN and not piece.exposed and not piece.strays:
                rails[piece.white] |= piece.home
        blockers = solid[0] | solid[1]
        changed = False
        for piece in list(pieces):
            enemy = not piece.white
            before = piece.reach
            barred = solid[piece.white] | king_homes & solid[enemy]
            if piece.kind == chess.PAWN:
                # Two pawns that face each other on a file never pass while both stay on it.
                block = blockers | (0 if piece.strays else rails[enemy])
                changed |= self._widen_pawn(piece, block, occupied[enemy])
            else:
                _spread(piece, BB_ALL & ~guarded[enemy] if piece.kind == chess.KING else BB_ALL, BB_ALL & ~barred)
            changed |= piece.reach != before
        return self._expose() or changed

    def _widen_pawn(self, pawn: _Piece, block: chess.Bitboard, enemies: chess.Bitboard) -> bool:
        """Let ``pawn`` push and capture; whether it turned out to stray or to promote elsewhere."""
        while True:
            pushed = (pawn.reach << 8 if pawn.white else pawn.reach >> 8) & BB_ALL & ~block
            if pushed & ~pawn.reach == 0:
                break
            pawn.reach |= pushed
        pawn.hits = _pawn_attacks(pawn.reach, white=pawn.white)
        captures = pawn.hits & enemies
        changed = False
        if captures and not pawn.strays:
            pawn.strays = changed = True
        pawn.reach |= captures
        last = pawn.reach & (chess.BB_RANK_8 if pawn.white else chess.BB_RANK_1)
        if last:
            officer = self.promoted.get(pawn.white)
            if officer is None:
                officer = self.promoted[pawn.white] = _Piece(_OFFICER, 0, white=pawn.white)
                self.pieces.append(officer)
            if last & ~officer.reach:
                officer.reach |= last
                changed = True
        return changed

    def _expose(self) -> bool:
        """Mark what may be captured; whether that is more than before."""
        hits = [0, 0]
        for piece in self.pieces:
            hits[piece.white] |= piece.hits
        changed = False
        for piece in self.pieces:
            if not piece.exposed and piece.kind != chess.KING and hits[not piece.white] & piece.reach:
                piece.exposed = changed = True
        return changed

    def can_mate(self, *, white: bool) -> bool:
        """Whether the enemy king could stand somewhere in check from a piece, every square around it being attacked
        or taken by one of its own."""
        checks = covered = stands = shielded = 0
        for piece in self.pieces:
            if piece.white != white:
                if piece.kind == chess.KING:
                    stands = piece.reach
                    # A king that cannot leave its square does not shield the one behind it from a check.
                    shielded = piece.reach if piece.solid else 0
                else:
                    covered |= piece.reach
        for piece in self.pieces:
            if piece.white == white:
                if piece.kind == chess.KING:
                    covered |= _neighbours(piece.reach)
                else:
                    checks |= piece.hits
                    if shielded & piece.hits:
                        covered |= _neighbours(shielded)
        covered |= checks
        return any(chess.BB_KING_ATTACKS[square] & ~covered == 0 for square in chess.scan_forward(stands & checks))


def _diagonals(squares: chess.Bitboard) -> chess.Bitboard:
    sides = (squares & _NOT_H) << 1 | (squares & _NOT_A) >> 1
    return (sides << 8 | sides >> 8) & BB_ALL


def _orthogonals(squares: chess.Bitboard) -> chess.Bitboard:
    return ((squares & _NOT_H) << 1 | (squares & _NOT_A) >> 1 | squares << 8 | squares >> 8) & BB_ALL


def _neighbours(squares: chess.Bitboard) -> chess.Bitboard:
    return _diagonals(squares) | _orthogonals(squares)


def _leaps(squares: chess.Bitboard) -> chess.Bitboard:
    near = (squares & _NOT_H) << 1 | (squares & _NOT_A) >> 1
    far = (squares & _NOT_GH) << 2 | (squares & _NOT_AB) >> 2
    return (near << 16 | near >> 16 | far << 8 | far >> 8) & BB_ALL


def _leaps_and_neighbours(squares: chess.Bitboard) -> chess.Bitboard:
    return _leaps(squares) | _neighbours(squares)


_STEPS: dict[int, Callable[[chess.Bitboard], chess.Bitboard]] = {
    chess.KNIGHT: _leaps,
    chess.BISHOP: _diagonals,
    chess.ROOK: _orthogonals,
    chess.QUEEN: _neighbours,
    chess.KING: _neighbours,
    _OFFICER: _leaps_and_neighbours,
}
"""One step of each kind. A slider's long move is many steps: it could have stopped on any square it crosses."""


def _pawn_attacks(pawns: chess.Bitboard, *, white: bool) -> chess.Bitboard:
    if white:
        return ((pawns & _NOT_H) << 9 | (pawns & _NOT_A) << 7) & BB_ALL
    return (pawns & _NOT_H) >> 7 | (pawns & _NOT_A) >> 9


def _close_attacks(piece: _Piece) -> chess.Bitboard:
    """What a piece at home attacks whatever stands elsewhere: a slider no further than the next square."""
    if piece.kind == chess.PAWN:
        return _pawn_attacks(piece.home, white=piece.white)
    return _STEPS[piece.kind](piece.home)


def _spread(piece: _Piece, safe: chess.Bitboard, enterable: chess.Bitboard) -> None:
    """Let a king or officer go on over ``enterable`` squares; it captures nothing but on ``safe`` ones."""
    step = _STEPS[piece.kind]
    while True:
        piece.hits = step(piece.reach) & safe
        wider = piece.reach | piece.hits & enterable
        if wider == piece.reach:
            return
        piece.reach = wider
