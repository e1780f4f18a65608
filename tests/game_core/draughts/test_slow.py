"""The engine against a slow reference implementation: all variants, with paths."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from game_core.draughts.men import Men as Standing
from game_core.draughts.moves import has_capture, has_move
from game_core.draughts.paths import MAX_RETRACED
from game_core.draughts.position import Position
from game_core.draughts.rules import MOST_PATHS
from tests.game_core.draughts.boards import PLAIN, random_game
from tests.game_core.draughts.slow import Men, Piece, Slow, Way

if TYPE_CHECKING:
    from game_core.draughts.board import Board


pytestmark = pytest.mark.exhaustive


def scattered(board: Board, chance: Random) -> Standing:
    """Pieces anywhere, few where many are kings."""
    kings = chance.choice((0, 0.1, 0.3, 0.6))
    most = 4 if kings > 0.5 else 12
    white = chance.sample(board.field.bits, chance.randint(1, most))
    black = chance.sample([bit for bit in board.field.bits if bit not in white], chance.randint(1, most))
    crowned = {bit for bit in (*white, *black) if chance.random() < kings}
    crowned |= {bit for bit in white if bit & board.crown["w"]} | {bit for bit in black if bit & board.crown["b"]}
    return Standing(sum(white), sum(black), sum(crowned), chance.choice(("w", "b")))


def men_of(slow: Slow, position: Position) -> Men:
    men = position.men
    return {
        slow.named[name]: Piece(bool(men.white & bit), bool(men.kings & bit))
        for bit, name in position.board.field.names.items()
        if bit & (men.white | men.black)
    }


def after(men: Men, way: Way) -> Men:
    left = {square: piece for square, piece in men.items() if square != way.start and square not in way.taken}
    return left | {way.path[-1]: Piece(men[way.start].white, way.king)}


def check(variant: str, slow: Slow, position: Position) -> None:
    """The same moves, positions after them and ways."""
    rules = PLAIN[variant]
    men = men_of(slow, position)
    ways = slow.ways(men, white=position.men.turn == "w")
    expected: dict[tuple[str, str, frozenset[str]], list[Way]] = {}
    for way in ways:
        taken = frozenset(slow.names[square] for square in way.taken)
        expected.setdefault((slow.names[way.start], slow.names[way.path[-1]], taken), []).append(way)
    assert has_move(position.board, position.men) == bool(ways)
    assert has_capture(position.board, position.men) == any(way.taken for way in ways)
    names = position.board.field.names
    assert len(position.legal) == len(expected)
    for text, move in position.legal.items():
        taken = frozenset(name for bit, name in names.items() if bit & move.taken)
        same = expected[names[move.start], names[move.end], taken]
        played = rules.play(position, text)
        assert men_of(slow, played.position) == after(men, same[0])
        if not taken:
            assert played.leaps is None
            continue
        by_path = {tuple(slow.names[square] for square in way.path) for way in same}
        leaps = rules.leaps(position, text)
        assert {one.path for one in leaps} <= by_path
        assert len(leaps) == (1 if len(taken) > MAX_RETRACED else min(MOST_PATHS, len(by_path)))
        assert played.leaps is not None
        assert played.leaps.path in by_path


@pytest.mark.parametrize("variant", PLAIN)
def test_moves_of_random_positions_equal_the_reference(variant: str) -> None:
    slow, chance = Slow(variant), Random(variant)
    board = PLAIN[variant].board
    for _ in range(300):
        check(variant, slow, Position.first(board, scattered(board, chance)))


@pytest.mark.parametrize("variant", PLAIN)
def test_moves_of_random_games_equal_the_reference(variant: str) -> None:
    slow = Slow(variant)
    for seed in range(2):
        for position, _ in random_game(PLAIN[variant], seed, 80):
            check(variant, slow, position)


def test_captures_among_many_pieces_equal_the_reference() -> None:
    """After a few leaps so many sets of pieces may be left that each has a place of its own."""
    slow, chance = Slow("turkish"), Random("many")
    board = PLAIN["turkish"].board
    for _ in range(400):
        squares = chance.sample(board.field.bits, chance.randint(10, 19))
        white, black = sum(squares[:2]), sum(squares[2:18])
        men = Standing(white, black, white | black & board.crown["b"], "w")
        check("turkish", slow, Position.first(board, men))
