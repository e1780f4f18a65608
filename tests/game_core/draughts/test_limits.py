"""Draws by count, and ends of few pieces.

The positions are diagrams where a picture says more; else FEN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core.errors import BadPosition
from game_core.rules import Finding, Outcome
from tests.game_core.draughts.boards import ALL, LOSING, PLAIN, play, wander

if TYPE_CHECKING:
    from game_core.draughts.position import Position

DRAW = Outcome(winner=None, reason="draw_rule")

TWO_KINGS_A_SIDE = {
    "international": "W:WK46,K47:BK1,K2",
    "classic": "B:WK29,K30:BK1,K3",
    "english": "B:WK29,K30:BK1,K3",
    "italian": "W:WK29,K30:BK1,K3",
    "brazilian": "W:WKa1,Kc1:BKd8,Kb8",
    "turkish": "W:WKa1,Kb1:BKg8,Kh8",
}


@pytest.mark.parametrize(
    ("variant", "moves"),
    [("international", 25), ("classic", 25), ("english", 40), ("italian", 40), ("brazilian", 25), ("turkish", 50)],
)
def test_king_moves_alone_draw_after_the_limit(variant: str, moves: int) -> None:
    for rules in (ALL[variant], ALL[f"losing-{variant}"]):
        position = rules.start(TWO_KINGS_A_SIDE[variant])
        assert rules.draw_in(position) is None
        for ply, after in enumerate(wander(rules, position, 2 * moves), start=1):
            if ply < 2 * moves:
                assert rules.outcome(after) is None
                assert rules.draw_in(after) == moves - ply // 2
            else:
                assert rules.outcome(after) == DRAW
                assert rules.draw_in(after) is None
                assert rules.legal_moves(after)


ENDINGS = [
    ("international", "online", "W:WK47,K48,K49:BK5", 10),
    ("international", "official", "W:WK47,K48,K49:BK5", 10),
    ("international", "fmjd", "W:WK47,K48,K49:BK5", 16),
    ("international", "online", "W:WK47,K48,6:BK5", 10),
    ("international", "fmjd", "W:WK47,16,6:BK5", 16),
    ("international", "fmjd", "B:WK47:BK5,K4,45", 16),
    ("international", "online", "W:WK47,K48:BK5", 5),
    ("international", "fmjd", "W:WK47,6:BK5", 5),
    ("international", "fmjd", "B:WK47:BK5", 5),
    ("brazilian", "online", "W:WKc1,Ke1,Kg1:BKb8", 10),
    ("brazilian", "online", "W:WKc1,Ke1:BKb8", 5),
    ("russian", "online", "W:WKc1,Ke1,Kg1:BKb8", 15),
    ("russian", "online", "W:WKc1,Ke1,Kg1:BKa1", 5),
    ("russian", "online", "W:WKc1,Ke1:BKb8", 5),
    ("russian", "online", "W:WKc1:BKb8", 5),
    ("russian", "online", "W:WKc1,Ke1:BKb8,Kd8", 30),
    ("russian", "online", "W:WKc1,Ke1,a7:BKb8,Kd8", 30),
    ("russian", "online", "W:WKc1,Ke1,Kg1:BKb8,Kd8,Kf8", 60),
    ("russian", "online", "W:WKc1,Ke1,Kg1,Ka3:BKb8,Kd8,Kf8", 60),
]


@pytest.mark.parametrize(("variant", "profile", "fen", "moves"), ENDINGS)
def test_endings_of_few_pieces_have_move_limits(variant: str, profile: str, fen: str, moves: int) -> None:
    rules = PLAIN[variant].under(profile)
    position = rules.start(fen)
    assert rules.draw_in(position) == moves
    quiet = rules.board.laws.quiet_moves
    last = 2 * min(moves, quiet)
    road = rules.board.field.main_road
    black_on = road if variant == "russian" and position.men.black & road else -1
    for ply, after in enumerate(wander(rules, position, last, black_on=black_on), start=1):
        if ply < last:
            assert rules.outcome(after) is None
            assert rules.draw_in(after) == min(moves, quiet) - ply // 2 if ply > 1 else moves
        else:
            assert rules.outcome(after) == DRAW


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("international", "W:WK46,K47,K48,K49:BK5"),
        ("international", "W:W31,32,33:BK5"),
        ("international", "W:WK46,K47:BK5,45"),
        ("russian", "W:Wa3,c3:Bh6"),
        ("russian", "W:Wa3,c3,e3:BKh8"),
        ("russian", "W:WKc1,Ke1,Kg1,Ka3:BKb8,Kd8,Kf8,Kh6"),
        ("english", "B:WK29,K30,K31:BK1"),
        ("turkish", "W:WKa1,Kb1:BKh8"),
    ],
)
def test_other_endings_have_no_move_limit(variant: str, fen: str) -> None:
    rules = PLAIN[variant]
    assert rules.draw_in(rules.start(fen)) is None


@pytest.mark.parametrize(("variant", "profile", "fen", "moves"), ENDINGS)
def test_losing_variants_have_no_ending_limits(variant: str, profile: str, fen: str, moves: int) -> None:
    rules = LOSING[f"losing-{variant}"]
    position = rules.start(fen)
    assert rules.draw_in(position) is None
    assert rules.can_win(position, "w")
    assert rules.can_win(position, "b")
    assert profile in PLAIN[variant].profiles
    assert moves


def give_a_piece(position: Position) -> Position:
    """Let the side to move lose a king, and the other take it."""
    for move in position.legal:
        offered = position.play(move).position
        for reply, capture in offered.legal.items():
            if capture.taken:
                taken: Position = offered.play(reply).position
                return taken
    raise AssertionError(f"nothing to give in {position}")


@pytest.mark.parametrize(
    ("plies", "before", "after"),
    [
        (2, 15, 5),  # what is left has a limit of its own
        (26, 3, 2),  # but the first one stays
    ],
)
def test_lost_piece_does_not_extend_an_ending(plies: int, before: int, after: int) -> None:
    rules = PLAIN["international"].under("fmjd")
    position = wander(rules, rules.start("W:WK47,K48,K49:BK5"), plies)[-1]
    assert rules.draw_in(position) == before
    position = give_a_piece(position)
    assert position.men.white.bit_count() == 2
    assert rules.draw_in(position) == after
    for _ in range(2 * after):
        assert rules.outcome(position) is None
        position = wander(rules, position, 1)[-1]
    assert rules.outcome(position) == DRAW


def test_promotion_does_not_extend_an_ending() -> None:
    rules = PLAIN["international"]
    position = wander(rules, rules.start("W:WK47,K48,6:BK5"), 8)[-1]
    assert rules.draw_in(position) == 6
    position = play(rules, position, "6-1")
    assert rules.draw_in(position) == 6
    assert rules.draw_in(wander(rules, position, 1)[-1]) == 5


def test_russian_limit_restarts_when_the_material_changes() -> None:
    rules = PLAIN["russian"]
    position = wander(rules, rules.start("W:WKc1,Ke1,Kg1,Ka3:BKb8"), 6)[-1]
    assert rules.draw_in(position) == 12
    assert rules.draw_in(give_a_piece(position)) == 15
    few = play(rules, rules.start("W:WKc1,a7:BKf8"), "c1-e3", "f8-e7", "e3-c1", "e7-f8")
    assert rules.draw_in(few) == 3
    assert rules.draw_in(play(rules, few, "a7-b8")) == 5


def test_leaving_the_main_road_extends_the_russian_limit() -> None:
    rules = PLAIN["russian"]
    held = play(rules, rules.start("W:WKc1,Ke1,Kg1:BKa1"), "c1-a3", "a1-g7", "a3-f8")
    assert rules.draw_in(held) == 4
    assert rules.draw_in(play(rules, held, "g7-h8")) == 3
    assert rules.draw_in(play(rules, held, "g7-h6")) == 13


@pytest.mark.parametrize(
    ("variant", "fen", "moves"),
    [
        ("international", "W:WK46,K47:BK1,K2", ["46-41", "1-6", "41-46", "6-1"]),
        ("english", "B:WK29,K30:BK1,K3", ["1-6", "29-25", "6-1", "25-29"]),
        ("turkish", "W:WKa1,Kb1:BKg8,Kh8", ["a1-a2", "h8-h7", "a2-a1", "h7-h8"]),
    ],
)
@pytest.mark.parametrize("form", ["", "losing-"])
def test_third_repetition_is_a_draw(form: str, variant: str, fen: str, moves: list[str]) -> None:
    rules = ALL[form + variant]
    position = play(rules, rules.start(fen), *moves, *moves[:-1])
    assert rules.outcome(position) is None
    position = play(rules, position, moves[-1])
    assert rules.outcome(position) == Outcome(winner=None, reason="threefold")


def test_turkish_men_may_repeat_sideways() -> None:
    rules = PLAIN["turkish"]
    moves = ["a3-b3", "h6-g6", "b3-a3", "g6-h6"]
    position = play(rules, rules.start("W:Wa3,d2:Bh6,e7"), *moves, *moves)
    assert rules.outcome(position) == Outcome(winner=None, reason="threefold")
    assert rules.outcome(play(rules, rules.start("W:Wa3,d2:Bh6,e7"), *moves, "d2-d3")) is None
    assert rules.draw_in(play(rules, rules.start("W:Wa3,d2:Bh6,e7"), *moves)) is None


def test_move_of_a_man_drops_earlier_positions() -> None:
    rules = PLAIN["international"]
    position = play(rules, rules.start("W:WK46,K47,36:BK1,K2"), "46-41", "1-6", "41-46", "6-1", "36-31")
    assert len(position.past.keys) == 1


@pytest.mark.parametrize(
    ("diagram_fen", "moves", "expected"),
    [
        ("W:WKa1,b1:BKh8", ["a1-a2", "h8xb8"], None),
        ("W:WKa1:Ba3,Kh8", ["a1xa5"], DRAW),
        ("W:WKb1:Bb3,Kh4", ["b1xb4"], None),
        ("W:Wa3,Kd1:Bb3,Kh8", ["a3xc3"], None),
        ("W:Wa3:BKh8,h6", ["a3-a4", "h6-h5"], None),
        ("B:Wa4,Kg3:BKg8", ["g8xg1"], Outcome(winner="b", reason="all_captured")),
        ("W:WKa1:Bh6,c6", ["a1-a6"], None),
    ],
)
def test_turkish_game_with_single_pieces_ends(diagram_fen: str, moves: list[str], expected: Outcome | None) -> None:
    rules = PLAIN["turkish"]
    position = play(rules, rules.start(diagram_fen), *moves)
    assert rules.outcome(position) == expected
    losing = LOSING["losing-turkish"]
    assert losing.outcome(play(losing, losing.start(diagram_fen), *moves)) is None


@pytest.mark.parametrize("fen", ["W:WKa1:BKh8", "W:Wa3:BKh8", "B:Wa3:BKh8"])
def test_turkish_game_cannot_start_from_a_finished_position(fen: str) -> None:
    with pytest.raises(BadPosition, match="the game is over"):
        PLAIN["turkish"].start(fen)
    LOSING["losing-turkish"].start(fen)


@pytest.mark.parametrize(
    ("variant", "fen", "white", "black"),
    [
        ("international", "W:WK46,K47,K48:BK5", True, False),
        ("international", "W:WK46,K47,K48,K49:BK5", True, False),
        ("international", "W:W31,32,33:BK5", True, True),
        ("international", "W:WK46:BK5", False, False),
        ("international", "W:WK46:BK5,6", False, True),
        ("international", "W:W32:BK5", True, True),
        ("international", "W:WK46,32:BK5,K6", True, True),
        ("brazilian", "W:WKa1:BKb8,Kd8", False, True),
        ("russian", "W:WKa1:BKb8,Kd8,Kf8", False, True),
        ("russian", "W:WKa1:BKb8,Kd8,f6", False, True),
        ("russian", "W:WKa1:BKb8,d6,f6", False, True),
        ("russian", "W:WKa1:BKb8,Kd8,Kf8,h6", False, True),
        ("russian", "W:WKa1:BKb8,Kd8", False, True),
        ("russian", "W:WKa1:BKb8,f6", False, True),
        ("russian", "W:WKa1:BKb8", False, False),
        ("russian", "W:WKa1:Bf6", True, True),
        ("english", "B:WK29:BK1", True, True),
        ("italian", "B:WK29:BK1", True, True),
    ],
)
def test_lone_king_does_not_win_on_time(variant: str, fen: str, white: bool, black: bool) -> None:
    rules = PLAIN[variant]
    position = rules.start(fen)
    assert (rules.can_win(position, "w"), rules.can_win(position, "b")) == (white, black)
    for color, can in (("w", white), ("b", black)):
        found = rules.find_win(rules.identity(position), "w" if color == "w" else "b", 100)
        assert found == Finding("yes" if can else "no", "material", 0)
