"""Steps and chains of hops, in diagrams and against a slow independent generator."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.chinese_checkers.board import HOLES, INDEX, turned
from game_core.chinese_checkers.hops import hop_path, hop_tree, legal_moves
from game_core.chinese_checkers.position import Position
from game_core.color import other
from tests.game_core.chinese_checkers import slow
from tests.game_core.chinese_checkers.scene import BOTH, drawn, position_of, positions, random_game

if TYPE_CHECKING:
    from game_core.chinese_checkers.star import Star


def ends_of(picture: str, origin: str) -> set[str]:
    moves = position_of(picture).legal_moves()
    return {move.split("-")[1] for move in moves if move.split("-")[0] == origin}


def path_of(picture: str, move: str) -> tuple[str, ...]:
    leaps = position_of(picture).leaps(move)
    return () if leaps is None else leaps.path


ALONE = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . * * . . . .
    . . . * w * . . .
   . . . . * * . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""


def test_steps_go_in_all_six_directions() -> None:
    assert ends_of(ALONE, "i5") == drawn(ALONE, "*")
    assert path_of(ALONE, "i5-j5") == ()


CHAIN = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . * b * . . . .
   . . . . . b . . . .
  . . . . . . * . . . .
 . . . . . * w . . . . .
. . . . . * w * . . . . .
         . * * .
          . . .
           . .
            .
"""


def test_hops_chain_over_pieces_of_both_sides() -> None:
    assert ends_of(CHAIN, "e7") == drawn(CHAIN, "*")
    assert path_of(CHAIN, "e7-g7") == ("g7",)
    assert path_of(CHAIN, "e7-i3") == ("g7", "i5", "i3")


def test_hopped_pieces_stay_on_the_board() -> None:
    position = position_of(CHAIN)
    played = position.play("e7-i3")
    assert slow.men_of(played.position) == slow.after(slow.men_of(position), "e7-i3")
    assert played.leaps is not None
    assert played.leaps.taken == ()


BARRED = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . b . . . .
    w w . * w b b . .
   . . . . * * . . . .
  . . . . . . . . . . .
 . . . . w . b . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""


def test_invalid_hops_are_no_moves() -> None:
    # To its right are two in a row; up to the right is one with an empty hole behind it.
    assert ends_of(BARRED, "i5") == drawn(BARRED, "*") | {"j5", "k7"}
    assert ends_of(BARRED, "i1") == {"j1", "j2", "h1", "h2", "i3"}


TWO_WAYS = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . b b . . . . .
  . . . . . . . . . . .
   . . . . w b . . . .
    . . . . w . . . .
   . . . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""


def test_path_among_equally_short_ones_is_deterministic() -> None:
    assert path_of(TWO_WAYS, "i5-m7") == ("k5", "m7")


DETOUR = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . b b . . . . .
    . . . b w . . . .
   . . . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""


def test_path_is_the_shortest() -> None:
    assert path_of(DETOUR, "i5-i3") == ("i3",)


def slow_distance(men: slow.Men, origin: str, end: str) -> int | None:
    """How many hops lead to ``end``, by breadth."""
    others = {hole: color for hole, color in men.items() if hole != origin}
    distance = {origin: 0}
    queue = deque([origin])
    while queue:
        at = queue.popleft()
        for land in slow.hops(others, at):
            if land not in distance:
                distance[land] = distance[at] + 1
                queue.append(land)
    return distance.get(end)


def check(position: Position) -> None:
    """Moves and ways are those that the slow generator finds."""
    men = slow.men_of(position)
    moves = position.legal_moves()
    assert len(moves) == len(set(moves))
    assert set(moves) == slow.moves(men, position.turn)
    for move in moves:
        origin, end = move.split("-")
        leaps = position.leaps(move)
        if leaps is None:
            assert end in slow.seen_from(origin, 1)
            continue
        assert leaps.path[-1] == end
        assert len(leaps.path) == slow_distance(men, origin, end)
        at = origin
        for land in leaps.path:
            assert land in slow.hops(men, at)
            at = land


@given(positions())
def test_moves_of_random_positions_equal_the_slow_generator(position: Position) -> None:
    check(position)


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.variant)
def test_moves_of_random_games_equal_the_slow_generator(rules: Star) -> None:
    for seed in range(4):
        for position in list(random_game(rules, seed, 120))[seed::6]:
            check(position)


@given(positions())
def test_turned_position_has_the_turned_moves(position: Position) -> None:
    white, black = position.sides
    turned_position = Position((white, black), (turned(position.black), turned(position.white)), other(position.turn))
    opposite = dict(zip(HOLES, reversed(HOLES), strict=True))
    turned_moves = {"-".join(opposite[hole] for hole in move.split("-")) for move in position.legal_moves()}
    assert set(turned_position.legal_moves()) == turned_moves
    assert (position.outcome is None) == (turned_position.outcome is None)
    if position.outcome is not None and turned_position.outcome is not None:
        winner, turned_winner = position.outcome.winner, turned_position.outcome.winner
        assert winner is not None
        assert turned_winner == other(winner)


@given(positions())
def test_reverse_of_every_move_is_legal(position: Position) -> None:
    for move in position.legal_moves()[::7]:
        origin, end = move.split("-")
        after = position.play(move).position
        own, occupied = position.own ^ 1 << INDEX[origin] ^ 1 << INDEX[end], after.white | after.black
        assert f"{end}-{origin}" in legal_moves(own, occupied)


@given(st.integers(0, 120), st.integers(0, 120), st.integers(0, (1 << 121) - 1))
def test_hop_paths_exist_only_for_legal_moves(origin: int, end: int, occupied: int) -> None:
    occupied = (occupied | 1 << origin) & ~(1 << end) | 1 << origin
    hops = hop_path(end, hop_tree(origin, occupied))
    move = f"{HOLES[origin]}-{HOLES[end]}"
    near = HOLES[end] in slow.seen_from(HOLES[origin], 1)
    assert (bool(hops) or near) == (move in legal_moves(1 << origin, occupied) or (near and occupied >> end & 1 == 1))


COUNTS = {"fifteen": (22, 484, 15_752, 512_656), "ten": (14, 196, 4_760, 115_600)}
"""How many ways there are to play 1, 2, 3 and 4 half-moves from the start: our own, the same by the slow generator."""

MOST_LEAVES = 150_000
"""What is counted here; the slow generator counts a tenth of it. It takes seven seconds for the rest."""


def fast_count(position: Position, depth: int) -> int:
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(fast_count(position.play(move).position, depth - 1) for move in moves)


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.variant)
def test_perft_equals_known_counts(rules: Star) -> None:
    start = rules.start(None)
    for depth, expected in enumerate(COUNTS[rules.variant], 1):
        if expected <= MOST_LEAVES:
            assert fast_count(start, depth) == expected
        if expected <= MOST_LEAVES // 10:
            assert slow.count(slow.men_of(start), "w", depth) == expected
