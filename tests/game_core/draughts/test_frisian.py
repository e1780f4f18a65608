"""Frisian draughts: captures in eight directions and by value, and the limit on moves of one king.

``History`` counts these moves as lidraughts does, by its own means; with ``Slow`` it is a second engine, whose perft
from any position is that of the first.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from game_core.draughts.moves import has_capture, has_move
from game_core.draughts.position import Position
from game_core.errors import BadPosition, IllegalMove
from game_core.rules import Outcome
from tests.game_core.draughts.boards import LOSING, PLAIN, drawn, play
from tests.game_core.draughts.slow import Piece, Slow

if TYPE_CHECKING:
    from tests.game_core.draughts.slow import Men, Square, Way

FRISIAN = PLAIN["frisian"]

SLOW = Slow("frisian")


class History(NamedTuple):
    """Where the pieces stand, and by side the king that moved last, and how often in a row."""

    men: Men
    white: bool
    runs: dict[bool, tuple[Square, int]]

    def ways(self) -> list[Way]:
        run = self.runs.get(self.white)
        return [
            way
            for way in SLOW.ways(self.men, white=self.white)
            if way.taken or run is None or run[0] != way.start or run[1] < 3
        ]

    def after(self, way: Way) -> History:
        piece = self.men[way.start]
        men = {square: one for square, one in self.men.items() if square != way.start and square not in way.taken}
        men[way.path[-1]] = Piece(piece.white, way.king)
        runs = dict(self.runs)
        before = runs.pop(self.white, None)
        if piece.king and not way.taken:
            runs[self.white] = (way.path[-1], before[1] + 1 if before and before[0] == way.start else 1)
        for white in list(runs):
            if not any(one.white == white and not one.king for one in men.values()):
                del runs[white]
        return History(men, not self.white, runs)

    def different(self) -> list[Way]:
        """One way of each move."""
        return list({(way.start, way.path[-1], frozenset(way.taken)): way for way in self.ways()}.values())


def history_of(position: Position) -> History:
    men = position.men
    pieces = {
        SLOW.named[name]: Piece(bool(men.white & bit), bool(men.kings & bit))
        for bit, name in position.board.field.names.items()
        if bit & (men.white | men.black)
    }
    return History(pieces, men.turn == "w", {})


def perft(position: Position, depth: int) -> int:
    if depth == 1:
        return len(position.legal)
    return sum(perft(position.play(text).position, depth - 1) for text in position.legal)


def slow_perft(history: History, depth: int) -> int:
    if depth == 1:
        return len(history.different())
    return sum(slow_perft(history.after(way), depth - 1) for way in history.different())


def endings(count: int) -> list[Position]:
    """Few pieces, kings and men of both sides among them."""
    chance, board, found = Random("frisian"), FRISIAN.board, []
    for _ in range(count):
        squares = chance.sample(board.field.bits[5:-5], 6)
        white, black = sum(squares[:3]), sum(squares[3:])
        kings = sum(chance.sample(squares[:3], chance.randint(1, 3)) + chance.sample(squares[3:], chance.randint(0, 3)))
        fen = Position.first(board, board.start._replace(white=white, black=black, kings=kings)).fen
        found.append(FRISIAN.start(fen))
    return found


@pytest.mark.parametrize("position", endings(25), ids=lambda position: position.fen)
def test_perft_of_endings_equals_a_second_engine(position: Position) -> None:
    for depth in (1, 2, 3):
        assert perft(position, depth) == slow_perft(history_of(position), depth)


def test_perft_of_the_start_equals_a_second_engine() -> None:
    position = FRISIAN.start(None)
    assert [perft(position, depth) for depth in (1, 2, 3)] == [9, 81, 658]
    assert slow_perft(history_of(position), 3) == 658


@pytest.mark.parametrize("seed", range(25))
def test_moves_of_games_with_kings_equal_a_second_engine(seed: int) -> None:
    """Long enough for kings to come to their limit, and to be free again."""
    chance = Random(seed)
    position: Any = endings(seed + 1)[-1]
    history = history_of(position)
    for _ in range(60):
        ways = {}
        for way in history.different():
            taken = frozenset(SLOW.names[square] for square in way.taken)
            ways[SLOW.names[way.start], SLOW.names[way.path[-1]], taken] = way
        names = position.board.field.names
        moves = {
            (names[move.start], names[move.end], frozenset(names[bit] for bit in names if bit & move.taken)): text
            for text, move in position.legal.items()
        }
        assert moves.keys() == ways.keys()
        assert has_move(position.board, position.men) == bool(moves)
        if FRISIAN.outcome(position) is not None:
            return
        assert FRISIAN.start(FRISIAN.fen(position)).men == position.men
        which = chance.choice(sorted(moves, key=str))
        history = history.after(ways[which])
        position = FRISIAN.play(position, moves[which]).position


ACROSS = """
    _ . _ . _ . _ . _ .
    . _ . _ . _ . _ . _
    _ . _ . _ b _ . _ .
    . _ . _ . _ . _ . _
    _ . _ b _ w _ b _ .
    . _ . _ . _ . _ . _
    _ . _ . _ b _ . _ .
    . _ . _ . _ . _ . _
    _ . _ . _ . _ . _ .
    . _ . _ . _ . _ . _
"""


def test_men_capture_along_rows_and_columns() -> None:
    assert sorted(drawn(FRISIAN, ACROSS).legal) == ["23x21", "23x25", "23x3", "23x43"]


@pytest.mark.parametrize(("fen", "moves"), [("W:W24:B25", ["24-19", "24-20"]), ("W:W25:B26", ["25-20"])])
def test_rows_do_not_wrap_at_the_edge(fen: str, moves: list[str]) -> None:
    assert sorted(FRISIAN.start(fen).legal) == moves


def test_kings_capture_from_a_distance_and_land_anywhere_behind() -> None:
    position = FRISIAN.start("W:WK46,50:B26,1")
    assert sorted(position.legal) == ["46x16", "46x6"]
    assert sorted(FRISIAN.start("W:WK46,50:BK48,1").legal) == ["46x49"]


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        # Two men are worth more than a king, a king more than a man, three men more than a king and a man.
        ("W:W33,45:B17,28,K40", ["33x11"]),
        ("W:W33,45:B28,K40", ["45x34"]),
        ("W:W33,45:B7,17,28,30,K40", ["33x2"]),
        # For the same value a king takes.
        ("W:W33,K49:B28,44", ["49x35", "49x40"]),
    ],
)
def test_capture_of_the_highest_value_is_compulsory(fen: str, moves: list[str]) -> None:
    assert sorted(FRISIAN.start(fen).legal) == moves


TWO_KINGS = "W:W50,K46,K47:B15,K1"


def test_king_makes_at_most_three_moves_in_a_row() -> None:
    position = play(FRISIAN, FRISIAN.start("W:W50,K46:B15,K1"), "46-41", "1-6", "41-46", "6-1", "46-41", "1-6")
    assert FRISIAN.fen(position) == "W:W50,K41:B15,K6:+36+341"
    assert sorted(position.legal) == ["50-44", "50-45"]
    with pytest.raises(IllegalMove, match="the king on 41 has made 3 moves in a row; another piece must move"):
        FRISIAN.play(position, "41-46")
    position = play(FRISIAN, position, "50-45")
    assert FRISIAN.fen(position) == "B:W45,K41:B15,K6:+36+0"
    assert sorted(position.legal) == ["15-20"]
    position = play(FRISIAN, position, "15-20")
    assert "41-46" in position.legal


def test_move_of_another_king_restarts_the_count() -> None:
    position = play(FRISIAN, FRISIAN.start(TWO_KINGS), "46-41", "1-6", "41-46", "6-1", "47-42", "1-6")
    assert FRISIAN.fen(position) == "W:W50,K42,K46:B15,K6:+36+142"


def test_limit_on_king_moves_applies_only_with_men() -> None:
    walk = play(FRISIAN, FRISIAN.start("W:WK46,K47:BK1,K2,15"), "46-41", "1-6", "41-46", "6-1", "46-41", "1-6")
    assert FRISIAN.fen(walk) == "W:WK41,K47:B15,K2,K6:+36+0"
    assert "41-46" in walk.legal


def test_side_without_other_moves_loses() -> None:
    position = FRISIAN.start("B:W36,K46:B20,27,31:+0+346")
    assert not FRISIAN.start("W:W36,K46:B20,27,31:+0+246").outcome
    assert FRISIAN.outcome(play(FRISIAN, position, "20-25")) == Outcome(winner="b", reason="no_moves")


def test_captured_king_loses_its_count() -> None:
    position = FRISIAN.start("B:W50,K28:B5,23:+0+228")
    assert FRISIAN.fen(play(FRISIAN, position, "23x32")) == "W:W50:B5,32"


def test_king_counts_are_part_of_the_position_in_losing_frisian() -> None:
    losing = LOSING["losing-frisian"]
    position = play(losing, losing.start("W:W50,K46:B15,K1"), "46-41")
    assert losing.fen(position) == "B:W50,K41:B15,K1:+0+141"
    assert position != losing.start("B:W50,K41:B15,K1")


@pytest.mark.parametrize(
    ("fen", "read"),
    [
        ("W:W50,K46:B15,K1:H0:F1:+0+0", "W:W50,K46:B15,K1"),
        ("W:W50,K46:B15,K1:H12:F40", "W:W50,K46:B15,K1"),
        ("w:w50,k46:b15,k1:h0:f1:+21+146", "W:W50,K46:B15,K1:+21+146"),
    ],
)
def test_lidraughts_positions_are_read(fen: str, read: str) -> None:
    assert FRISIAN.fen(FRISIAN.start(fen)) == read


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("W:W50,K46:B15,K1:+0+446", r"\+446 is not a king with 1 to 3 moves in a row"),
        ("W:W50,K46:B15,K1:+0+2", r"\+2 is not a king"),
        ("W:W50,K46:B15,K1:+0+299", r"\+299 is not a king"),
        ("W:W50,K46:B15,K1:+0+046", r"\+046 is not a king"),
        ("W:W50,K46:B15,K1:+0+250", "those of a king whose side has men"),
        ("W:WK46:B15,K1:+0+246", "those of a king whose side has men"),
        ("W:W50,K46:B15,K1:+1", "is not a position"),
    ],
)
def test_impossible_king_counts_are_refused(fen: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        FRISIAN.start(fen)


@pytest.mark.parametrize("tail", [":H0:F1", ":+0+0", ":+0+246"])
def test_other_variants_refuse_king_counts(tail: str) -> None:
    with pytest.raises(BadPosition, match="is not a position"):
        PLAIN["international"].start(f"W:W50,K46:B15,K1{tail}")


@pytest.mark.parametrize(("fen", "moves"), [("W:WK46,K47:BK1", 7), ("W:WK46:BK1", 2)])
def test_few_kings_draw_after_a_few_moves_each(fen: str, moves: int) -> None:
    position: Any = FRISIAN.start(fen)
    chance, played = Random(3), 0
    while FRISIAN.outcome(position) is None:
        after = [FRISIAN.play(position, move).position for move in position.legal]
        position = chance.choice([one for one in after if not has_capture(one.board, one.men)])
        played += 1
    assert FRISIAN.outcome(position) == Outcome(winner=None, reason="draw_rule")
    assert played == 2 * moves


def test_many_kings_draw_after_a_hundred_moves_each() -> None:
    position = FRISIAN.start("W:WK46,K47:BK1,K2")
    assert FRISIAN.draw_in(position) is None
    assert FRISIAN.draw_in(play(FRISIAN, position, "46-41")) == 100


def test_third_repetition_is_no_draw() -> None:
    there_and_back = ("46-41", "1-6", "41-46", "6-1")
    position = play(FRISIAN, FRISIAN.start("W:WK46,K47:BK1,K2"), *there_and_back * 4)
    assert FRISIAN.outcome(position) is None
    assert position.past.keys == (position.men,)
