"""Goals and blocked goals of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from game_core.chinese_checkers.board import INDEX, holes_named, rows, turned
from game_core.chinese_checkers.fifteen import FIFTEEN
from game_core.chinese_checkers.side import Side
from game_core.chinese_checkers.ten import TEN
from tests.game_core.chinese_checkers import slow
from tests.game_core.chinese_checkers.scene import BOTH, as_set, drawn, position_of

if TYPE_CHECKING:
    from game_core.chinese_checkers.star import Star
    from game_core.color import Color


def winner(picture: str, turn: Color = "b") -> Color | None:
    """Who has won in ``picture``, with ten pieces a side; White has just moved."""
    position = position_of(picture, turn, TEN)
    assert (position.white.bit_count(), position.black.bit_count()) == (10, 10)
    if position.outcome is None:
        return None
    assert position.outcome.reason == "goal"
    return position.outcome.winner


ALL_THERE = """
            w
           w w
          w w w
         w w w w
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . . . b b .
   . . . . b b . . . .
  . . . b b . . . . . .
 . . b . . . . . . . . .
b b . . . . . . . . . . .
         . . . .
          b . .
           . .
            .
"""

ONE_AT_HOME = """
            b
           w w
          w w w
         w w w w
. . . . . . . . . . . . .
 . . . . . w . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . . . b b .
   . . . . b b . . . .
  . . . b b . . . . . .
 . . b . . . . . . . . .
b b . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

LAST_ONE_LAGS = """
            b
           w w
          w w w
         w w w w
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . . w b b .
   . . . . b b . . . .
  . . . b b . . . . . .
 . . b . . . . . . . . .
b b . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

A_HOLE_IS_OPEN = """
            b
           w w
          w . w
         w w w w
. . . . . . . . . . . . .
 . . . . w w . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . . . b b .
   . . . . b b . . . .
  . . . b b . . . . . .
 . . b . . . . . . . . .
b b . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

SHUT_OFF = """
            .
           b b
          b w b
         w w w w
. . . . . . . . . . . . .
 . . . . w w w w . . . .
  . . . w . . . . . . .
   . . . . . . . . . .
    . . . . . . . . .
   . . . . . . . . b .
  . . . b b . . . . . .
 . . b . . . . . . . . .
b b . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

NOT_QUITE_SHUT_OFF = """
            .
           b b
          w w b
         w w w w
. . . . . . . . . . . . .
 . . . . w w w . . . . .
  . . . w . . . . . . .
   . . . . . . . . . .
    . . . . . . . . .
   . . . . . . . . b .
  . . . b b . . . . . .
 . . b b . . . . . . . .
b b . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

A_SINGLE_RUNNER = """
            b
           b b
          b w b
         b b b b
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . b . . . .
   . . . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         w w w .
          w w w
           w w
            w
"""

A_WALL = """
            .
           . .
          . . .
         b b b b
. . . . b b b b b . . . .
 . . . . w w . . w . . .
  . . w w w . . w . . .
   . w w . . . . . w .
    . . . . . . . . .
   . . . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
b . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

A_WALL_AND_ONE_LAGS = """
            .
           . .
          . . .
         b b b b
. . . . b b b b b . . . .
 . . . . w w . . w . . .
  . . . w w . . w . . .
   . w w . . . . . w .
    . . . . . . . . .
   . . w . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
b . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

SHUT_IN = """
            b
           w w
          w w w
         w w w w
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . b . . . .
   . . . b . . . . . .
  . . b . . . . . . . .
 . b . . . . . . . . . .
b . . . . . . . . . . . .
         . . . .
          b . b
           b b
            w
"""

SHUT_IN_WITH_A_HOLE_OPEN = """
            w
           w w
          w w w
         . w w w
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . b . . . .
   . . . b . . . . . .
  . . b . . . . . . . .
 . b b . . . . . . . . .
b . . . . . . . . . . . .
         . . . .
          b . b
           b b
            w
"""

NOT_SHUT_IN = """
            b
           w w
          w w w
         w w w w
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . b . . . .
   . . . b . . . . . .
  . . b . . . . . . . .
 . b . . . . . . . . . .
b b . . . . . . . . . . .
         . . . .
          . . b
           b b
            w
"""


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (ALL_THERE, "w"),
        (ONE_AT_HOME, "w"),
        (LAST_ONE_LAGS, None),
        (A_HOLE_IS_OPEN, None),
        (SHUT_OFF, "w"),
        (NOT_QUITE_SHUT_OFF, None),
        (A_SINGLE_RUNNER, None),
        (A_WALL, "w"),
        (A_WALL_AND_ONE_LAGS, None),
        (SHUT_IN, "w"),
        (SHUT_IN_WITH_A_HOLE_OPEN, "w"),
        (NOT_SHUT_IN, None),
    ],
)
def test_winner_follows_the_goal(picture: str, expected: Color | None) -> None:
    assert winner(picture) == expected
    # The same with the colours changed and the star turned.
    sides = (Side.white(TEN.home), Side.black(TEN.home))
    white, black = (turned(as_set(drawn(picture, color))) for color in "wb")
    assert sides[1].has_won(white, black) == (expected == "w")
    assert sides[0].has_won(black, white) == (expected == "b")


def test_opponent_can_complete_the_goal_of_a_player() -> None:
    """White fills the last hole of Black's goal when all of Black's pieces are there or past the middle row."""
    picture = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . w w w . . . . .
  . . . . w w w . . . .
   . . . . w w . . . .
    . . . . w . . . .
   . . . . b . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . w . . . . . . .
         . b b b
          b b b
           b b
            b
    """
    position = position_of(picture, "w", TEN)
    assert position.outcome is None
    after = position.play("e6-d1").position
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.reason) == ("b", "goal")


def test_mover_wins_if_both_reach_their_goals() -> None:
    sides = (Side.white(TEN.home), Side.black(TEN.home))
    both = position_of(ALL_THERE, "b", TEN)
    for turn, first in (("b", "w"), ("w", "b")):
        position = type(both)(sides, (sides[0].goal, sides[1].goal), "b" if turn == "b" else "w")
        assert position.outcome is not None
        assert position.outcome.winner == first


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.variant)
def test_start_position_has_no_winner(rules: Star) -> None:
    start = rules.start(None)
    assert start.outcome is None
    assert start.white == turned(start.black) == rules.home


def test_fifteen_pieces_start_on_the_point_and_the_next_row() -> None:
    assert rows("abcd") | holes_named("e5", "e6", "e7", "e8", "e9") == FIFTEEN.home
    assert rows("abcd") == TEN.home
    assert FIFTEEN.start(None).sides[0].goal == rows("nopq") | holes_named("m5", "m6", "m7", "m8", "m9")


def arrangements(own: frozenset[str], opponent: frozenset[str]) -> set[frozenset[str]]:
    """Every way to stand that pieces on ``own`` can come to, if those on ``opponent`` never move."""
    found = {own}
    todo = [own]
    while todo:
        here = todo.pop()
        men: slow.Men = {**dict.fromkeys(here, "w"), **dict.fromkeys(opponent, "b")}
        for origin in here:
            for end in slow.ends(men, origin):
                after = here - {origin} | {end}
                if after not in found:
                    found.add(after)
                    todo.append(after)
    return found


@st.composite
def scattered(draw: st.DrawFn) -> tuple[frozenset[str], frozenset[str]]:
    """One or two pieces of White's and very many of Black's."""
    holes = draw(st.permutations(sorted(INDEX)))
    own = draw(st.integers(1, 2))
    most = draw(st.integers(65, 110))  # with less, two pieces can stand in thousands of ways
    return frozenset(holes[:own]), frozenset(holes[own : own + most])


@given(scattered(), st.sampled_from(BOTH))
def test_blocked_goal_is_detected_as_by_exhaustive_search(
    pieces: tuple[frozenset[str], frozenset[str]], rules: Star
) -> None:
    own, opponent = pieces
    side = Side.white(rules.home)
    goal = {name for name, hole in INDEX.items() if side.goal >> hole & 1}
    near = {name for name in INDEX if name[0] in "abcdefghi"}
    all_ways = arrangements(own, opponent)
    gets_in = max(len(goal & way) for way in all_ways) > len(goal & own)
    gets_past = min(len(near & way) for way in all_ways) < len(near & own)
    expected = own <= goal or not (gets_in or gets_past)
    event(f"won: {expected}, ways: {len(all_ways) > 1}")
    assert side.has_won(as_set(set(own)), as_set(set(opponent))) == expected
