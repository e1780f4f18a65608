"""Robots that the host takes for empty boards."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.accounts.user import User
from lobby.errors import Conflict, Forbidden
from lobby.robots.robot_accounts import robot_id
from simul import commands as c
from simul.draft import Offer
from simul.robots import free_levels
from simul.setup import draft_of
from tests.simul.simul_model import SimulModel, person, unchanged

CHESS, DRAUGHTS = Offer("chess", "standard"), Offer("draughts", "russian")


def robots(*levels: int, offer: Offer = CHESS, by: str = "host") -> c.AddRobots:
    users = (User(robot_id(level), f"Robot-{level}", "bot") for level in levels)
    return c.AddRobots(by=by, robots=tuple(c.Robot(user, offer) for user in users))


def test_nearest_levels_come_first_and_the_weaker_of_two() -> None:
    model = SimulModel(max_boards=100)
    assert free_levels(model.state, 3) == [3, 2, 4, 1, 5, 6, 7, 8]
    assert free_levels(model.state, 8) == [8, 7, 6, 5, 4, 3, 2, 1]


@given(st.integers(1, 12), st.integers(0, 12), st.integers(1, 8), st.sets(st.integers(1, 8)))
def test_no_robot_is_taken_twice_or_without_a_board(boards: int, players: int, level: int, had: set[int]) -> None:
    model = SimulModel(players=min(players, boards), max_boards=boards)
    first = [one for one in free_levels(model.state, level) if one in had]
    if first:
        model.do(robots(*first))
    free = free_levels(model.state, level)
    assert not set(free) & set(first)
    assert len(free) == min(8 - len(first), boards - len(model.state.players))
    if free:
        model.do(robots(*free))
    assert len(model.state.players) <= boards
    assert free_levels(model.state, level) == []


def test_robots_fill_the_boards_and_play() -> None:
    model = SimulModel(players=1, max_boards=3, variants=(CHESS, DRAUGHTS))
    model.do(robots(3, 2, 4, offer=DRAUGHTS))
    assert list(model.state.players) == ["p1", "robot3", "robot2"]
    assert model.kinds()[-4:] == ["joined", "accepted", "joined", "accepted"]
    model.do(c.Start(by="host"))
    assert [board.person.offer for board in model.state.boards] == [CHESS, DRAUGHTS, DRAUGHTS]
    assert [board.person.rating for board in model.state.boards] == [None, None, None]
    assert free_levels(model.state, 3) == []


def test_who_waits_is_not_in_the_way_and_conditions_are_for_people() -> None:
    model = SimulModel(players=0, auto_accept=False, members=True, min_rating=1800, max_boards=2)
    model.do(c.Join(user=person(1), ratings=((1900, False),)))
    model.do(robots(1, 2))
    assert list(model.state.players) == ["robot1", "robot2"]
    assert list(model.state.applicants) == ["p1"]


def test_robot_that_was_removed_does_not_come_back() -> None:
    model = SimulModel(max_boards=8)
    model.do(robots(3))
    model.do(c.Kick(by="host", user="robot3"))
    assert free_levels(model.state, 3) == [2, 4, 1, 5, 6, 7, 8]
    unchanged(model, robots(3), Conflict, "all robots")


@pytest.mark.parametrize(
    ("fields", "refusal", "why"),
    [
        ({"rated": True, "members": True, "start": False}, Forbidden, "rated: robots play casual games only"),
        ({"max_boards": 1, "start": False}, Conflict, "the simul is full"),
        ({"max_boards": 2, "start": True}, Conflict, "only before the start"),
    ],
)
def test_refused(fields: dict[str, Any], refusal: type[Exception], why: str) -> None:
    model = SimulModel(players=1, **fields)
    unchanged(model, robots(3), refusal, why)  # type: ignore[arg-type]  # refusals are exceptions
    unchanged(model, robots(3, by="p1"), Forbidden, "only the host")


def test_simul_with_robots_cannot_become_rated() -> None:
    model = SimulModel(max_boards=2)
    model.do(robots(3))
    draft = draft_of(model.state.setup)
    changed = type(draft)(
        **{name: getattr(draft, name) for name in draft.__struct_fields__} | {"rated": True, "members": True}
    )
    unchanged(model, c.Edit(by="host", draft=changed), Conflict, "rated: robots play casual games only")
