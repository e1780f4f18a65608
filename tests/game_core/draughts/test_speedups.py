"""Compiled captures: equal to Python's, which replaces a missing or broken library."""

from __future__ import annotations

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from game_core.draughts import speedups as module
from game_core.draughts.captures import MAN_WORTH, Sides
from game_core.draughts.field import each
from game_core.draughts.men import Men
from game_core.draughts.moves import find_moves
from game_core.draughts.notation.fen import parse_fen
from game_core.draughts.speedups import LIBRARY, SPEEDUPS, USED, Speedups, Unusable, find, load
from game_core.draughts.trails import Trails
from tests.game_core.draughts.boards import ALL, DATA, PLAIN, crowded, random_game, standings
from tests.missing_requirement import skip_or_fail

if TYPE_CHECKING:
    from game_core.draughts.board import Board

TURKISH = PLAIN["turkish"].board

WORST = DATA.joinpath("turkish-worst.txt").read_text(encoding="utf-8").split()
"""What ``bench.worst_draughts`` has found to take longest."""

FOLDER = Path(module.__file__).parent


@pytest.fixture(scope="module")
def speedups() -> Speedups:
    """Where the project was installed with a compiler, as in CI."""
    return SPEEDUPS or skip_or_fail(USED)


def check(board: Board, men: Men, speedups: Speedups) -> int:
    """Both find the same moves with the same ways in the same order. How many."""
    compiled = list(find_moves(board, men, speedups).items())
    assert compiled == list(find_moves(board, men, None).items())
    return len(compiled)


def kings_and_prey(chance: Random, most: int = 16) -> Men:
    """Kings, sometimes with men of theirs, around many pieces."""
    own = chance.randint(1, most)
    squares = chance.sample(TURKISH.field.bits, own + chance.randint(8, 16))
    white, black = sum(squares[:own]), sum(squares[own:])
    men = sum(chance.sample(squares[:own], chance.randint(0, own - 1))) if chance.random() < 0.3 else 0
    return Men(white, black, white & ~men | (white & TURKISH.crown["w"]) | (black & TURKISH.crown["b"]), "w")


def kings_around(chance: Random) -> Men:
    """Up to sixteen kings around many pieces no two of which are neighbours: there is much to take."""
    field = TURKISH.field
    black = 0
    for bit in chance.sample(field.bits, 64):
        if black.bit_count() < 16 and not any(field.step(bit, shift) & black for shift in field.shifts):
            black |= bit
    edge = sum(bit for bit in field.bits if not all(field.step(bit, shift) for shift in field.shifts))
    free = [bit for bit in field.bits if bit & edge & ~black]
    white = sum(chance.sample(free, min(len(free), chance.randint(1, 16))))
    return Men(white, black, white | black & TURKISH.crown["b"], "w")


def test_compiled_library_is_used(speedups: Speedups) -> None:
    assert find(FOLDER)[1] == USED == "Turkish and Frisian captures: C"
    assert signature(find_moves).parameters["speedups"].default is speedups


@pytest.mark.parametrize("fen", WORST)
def test_captures_of_the_slowest_positions_are_equal(fen: str, speedups: Speedups) -> None:
    assert check(TURKISH, parse_fen(TURKISH, fen), speedups) > 290


def test_captures_of_kings_among_many_pieces_are_equal(speedups: Speedups) -> None:
    chance = Random("kings")
    assert sum(check(TURKISH, kings_and_prey(chance), speedups) for _ in range(300)) > 1000


def test_long_captures_are_equal(speedups: Speedups) -> None:
    chance = Random("long")
    for _ in range(60):
        check(TURKISH, kings_around(chance), speedups)


def test_captures_of_three_pieces_among_many_are_equal(speedups: Speedups) -> None:
    for seed in range(100):
        check(TURKISH, crowded(TURKISH, seed), speedups)


def test_captures_in_random_games_are_equal(speedups: Speedups) -> None:
    for seed in range(5):
        for position, _ in random_game(PLAIN["turkish"], seed, 120):
            check(TURKISH, position.men, speedups)


@pytest.mark.parametrize("variant", ["turkish", "losing-turkish"])
def test_captures_of_any_position_are_equal(variant: str, speedups: Speedups) -> None:
    board = ALL[variant].board

    @given(standings(ALL[variant]))
    def same(men: Men) -> None:
        check(board, men, speedups)

    same()


@pytest.mark.exhaustive
def test_captures_at_every_square_and_edge_are_equal(speedups: Speedups) -> None:
    """One piece of each kind on each square, and one to capture beside it or at the end of its row and column."""
    field = TURKISH.field
    for at in field.bits:
        for prey in field.bits:
            if prey == at:
                continue
            for kings in (at, prey, at | prey, 0):
                for turn in ("w", "b"):
                    check(TURKISH, Men(at, prey, kings, "w") if turn == "w" else Men(prey, at, kings, "b"), speedups)


def test_library_is_safe_for_concurrent_threads(speedups: Speedups) -> None:
    chance = Random("threads")
    everybody = [kings_and_prey(chance) for _ in range(40)] * 4
    expected = [list(find_moves(TURKISH, men, None)) for men in everybody[:40]] * 4
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda men: list(find_moves(TURKISH, men, speedups)), everybody))
    assert found == expected


def test_position_beyond_its_capacity_is_left_to_python(speedups: Speedups) -> None:
    """More pieces than a side has, and other boards."""
    bits = TURKISH.field.bits
    foes = sum(bits[9:15]) | bits[25] | sum(bits[27:31]) | sum(bits[41:47])
    assert not speedups.serves(TURKISH.field, foes)
    men = Men(bits[24], foes, bits[24], "w")
    assert Sides(TURKISH, men).takers() == bits[24]
    assert check(TURKISH, men, speedups) > 0
    for variant, rules in PLAIN.items():
        assert speedups.serves(rules.board.field, foes=1) == (variant == "turkish")


def test_piece_without_captures_is_refused(speedups: Speedups) -> None:
    bits = TURKISH.field.bits
    for own, foes in ((bits[0], bits[63]), (bits[0], sum(bits[1:40]))):
        with pytest.raises(AssertionError, match="a8 takes nothing"):
            list(speedups.captures(TURKISH.field, own, foes, own, directions=(0, 1, 2, 3), king=True))
    check(TURKISH, parse_fen(TURKISH, WORST[-1]), speedups)


def test_unfinished_iteration_does_not_affect_the_next(speedups: Speedups) -> None:
    men = parse_fen(TURKISH, WORST[0])
    takers = Sides(TURKISH, men).takers()
    some = speedups.captures(TURKISH.field, men.white, men.black, takers, directions=(0, 1, 2, 3), king=True)
    next(some)
    assert check(TURKISH, men, speedups) == 585
    del some
    assert check(TURKISH, men, speedups) == 585


def test_python_without_ctypes_uses_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ctypes", None)
    assert find(FOLDER)[0] is None
    with pytest.raises(Unusable, match="this Python has no ctypes"):
        load(FOLDER)


def test_missing_library_is_not_used(tmp_path: Path) -> None:
    assert find(tmp_path) == (
        None,
        "Turkish and Frisian captures: Python, for sweep.c was not compiled: there was no C compiler, or it failed",
    )


def test_broken_library_is_not_used(tmp_path: Path) -> None:
    """Another machine's, or cut off while it was written."""
    path = tmp_path / LIBRARY
    for content in (b"", b"not a library", b"\x7fELF" + bytes(60)):
        path.write_bytes(content)
        with pytest.raises(Unusable, match=r"_sweep\S+ cannot be used: "):
            load(tmp_path)


def test_library_of_another_source_version_is_not_used(speedups: Speedups, tmp_path: Path) -> None:
    """``git pull`` without ``make``."""
    shutil.copy(FOLDER / LIBRARY, tmp_path)
    with pytest.raises(Unusable, match=r"sweep\.c"):
        load(tmp_path)
    source = tmp_path / "sweep.c"
    shutil.copy(FOLDER / "sweep.c", source)
    men = parse_fen(TURKISH, WORST[-1])
    assert len(find_moves(TURKISH, men, load(tmp_path))) == len(find_moves(TURKISH, men, speedups))
    source.write_bytes(source.read_bytes() + b"\n")
    with pytest.raises(Unusable, match=r"is older than sweep\.c, or newer: install the project again"):
        load(tmp_path)


def test_foreign_library_is_not_used(tmp_path: Path) -> None:
    import _ctypes

    shutil.copy(_ctypes.__file__, tmp_path / LIBRARY)
    with pytest.raises(Unusable, match="zeitnot_source"):
        load(tmp_path)


FRISIAN = PLAIN["frisian"].board


def trails_of(men: Men) -> list[Trails]:
    sides = Sides(FRISIAN, men)
    return [Trails(sides, start) for start in each(sides.takers())]


def test_frisian_captures_are_equal(speedups: Speedups) -> None:
    for seed in range(80):
        check(FRISIAN, crowded(FRISIAN, seed), speedups)
    for seed in range(3):
        for position, _ in random_game(PLAIN["frisian"], seed, 120):
            check(FRISIAN, position.men, speedups)


def test_frisian_captures_below_the_minimum_value_are_omitted(speedups: Speedups) -> None:
    for seed in range(20):
        men = crowded(FRISIAN, seed)
        worth = dict.fromkeys(each(men.black), MAN_WORTH)
        for trails in trails_of(men):
            for least in (0, 200, 400, 10_000):
                found = list(trails.captures(worth, least))
                assert found == list(speedups.trail_captures(trails, worth, least))
                assert all(taken.bit_count() * MAN_WORTH >= least for _, taken, _ in found)


def test_more_than_twenty_pieces_are_left_to_python(speedups: Speedups) -> None:
    """No position has so many, but the code does not rely on that."""
    trails = trails_of(crowded(FRISIAN, 0))[0]
    assert speedups.serves_trails(trails)
    trails.squares_of += [0] * 20
    assert not speedups.serves_trails(trails)
