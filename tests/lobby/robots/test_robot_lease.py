"""Which process plays for the robots."""

from __future__ import annotations

from typing import Any

import pytest

from game_core.time_control import parse_time_control
from lobby.errors import Unavailable
from lobby.proposals import Terms
from lobby.robots.robot_accounts import robot_ids
from lobby.robots.robot_lease import LEASE_MS, RobotLease, RobotsReport

GAMES = {"chess": ["standard"], "draughts": ["international"]}


class Hall:
    """A lease with a clock, and robots that are connected."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000
        self.here = set(robot_ids())
        self.lease = RobotLease(self.here.__contains__, lambda: self.now_ms)
        self.now_ms += LEASE_MS

    def report(self, holder: str, **fields: Any) -> bool:
        return self.lease.report(RobotsReport(holder=holder, **{"games": GAMES, "free": 5, **fields}))


def terms(variant: str = "standard", tc: object = None) -> Terms:
    game = "chess" if variant in ("standard", "chess960") else "draughts"
    return Terms(game=game, variant=variant, tc=parse_time_control(tc), rated=False, rules="online")


def test_first_process_plays_until_it_is_silent() -> None:
    hall = Hall()
    assert hall.report("one")
    assert not hall.report("two")
    hall.now_ms += LEASE_MS - 1
    assert hall.report("one", active=True)
    hall.now_ms += LEASE_MS - 1
    assert not hall.report("two")
    hall.now_ms += 1
    assert hall.lease.wire() is None
    assert hall.report("two")
    assert not hall.report("one", active=True)


def test_process_that_leaves_is_replaced_at_once() -> None:
    hall = Hall()
    assert hall.report("one")
    assert not hall.report("two", leaving=True), "it never played"
    assert hall.lease.wire() is not None
    assert not hall.report("one", active=True, leaving=True)
    assert hall.lease.wire() is None
    assert hall.report("two")


def test_process_that_played_goes_on_under_a_new_leader() -> None:
    hall = Hall()
    hall.lease = RobotLease(hall.here.__contains__, lambda: hall.now_ms)
    assert not hall.report("two"), "another one may have played"
    assert hall.report("one", active=True)
    assert not hall.report("two")


def test_new_leader_takes_a_first_process_after_a_while() -> None:
    hall = Hall()
    hall.lease = RobotLease(hall.here.__contains__, lambda: hall.now_ms)
    assert not hall.report("one")
    hall.now_ms += LEASE_MS
    assert hall.report("one")


def test_lobby_shows_what_is_played() -> None:
    hall = Hall()
    assert hall.lease.wire() is None
    hall.report("one")
    assert hall.lease.wire() == {"busy": False, "games": GAMES}
    hall.report("one", free=0)
    assert hall.lease.wire() == {"busy": True, "games": GAMES}
    hall.here.remove("robot8")
    assert hall.lease.wire() is not None, "one of them reconnects"
    hall.here.clear()
    assert hall.lease.wire() is None


def test_places_are_counted() -> None:
    hall = Hall()
    hall.report("one", free=2)
    hall.lease.admit(3, terms())
    hall.lease.admit(3, terms("international"))
    with pytest.raises(Unavailable, match="busy"):
        hall.lease.admit(3, terms())
    hall.report("one", free=1)
    hall.lease.admit(3, terms())


def test_fast_games_are_refused_first() -> None:
    hall = Hall()
    hall.report("one", least_s=180)
    with pytest.raises(Unavailable, match="busy"):
        hall.lease.admit(1, terms(tc={"base_s": 60}))
    hall.lease.admit(1, terms(tc={"base_s": 60, "inc_s": 3}))
    hall.lease.admit(1, terms(tc={"days": 1}))
    hall.lease.admit(1, terms())


def test_games_that_nobody_plays_are_refused() -> None:
    hall = Hall()
    with pytest.raises(Unavailable, match="no robot is playing"):
        hall.lease.admit(1, terms())
    hall.report("one")
    with pytest.raises(Unavailable, match="no robot plays chess960"):
        hall.lease.admit(1, terms("chess960"))
    hall.here.clear()
    with pytest.raises(Unavailable, match="no robot is playing"):
        hall.lease.admit(1, terms())
