"""Chinese checkers behind the interface of the rules."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.chinese_checkers.fifteen import FIFTEEN
from game_core.chinese_checkers.position import MOST_MOVES, Position
from game_core.chinese_checkers.ten import TEN
from game_core.color import other
from game_core.errors import IllegalMove, InvalidMove
from game_core.registry import rules_for
from game_core.rules import Finding, Leaps, Outcome
from tests.game_core.chinese_checkers import slow
from tests.game_core.chinese_checkers.scene import BOTH, play, positions, random_game

if TYPE_CHECKING:
    from game_core.chinese_checkers.star import Star
    from game_core.rules import Rules


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.variant)
def test_chinese_checkers_has_the_attributes_of_rules(rules: Star) -> None:
    asked: Rules = rules
    assert rules_for("chinese-checkers", rules.variant) is asked
    assert (asked.game, asked.notation) == ("chinese-checkers", "pdn")
    assert (asked.starts, asked.draw_start(17)) == (1, None)
    assert asked.profiles == ("online",)
    assert asked.hand is None
    assert asked.under("online") is asked


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.variant)
def test_game_starts_with_white_to_move_and_no_outcome(rules: Star) -> None:
    position = rules.start(None)
    assert rules.turn(position) == "w"
    assert rules.outcome(position) is None
    assert not rules.is_check(position)
    assert rules.claimable(position) is None
    assert rules.draw_in(position) is None
    assert not rules.may_be_dead(position)
    for color in ("w", "b"):
        assert rules.can_win(position, color)
        assert rules.find_win(rules.identity(position), color, 0) == Finding("yes", "material", 0)


def test_equal_positions_hash_alike() -> None:
    positions = [FIFTEEN.play(FIFTEEN.start(None), move).position for move in ("e9-f9", "e9-f9", "d4-f9")]
    assert len(set(positions)) == 2


def test_step_and_chain_of_hops_are_played() -> None:
    start = FIFTEEN.start(None)
    step = FIFTEEN.play(start, "e9-f9")
    assert (step.move, step.notation, step.check, step.leaps) == ("e9-f9", "e9-f9", False, None)
    assert FIFTEEN.turn(step.position) == "b"
    assert step.position.fen == "b/bb/bbb/bbbb/4bbbbb4/12/11/10/9/10/11/8w3/4wwww5/wwww/www/ww/w b"
    hop = FIFTEEN.play(start, "d4-f9")
    assert (hop.move, hop.notation, hop.leaps) == ("d4-f9", "d4-f9", Leaps(("f9",)))
    assert FIFTEEN.leaps(start, "d4-f9") == (Leaps(("f9",)),)
    assert FIFTEEN.leaps(start, "e9-f9") == ()


def chain() -> Position:
    """White may go from c3 to g9 by two hops."""
    return play(FIFTEEN, FIFTEEN.start(None), "e8-f8", "m5-l5", "d4-e8", "l5-k5", "f8-f7", "k5-j5", "e8-f8", "j5-i5")


def test_full_path_of_a_move_is_read() -> None:
    position = chain()
    moves = {move for move in FIFTEEN.legal_moves(position) if (leaps := position.leaps(move)) and len(leaps.path) > 1}
    assert moves
    for move in moves:
        (leaps,) = FIFTEEN.leaps(position, move)
        text = "-".join((move.split("-")[0], *leaps.path))
        played = FIFTEEN.play(position, text)
        assert (played.move, played.leaps) == (move, leaps)
        assert FIFTEEN.play(position, move) == played
        assert FIFTEEN.is_same_move(move, move, text, None)
        # Back to where it began and on: a way too.
        origin = move.split("-")[0]
        assert FIFTEEN.play(position, f"{origin}-{leaps.path[0]}-{text}").move == move


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("e5-g5-i5", True),
        ("e5-i5", True),
        ("e5-g5", False),
        ("i5-e5", False),
        ("e5", False),
        ("", False),
        ("e5xi5", False),
    ],
)
def test_both_spellings_of_a_move_are_the_same(text: str, *, same: bool) -> None:
    assert FIFTEEN.is_same_move("e5-i5", "e5-i5", text, None) == same


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a move"),
        ("e5", "not a move"),
        ("e5f5", "not a move"),
        ("E5-F5", "not a move"),
        ("e5-f5-", "not a move"),
        ("e5-r1", "not a move"),
        ("e5-e14", "not a move"),
        ("e5-f05", "not a move"),
        ("e5xf5", "not a move"),
        ("-".join(["e5"] * 1000), "not a move"),
    ],
)
def test_malformed_move_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidMove, match=message) as caught:
        FIFTEEN.play(FIFTEEN.start(None), text)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f5-g5", "no piece of the side to move in f5"),
        ("m5-l5", "no piece of the side to move in m5"),
        ("e5-e6", "e6 is not empty"),
        ("e5-e5", "e5 is not empty"),
        ("e5-g5", "neither a step nor a chain of hops"),
        ("a1-c1-e5", "e5 is not empty"),
        ("a1-f5", "neither a step nor a chain of hops"),
        ("e5-e5-f5", "neither a step nor a chain of hops"),
        ("d1-f6-f5", "neither a step nor a chain of hops"),
        ("d1-e4-f6", "no chain of hops lands in all these holes"),
        ("d1-h6-f6", "no chain of hops lands in all these holes"),
    ],
)
def test_illegal_move_is_refused(text: str, message: str) -> None:
    start = FIFTEEN.start(None)
    with pytest.raises(IllegalMove, match=message):
        FIFTEEN.play(start, text)


BACK_AND_FORTH = ("e9-f9", "m9-l9", "f9-e9", "l9-m9")


def test_third_repetition_ends_the_game() -> None:
    position = play(FIFTEEN, FIFTEEN.start(None), *BACK_AND_FORTH, *BACK_AND_FORTH[:3])
    assert FIFTEEN.outcome(position) is None
    assert FIFTEEN.missing_for_claim(position) == (
        "draws are automatic in this variant and cannot be claimed: this position has occurred 2 of 3 times, and each "
        "side may make 197 of 200 more moves"
    )
    position = play(FIFTEEN, position, BACK_AND_FORTH[3])
    assert FIFTEEN.outcome(position) == Outcome(None, "threefold")
    assert position.repeats == 3


def test_side_to_move_distinguishes_repetitions() -> None:
    start = FIFTEEN.start(None)
    position = play(FIFTEEN, start, "e9-f9", "m9-l9", "f9-f8", "l9-m9", "f8-e9")
    assert (position.white, position.black) == (start.white, start.black)
    assert (position.turn, position.repeats) == ("b", 1)
    position = play(FIFTEEN, position, "m9-l9", "e9-f9", "l9-l8", "f9-e9", "l8-m9")
    assert (position.fen, position.repeats) == (start.fen, 2)


def long_game(rules: Star, plies: int) -> Position:
    """A game without progress and without a third repetition: only the corner pieces move."""
    position = rules.start(None)
    for _ in range(plies):
        for move in position.legal_moves():
            after = position.play(move).position
            if after.repeats == 1 and after.outcome in (None, Outcome(None, "draw_rule")):
                position = after
                break
    assert position.plies == plies
    return position


def test_game_ends_after_two_hundred_moves_of_each_side() -> None:
    position = long_game(TEN, 2 * MOST_MOVES - 1)
    assert TEN.outcome(position) is None
    assert TEN.draw_in(position) == 1
    assert TEN.claimable(position) is None
    last = next(
        played.position
        for move in TEN.legal_moves(position)
        if (played := TEN.play(position, move)).position.repeats == 1
    )
    assert TEN.outcome(last) == Outcome(None, "draw_rule")
    assert TEN.draw_in(last) is None


def test_remaining_moves_are_counted() -> None:
    position = TEN.start(None)
    left = [TEN.draw_in(position)]
    for move in ("d1-e5", "n1-m5", "d2-e6", "n2-m6"):
        position = play(TEN, position, move)
        left.append(TEN.draw_in(position))
    assert left == [None, 200, 199, 199, 198]


def test_reaching_the_goal_wins() -> None:
    position = TEN.start("w/ww/www/www1/7w5/12/11/10/9/10/b10/b11/bbb10/1bbb/b2/1b/1 w")
    assert TEN.outcome(position) is None
    won = TEN.play(position, "m8-n4")
    assert TEN.outcome(won.position) == Outcome("w", "goal")
    assert won.leaps is None


def test_move_limit_is_the_same_if_black_begins() -> None:
    position = TEN.start("b/bb/bbb/bbbb/13/12/11/10/9/10/11/12/13/wwww/www/ww/w b")
    assert TEN.draw_in(play(TEN, position, "n1-m5", "d1-e5")) == 199


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.variant)
def test_some_random_games_towards_the_goal_are_won(rules: Star) -> None:
    ends = {list(random_game(rules, seed, 400, haste=0.9))[-1].outcome for seed in range(6)}
    assert {outcome.reason for outcome in ends if outcome is not None} >= {"goal"}


@given(st.integers(0, 2**32), st.sampled_from(BOTH), st.floats(0, 1))
def test_replayed_game_is_the_same(seed: int, rules: Star, haste: float) -> None:
    live = list(random_game(rules, seed, 60, haste=haste))
    replayed = rules.start(None)
    for before, after in pairwise(live):
        gone, come = (slow.men_of(position) for position in (before, after))
        (origin,) = gone.keys() - come.keys()
        (end,) = come.keys() - gone.keys()
        assert replayed == before
        assert hash(replayed) == hash(before)
        replayed = rules.play(replayed, f"{origin}-{end}").position
        assert replayed.repeats == after.repeats
    assert replayed == live[-1]


@given(positions())
def test_position_has_a_winner_or_a_legal_move(position: Position) -> None:
    if position.outcome is None:
        assert position.legal_moves()
    else:
        assert position.outcome.reason == "goal"
        assert position.outcome.winner in ("w", "b")


def test_positions_compare_by_value() -> None:
    start = FIFTEEN.start(None)
    there_and_back = play(FIFTEEN, start, *BACK_AND_FORTH)
    assert there_and_back.fen == start.fen
    assert there_and_back != start
    assert start != TEN.start(None)
    assert start != start.fen
    assert repr(start) == f"Position({start.fen!r})"
    assert FIFTEEN.identity(there_and_back) == FIFTEEN.identity(start)
    assert other(start.turn) == play(FIFTEEN, start, "e9-f9").turn


def test_repeated_play_returns_the_cached_result_once() -> None:
    start = FIFTEEN.start(None)
    first = FIFTEEN.play(start, "e9-f9")
    assert FIFTEEN.play(start, "e9-f9") is first
    assert FIFTEEN.play(start, "e9-f9") is not first
