"""PGN reader: the standard, dialects of programs, and refusals."""

from __future__ import annotations

import io

import chess
import chess.pgn
import pytest

from game_core.chess.pgn_game import NULL_MOVE, PgnGame
from game_core.chess.pgn_reader import PgnReader, read_games
from game_core.errors import BadScore
from game_core.scores.lines import Line, Ply
from tests.game_core.chess.library import DATA
from tests.game_core.scores import sans, tagged

FILES = ("kasparov-deep-blue-1997.pgn", "cutechess-fischerrandom.pgn")


def only(text: str) -> PgnGame:
    """The one good game of ``text``."""
    (game,) = read_games([text])
    assert isinstance(game, PgnGame), game
    return game


def plies(text: str) -> tuple[Ply, ...]:
    return only(text).line.plies


def fault(text: str) -> tuple[int, int, str]:
    """Line, column and reason of what is wrong with the one game of ``text``."""
    (bad,) = read_games([text])
    assert isinstance(bad, BadScore), bad
    return bad.line, bad.column, bad.reason


# Real files.


@pytest.mark.parametrize("name", FILES)
def test_real_games_equal_the_library(name: str) -> None:
    text = (DATA / name).read_text()
    file = io.StringIO(text)
    games = list(read_games([text]))
    for game in games:
        assert isinstance(game, PgnGame)
        theirs = chess.pgn.read_game(file)
        assert theirs is not None
        assert [ply.move for ply in game.line.plies] == [move.uci() for move in theirs.mainline_moves()]
        assert sans(game.line) == [node.san() for node in theirs.mainline()]
        assert [" ".join(ply.comments) for ply in game.line.plies] == [node.comment for node in theirs.mainline()]
        assert game.result == theirs.headers["Result"]
        assert (game.fen or chess.STARTING_FEN) == theirs.board().fen()
        assert (game.variant == "chess960") == theirs.board().chess960
        assert game.tags == {k: v for k, v in theirs.headers.items() if k not in ("Result", "FEN", "SetUp", "Variant")}
    assert chess.pgn.read_game(file) is None


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_chunks_and_line_endings_do_not_matter(name: str, size: int, end: str) -> None:
    text = (DATA / name).read_text()
    ended = text.replace("\n", end)
    pieces = [ended[at : at + size] for at in range(0, len(ended), size)]
    assert list(read_games(pieces)) == list(read_games([text]))


# Tags.


def test_tags_are_read() -> None:
    game = only('[White "Ada"][ Black\n"Bo" ]\n [Result "1/2-1/2"]\n[Termination "Time forfeit"]\n\n*')
    assert game == PgnGame({"White": "Ada", "Black": "Bo", "Termination": "Time forfeit"}, result="1/2-1/2")
    assert game.termination == "time forfeit"


@pytest.mark.parametrize(("value", "termination"), [("normal", "normal"), ("Won on time", None), ("", None)])
def test_termination_tags_are_read(value: str, termination: str | None) -> None:
    assert only(tagged(f'Termination "{value}"')).termination == termination
    assert PgnGame({}).termination is None


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r"a \"b\" c", 'a "b" c'),
        (r"C:\\x", r"C:\x"),
        (r"C:\x", r"C:\x"),
        ('the "best" game', 'the "best" game'),
        ('"best"', '"best"'),
        ("tab\there", "tab here"),
        ("]", "]"),
        ("Zürich ♔", "Zürich ♔"),
        ("", ""),
    ],
)
def test_tag_values_are_read(written: str, value: str) -> None:
    text = tagged(f'Event "{written}"')
    assert only(text).tags == {"Event": value}
    (game,) = read_games(text)  # character by character
    assert isinstance(game, PgnGame)
    assert game.tags == {"Event": value}


def test_game_begins_at_the_position_of_its_tags() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K2R b KQ - 3 40"
    game = only(tagged('SetUp "1"', f'FEN "{fen}"', moves="40... Ke7 41. O-O *"))
    assert (game.fen, game.variant, sans(game.line)) == (fen, "standard", ["Ke7", "O-O"])


@pytest.mark.parametrize(
    "name", ["Chess960", "chess 960", "fischerandom", "Fischer Random Chess", "From Position", None]
)
def test_chess960_is_read_under_every_variant_name(name: str | None) -> None:
    board = chess.Board.from_chess960_pos(0)
    tags = [f'FEN "{board.shredder_fen()}"'] + ([] if name is None else [f'Variant "{name}"'])
    game = only(tagged(*tags, moves="1. e4 e5 *"))
    assert (game.variant, game.fen) == ("chess960", board.fen())


def test_chess960_from_the_standard_position_is_chess960() -> None:
    game = only(
        tagged('Variant "Chess960"', f'FEN "{chess.STARTING_FEN}"', moves="1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O")
    )
    assert (game.variant, game.fen) == ("chess960", chess.STARTING_FEN)
    assert game.line.plies[-1].move == "e1h1"


def test_standard_position_in_a_fen_tag_is_omitted() -> None:
    assert only(tagged('SetUp "1"', f'FEN "{chess.STARTING_FEN}"', 'Variant "Standard"')).fen is None


# Move text.


def test_game_with_every_element_is_read() -> None:
    text = """
%escaped { [White "Nobody"]
[White "Ada"]
%escaped again
[Result "1-0"]

{First} ;to the end of the line }
1. e4! $13 {[%clk 0:03:00]} {A good
   move [%emt 0:00:01.5] here} (1. d4 {or} (1. c4?! e5) 1... d5) ({Or} 1. f4 {too}) {Well} {yes}
%e5
1... e5 (=) 2. Nf3!? Nc6 *
"""
    game = only(text)
    e4, e5, nf3, nc6 = game.line.plies
    assert game.tags == {"White": "Ada"}
    assert game.result == "1-0"
    assert game.line.comments == ("First", "to the end of the line }")
    d4, f4 = e4.variations
    assert e4 == Ply("e2e4", "e4", (1, 13), 180_000, 1500, False, ("A good move here",), e4.variations, ("Well", "yes"))
    assert sans(d4) == ["d4", "d5"]
    assert d4.plies[0].comments == ("or",)
    assert [sans(line) for line in d4.plies[0].variations] == [["c4", "e5"]]
    assert f4 == Line((Ply("f2f4", "f4", comments=("too",)),), ("Or",))
    assert (e5.draw, nf3.nags, nc6.move) == (True, (5,), "b8c6")


def test_variation_replaces_the_move_before_it() -> None:
    (e4, e5) = plies("1. e4 e5 (1... c5 2. Nf3 (2. Nc3) 2... d6) *")
    assert e4.variations == ()
    (sicilian,) = e5.variations
    assert sans(sicilian) == ["c5", "Nf3", "d6"]
    assert sans(sicilian.plies[1].variations[0]) == ["Nc3"]


@pytest.mark.parametrize(
    "moves",
    [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5",
        "e4 e5 Nf3 Nc6 Bb5*",
        "1 e4 1 ... e5 2 Nf3 2... Nc6 3 . Bb5",
        "e2e4 e7-e5 g1f3 Nb8c6 Bf1-b5",
        "5254 5755 7163 2836 6125",
        "e4!e5?Nf3!!Nc6??Bb5?!",
        "1. e4 e5+ 2. Nf3# {?} Nc6 3.Bb5",
        "\ufeff1. e4\te5\f2.\xa0Nf3 Nc6 3. Bb5 1/2-1/2",
    ],
)
def test_move_spellings_of_programs_are_read(moves: str) -> None:
    assert [ply.move for ply in plies(moves)] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]


def test_castling_with_zeros_is_no_result() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    game = only(tagged(f'FEN "{fen}"', moves="1. 0-0 0-0-0 0-1"))
    assert (sans(game.line), game.result) == (["O-O", "O-O-O"], "0-1")


@pytest.mark.parametrize("mark", ["", " e.p.", "e.p.", "ep", " e.p. {so}", "e.p.+!"])
def test_en_passant_suffix_is_read(mark: str) -> None:
    text = tagged('FEN "4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1"', moves=f"1. fxe6{mark} Ke7 *")
    assert sans(only(text).line) == ["fxe6", "Ke7"]
    (game,) = read_games(text)
    assert isinstance(game, PgnGame)
    assert sans(game.line) == ["fxe6", "Ke7"]


def test_check_and_mate_suffixes_are_corrected() -> None:
    assert sans(only("1. f3 e5 2. g4 Qh4 *").line)[-1] == "Qh4#"
    assert sans(only("1. e4 d5 2. Bb5 *").line)[-1] == "Bb5+"


@pytest.mark.parametrize(
    ("glyph", "nag"),
    [
        ("!", 1),
        ("??", 4),
        ("$0", 0),
        ("$255", 255),
        ("+-", 18),
        ("-+", 19),
        ("=", 10),
        ("∞", 13),
        ("+/=", 14),
        ("-/+", 17),
    ],
)
def test_annotation_glyphs_are_read(glyph: str, nag: int) -> None:
    text = f"1. e4 {glyph} e5 *"
    assert plies(text)[0].nags == (nag,)
    assert list(read_games(text)) == list(read_games([text]))


def test_null_moves_in_variations_are_read() -> None:
    _, e5 = plies("1. e4 e5 (1... -- 2. d4 Z0 3. Nf3 0000) *")
    (line,) = e5.variations
    assert [ply.move for ply in line.plies] == [NULL_MOVE, "d2d4", NULL_MOVE, "g1f3", NULL_MOVE]


def test_empty_comments_and_variations_are_dropped() -> None:
    assert plies("{} 1. e4 {  } () ( {} ) *") == (Ply("e2e4", "e4"),)
    assert only("{}{ } 1. e4 *").line.comments == ()


@pytest.mark.parametrize("result", ["1-0", "1/2", "*"])
def test_result_inside_a_variation_does_not_end_the_game(result: str) -> None:
    game = only(f"1. e4 e5 (1... c5 2. Nf3 {result}) 2. Nc3 0-1")
    assert (sans(game.line), game.result) == (["e4", "e5", "Nc3"], "0-1")
    assert sans(game.line.plies[1].variations[0]) == ["c5", "Nf3"]


@pytest.mark.parametrize(
    ("marker", "tag", "result"),
    [
        ("1-0", None, "1-0"),
        ("½-½", None, "1/2-1/2"),
        ("1/2", None, "1/2-1/2"),
        ("*", "0-1", "0-1"),
        ("", "0-1", "0-1"),
        ("", "½-½", "1/2-1/2"),
        ("0-1", "*", "0-1"),
        ("0-1", "black won", "0-1"),
        ("", "black won", "*"),
        ("", None, "*"),
    ],
)
def test_result_is_taken_from_the_marker_or_the_tag(marker: str, tag: str | None, result: str) -> None:
    tags = [] if tag is None else [f'Result "{tag}"']
    assert only(tagged(*tags, moves=f"1. e4 {marker}")).result == result


# One game after another.


def test_games_are_yielded_as_soon_as_complete() -> None:
    reader = PgnReader()
    assert list(reader.feed('[White "A"]\n\n1. e4 ')) == []
    (first,) = reader.feed('1-0 {who?}\n\n[White "B"]\n')
    assert isinstance(first, PgnGame)
    assert first.tags == {"White": "A"}
    assert list(reader.feed("")) == []
    assert list(reader.feed("1. d4")) == []
    (second,) = reader.close()
    assert isinstance(second, PgnGame)
    assert (second.tags, sans(second.line)) == ({"White": "B"}, ["d4"])


def test_games_without_tags_or_results_follow_one_another() -> None:
    games = list(read_games(['1. e4 1-0 1. d4 0-1\n[White "C"]\n1. c4\n[White "D"]\n\n[Black "E"]']))
    assert all(isinstance(game, PgnGame) for game in games)
    assert [(sans(game.line), game.result) for game in games if isinstance(game, PgnGame)] == [
        (["e4"], "1-0"),
        (["d4"], "0-1"),
        (["c4"], "*"),
        ([], "*"),
    ]


@pytest.mark.parametrize("text", ["", "\n", " \r\n", "%x", "{nothing} ;here", "\ufeff"])
def test_text_without_games_gives_none(text: str) -> None:
    assert list(read_games([text])) == []


BAD_GAMES = [
    '[White "B"]\n\n1. e4 Nf3 2. d4 [%clk] {\n\n',
    '[White "B\n[Black "C"]\n\n1. e4 1-0\n\n',
    '[White "B"]\n[White "C"]\n[Black "D"]\n\n1. e4\ne5 1-0\n',
    '[White "B"]\n@@\n[Black "D"]\n\n1. e4 1-0\n',
    '[FEN "nonsense"]\n\n1. e4 1-0\n\n',
    '[FEN "nonsense"]\n\n1. e4\ne5\n1-0\n\n',
    "@ @ @\n",
    "1. e4 (1. d4\n",
    "1. e4 (1. d4 1-0\n",
    "1. e4 } 1-0\n",
]


@pytest.mark.parametrize("bad", BAD_GAMES)
@pytest.mark.parametrize("whole", [True, False])
def test_bad_game_does_not_affect_others(bad: str, whole: bool) -> None:
    good = '[White "A"]\n\n1. e4 e5 *\n\n'
    text = f"{good}{bad}{good}{bad}{good}"
    games = list(read_games([text] if whole else text))
    assert [type(game).__name__ for game in games] == ["PgnGame", "BadScore", "PgnGame", "BadScore", "PgnGame"]
    assert games[0] == games[2] == games[4]
    assert [game.game for game in games if isinstance(game, BadScore)] == [2, 4]


def test_fault_has_its_line_and_column() -> None:
    (bad,) = read_games(['[White "A"]\r\n\r\n1. e4 e5\r\n2. Ke3 Nc6 *'])
    assert isinstance(bad, BadScore)
    assert str(bad) == "game 1, line 4, column 4: Ke3: no king of the side to move can go there like that"


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("1. e4 e9 *", 1, 7, "'e9' is not a move"),
        ("1. e4 e6 2. Nf3 d5\n3. Nd2 *", 2, 4, "no knight"),
        ("1. d4 d5 2. Nf3 Nf6 3. Nd2 *", 1, 24, "could be b1d2 or f3d2"),
        ("1. e4 @ *", 1, 7, "unexpected '@'"),
        ("1. e4 < *", 1, 7, "unexpected '<'"),
        ("1. e4 %x\n*", 1, 7, "unexpected '%'"),
        ("1. e4 } *", 1, 7, "unexpected '}'"),
        ("1. e4 \0 *", 1, 7, "unexpected"),
        ("1. e4 - *", 1, 7, "unexpected '-'"),
        ("1. e4 {never\nclosed", 1, 7, "this comment is not closed"),
        ("1. e4 (1. d4 *", 2, 1, "a variation that is not closed"),
        ("1. e4 (1. d4\n", 3, 1, "a variation that is not closed"),
        ("1. e4 ) *", 1, 7, "no variation is open"),
        ("(1. e4) *", 1, 1, "no move before"),
        ("1. e4 (()) *", 1, 8, "no move before"),
        ("$1 e4 *", 1, 1, "no move before"),
        ("! e4 *", 1, 1, "no move before"),
        ("(=) e4 *", 1, 1, "no move before"),
        ("1. e4 $256 *", 1, 7, "not an annotation glyph"),
        ("1. e4 $1234567890 *", 1, 7, "not an annotation glyph"),
        ("1. e4 -- *", 1, 7, "a null move is allowed only in variations"),
        ("1. e4 d5 2. Bb5 Nc6 (2... --) *", 1, 27, "a null move is not allowed in check"),
        ("[White]\n\n*", 1, 1, "not a tag pair"),
        ('[White "A]\n\n*', 1, 1, "not a tag pair"),
        ('[White "A" x]\n\n*', 1, 1, "not a tag pair"),
        ('[White\n\n"A"\n\n*', 1, 1, "not a tag pair"),
        ('[White-Elo "1"]\n\n*', 1, 1, "not a tag pair"),
        ('[White "A"', 1, 1, "not a tag pair"),
        ('1. e4 [x "', 1, 7, "not a tag pair"),
        (tagged('White "A"', 'White "B"'), 2, 1, "White is given twice, first as 'A'"),
        (tagged('Result "1-0"', moves="1. e4\n0-1"), 4, 1, "ends 0-1 here, but its tag says 1-0"),
        (tagged('Variant "Atomic"'), 1, 1, "variant 'Atomic' is not known"),
        (tagged('White "A"', 'Variant "Chess960"'), 2, 1, "Chess960 game needs the FEN"),
        (tagged('SetUp "1"'), 1, 1, "announces a FEN"),
        (tagged('SetUp "1"', 'FEN "8/8"'), 2, 1, "not a FEN"),
        (tagged('Variant "Standard"', 'FEN "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1"'), 2, 1, "bad castling rights"),
    ],
)
def test_fault_has_its_reason_and_place(text: str, line: int, column: int, reason: str) -> None:
    found = fault(text)
    assert found[:2] == (line, column)
    assert reason in found[2]
    (bad,) = read_games(text)  # character by character
    assert isinstance(bad, BadScore)
    assert (bad.line, bad.column, bad.reason) == found


def test_reader_reports_its_position() -> None:
    reader = PgnReader()
    places = [reader.place for _ in reader.feed('1. e4 e5 1-0\n\n[White "Ada"]\n1. d4 *  \n')]
    places += [reader.place for _ in reader.close()]
    assert places == [(1, 13), (4, 8)]
