"""Chess960: Appendix F, paragraph by paragraph, from all 960 start positions."""

from __future__ import annotations

from typing import Literal

import chess
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from game_core.errors import IllegalMove
from tests.game_core.chess.library import CHESS960, first_position

numbers = st.integers(0, CHESS960.starts - 1)
FIRST_MOVES = 90 + 72
"""Start positions in which White may castle at once to the h side, and to the a side."""

Side = Literal["a", "h"]
SIDES: tuple[Side, ...] = ("a", "h")


def back_rank(number: int) -> str:
    """White's first row of start position ``number``, from a to h."""
    fen = CHESS960.draw_start(number)
    assert fen is not None
    return fen.split()[0].split("/")[7]


@pytest.mark.parametrize(
    ("number", "row"),
    [(0, "BBQNNRKR"), (1, "BQNBNRKR"), (518, "RNBQKBNR"), (534, "RNBKQBNR"), (959, "RKRNNQBB")],
)
def test_f_position_numbers_follow_the_standard_numbering(number: int, row: str) -> None:
    assert back_rank(number) == row


def test_f2_all_960_positions_satisfy_the_appendix() -> None:
    rows = {back_rank(number) for number in range(960)}
    assert len(rows) == 960
    for number in range(960):
        black, pawns, *empty, white_pawns, row = str(CHESS960.draw_start(number)).split()[0].split("/")
        assert sorted(row) == sorted("RNBQKBNR")
        assert row.index("R") < row.index("K") < row.rindex("R"), "the king stands between the rooks"
        assert (row.index("B") + row.rindex("B")) % 2 == 1, "the bishops stand on squares of both colours"
        assert black == row.lower(), "Black's men stand opposite White's"
        assert (pawns, empty, white_pawns) == ("pppppppp", ["8"] * 4, "PPPPPPPP")


def test_f_fen_names_the_rooks_by_file_or_as_kqkq() -> None:
    for number in range(960):
        row = back_rank(number)
        men = f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w"
        files = chess.FILE_NAMES[row.rindex("R")] + chess.FILE_NAMES[row.index("R")]
        shredder = CHESS960.start(f"{men} {files.upper()}{files} - 0 1")
        assert shredder == CHESS960.start(f"{men} KQkq - 0 1") == CHESS960.start(CHESS960.draw_start(number))
        assert CHESS960.fen(shredder) == CHESS960.draw_start(number)


class Castling:
    """One side's castling from start position ``number``: the squares it is about, from the appendix's own words."""

    def __init__(self, number: int, *, white: bool, side: Side) -> None:
        row = back_rank(number)
        first = chess.A1 if white else chess.A8
        self.number = number
        self.white = white
        self.side = side
        self.king = first + row.index("K")
        self.rook = first + (row.index("R") if side == "a" else row.rindex("R"))
        self.king_to = first + (2 if side == "a" else 6)
        self.rook_to = first + (3 if side == "a" else 5)
        self.king_path = _between(self.king, self.king_to)
        self.all_squares = self.king_path | _between(self.rook, self.rook_to)

    @property
    def wire(self) -> str:
        """King takes rook."""
        return chess.SQUARE_NAMES[self.king] + chess.SQUARE_NAMES[self.rook]

    def is_lawful(self, board: chess.Board) -> bool:
        """F3: all squares between start and end of both are empty but for the two, and no square of the king's path is
        attacked; nor is the king when the rook has gone from before it (3.9)."""
        if any(board.piece_at(square) for square in self.all_squares - {self.king, self.rook}):
            return False
        gone = board.copy(stack=False)
        gone.remove_piece_at(self.king)
        crossed = any(gone.is_attacked_by(not self.white, square) for square in self.king_path)
        return not crossed and not self.after(board).is_attacked_by(not self.white, self.king_to)

    def after(self, board: chess.Board) -> chess.Board:
        """The men after it."""
        moved = board.copy(stack=False)
        moved.remove_piece_at(self.king)
        moved.remove_piece_at(self.rook)
        moved.set_piece_at(self.king_to, chess.Piece(chess.KING, self.white))
        moved.set_piece_at(self.rook_to, chess.Piece(chess.ROOK, self.white))
        return moved


def _between(one: int, other: int) -> set[int]:
    return set(range(min(one, other), max(one, other) + 1))


ATTACKERS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)


@st.composite
def castlings(draw: st.DrawFn) -> tuple[Castling, chess.Board]:
    """A start position with one side to move, without some of its men, often all that were in the way, and without some
    of its pawns; with men of the opponent placed anywhere."""
    white = draw(st.booleans())
    castling = Castling(draw(numbers), white=white, side=draw(st.sampled_from(SIDES)))
    board = chess.Board(CHESS960.draw_start(castling.number) or "", chess960=True)
    board.turn = white
    first = chess.A1 if white else chess.A8
    both = {castling.king, castling.rook}
    men = [square for square in range(first, first + 8) if square not in both]
    gone = draw(st.sets(st.sampled_from(men)))
    if draw(st.booleans()):
        gone |= castling.all_squares - both
    ahead = 8 if white else -8
    gone |= {first + file + ahead for file in draw(st.sets(st.sampled_from(range(8)), max_size=4))}
    for square in gone:
        board.remove_piece_at(square)
    board.castling_rights = board.clean_castling_rights()
    free = st.sampled_from([square for square in chess.SQUARES if board.piece_at(square) is None])
    for square, kind in draw(st.lists(st.tuples(free, st.sampled_from(ATTACKERS)), max_size=3)):
        board.set_piece_at(square, chess.Piece(kind, not white))
    assume(not board.was_into_check())
    return castling, board


@given(castlings())
def test_f3_castling_is_legal_by_the_appendix_and_ends_as_in_chess(
    scene: tuple[Castling, chess.Board],
) -> None:
    castling, board = scene
    position = first_position(board.copy())
    event("lawful" if castling.is_lawful(board) else "unlawful")
    if not castling.is_lawful(board):
        assert castling.wire not in CHESS960.legal_moves(position)
        with pytest.raises(IllegalMove):
            CHESS960.play(position, castling.wire)
        return
    assert castling.wire in CHESS960.legal_moves(position)
    played = CHESS960.play(position, castling.wire)
    assert played.move == castling.wire
    assert played.notation.rstrip("+#") == ("O-O-O" if castling.side == "a" else "O-O")
    assert played.position.board.board_fen() == castling.after(board).board_fen()
    rights = CHESS960.fen(played.position).split()[2].strip("-")
    assert not any(letter.isupper() == castling.white for letter in rights), "nobody castles twice (F3a)"


@given(castlings())
def test_f3_castling_has_one_spelling(scene: tuple[Castling, chess.Board]) -> None:
    """Two squares to the side is castling in standard chess only: here it is a king's step or nothing."""
    castling, board = scene
    position = first_position(board)
    king = chess.SQUARE_NAMES[castling.king]
    for square in chess.SquareSet(chess.BB_RANK_1 if castling.white else chess.BB_RANK_8):
        move = f"{king}{chess.SQUARE_NAMES[square]}"
        if move in CHESS960.legal_moves(position):
            castles = CHESS960.play(position, move).notation.startswith("O")
            assert castles == (board.piece_at(square) == chess.Piece(chess.ROOK, castling.white))
        else:
            with pytest.raises(IllegalMove):
                CHESS960.play(position, move)


def test_f3_castling_can_be_the_first_move() -> None:
    first_moves = 0
    for number in range(960):
        fen = CHESS960.draw_start(number)
        legal = CHESS960.legal_moves(CHESS960.start(fen))
        for side in SIDES:
            castling = Castling(number, white=True, side=side)
            lawful = castling.is_lawful(chess.Board(fen or "", chess960=True))
            assert (castling.wire in legal) == lawful, fen
            first_moves += lawful
    assert first_moves == FIRST_MOVES


# Columns: the position, king takes rook, its notation, White's first row then.
ROWS: dict[str, tuple[str, str, str, str]] = {
    "F3 as in standard chess": ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1a1", "O-O-O", "2KR3R"),
    "F3 the king may stay where it is": ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "O-O", "5RK1"),
    "F3 the rook may": ("4k3/8/8/8/8/8/8/3RK3 w D - 0 1", "e1d1", "O-O-O", "2KR4"),
    "F3 they may change places": ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O", "5RK1"),
    "F3 both may go the same way": ("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", "b1c1", "O-O", "5RK1"),
    "F3 past each other": ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "O-O-O", "2KR4"),
    "F3 what only the rook crosses may be attacked": ("1r2k3/8/8/8/8/8/8/R5K1 w A - 0 1", "g1a1", "O-O-O", "2KR4"),
    "F3 what neither crosses may be occupied": ("4k3/8/8/8/8/8/8/N1RK4 w C - 0 1", "d1c1", "O-O-O", "N1KR4"),
    "F3 the rook may be attacked": ("4k2r/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", "O-O", "5RK1"),
}


@pytest.mark.parametrize(("fen", "move", "notation", "row"), ROWS.values(), ids=ROWS)
def test_f3_squares_of_king_and_rook_after_castling(fen: str, move: str, notation: str, row: str) -> None:
    played = CHESS960.play(CHESS960.start(fen), move)
    assert (played.notation.rstrip("+"), CHESS960.fen(played.position).split()[0].split("/")[7]) == (notation, row)


# Columns: the position, castling that is not lawful in it.
BARRED: dict[str, tuple[str, str]] = {
    "F3 a man on the king's way": ("4k3/8/8/8/8/8/8/R2NK3 w A - 0 1", "e1a1"),
    "F3 a man where the king goes": ("4k3/8/8/8/8/8/8/R1N1K3 w A - 0 1", "e1a1"),
    "F3 a man on the rook's way": ("4k3/8/8/8/8/8/8/RN2K3 w A - 0 1", "e1a1"),
    "F3 a man where the rook goes": ("4k3/8/8/8/8/8/8/RK1N4 w A - 0 1", "b1a1"),
    "F3, 3.8b a square that the king crosses is attacked": ("2r1k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1"),
    "F3, 3.8b the king is": ("1r2k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1"),
    "3.9 the rook goes away from before the king": ("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "c1b1"),
    "F3a they have no right to it": ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1a1"),
}


@pytest.mark.parametrize(("fen", "move"), BARRED.values(), ids=BARRED)
def test_f3_prevented_castling_is_refused(fen: str, move: str) -> None:
    position = CHESS960.start(fen)
    assert move not in CHESS960.legal_moves(position)
    with pytest.raises(IllegalMove, match="castling is not possible now"):
        CHESS960.play(position, move)
