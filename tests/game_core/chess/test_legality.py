"""Legality of single moves, against the library's list of legal moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from game_core.chess.legality import has_legal_move
from game_core.errors import BadPosition, IllegalMove
from tests.game_core.chess.library import CHESS960, STANDARD, find_step, random_game

if TYPE_CHECKING:
    import random

    from game_core.chess.standard import Standard

PROMOTIONS = ("", "q", "n")

EVERY_TEXT = [
    f"{origin}{target}{piece}" for origin in chess.SQUARE_NAMES for target in chess.SQUARE_NAMES for piece in PROMOTIONS
]
"""All texts that could be moves, promotions to two pieces standing for those to four."""

TIGHT_CORNERS = [
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",  # en passant would uncover the queen along the rank
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",  # en passant takes the checking pawn's blocker away
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",  # en passant takes the pawn that gives check
    "k7/8/8/4pP2/8/8/8/K3R3 w - e6 0 1",
    "4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1",  # a pinned bishop
    "4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1",  # a pinned rook goes along the pin and takes
    "4k3/8/8/8/7b/6P1/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/5n2/8/4K2R w K - 0 1",  # in check: no castling
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",  # the rook may pass an attacked square
    "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1",  # the king may not
    "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
    "1n2k1n1/P6P/8/8/8/8/p6p/1N2K1N1 b - - 0 1",
    "k7/8/8/8/8/4p3/4P3/4K3 w - - 0 1",
    "k7/8/8/8/4p3/8/4P3/4K3 w - - 0 1",
    "4r1k1/8/8/8/1b6/8/8/4K3 w - - 0 1",  # double check
    "4k3/8/8/8/8/3R4/8/4K2R w K - 0 1",  # a rook that is none to castle with
    "4k3/8/8/8/8/8/8/R2RK2R w KQ - 0 1",
]


def accepted(board: chess.Board) -> dict[str, str]:
    """Every text that is taken for a move, and the move it is taken for."""
    found = {}
    for text in EVERY_TEXT:
        try:
            found[text] = find_step(board, text, check=board.is_check()).move.uci()
        except IllegalMove:
            continue
    return found


def legal(board: chess.Board) -> set[str]:
    return {move.uci() for move in board.legal_moves if move.uci()[4:] in PROMOTIONS}


def understood(board: chess.Board) -> dict[str, str]:
    """What ``accepted`` has to find, by the library: every legal move, and castling as king takes rook."""
    by_rook = board.copy(stack=False)
    by_rook.chess960 = True
    castlings = {move.uci(): board.uci(move, chess960=board.chess960) for move in by_rook.generate_castling_moves()}
    return {move: move for move in legal(board)} | castlings


@st.composite
def boards(draw: st.DrawFn) -> chess.Board:
    """A position with kings, rooks that may castle or not, and anything else anywhere."""
    chess960 = draw(st.booleans())
    board = chess.Board(None, chess960=chess960)
    squares = draw(st.permutations(range(64)))
    homes = [draw(st.integers(1, 6)) if chess960 else 4 for _ in range(2)]
    places = [homes[0], 56 + homes[1], *(square for square in squares if square not in (homes[0], 56 + homes[1]))]
    men = [chess.Piece(chess.KING, chess.WHITE), chess.Piece(chess.KING, chess.BLACK)]
    kinds = st.sampled_from([chess.ROOK, chess.ROOK, chess.KNIGHT, chess.BISHOP, chess.QUEEN, chess.PAWN])
    men += [chess.Piece(draw(kinds), draw(st.booleans())) for _ in range(draw(st.integers(2, 12)))]
    for square, man in zip(places, men, strict=False):
        if man.piece_type != chess.PAWN or 8 <= square < 56:
            board.set_piece_at(square, man)
    board.castling_rights = board.rooks & draw(st.integers(0, (1 << 64) - 1))
    board.castling_rights = board.clean_castling_rights()
    board.turn = draw(st.booleans())
    assume(board.is_valid())
    return board


@given(boards())
def test_exactly_the_legal_moves_of_any_position_are_accepted(board: chess.Board) -> None:
    assert accepted(board) == understood(board)


@given(boards(), st.randoms(use_true_random=False))
def test_position_after_a_move_equals_the_library(board: chess.Board, chance: random.Random) -> None:
    """The position of the event, and the position rebuilt from the stored events."""
    rules = CHESS960 if board.chess960 else STANDARD
    moves = understood(board)
    assume(moves and not board.is_checkmate() and not board.is_stalemate())
    text = chance.choice(sorted(moves))
    try:
        start = rules.start(board.fen())
    except BadPosition:
        return
    played = rules.play(start, text)
    board.push(chess.Move.from_uci(moves[text]))
    assert rules.fen(played.position) == board.fen(en_passant="legal")
    assert rules.fen(rules.play(start, played.move).position) == rules.fen(played.position)


@pytest.mark.parametrize("fen", TIGHT_CORNERS)
def test_exactly_the_legal_moves_of_tight_positions_are_accepted(fen: str) -> None:
    board = chess.Board(fen)
    assert accepted(board) == understood(board)
    assert has_legal_move(board, check=board.is_check()) == bool(legal(board))


@pytest.mark.exhaustive
@pytest.mark.parametrize("rules", [STANDARD, CHESS960], ids=lambda rules: str(rules.variant))
@pytest.mark.parametrize("seed", range(5))
def test_exactly_the_legal_moves_of_random_games_are_accepted(rules: Standard, seed: int) -> None:
    for board, _ in list(random_game(rules, seed, 160))[::9]:
        assert accepted(board) == understood(board)
        assert has_legal_move(board, check=board.is_check())


@pytest.mark.parametrize(
    ("fen", "wire", "message"),
    [
        (chess.STARTING_FEN, "", "is not a move"),
        (chess.STARTING_FEN, "e2", "is not a move"),
        (chess.STARTING_FEN, "e2e9", "is not a move"),
        (chess.STARTING_FEN, "E2E4", "is not a move"),
        (chess.STARTING_FEN, "e2e4 ", "is not a move"),
        (chess.STARTING_FEN, "e2-e4", "is not a move"),
        (chess.STARTING_FEN, "e2e4qq", "is not a move"),
        (chess.STARTING_FEN, "e2e4k", "is not a move"),
        (chess.STARTING_FEN, "0000", "is not a move"),
        (chess.STARTING_FEN, "N@f3", "is not a move"),
        (chess.STARTING_FEN, "e2e\u0664", "is not a move"),
        (chess.STARTING_FEN, "Nf3" * 1000, "is not a move"),
        (chess.STARTING_FEN, "e4e5", "no piece to move on e4"),
        (chess.STARTING_FEN, "e7e5", "no piece to move on e7"),
        (chess.STARTING_FEN, "e2e2", "the pawn on e2 cannot go to e2"),
        (chess.STARTING_FEN, "e2e5", "the pawn on e2 cannot go to e5"),
        (chess.STARTING_FEN, "e2d3", "the pawn has nothing to capture on d3"),
        (chess.STARTING_FEN, "e2e4q", "promote on the last rank"),
        (chess.STARTING_FEN, "g1f3q", "only a pawn promotes"),
        (chess.STARTING_FEN, "g1g3", "the knight on g1 cannot go to g3"),
        (chess.STARTING_FEN, "a1a2", "the rook on a1 cannot go to a2"),
        (chess.STARTING_FEN, "e1g1", "castling is not possible now"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "must promote on the last rank, and only there"),
        ("4k3/8/8/8/8/8/4r3/4K2N w - - 0 1", "h1g3", "leaves the king in check"),
        ("4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1", "e2f3", "leaves your own king in check"),
        ("4k3/4r3/8/8/8/8/8/3K4 w - - 0 1", "d1e1", "leaves your own king in check"),
    ],
)
def test_illegal_move_is_refused_with_its_reason(fen: str, wire: str, message: str) -> None:
    board = chess.Board(fen)
    with pytest.raises(IllegalMove, match=message) as caught:
        find_step(board, wire, check=board.is_check())
    assert caught.value.code == "illegal_move"
    assert len(str(caught.value)) < 120


@given(st.text() | st.from_regex("[a-h][1-8][a-h][1-8][qrbnk]?"))
def test_any_text_is_a_legal_move_or_refused(wire: str) -> None:
    board = chess.Board("r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPpP/R3K2R w KQkq - 0 1")
    try:
        step = find_step(board, wire, check=board.is_check())
    except IllegalMove:
        return
    assert step.move in board.legal_moves
