"""Antichess, as lichess plays it: a capture is compulsory, the king is a piece like all others, and whoever cannot move
because they have no piece left, or are stalemated, wins.

Moves bear no mark of check or mate. That a side cannot win shows at once of bishops that nothing can reach and of
knight against knight. Of other positions ``find_win`` knows as far as its search comes to an end, and games end by
themselves in them only where bishops stand among blocked pawns (``may_be_dead``).
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import chess
from chess.variant import AntichessBoard

from game_core.chess.laws import PROMOTIONS
from game_core.chess.standard import Standard
from game_core.rules import Finding, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from game_core.chess.position import Position
    from game_core.color import Color


class _Board(AntichessBoard):
    def clean_castling_rights(self) -> chess.Bitboard:
        """Castling does not exist in antichess. A FEN with castling rights is refused."""
        return chess.BB_EMPTY


class Antichess(Standard):
    """The rules and laws of ``chess`` / ``antichess``. Promotion to king is ``e7e8k``."""

    variant = "antichess"
    initial = AntichessBoard.starting_fen
    pgn_tag = "Antichess"
    pgn_names = frozenset({"antichess", "anti", "giveaway", "giveawaychess", "losingchess"})
    promotions: Mapping[str, chess.PieceType | None] = {**PROMOTIONS, "k": chess.KING}
    profiles = ("online",)
    hand = None

    def board(self, fen: str) -> chess.Board:
        return _Board(fen)

    @staticmethod
    def is_valid(
        board: chess.Board,
        from_square: chess.Square,
        to_square: chess.Square,
        taken: chess.Square | None,
        *,
        check: bool,
    ) -> bool:
        """Return whether the move captures, or nothing can be captured and the game is not over."""
        del from_square, to_square, check
        return taken is not None or (bool(board.occupied_co[not board.turn]) and not _can_capture(board))

    def refusal(self, wire: str, *, check: bool) -> str:
        del check
        return f"{wire} is not a capture, and captures are compulsory"

    @staticmethod
    def has_move(board: chess.Board, *, check: bool) -> bool:
        del check
        if not board.occupied_co[not board.turn]:
            return False
        # A pawn that can step forward is cheap to find: then there is a legal move, by it or by a capture.
        free = ~board.occupied
        if board.pawns & board.occupied_co[board.turn] & (free >> 8 if board.turn else free << 8):
            return True
        return any(board.generate_legal_moves())

    def ending(self, board: chess.Board, *, check: bool, mobile: bool) -> Outcome | None:
        """Return a win of the side to move, if it has no piece or no move. The other side has no piece only in a
        FEN."""
        del check
        if mobile:
            return None
        turn: Color = "w" if board.turn else "b"
        if not board.occupied_co[board.turn]:
            return Outcome(winner=turn, reason="all_captured")
        if not board.occupied_co[not board.turn]:
            return Outcome(winner="b" if board.turn else "w", reason="all_captured")
        return Outcome(winner=turn, reason="no_moves")

    def is_dead(self, board: chess.Board, *, is_irreversible: bool) -> bool:
        """Return whether only bishops are left and no bishop can ever meet one of the other side."""
        return is_irreversible and board.is_insufficient_material()

    def can_win(self, position: Position, color: Color) -> bool:
        """Return False for bishops that can never be captured, and for the knight that cannot be captured in knight
        against knight."""
        return not position.board.has_insufficient_material(color == "w")

    def may_be_dead(self, position: Position) -> bool:
        """Return whether the search is worth while: only bishops and blocked pawns, whose future positions are few."""
        board = position.board
        if board.bishops | board.pawns != board.occupied:
            return False
        white, black = (board.pawns & board.occupied_co[color] for color in (chess.WHITE, chess.BLACK))
        return not (white << 8 | black >> 8) & ~board.occupied

    def find_win(self, identity: str, color: Color, nodes: int) -> Finding:
        board = self.board(identity)
        if board.has_insufficient_material(color == "w"):
            return Finding("no", "material", 0)
        return find_loss(board, color == "w", nodes)


def _can_capture(board: chess.Board) -> bool:
    """Return whether the side to move has a capture. The opponent must have pieces."""
    own, targets = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    pawns = board.pawns & own
    passing = targets if board.ep_square is None else targets | chess.BB_SQUARES[board.ep_square]
    to_right, to_left = pawns & ~chess.BB_FILE_H, pawns & ~chess.BB_FILE_A
    if (to_right << 9 | to_left << 7 if board.turn else to_right >> 7 | to_left >> 9) & passing:
        return True
    return any(board.attacks_mask(square) & targets for square in chess.scan_forward(own & ~pawns))


def find_loss(board: chess.Board, color: chess.Color, nodes: int) -> Finding:
    """Whether any series of legal moves lets ``color`` win from ``board``.

    A best-first search: positions with the fewest men of ``color`` first, and of these the ones in which it stands
    closest to the opponent. Draws that a count of moves or repetitions brings about are not looked at.

    Args:
        board: a board of antichess. It is not changed.
        color: the side that is to have no piece or no move left on its turn.
        nodes: most positions to go on from; a thousand take about a quarter of a second.
    """
    queue: list[tuple[int, int, int, chess.Board]] = [(0, 0, 0, board)]
    seen = {_key(board)}
    gone_on = 0
    while queue:
        *_, place = heapq.heappop(queue)
        if gone_on >= nodes:
            return Finding("undecided", "search", gone_on)
        gone_on += 1
        moves = list(place.generate_legal_moves())
        own, other = place.occupied_co[color], place.occupied_co[not color]
        if not own or (other and not moves and place.turn == color):
            return Finding("yes", "search", gone_on)
        for after in _after(place, moves):
            key = _key(after)
            if key not in seen:
                seen.add(key)
                heapq.heappush(queue, (after.occupied_co[color].bit_count(), _distance(after), len(seen), after))
    return Finding("no", "search", gone_on)


def _after(board: chess.Board, moves: list[chess.Move]) -> Iterator[chess.Board]:
    for move in moves:
        after = board.copy(stack=False)
        after.push(move)
        after.clear_stack()
        yield after


def _key(board: chess.Board) -> tuple[int, ...]:
    """Return a key that is equal for equal positions."""
    ep = board.ep_square if board.has_legal_en_passant() else None
    return (
        board.turn,
        board.occupied_co[chess.WHITE],
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        -1 if ep is None else ep,
    )


def _distance(board: chess.Board) -> int:
    """Return the distance in king's steps between the two closest men of both sides; 0 if a side has none."""
    white, black = (chess.SquareSet(board.occupied_co[color]) for color in (chess.WHITE, chess.BLACK))
    return min((chess.square_distance(one, other) for one in white for other in black), default=0)
