"""Chaos check of clock charges: too much or too little for a move is detected."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from game_core.events import ClockReading, ClockSet, Moved
from game_core.evolve import evolve
from game_core.game import Setup
from game_core.start import new_game
from game_core.time_control import parse_time_control
from harness.chaos.clocks import BACK_MS, FORGIVEN_MS, RENEWED_MS, SLACK_MS, check_charges
from harness.chaos.disturbances import Disturbances
from harness.chaos.errors import Violation
from harness.chaos.view import Thought

if TYPE_CHECKING:
    from game_core.events import AnyEvent

MOVES = ("e2e4", "e7e5", "g1f3")
BASE_MS = 600_000

BEGAN_S = 1_000.0


def truth(cost_ms: int, *, is_resumed: bool = False) -> Any:
    """A game whose third half-move cost so much, perhaps with clocks that stood meanwhile."""
    game = new_game(Setup(id="game1", tc=parse_time_control({"base_s": BASE_MS // 1000, "inc_s": 0})), 0)
    states: list[Any] = [game]
    events: list[AnyEvent] = []
    for ply, move in enumerate(MOVES):
        last = ply == len(MOVES) - 1
        if last and is_resumed:
            events.append(ClockSet(clock=ClockReading(w=BASE_MS, b=BASE_MS, run="w"), why="resumed"))
            states.append(evolve(states[-1], events[-1], 0))
        played = game.rules.play(states[-1].position, move)
        events.append(
            Moved(
                ply=ply,
                by="w" if ply % 2 == 0 else "b",
                move=move,
                san=move,
                position=game.rules.fen(played.position),
                clock=ClockReading(w=BASE_MS - cost_ms * last, b=BASE_MS, run="b" if ply % 2 == 0 else "w"),
            )
        )
        states.append(evolve(states[-1], events[-1], 0))
    return SimpleNamespace(events=events, states=lambda: states)


def match(thought_ms: float, *, lost: int = 0) -> Any:
    """White knows of the third half-move."""
    thought = Thought(BEGAN_S, BEGAN_S + thought_ms / 1000, lost)
    return SimpleNamespace(
        game="game1", players=(SimpleNamespace(user="w", thoughts={2: thought}), SimpleNamespace(user="b", thoughts={}))
    )


def faults(*spans: tuple[float, float]) -> Disturbances:
    """From and to, in seconds after the thinking began."""
    found = Disturbances()
    found._spans = [(BEGAN_S + first, BEGAN_S + last) for first, last in spans]
    return found


def test_correct_charge_passes() -> None:
    assert check_charges(match(4_000), truth(4_010), faults()) == [pytest.approx(10)]


def test_overcharged_move_is_detected() -> None:
    assert check_charges(match(100), truth(100 + SLACK_MS), faults())
    with pytest.raises(Violation, match="too much"):
        check_charges(match(100), truth(102 + SLACK_MS), faults())
    assert check_charges(match(100, lost=1), truth(102 + SLACK_MS), faults())
    with pytest.raises(Violation, match="too much"):
        check_charges(match(100, lost=1), truth(102 + SLACK_MS + BACK_MS), faults())


def test_undercharged_move_is_detected() -> None:
    assert check_charges(match(4_000), truth(4_001 - FORGIVEN_MS), faults())
    with pytest.raises(Violation, match="too little"):
        check_charges(match(4_000), truth(3_990 - FORGIVEN_MS), faults())
    assert check_charges(match(4_000), truth(0, is_resumed=True), faults()), "the clocks stood for whatever reason"
    assert check_charges(match(4_000), truth(0)), "nobody knows when there were faults"


def test_time_before_a_fault_must_be_charged() -> None:
    least_ms = 6_000 - RENEWED_MS - FORGIVEN_MS
    assert check_charges(match(8_000), truth(least_ms + 1, is_resumed=True), faults((6, 9)))
    with pytest.raises(Violation, match="too little"):
        check_charges(match(8_000), truth(least_ms - 10, is_resumed=True), faults((6, 9)))
    assert check_charges(match(8_000), truth(0, is_resumed=True), faults((-3, -1), (6, 9))), "not settled yet"


def test_fault_without_an_end_lasts_until_it_is_ended() -> None:
    found = Disturbances()
    assert found.first_in(0, float("inf")) is None
    found.begin()
    began_s = found.first_in(0, float("inf"))
    assert began_s is not None
    assert found.first_in(began_s + 100, began_s + 101) == began_s
    found.end()
    assert found.first_in(began_s + 100, began_s + 101) is None
