"""The ways in which a capture may go."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from game_core.draughts.board import Men
from game_core.draughts.position import Position
from game_core.draughts.ways import Ways
from tests.game_core.draughts.boards import PLAIN


def crowded(seed: int, variant: str) -> Position:
    """Few kings among many, where there is much to take in many ways."""
    chance = Random(seed)
    board = PLAIN[variant].board
    inner = [bit for bit in board.field.bits if all(board.field.step(bit, shift) for shift in board.field.shifts)]
    foes = set(chance.sample(inner, chance.randint(board.most // 3, board.most)))
    own = chance.sample([bit for bit in board.field.bits if bit not in foes], 3)
    kings = sum(own) | sum(chance.sample(sorted(foes), len(foes) // 2))
    return Position.first(board, Men(sum(own), sum(foes), kings, "w"))


@pytest.mark.parametrize("variant", PLAIN)
@pytest.mark.parametrize("seed", range(40))
def test_every_way_leads_to_its_move(variant: str, seed: int) -> None:
    rules = PLAIN[variant]
    position = crowded(seed, variant)
    for text, move in position.legal.items():
        ways = rules.leaps(position, text)
        assert bool(ways) == bool(move.taken)
        assert len(ways) <= 8
        assert len(set(ways)) == len(ways)
        for way in ways:
            spelt = "x".join([text.split("x")[0], *way.path])
            assert rules.play(position, spelt).move == text
            assert len(way.path) == len(way.taken) == move.taken.bit_count()
            assert sum(rules.board.field.named[name] for name in way.taken) == move.taken


@pytest.mark.parametrize("variant", PLAIN)
@pytest.mark.parametrize("seed", range(40))
def test_the_path_of_a_move_is_one_of_its_ways(variant: str, seed: int) -> None:
    position = crowded(seed, variant)
    for move in position.legal.values():
        if move.taken:
            ways = Ways(position.board, position.men, move, move.path[:-1]).all()
            assert list(islice(ways, 2)) == [move.path]


def test_a_way_that_cannot_end_is_not_tried_twice() -> None:
    rules = PLAIN["turkish"]
    for seed in range(60):
        position = crowded(seed, "turkish")
        for text, move in position.legal.items():
            if move.taken.bit_count() > 3:
                nowhere = rules.board.field.bits[0] | rules.board.field.bits[1]
                assert not list(Ways(rules.board, position.men, move, (nowhere,)).all()), text
