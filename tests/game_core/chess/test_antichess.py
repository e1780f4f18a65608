"""Antichess, against python-chess's own board of it."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import chess
import chess.pgn
import pytest
from chess.variant import AntichessBoard
from hypothesis import assume, event, given
from hypothesis import strategies as st

from game_core.chess.notation.iccf import format_iccf
from game_core.chess.notation.letters import format_local
from game_core.chess.notation.long_algebraic import format_long
from game_core.chess.notation.move_text import parse_move
from game_core.chess.pgn_game import PgnGame
from game_core.chess.pgn_reader import read_games
from game_core.chess.pgn_writer import format_game
from game_core.errors import BadPosition, IllegalMove
from game_core.rules import Outcome
from tests.game_core.chess.library import ANTICHESS, DATA, STANDARD, first_position

if TYPE_CHECKING:
    import random

    from game_core.chess.position import Position

EVERY_TEXT = [
    f"{origin}{target}{piece}"
    for origin in chess.SQUARE_NAMES
    for target in chess.SQUARE_NAMES
    for piece in ("", "q", "k")
]
"""All texts that could be moves, promotions to two pieces standing for those to five."""

NODES = 20_000


@st.composite
def boards(draw: st.DrawFn) -> AntichessBoard:
    """Anything anywhere, with any number of kings, and perhaps a pawn that has just made two steps."""
    board = AntichessBoard(None)
    board.turn = draw(st.booleans())
    squares = draw(st.permutations(range(64)))
    for square in squares[: draw(st.integers(2, 14))]:
        kind = draw(st.sampled_from([*chess.PIECE_TYPES, chess.PAWN]))
        if kind != chess.PAWN or 8 <= square < 56:
            board.set_piece_at(square, chess.Piece(kind, draw(st.booleans())))
    passed = draw(st.integers(0, 7)) + (40 if board.turn else 16)
    behind, ahead = (passed + 8, passed - 8) if board.turn else (passed - 8, passed + 8)
    if draw(st.booleans()) and not board.occupied & (chess.BB_SQUARES[passed] | chess.BB_SQUARES[behind]):
        board.set_piece_at(ahead, chess.Piece(chess.PAWN, not board.turn))
        board.ep_square = passed
    assume(all(board.occupied_co))
    assume(board.is_valid())
    return board


def accepted(position: Position) -> set[str]:
    found = set()
    for text in EVERY_TEXT:
        try:
            found.add(ANTICHESS.play(position, text).move)
        except IllegalMove:
            continue
    return found


@given(boards())
def test_exactly_the_legal_moves_of_any_position_are_accepted(board: AntichessBoard) -> None:
    legal = {move.uci() for move in board.legal_moves}
    event("captures" if any(board.generate_pseudo_legal_captures()) else "quiet")
    position = first_position(ANTICHESS.board(board.fen()))
    assert set(ANTICHESS.legal_moves(position)) == legal
    assert accepted(position) == {move for move in legal if move[4:] in ("", "q", "k")}
    assert position.mobile == bool(legal)
    assert not position.check


@given(boards(), st.randoms(use_true_random=False))
def test_position_after_a_move_equals_the_library(board: AntichessBoard, chance: random.Random) -> None:
    moves = list(board.legal_moves)
    assume(moves)
    try:
        start = ANTICHESS.start(board.fen())
    except BadPosition:
        return
    move = chance.choice(moves)
    played = ANTICHESS.play(start, move.uci())
    assert played.notation == board.san(move).rstrip("#")
    assert parse_move(board, played.notation, ANTICHESS).move == move.uci()
    board.push(move)
    assert ANTICHESS.fen(played.position) == board.fen(en_passant="legal")
    assert not played.check
    outcome = ANTICHESS.outcome(played.position)
    assert (outcome is not None and outcome.winner is not None) == board.is_variant_win()
    if board.is_variant_win():
        assert outcome is not None
        assert outcome.winner == ("w" if board.turn else "b")


@given(st.randoms(use_true_random=False))
def test_random_games_equal_the_library(chance: random.Random) -> None:
    board, position = AntichessBoard(), ANTICHESS.start(None)
    moves = list(board.legal_moves)
    while moves and ANTICHESS.outcome(position) is None:
        move = chance.choice(moves)
        played = ANTICHESS.play(position, move.uci())
        assert played.notation == board.san(move).rstrip("#")
        board.push(move)
        position = played.position
        assert ANTICHESS.fen(position) == board.fen()
        moves = list(board.legal_moves)
    outcome = ANTICHESS.outcome(position)
    assert outcome is not None
    event(outcome.reason)
    if outcome.winner is not None:
        assert board.result() == {"w": "1-0", "b": "0-1"}[outcome.winner]


def played(fen: str, *moves: str) -> Position:
    position = ANTICHESS.start(fen)
    for move in moves:
        position = ANTICHESS.play(position, move).position
    return position


@pytest.mark.parametrize(
    ("fen", "move", "outcome"),
    [
        ("8/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2", Outcome("b", "all_captured")),
        ("8/8/8/8/8/1p6/P7/8 b - - 0 1", "b3a2", Outcome("w", "all_captured")),
        ("8/8/8/p7/8/P7/8/8 w - - 0 1", "a3a4", Outcome("b", "no_moves")),
        ("8/8/8/8/8/8/8/1n4b1 w - - 0 1", None, Outcome("w", "all_captured")),
        ("8/8/8/8/8/8/8/1N4B1 w - - 0 1", None, Outcome("b", "all_captured")),
        ("6b1/8/8/8/8/8/8/B7 w - - 0 1", None, Outcome(None, "dead_position")),
    ],
)
def test_side_without_pieces_or_moves_wins(fen: str, move: str | None, outcome: Outcome) -> None:
    if move is not None:
        assert ANTICHESS.outcome(played(fen, move)) == outcome
        return
    assert ANTICHESS.outcome(first_position(ANTICHESS.board(fen))) == outcome
    with pytest.raises(BadPosition, match="the game is over"):
        ANTICHESS.start(fen)


def test_opposite_bishops_alone_are_a_dead_position() -> None:
    position = played("6b1/8/8/8/8/8/1p6/B7 w - - 0 1", "a1b2")
    assert ANTICHESS.outcome(position) == Outcome(None, "dead_position")


@pytest.mark.parametrize(
    ("fen", "move", "message"),
    [
        (ANTICHESS.initial, "e2e5", "the pawn on e2 cannot go to e5"),
        (ANTICHESS.initial, "e1g1", "castling is not possible now"),
        (ANTICHESS.initial, "e2e4z", "is not a move"),
        ("8/8/8/3p4/4P3/8/8/K7 w - - 0 1", "a1a2", "a1a2 is not a capture, and captures are compulsory"),
        ("8/8/8/3p4/4P3/8/8/K7 w - - 0 1", "e4e5", "e4e5 is not a capture"),
        ("8/8/8/8/3pP3/8/8/K6k b - e3 0 1", "h1g1", "h1g1 is not a capture"),
        ("8/P7/8/8/8/8/7p/8 w - - 0 1", "a7a8", "a pawn must promote on the last rank"),
    ],
)
def test_illegal_move_is_refused_with_its_reason(fen: str, move: str, message: str) -> None:
    with pytest.raises(IllegalMove, match=message):
        ANTICHESS.play(ANTICHESS.start(fen), move)


def test_side_without_pieces_has_no_legal_moves() -> None:
    position = first_position(ANTICHESS.board("8/8/8/8/8/8/8/1N4B1 w - - 0 1"))
    with pytest.raises(IllegalMove):
        ANTICHESS.play(position, "b1c3")


@pytest.mark.parametrize(
    ("fen", "move", "notation"),
    [
        ("8/P7/8/8/8/8/7p/8 w - - 0 1", "a7a8k", "a8=K"),
        ("8/8/8/8/8/8/7p/K2N4 b - - 0 1", "h2h1k", "h1=K"),
        ("8/8/8/8/7p/8/8/K1K5 w - - 0 1", "a1b1", "Kab1"),  # several kings are told apart
        ("8/8/8/8/7p/8/8/K1k5 w - - 0 1", "a1b1", "Kb1"),
        ("8/8/8/8/3pP3/8/8/8 b - e3 0 1", "d4e3", "dxe3"),
    ],
)
def test_notation_equals_the_library(fen: str, move: str, notation: str) -> None:
    assert ANTICHESS.play(ANTICHESS.start(fen), move).notation == notation


def test_promotion_to_a_king_is_read() -> None:
    board = ANTICHESS.board("8/P7/8/8/8/8/7p/8 w - - 0 1")
    for text in ("a8=K", "a7a8k", "a8K", "17185", "Anna acht König", format_long("a7a8k", "a8=K")):
        assert parse_move(board, text, ANTICHESS).move == "a7a8k", text
    # In Spanish the king's letter is the rook's in English.
    spanish = format_local("a8=K", "es")
    assert spanish == "a8=R"
    assert parse_move(board, spanish, ANTICHESS, "es").move == "a7a8k"
    assert parse_move(board, "A8=R", ANTICHESS, "es", any_case=True).move == "a7a8k"
    assert parse_move(chess.Board("4k3/P7/8/8/8/8/8/4K3 w - -"), spanish, STANDARD, "es").move == "a7a8r"
    assert format_iccf("a7a8k") == "17185"


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "8/8/8/8/8/8/8/P6k w - - 0 1"])
def test_impossible_start_position_is_refused(fen: str) -> None:
    with pytest.raises(BadPosition):
        ANTICHESS.start(fen)


def test_draw_claims_follow_standard_chess() -> None:
    position = ANTICHESS.start(None)
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        position = ANTICHESS.play(position, move).position
    assert ANTICHESS.claimable(position) == "threefold"
    assert ANTICHESS.claimable(ANTICHESS.start("8/8/8/8/8/8/8/K6k w - - 100 80")) == "fifty_moves"


def all_that_can_come(board: chess.Board, color: chess.Color) -> bool:
    """Whether ``color`` wins anywhere in the whole tree below ``board``, on which are two pieces and no pawn."""
    seen: set[tuple[int, ...]] = set()
    open_ = [board]
    while open_:
        place = open_.pop()
        key = (*place.occupied_co, place.turn)
        if key in seen:
            continue
        seen.add(key)
        if place.is_variant_win() and place.turn == color:
            return True
        for move in place.legal_moves:
            after = place.copy(stack=False)
            after.push(move)
            open_.append(after)
    return False


@pytest.mark.parametrize(("white", "black"), [("N", "n"), ("B", "b")])
def test_two_piece_endings_equal_exhaustive_search(white: str, black: str) -> None:
    """``can_win`` and ``find_win`` against an exhaustive search, over a sample of all placements."""
    for index, (one, other, turn) in enumerate(product(chess.SQUARES, chess.SQUARES, chess.COLORS)):
        if one == other or index % 3203:
            continue
        board = AntichessBoard(None)
        board.set_piece_at(one, chess.Piece.from_symbol(white))
        board.set_piece_at(other, chess.Piece.from_symbol(black))
        board.turn = turn
        position = first_position(ANTICHESS.board(board.fen()))
        for color in ("w", "b"):
            winnable = all_that_can_come(board, color == "w")
            found = ANTICHESS.find_win(ANTICHESS.identity(position), color, NODES)
            assert found.answer == ("yes" if winnable else "no"), board.fen()
            assert ANTICHESS.can_win(position, color) or not winnable, board.fen()


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        (ANTICHESS.initial, "yes", "yes"),
        ("8/8/8/8/8/8/8/K6k w - - 0 1", "yes", "yes"),
        ("8/8/8/8/8/1p6/1P6/B7 w - - 0 1", "yes", "no"),  # stalemated already
        ("7B/8/8/3p4/3P4/8/8/1b6 w - - 0 1", "no", "no"),
        ("8/8/8/8/8/8/8/1N4B1 w - - 0 1", "no", "yes"),  # Black has nothing left
        ("8/1p6/8/8/P7/8/8/8 b - - 0 1", "yes", "yes"),
    ],
)
def test_winning_chances_are_found(fen: str, white: str, black: str) -> None:
    assert ANTICHESS.find_win(fen, "w", NODES).answer == white
    assert ANTICHESS.find_win(fen, "b", NODES).answer == black


def test_search_ends_at_its_node_limit() -> None:
    found = ANTICHESS.find_win(ANTICHESS.initial, "w", 3)
    assert (found.answer, found.nodes) == ("undecided", 3)


@pytest.mark.parametrize(
    ("fen", "suspect"),
    [
        (ANTICHESS.initial, False),
        ("7B/8/8/3p4/3P4/8/8/1b6 w - - 0 1", True),
        ("7B/8/8/3p4/8/3P4/8/1b6 w - - 0 1", False),
        ("7B/8/8/8/8/8/8/b7 b - - 0 1", True),
    ],
)
def test_bishops_among_blocked_pawns_need_a_search(fen: str, suspect: bool) -> None:
    assert ANTICHESS.may_be_dead(first_position(ANTICHESS.board(fen))) == suspect


def test_lichess_pgn_round_trips() -> None:
    text = (DATA / "antichess.pgn").read_text(encoding="utf-8")
    games = list(read_games([text]))
    assert len(games) == 2
    with (DATA / "antichess.pgn").open() as file:
        for game in games:
            assert isinstance(game, PgnGame)
            assert (game.variant, game.fen) == ("antichess", None)
            library = chess.pgn.read_game(file)
            assert library is not None
            assert [ply.move for ply in game.line.plies] == [move.uci() for move in library.mainline_moves()]
            written = format_game(game)
            assert '[Variant "Antichess"]' in written
            assert "FEN" not in written
            (back,) = read_games([written])
            assert isinstance(back, PgnGame)
            assert (back.line, back.variant, back.result) == (game.line, "antichess", game.result)


def test_start_position_of_a_pgn_round_trips() -> None:
    written = '[Variant "Antichess"]\n[SetUp "1"]\n[FEN "8/P7/8/8/8/8/7p/8 w - - 0 1"]\n\n1. a8=K h1=K *\n'
    (game,) = read_games([written])
    assert isinstance(game, PgnGame)
    assert game.fen == "8/P7/8/8/8/8/7p/8 w - - 0 1"
    (back,) = read_games([format_game(game)])
    assert isinstance(back, PgnGame)
    assert (back.line, back.variant, back.fen) == (game.line, "antichess", game.fen)
