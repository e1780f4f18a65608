"""Robots at the empty boards of a simul. Pure.

A level has one account, and an account one board, so there are at most eight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.robots.robot_accounts import LEVELS, robot_id

if TYPE_CHECKING:
    from simul.state import Simul


def free_levels(state: Simul, level: int) -> list[int]:
    """Return the levels of the robots that can have a board, at most as many as boards are empty.

    They are in the order of their distance from ``level``, the weaker of two first. Robots that the host has removed
    are left out.
    """
    if state.status != "created":
        return []
    free = [one for one in LEVELS if is_free(state, robot_id(one))]
    free.sort(key=lambda one: (abs(one - level), one))
    return free[: max(0, empty_boards(state))]


def is_free(state: Simul, robot: str) -> bool:
    """Return whether the robot with this account id can have a board."""
    return state.role_of(robot) is None and robot not in state.barred


def empty_boards(state: Simul) -> int:
    """Return the number of boards without a player, before the start."""
    return state.setup.max_boards - len(state.players)
