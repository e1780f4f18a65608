"""Delay of the public view by moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.events import (
    AnyEvent,
    ClockReading,
    ClockSet,
    Ended,
    Made,
    Moved,
    Offered,
    Ruled,
    Seated,
    Signalled,
    TakenBack,
    Touched,
)
from game_core.game import Setup
from game_core.public_delay import PublicDelay, Stamp, count_released, stamp_log, step_of
from game_core.simul_board import SimulBoard

if TYPE_CHECKING:
    from collections.abc import Sequence


def shown_by_moves(steps: Sequence[int | None], moves: int) -> int:
    now = Stamp(0, sum(step or 0 for step in steps))
    return count_released(PublicDelay(moves=moves), stamp_log(steps, [], 0), now)


MOVE = Moved(0, "w", "e2e4", "e4", "")


@pytest.mark.parametrize(
    ("event", "step"),
    [
        (MOVE, 1),
        (TakenBack(2, ""), -2),
        (Offered("draw", "offer", "w"), 0),
        (ClockSet(ClockReading(1, 1), "pause"), 0),
        (Ended("1-0", "resignation"), 0),
        (Touched("w", "e2"), None),
        (Signalled("w", on=True), None),
        (Made(0, "w", "e2e4", "e4", "", ()), None),
        (Ruled("w", "no_move", None, 1, 0, ()), None),
        (Seated("w"), 0),
    ],
)
def test_plies_added_by_each_event(event: AnyEvent, step: int | None) -> None:
    assert step_of(event) == step


@pytest.mark.parametrize(
    ("steps", "moves", "shown"),
    [
        ([], 1, 0),
        ([1], 1, 0),
        ([1, 1], 1, 0),
        ([1, 1, 1], 1, 1),
        ([1] * 10, 2, 6),
        ([1] * 10, 5, 0),
        ([1, 0, 1, 1], 1, 2),  # an offer comes with the move before it
        ([0, 1, 1], 1, 1),
        ([1, 1, 0, 0, 0, 0], 1, 0),  # offers make no half-moves
        ([1] * 8 + [-1, 1], 1, 6),  # as many as before: nothing more is shown
        ([1] * 8 + [-1, 1, -1, 1, -1, 1], 1, 6),
        ([1] * 8 + [-1, 1, 1], 1, 7),
        ([1] * 8 + [-1, 1, 1, 1], 1, 10),  # what was taken back is shown with what came instead
        ([1] * 6 + [-6] + [1] * 5, 1, 4),  # what was shown stays shown
        ([1] * 6 + [-6] + [1] * 8, 1, 13),
        ([None, 1, None, 1], 1, 0),
        ([None, 1, None, 1, None], 1, 0),  # what is made of the third half-move makes none
        ([None, 1, None, 1, None, 1], 1, 2),  # the first half-move with its parts
        ([None, 1, 0, None, 1, None, 1], 1, 3),
        ([None, None, 1, -1, None, None, 1, 1, 1], 1, 7),  # an illegal move, taken back
    ],
)
def test_plies_shown_under_a_delay_by_moves(steps: Sequence[int | None], moves: int, shown: int) -> None:
    assert shown_by_moves(steps, moves) == shown


@given(st.lists(st.sampled_from([1, 1, 1, 0, -1, -2]), max_size=80), st.integers(1, 6))
def test_no_move_is_shown_before_the_delay_in_moves(wanted: list[int], moves: int) -> None:
    steps: list[int] = []
    for step in wanted:
        if sum(steps) + step >= 0:
            steps.append(step)
    plies = PublicDelay(moves=moves).plies
    before = 0
    for made in range(len(steps) + 1):
        shown = shown_by_moves(steps[:made], moves)
        assert shown >= before
        there = sum(steps[:made])
        for number in range(before, shown):
            assert sum(steps[: number + 1]) + plies <= there
        if shown < made:
            assert sum(steps[: shown + 1]) + plies > there
        before = shown


def test_simul_board_has_the_delay_of_its_simul() -> None:
    assert (Setup(id="g").delay_s, Setup(id="g").delay_moves) == (0, 0)
    assert Setup(id="g", simul_board=SimulBoard("x", 1, "w", delay_s=60)).delay_s == 60
    assert Setup(id="g", simul_board=SimulBoard("x", 1, "w", delay_s=60)).public_delay == PublicDelay(60)
    assert Setup(id="g", delay=PublicDelay(seconds=30)).delay_s == 30
    assert Setup(id="g", delay=PublicDelay(moves=3)).delay_moves == 3


@pytest.mark.parametrize(
    ("delay", "event", "now", "released"),
    [
        (PublicDelay(), Stamp(0, 0), Stamp(0, 0), True),
        (PublicDelay(2), Stamp(0, 0), Stamp(1999, 99, is_over=True), False),
        (PublicDelay(2), Stamp(0, 0), Stamp(2000, 0), True),
        (PublicDelay(moves=1), Stamp(0, 1), Stamp(9999, 2), False),
        (PublicDelay(moves=1), Stamp(0, 1), Stamp(0, 3), True),
        (PublicDelay(moves=1), Stamp(0, 1), Stamp(0, 1, is_over=True), True),
        (PublicDelay(2, 1), Stamp(0, 1), Stamp(2000, 2), False),
        (PublicDelay(2, 1), Stamp(0, 1), Stamp(1999, 3), False),
        (PublicDelay(2, 1), Stamp(0, 1), Stamp(2000, 3), True),
    ],
)
def test_event_is_released_by_time_moves_or_end(delay: PublicDelay, event: Stamp, now: Stamp, released: bool) -> None:
    assert delay.releases(event, now) == released


def test_events_are_released_in_order() -> None:
    log = stamp_log([1, 1, 1], [90_000, 10_000, 70_000], 0)
    assert [stamp.at_ms for stamp in log] == [-90_000, -10_000, -10_000]
    assert count_released(PublicDelay(60), log, Stamp(0, 3)) == 1
