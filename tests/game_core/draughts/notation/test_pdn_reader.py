"""PDN reader: the standard, dialects of programs, and refusals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.draughts.notation.pdn_game import PdnGame
from game_core.draughts.notation.pdn_reader import PdnReader, read_games
from game_core.errors import BadScore
from game_core.scores import game_builder, tokens
from game_core.scores.lines import Ply
from tests.game_core.draughts.boards import ALL, DATA
from tests.game_core.scores import sans, tagged

GAMES = DATA / "draughts" / "games.pdn"


def only(text: str) -> PdnGame:
    """The one good game of ``text``."""
    (game,) = read_games([text])
    assert isinstance(game, PdnGame), game
    return game


def fault(text: str) -> tuple[int, int, str]:
    """Line, column and reason of what is wrong with the one game of ``text``."""
    (bad,) = read_games([text])
    assert isinstance(bad, BadScore), bad
    return bad.line, bad.column, bad.reason


# Real files: English without a type, Italian with tags of its own, Russian with a position by numbers, international.


def test_real_games_are_read() -> None:
    games = [game for game in read_games([GAMES.read_text(encoding="utf-8")]) if isinstance(game, PdnGame)]
    assert [(game.variant, game.result, len(game.line.plies)) for game in games] == [
        ("english", "0-1", 64),
        ("english", "1/2-1/2", 46),
        ("italian", "1-0", 75),
        ("italian", "0-1", 116),
        ("russian", "1-0", 61),
        ("russian", "0-1", 72),
        ("international", "1-0", 101),
        ("international", "1-0", 119),
        ("international", "0-1", 126),
        ("international", "1-0", 105),
    ]
    assert {game.fen for game in games} == {None}
    assert games[2].line.plies[-1].comments == ("Bianco Vince",)
    assert games[-1].tags["Black"] == "T. Sijbrands"


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_chunks_and_line_endings_do_not_matter(size: int, end: str) -> None:
    text = GAMES.read_text(encoding="utf-8")
    ended = text.replace("\n", end)
    pieces = [ended[at : at + size] for at in range(0, len(ended), size)]
    assert list(read_games(pieces)) == list(read_games([text]))


# Which game it is.


@pytest.mark.parametrize(
    ("tags", "moves", "variant"),
    [
        (['GameType "20"'], "", "international"),
        (['GameType "21"', 'Variant "whatever"'], "1. 11-15 *", "english"),
        (['GameType "25"'], "1. 22-18 12-16 *", "russian"),
        (['GameType "26"'], "1. c3-d4 *", "brazilian"),
        (['GameType "30"'], "1. a3-a4 *", "turkish"),
        (['Variant "classic"'], "1. 11-15 *", "classic"),
        (['Variant "Losing English"'], "1. 11-15 *", "losing-english"),
        (['Variant "losing-international"', 'GameType "20"'], "1. 32-28 *", "losing-international"),
        (['Result "1-1"'], "", "international"),
        (['FEN "W:W28:B19,K50"'], "", "international"),
        (['FEN "B:W18,24:B12,K22"'], "", "english"),
        (['FEN "B:W18,24:B12,16"'], "1... 16-19", "english"),
        (['FEN "W:Wc3:Bf8"'], "", "russian"),
        (['FEN "W:Wc3:Bf8"'], "1. 22-18", "russian"),
        ([], "", "international"),
        ([], "{Hello} 1. 31-27", "international"),
        ([], "1. 1115", "english"),
        ([], "1. 21-17", "italian"),
        ([], "1. a3b4", "russian"),
        ([], "1. 33-29 (1. 31-27)", "international"),
    ],
)
def test_variant_is_read_from_the_tags(tags: list[str], moves: str, variant: str) -> None:
    game = only(tagged(*tags, moves=moves or "*"))
    assert (game.game, game.variant) == ("draughts", variant)


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ('[GameType "41"]\n\n*', 1, 1, "GameType 41 (Spantsiretti draughts) is not played here"),
        ('[Event "?"] [Variant "Spanish"]\n\n*', 1, 13, "the variant 'Spanish' is not known"),
        ('[SetUp "1"]\n\n*', 1, 1, "announces a FEN"),
        ('[GameType "20"]\n[FEN "W:W31"]\n\n*', 2, 1, "is not a position"),
        ('[FEN "W:W31:B31"]\n\n*', 1, 1, "31"),
        ('[FEN "?"]\n\n1. 11-15', 1, 1, "'?' is not a position"),
        ("1. 32-28 19-23 2. 28-22 *", 1, 19, "28-22"),
        ("1. 32-28 19-23 2. 33-29 *", 1, 19, "must capture"),
        ("1. 32-99 *", 1, 4, "is not a move"),
        ("1. Nf3 *", 1, 4, "is not a move"),
        ('1. 32-28 /FEN "B:W31:B20"/ *', 1, 10, "a position set up in the middle of a game"),
        ("1. - - *", 1, 4, "an unknown move"),
        ("1. 32-28 (1. 31-27 *", 2, 1, "a variation that is not closed"),
        ("$1 1. 32-28", 1, 1, "there is no move before"),
        ('[Result "2-0"]\n\n1. 32-28 1-1', 3, 10, "the game ends 1/2-1/2 here, but its tag says 1-0"),
    ],
)
def test_fault_has_its_reason_and_place(text: str, line: int, column: int, reason: str) -> None:
    found = fault(text)
    assert found[:2] == (line, column), found
    assert reason in found[2]


def test_game_begins_at_the_position_of_its_tags() -> None:
    game = only(tagged('GameType "20"', 'SetUp "1"', 'FEN "B:BK4:W46-47,41."', moves="1... 4-10 *"))
    assert (game.fen, sans(game.line)) == ("B:W41,46,47:BK4", ["4-10"])


@pytest.mark.parametrize("fen", ["W:W31-50:B1-20", "w:b1-20:w31-50", "W:W31-50:B1,2,3,4-20."])
def test_standard_position_in_a_fen_tag_is_omitted(fen: str) -> None:
    assert only(tagged('GameType "20"', f'FEN "{fen}"', moves="1. 32-28")).fen is None


# Move text.


def test_game_with_every_element_is_read() -> None:
    text = """% International
[White "Ada"]
[Result "2-0"]
[GameType "20"] % a line comment

{First} ;to the end of the line }
1. 32-28! $13 {[%clk 0:03:00]} {A good % no
   move [%emt 0:00:01.5] here} (1. 31-27(?!) {or} (1. 33-29 19-24) 1... 17-21) {Well}
1... 19-23(!) (=) 2. 28x19 14x23?? % 3. 37-32
*
"""
    game = only(text)
    first, second, _, last = game.line.plies
    assert (game.tags, game.result) == ({"White": "Ada"}, "1-0")
    assert game.line.comments == ("First", "to the end of the line }")
    (other,) = first.variations
    comments = ("A good % no move here",)
    assert first == Ply("32-28", "32-28", (1, 13), 180_000, 1500, False, comments, (other,), ("Well",))
    assert (sans(other), other.plies[0].nags, other.plies[0].comments) == (["31-27", "17-21"], (6,), ("or",))
    assert sans(other.plies[0].variations[0]) == ["33-29", "19-24"]
    assert (second.nags, second.draw, last.nags) == ((1,), True, (4,))


@pytest.mark.parametrize(
    "moves",
    [
        "1. 32-28 17-22 2. 28x17 11x22 *",
        "1.32-28 17-22 2.28 x17 11 x 22",
        "1. 32-28 17-22\n 2.28:17 11:22 2-0",
        "32-28 17-22 28-17 11-22 1-1",
        "3228 1722 2817 1122",
        "1 32-28 ... 17-22 2 28x17 2 ... 11x22",
        '[GameType "20"]\n1. d4-e5 c7-d6 2. e5xc7 ( 2. e5:c7 ) 2... b8xd6',
        "\ufeff1. 32-28\t17-22\f2.\xa028x17 11x22 0-0",
    ],
)
def test_move_spellings_of_programs_are_read(moves: str) -> None:
    for game in (only(moves), *read_games(moves)):
        assert isinstance(game, PdnGame)
        assert [ply.move for ply in game.line.plies] == ["32-28", "17-22", "28x17", "11x22"]


def test_full_path_of_a_capture_is_read() -> None:
    game = only(tagged('GameType "21"', 'FEN "W:W27:B24,16,8"', moves="1. 27x20x11x4"))
    assert game.line.plies[0].move == "27x4"


@pytest.mark.parametrize(
    ("tags", "marker", "result"),
    [
        ([], "2-0", "1-0"),
        ([], "0-2", "0-1"),
        ([], "1-1", "1/2-1/2"),
        ([], "1/2-1/2", "1/2-1/2"),
        ([], "½", "1/2-1/2"),
        ([], "0-0", "0-0"),
        (['Result "2-0"'], "*", "1-0"),
        (['Result "1-1"'], "", "1/2-1/2"),
        (['Result "0-0"'], "0-0", "0-0"),
        (['Result "2-0"'], "1-0", "1-0"),
        (['Result "1+ - 1-"'], "*", "*"),
        ([], "", "*"),
    ],
)
def test_both_forms_of_results_are_read(tags: list[str], marker: str, result: str) -> None:
    assert only(tagged(*tags, 'GameType "20"', moves=f"1. 32-28 {marker}")).result == result


def test_moves_that_look_like_results_are_moves() -> None:
    game = only(tagged('GameType "21"', 'FEN "W:WK32:BK1"', moves="1. 32-28 1-6 2. 28-32 6-1 0-2"))
    assert (sans(game.line), game.result) == (["32-28", "1-6", "28-32", "6-1"], "0-1")


# One game after another.


def test_games_are_yielded_as_soon_as_complete() -> None:
    reader = PdnReader()
    assert list(reader.feed('[White "A"]\n\n1. 11-15 ')) == []
    first, second = reader.feed('* 1. 32-28 *\n\n[White "B"]\n')
    assert isinstance(first, PdnGame)
    assert (first.tags, first.variant) == ({"White": "A"}, "english")
    assert isinstance(second, PdnGame)
    assert second.variant == "international"
    (third,) = reader.close()
    assert isinstance(third, PdnGame)
    assert third.tags == {"White": "B"}


@pytest.mark.parametrize(
    "bad", ['[GameType "x"]\n\n1. 32-28 *\n', "1. 32-26 {x} *\n", "1. 32-28 / *\n", "1. 32-28 @\n"]
)
def test_bad_game_does_not_affect_others(bad: str) -> None:
    good = '[White "A"]\n\n1. 32-28 *\n\n'
    for pieces in ([good + bad + good], good + bad + good):
        games = list(read_games(pieces))
        assert [type(game).__name__ for game in games] == ["PdnGame", "BadScore", "PdnGame"]


# Whatever somebody sends.


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. 32-28 {" + "x" * (tokens.MAX_COMMENT + 1) + "} *", "longer than"),
        ("%" + "x" * (tokens.MAX_COMMENT + 1) + "\n1. 32-28 *", "longer than"),
        ("1. 32-28 % " + "x" * (tokens.MAX_COMMENT + 1) + "\n*", "longer than"),
        ("1. 32" + "-28" * 500, "longer than"),
        ("1. 32" + " x 28" * 500, "longer than"),
        ("1. 32-28 " + "(1. 31-27 " * (game_builder.MAX_DEPTH + 1), "nested variations"),
    ],
)
def test_every_element_has_a_maximum_length(text: str, reason: str) -> None:
    for pieces in ([text], [text[at : at + 999] for at in range(0, len(text), 999)]):
        bad = next(read_games(pieces))
        assert isinstance(bad, BadScore)
        assert reason in bad.reason


def test_longest_capture_fits_the_symbol_limit() -> None:
    assert len(" x ".join(["50"] * 21)) < tokens.MAX_SYMBOL


@given(st.text() | st.text('[]"\\{}();%$*-=.!?\n\r x:/FEN1234567890abcdefgh'))
def test_any_text_is_games_or_faults(text: str) -> None:
    whole = list(read_games([text]))
    pieces = list(read_games(text))
    assert [game for game in whole if isinstance(game, PdnGame)] == [
        game for game in pieces if isinstance(game, PdnGame)
    ]
    assert list(map(str, whole)) == list(map(str, pieces))


@given(st.data())
def test_altered_real_file_does_not_break_the_reader(data: st.DataObject) -> None:
    text = GAMES.read_text(encoding="utf-8")[:1500]
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(len(text), begin + 50)))
    text = text[:begin] + data.draw(st.text('[]"{}();%\n x:-5')) + text[end:]
    cut = data.draw(st.integers(0, len(text)))
    assert list(map(repr, read_games([text]))) == list(map(repr, read_games([text[:cut], text[cut:]])))


def test_every_variant_has_its_own_tag() -> None:
    games = [only(tagged(f'Variant "{variant}"')) for variant in ALL]
    assert [game.variant for game in games] == list(ALL)
