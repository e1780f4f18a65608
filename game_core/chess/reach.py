"""Squares that each piece could ever reach, and whether that could ever suffice for a mate.

An upper bound, computed as a least fixed point. At first every piece is *solid*: it stays where it is and is never
captured. A piece reaches a square if it could go there with nothing but solid pieces in its way. Reaching or attacking
a piece makes it not solid, and so on until nothing changes. A king never steps on a square that a solid enemy attacks;
it castles if nothing solid stands between. Turns, checks, pins and the order of moves are ignored, so the bound is too
generous. It is never too strict: in a real game the first move that breaks the bound would have to be made while it
still held, a contradiction. What is found impossible here is impossible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import chess
from chess import BB_ALL, BB_FILE_A, BB_FILE_H

if TYPE_CHECKING:
    from collections.abc import Callable

_OFFICER: Literal[7] = 7
"""Kind of a promoted pawn: it moves as queen and knight, because any officer may be chosen."""

_NOT_A = BB_ALL & ~BB_FILE_A
_NOT_H = BB_ALL & ~BB_FILE_H
_NOT_AB = _NOT_A & ~chess.BB_FILE_B
_NOT_GH = _NOT_H & ~chess.BB_FILE_G


class _Piece:
    """A piece (or all promoted pieces of a side as one) and the bound so far."""

    __slots__ = ("exposed", "hits", "home", "kind", "reach", "strays", "white")

    def __init__(self, kind: int, home: chess.Bitboard, *, white: bool) -> None:
        self.kind = kind
        self.white = white
        self.home = home
        self.reach = home
        self.hits = 0
        """Squares it may attack from anywhere in its reach."""
        self.exposed = False
        """Whether it may be captured."""
        self.strays = False
        """Whether a pawn may leave its file."""

    @property
    def solid(self) -> bool:
        return self.reach == self.home and not self.exposed


def mates_in_reach(board: chess.Board) -> tuple[bool, bool]:
    """Return whether White, and whether Black, could ever give mate within this bound.

    False is certain. True is not: the bound ignores tempo and order.
    """
    reach = _Reach(board)
    reach.settle()
    return reach.can_mate(white=True), reach.can_mate(white=False)


class _Castling(NamedTuple):
    """A remaining castling right."""

    king: _Piece
    rook: _Piece
    path: chess.Bitboard
    """Squares that must be free, apart from those of king and rook."""
    king_goal: chess.Bitboard
    rook_goal: chess.Bitboard


class _Reach:
    """The fixed-point iteration."""

    def __init__(self, board: chess.Board) -> None:
        self.pieces = [
            _Piece(piece.piece_type, chess.BB_SQUARES[square], white=piece.color)
            for square, piece in board.piece_map().items()
        ]
        self.promoted: dict[bool, _Piece] = {}
        self.castlings = [self._find_castling(board, rook) for rook in chess.scan_forward(board.castling_rights)]
        if board.ep_square is not None and board.has_legal_en_passant():
            self._open_en_passant(board, board.ep_square)

    def _at(self, square: chess.Square) -> _Piece:
        return next(piece for piece in self.pieces if piece.home == chess.BB_SQUARES[square])

    def _find_castling(self, board: chess.Board, rook: chess.Square) -> _Castling:
        white = bool(board.occupied_co[chess.WHITE] & chess.BB_SQUARES[rook])
        king = chess.msb(board.kings & board.occupied_co[white])
        rank = 0 if white else 56
        king_to, rook_to = (rank + chess.G1, rank + chess.F1) if rook > king else (rank + chess.C1, rank + chess.D1)
        goals = chess.BB_SQUARES[king_to] | chess.BB_SQUARES[rook_to]
        path = chess.between(king, rook) | chess.between(king, king_to) | chess.between(rook, rook_to) | goals
        own = chess.BB_SQUARES[king] | chess.BB_SQUARES[rook]
        return _Castling(
            self._at(king), self._at(rook), path & ~own, chess.BB_SQUARES[king_to], chess.BB_SQUARES[rook_to]
        )

    def _open_en_passant(self, board: chess.Board, goal: chess.Square) -> None:
        """Add the en passant captures that are possible now; later ones are covered by ordinary captures."""
        beside = chess.BB_PAWN_ATTACKS[not board.turn][goal]
        for square in chess.scan_forward(beside & board.pawns & board.occupied_co[board.turn]):
            pawn = self._at(square)
            pawn.strays = True
            pawn.reach |= chess.BB_SQUARES[goal]
        self._at(goal + (-8 if board.turn else 8)).exposed = True

    def settle(self) -> None:
        """Widen until nothing changes. Every step only adds, so this terminates."""
        while self._widen():
            pass

    def _widen(self) -> bool:
        """Run one round over all pieces. Returns whether anything was added."""
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
        for castling in self.castlings:
            if not castling.path & blockers:
                new_goals = castling.king_goal & ~castling.king.reach | castling.rook_goal & ~castling.rook.reach
                castling.king.reach |= castling.king_goal
                castling.rook.reach |= castling.rook_goal
                changed |= new_goals != 0
        return self._expose() or changed

    def _widen_pawn(self, pawn: _Piece, block: chess.Bitboard, enemies: chess.Bitboard) -> bool:
        """Let ``pawn`` push and capture. Returns whether it may now leave its file or promote elsewhere."""
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
        """Mark pieces that may be captured. Returns whether there are new ones."""
        hits = [0, 0]
        for piece in self.pieces:
            hits[piece.white] |= piece.hits
        changed = False
        for piece in self.pieces:
            if not piece.exposed and piece.kind != chess.KING and hits[not piece.white] & piece.reach:
                piece.exposed = changed = True
        return changed

    def can_mate(self, *, white: bool) -> bool:
        """Return whether the enemy king could be in check on some square, with every square around it attacked by a
        piece, next to the other king, or occupied by a man of its own: one man for one square."""
        king, enemy_king = (
            next(piece for piece in self.pieces if piece.kind == chess.KING and piece.white == side)
            for side in (white, not white)
        )
        men = [piece for piece in self.pieces if piece.white == white and piece is not king]
        blocks = self._blocks(white=not white)
        if len(men) == 1 and men[0].kind not in {chess.PAWN, _OFFICER}:
            return _mates_alone(men[0], king, enemy_king, blocks)
        hits = 0
        for piece in men:
            hits |= piece.hits
        for square in chess.scan_forward(enemy_king.reach & hits):
            around = chess.BB_KING_ATTACKS[square]
            # A king that cannot leave its square does not shield the one behind it from a check.
            covered = around if enemy_king.solid else hits
            if any(can_fill(around & ~covered & ~held, blocks) for held in _held(king, square)):
                return True
        return False

    def _blocks(self, *, white: bool) -> list[chess.Bitboard]:
        """Return where each man of a side, except the king, could block that side's king."""
        officer = self.promoted.get(white)
        last = chess.BB_RANK_8 if white else chess.BB_RANK_1
        return [
            piece.reach | officer.reach if officer and piece.kind == chess.PAWN and piece.reach & last else piece.reach
            for piece in self.pieces
            if piece.white == white and piece.kind not in {chess.KING, _OFFICER}
        ]


def _held(king: _Piece, enemy: chess.Square) -> set[chess.Bitboard]:
    """Return what ``king`` may deny a king on ``enemy``, for each square it may stand on."""
    around = chess.BB_KING_ATTACKS[enemy]
    near = _neighbours(_neighbours(chess.BB_SQUARES[enemy])) & ~around & ~chess.BB_SQUARES[enemy]
    return {0} | {chess.BB_KING_ATTACKS[square] & around for square in chess.scan_forward(king.reach & near)}


def _mates_alone(man: _Piece, king: _Piece, enemy_king: _Piece, blocks: list[chess.Bitboard]) -> bool:
    """Return whether ``man``, alone beside its king, could give mate: it covers what it attacks from one square."""
    for square in chess.scan_forward(enemy_king.reach & man.hits):
        around = chess.BB_KING_ATTACKS[square]
        helds = _held(king, square)
        for origin in chess.scan_forward(man.reach):
            attacks = _open_attacks(man, origin)
            if not attacks & chess.BB_SQUARES[square]:
                continue
            itself = chess.BB_SQUARES[origin] & around
            for held in helds:
                # Next to the enemy king it needs its own king as a defender.
                if not itself & ~held and can_fill(around & ~attacks & ~held, blocks):
                    return True
    return False


def can_fill(squares: chess.Bitboard, blocks: list[chess.Bitboard]) -> bool:
    """Return whether each of ``squares`` can have a man of its own (a matching, by augmenting paths)."""
    if squares.bit_count() > len(blocks):
        return False
    taken: dict[int, chess.Square] = {}

    def place(square: chess.Square, tried: set[int]) -> bool:
        for index, reach in enumerate(blocks):
            if reach & chess.BB_SQUARES[square] and index not in tried:
                tried.add(index)
                if index not in taken or place(taken[index], tried):
                    taken[index] = square
                    return True
        return False

    return all(place(square, set()) for square in chess.scan_forward(squares))


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


STEPS: dict[int, Callable[[chess.Bitboard], chess.Bitboard]] = {
    chess.KNIGHT: _leaps,
    chess.BISHOP: _diagonals,
    chess.ROOK: _orthogonals,
    chess.QUEEN: _neighbours,
    chess.KING: _neighbours,
    _OFFICER: _leaps_and_neighbours,
}
"""One step of each kind of piece. A slider's long move is many steps: it could have stopped on any square it
crosses."""


def _pawn_attacks(pawns: chess.Bitboard, *, white: bool) -> chess.Bitboard:
    if white:
        return ((pawns & _NOT_H) << 9 | (pawns & _NOT_A) << 7) & BB_ALL
    return (pawns & _NOT_H) >> 7 | (pawns & _NOT_A) >> 9


def _close_attacks(piece: _Piece) -> chess.Bitboard:
    """Return what a piece on its square attacks regardless of other pieces: a slider only the next squares."""
    if piece.kind == chess.PAWN:
        return _pawn_attacks(piece.home, white=piece.white)
    return STEPS[piece.kind](piece.home)


def _open_attacks(officer: _Piece, square: chess.Square) -> chess.Bitboard:
    """Return what ``officer`` attacks from ``square`` on an empty board, through a king on its line."""
    attacks = 0
    if officer.kind == chess.KNIGHT:
        attacks = chess.BB_KNIGHT_ATTACKS[square]
    if officer.kind in {chess.BISHOP, chess.QUEEN}:
        attacks |= chess.BB_DIAG_ATTACKS[square][0]
    if officer.kind in {chess.ROOK, chess.QUEEN}:
        attacks |= chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0]
    return attacks


def _spread(piece: _Piece, safe: chess.Bitboard, enterable: chess.Bitboard) -> None:
    """Extend the reach of a king or officer over ``enterable`` squares; it captures only on ``safe`` ones."""
    step = STEPS[piece.kind]
    while True:
        piece.hits = step(piece.reach) & safe
        wider = piece.reach | piece.hits & enterable
        if wider == piece.reach:
            return
        piece.reach = wider
