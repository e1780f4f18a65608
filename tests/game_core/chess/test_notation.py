# ruff: noqa: RUF001 - Greek and Cyrillic letters are meant as such
"""Notations: round trips of games, and refusals."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.chess.notation.announcements import FILES, LANGUAGES, MAX_WORDS, format_announcement, parse_announcement
from game_core.chess.notation.iccf import format_iccf, parse_iccf
from game_core.chess.notation.letters import FIGURINE, PIECE_LETTERS, format_local
from game_core.chess.notation.long_algebraic import format_long
from game_core.chess.notation.move_text import MAX_TEXT, MoveText
from game_core.chess.notation.san_parts import parse_san
from game_core.errors import AmbiguousMove, IllegalMove, InvalidMove
from tests.game_core.chess.library import CHESS960, STANDARD, parse_move, random_game, real_games

START = chess.STARTING_FEN
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"  # both go to d2
PROMOTES = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
FISCHER = "1r3k2/8/8/8/8/8/8/1R3KR1 w GBb - 0 1"  # from f1 the king goes to g1 only by castling
BISHOP_OR_PAWN = "4k3/8/8/8/8/8/2P5/4KB2 w - - 0 1"


def board_of(fen: str) -> chess.Board:
    return chess.Board(fen, chess960=fen == FISCHER)


def all_moves() -> list[tuple[chess.Board, str, str]]:
    """Boards with a move each, in wire notation and by its English name: real games, then random ones."""
    found = []
    for game in real_games():
        board = game.start.copy()
        for move in game.moves:
            found.append((board.copy(stack=False), move.uci(), board.san(move)))
            board.push(move)
    for rules in (STANDARD, CHESS960):
        for seed in range(4):
            found += [(board, move.uci(), board.san(move)) for board, move in random_game(rules, seed, 200)]
    return found


MOVES = all_moves()


# Letters.


def test_piece_letters_of_each_language_are_distinct() -> None:
    for letters in PIECE_LETTERS.values():
        assert list(letters) == list(chess.PIECE_TYPES)
        assert len(set(letters.values())) == 6


@pytest.mark.parametrize(
    ("san", "language", "local"),
    [
        ("Nf3", "de", "Sf3"),
        ("Nf3", "fr", "Cf3"),
        ("Kxe2+", "ru", "Крxe2+"),
        ("exd8=Q#", "pl", "exd8=H#"),
        ("Qh4xe1", "hu", "Vh4xe1"),
        ("Rfe1", "tr", "Kfe1"),
        ("Bb5", FIGURINE, "♗b5"),
        ("a1=N", FIGURINE, "a1=♘"),
        ("O-O-O+", "de", "O-O-O+"),
        ("e4", "el", "e4"),
    ],
)
def test_san_is_written_with_localised_piece_letters(san: str, language: str, local: str) -> None:
    assert format_local(san, language) == local


@pytest.mark.parametrize("language", PIECE_LETTERS)
def test_localised_notation_round_trips(language: str) -> None:
    for board, move, san in MOVES[::7]:
        assert parse_move(board, format_local(san, language), language) == MoveText(move, offers_draw=False)


@pytest.mark.parametrize("language", ["en", "de", "fr", "ru", FIGURINE])
def test_long_algebraic_notation_round_trips(language: str) -> None:
    for board, move, san in MOVES[::3]:
        assert parse_move(board, format_long(move, san, language), language).move == move


def test_san_iccf_wire_notation_and_announcements_round_trip() -> None:
    for board, move, san in MOVES:
        assert parse_move(board, san).move == move
        assert parse_move(board, move).move == move
        assert parse_move(board, format_iccf(move)).move == move
        for language in LANGUAGES:
            said = format_announcement(move, san, language)
            assert len(said) <= MAX_TEXT
            assert len(said.split()) <= MAX_WORDS
            assert parse_move(board, said, "fr").move == move


@pytest.mark.parametrize("language", ["xx", "EN", ""])
def test_unknown_language_is_refused(language: str) -> None:
    with pytest.raises(KeyError):
        parse_move(chess.Board(), "e4", language)
    with pytest.raises(KeyError):
        format_local("e4", language)
    with pytest.raises(KeyError):
        format_announcement("e2e4", "e4", language)


@pytest.mark.parametrize(
    ("wire", "san", "long"),
    [
        ("g1f3", "Nf3", "Ng1-f3"),
        ("e4d5", "exd5", "e4xd5"),
        ("a7b8n", "axb8=N+", "a7xb8=N+"),
        ("e1g1", "O-O", "O-O"),
        ("e8a8", "O-O-O#", "O-O-O#"),
    ],
)
def test_moves_are_written_in_long_algebraic_notation(wire: str, san: str, long: str) -> None:
    assert format_long(wire, san) == long


@pytest.mark.parametrize(
    ("wire", "numbers"), [("e2e4", "5254"), ("e1g1", "5171"), ("e8a8", "5818"), ("f7f8r", "67682"), ("a2a1q", "12111")]
)
def test_moves_are_written_in_iccf_notation(wire: str, numbers: str) -> None:
    assert format_iccf(wire) == numbers
    assert parse_iccf(numbers) == wire


@pytest.mark.parametrize("text", ["", "525", "5259", "0154", "52546", "525411", "e2e4"])
def test_invalid_iccf_numbers_are_refused(text: str) -> None:
    assert parse_iccf(text) is None


@pytest.mark.parametrize("san", ["", "e9", "Nf", "Nf3!", "Sf3", "e8=P", "0-0"])
def test_text_that_is_no_san_is_refused(san: str) -> None:
    with pytest.raises(ValueError, match="standard algebraic"):
        parse_san(san)


# Appendix E.


def test_announced_names_equal_appendix_e() -> None:
    assert " ".join(FILES.values()) == "Anna Bella Cesar David Eva Felix Gustav Hector"
    assert " ".join(LANGUAGES["de"].ranks.values()) == "eins zwei drei vier fünf sechs sieben acht"
    assert " ".join(LANGUAGES["de"].pieces.values()) == "König Dame Turm Läufer Springer Bauer"


@pytest.mark.parametrize(
    ("wire", "san", "german", "english"),
    [
        ("e2e4", "e4", "Bauer Eva vier", "pawn Eva four"),
        ("g1f3", "Nf3", "Springer Felix drei", "knight Felix three"),
        ("b1d2", "Nbd2", "Springer Bella David zwei", "knight Bella David two"),
        ("e4d5", "exd5", "Bauer Eva schlägt David fünf", "pawn Eva takes David five"),
        ("d1h5", "Qxh5+", "Dame schlägt Hector fünf, Schach", "queen takes Hector five, check"),
        ("a7a8q", "a8=Q#", "Bauer Anna acht Dame, Schachmatt", "pawn Anna eight queen, checkmate"),
        ("e1g1", "O-O", "kurze Rochade", "short castling"),
        ("e8c8", "O-O-O+", "lange Rochade, Schach", "long castling, check"),
    ],
)
def test_moves_are_announced_in_german_and_english(wire: str, san: str, german: str, english: str) -> None:
    assert format_announcement(wire, san) == german
    assert format_announcement(wire, san, "en") == english


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        (START, "Springer Gustav eins Felix drei", "g1f3"),
        (START, "SPRINGER nach Felix drei.", "g1f3"),
        (START, "Knight to f3", "g1f3"),
        (START, "Eva vier", "e2e4"),
        (START, "eva zwei eva vier", "e2e4"),
        (START, "Bauer e 4", "e2e4"),
        (EN_PASSANT, "Felix nimmt Eva sechs en passant", "f5e6"),
        (PROMOTES, "Anna acht, Laeufer", "a7a8b"),
        (PROMOTES, "Anna captures Bella eight becomes rook", "a7b8r"),
        (CASTLES, "Kurze Rochade", "e1g1"),
        (CASTLES, "castles long", "e1c1"),
        (CASTLES, "Rochade, große", "e1c1"),
        (CASTLES, "Koenig Eva eins Felix eins", "e1f1"),
    ],
)
def test_announcements_are_read(fen: str, text: str, move: str) -> None:
    assert parse_move(board_of(fen), text).move == move


# What players write.


@pytest.mark.parametrize(
    ("fen", "text", "language", "move"),
    [
        (START, " e4 ", "en", "e2e4"),
        (START, "e2 - e4", "en", "e2e4"),
        (START, "1. e4", "en", "e2e4"),
        (START, "12...Nf3", "en", "g1f3"),
        (START, "e2\u2013e4!?", "en", "e2e4"),
        (START, "Pe4", "en", "e2e4"),
        (START, "g1f3", "en", "g1f3"),
        (START, "Sf3", "de", "g1f3"),
        (START, "Nf3", "de", "g1f3"),
        (START, "Sg1-f3", "de", "g1f3"),
        (START, "Кf3", "ru", "g1f3"),
        (START, "♘f3", "de", "g1f3"),
        (START, "♞\N{VARIATION SELECTOR-15}f3", "en", "g1f3"),
        (TWO_KNIGHTS, "Nbd2", "en", "b1d2"),
        (TWO_KNIGHTS, "N3d2", "en", "f3d2"),
        (TWO_KNIGHTS, "Nf3d2", "en", "f3d2"),
        (EN_PASSANT, "fxe6 e.p.", "en", "f5e6"),
        (EN_PASSANT, "f5:e6 ep+", "en", "f5e6"),
        (EN_PASSANT, "fe", "en", "f5e6"),
        (EN_PASSANT, "f×e6", "en", "f5e6"),
        (PROMOTES, "a8=Q++", "en", "a7a8q"),
        (PROMOTES, "a8Q#", "en", "a7a8q"),
        (PROMOTES, "a8(Q)", "en", "a7a8q"),
        (PROMOTES, "a8/N", "en", "a7a8n"),
        (PROMOTES, "axb8=D‡", "de", "a7b8q"),
        (PROMOTES, "a7b8r", "fr", "a7b8r"),
        (PROMOTES, "17184", "en", "a7a8n"),
        (CASTLES, "0-0", "en", "e1g1"),
        (CASTLES, "o-o-o", "en", "e1c1"),
        (CASTLES, "О-О", "ru", "e1g1"),
        (CASTLES, "O\u2013O!", "en", "e1g1"),
        (CASTLES, "Ke1-g1", "en", "e1g1"),
        (CASTLES, "e1h1", "en", "e1g1"),
        (CASTLES, "5131", "en", "e1c1"),
        (CASTLES, "e1a1", "en", "e1c1"),
        (CASTLES, "Kf1", "en", "e1f1"),
        (FISCHER, "O-O", "en", "f1g1"),
        (FISCHER, "f1g1", "en", "f1g1"),
        (FISCHER, "f1c1", "en", "f1b1"),
        (FISCHER, "6121", "en", "f1b1"),
        (FISCHER, "Kf1-c1", "en", "f1b1"),
        (FISCHER, "Ke1", "en", "f1e1"),
        (BISHOP_OR_PAWN, "Bc4", "en", "f1c4"),
        (BISHOP_OR_PAWN, "Lc4", "de", "f1c4"),
        (BISHOP_OR_PAWN, "Bb5", "de", "f1b5"),
        (BISHOP_OR_PAWN, "Bc3", "de", "c2c3"),
    ],
)
def test_informal_notations_are_read(fen: str, text: str, language: str, move: str) -> None:
    assert parse_move(board_of(fen), text, language) == MoveText(move, offers_draw=False)


@pytest.mark.parametrize("text", ["e4(=)", "e4 (=)", "e4!(=)", "e4 (=) !"])
def test_draw_offer_with_a_move_is_read(text: str) -> None:
    assert parse_move(chess.Board(), text) == MoveText("e2e4", offers_draw=True)


@pytest.mark.parametrize(
    ("fen", "text", "language"),
    [
        (TWO_KNIGHTS, "Nd2", "en"),
        (TWO_KNIGHTS, "Springer David zwei", "en"),
        (PROMOTES, "a8", "en"),
        (PROMOTES, "1718", "en"),
        (PROMOTES, "ab", "en"),
        (BISHOP_OR_PAWN, "Bc4", "de"),
    ],
)
def test_text_for_several_moves_is_ambiguous(fen: str, text: str, language: str) -> None:
    with pytest.raises(AmbiguousMove, match=r"could be .* or "):
        parse_move(board_of(fen), text, language)


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (START, "Nd4", "no knight"),
        (START, "Ke2", "no king"),
        (START, "e5", "no pawn"),
        (START, "ed", "no pawn"),
        (START, "e2e5", "the pawn on e2 cannot go to e5"),
        (START, "e4e5", "no piece to move on e4"),
        (START, "Ng1-g3", "the knight on g1 cannot go to g3"),
        (START, "Qg1-f3", "no queen"),
        (START, "e2e4q", "promote on the last rank"),
        (START, "a1a1", "not a move"),
        (START, "O-O", "castling is not possible"),
        (START, "e1g1", "castling is not possible"),
        (START, "lange Rochade", "castling is not possible"),
        (PROMOTES, "a8=K", "not a move"),
        (PROMOTES, "Ka8=Q", "no king"),
        (CASTLES, "Kg1", "no king"),
        (CASTLES, "Kxh1", "no king"),
        (FISCHER, "Kg1", "no king"),
        (FISCHER, "Kxg1", "no king"),
        (BISHOP_OR_PAWN, "Be8", "no bishop"),
    ],
)
def test_text_for_an_illegal_move_is_refused_as_illegal(fen: str, text: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason) as refused:
        parse_move(board_of(fen), text)
    assert type(refused.value) is (InvalidMove if reason == "not a move" and text != "a1a1" else IllegalMove)


def test_illegal_move_with_an_ambiguous_letter_names_both_pieces() -> None:
    with pytest.raises(IllegalMove, match="no pawn or bishop"):
        parse_move(chess.Board(), "Bh6", "de")


def test_illegal_castling_by_squares_in_chess960_gives_its_reason() -> None:
    with pytest.raises(IllegalMove, match="castling is not possible"):
        parse_move(chess.Board("1r3kr1/8/8/8/8/8/8/1R3KR1 w - - 0 1", chess960=True), "f1g1")


NO_MOVES = [
    "x",
    "e",
    "e9",
    "i4",
    "Zf3",
    "--",
    "0000",
    "+",
    "(=)",
    "Springer",
    "e2e4e5",
    "Kurze",
    "a8=P",
    "e8=K",
    "5259",
    "ß",
    "٤",
    "e4٠",
    "1.",
]


@pytest.mark.parametrize(
    "text",
    [*NO_MOVES, "", " ", "Springer Felix neun", "e4 Nf3", "e4 1.", "\0", "kurze Rochade Dame", "auf " * 20 + "e4"],
)
def test_text_of_no_notation_is_invalid(text: str) -> None:
    with pytest.raises(InvalidMove, match="not a move"):
        parse_move(chess.Board(), text)


def test_text_over_the_length_limit_is_invalid() -> None:
    assert parse_move(chess.Board(), "Nf3".ljust(MAX_TEXT, "!")).move == "g1f3"
    with pytest.raises(InvalidMove, match=f"{MAX_TEXT + 1} characters"):
        parse_move(chess.Board(), "Nf3".ljust(MAX_TEXT + 1, "!"))


@given(st.text(), st.sampled_from(sorted(PIECE_LETTERS)))
def test_any_text_is_a_move_or_refused(text: str, language: str) -> None:
    board = chess.Board()
    try:
        found = parse_move(board, text, language)
    except IllegalMove:
        return
    assert chess.Move.from_uci(found.move) in board.legal_moves


@given(st.lists(st.sampled_from("abcdefgh12345678KQRBNPSLDT-x=+#O0() ♘"), max_size=9), st.sampled_from(["en", "de"]))
def test_any_text_of_notation_characters_is_a_move_or_refused(signs: list[str], language: str) -> None:
    for fen in (CASTLES, PROMOTES, FISCHER, EN_PASSANT):
        board = board_of(fen)
        try:
            found = parse_move(board, "".join(signs), language)
        except IllegalMove:
            continue
        assert chess.Move.from_uci(found.move) in board.legal_moves


@given(st.text())
def test_any_text_is_an_announcement_or_refused(text: str) -> None:
    said = parse_announcement(text)
    assert said is None or len(said) <= max(len(text), 5)
