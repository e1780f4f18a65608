"""Shares of a profile: samples count for the innermost known part."""

from __future__ import annotations

from bench.shares import REST, part_of, shares

LOOP = "BaseEventLoop._run_once (asyncio/base_events.py:1922);Handle._run (asyncio/events.py:80)"
PLAY = f"{LOOP};Table._decide (realtime/games/table.py:196);Standard.play (game_core/chess/standard.py:70)"


def test_the_innermost_known_place_counts() -> None:
    assert part_of(f"{PLAY};Board.push (chess/__init__.py:2000)").startswith("rules")
    assert part_of(f"{PLAY};namedtuple (collections/__init__.py:1)").startswith("rules")
    assert part_of(f"{LOOP};Table._decide (realtime/games/table.py:196)").startswith("table")


def test_turns_of_the_loop_that_are_nobodys_are_its_own() -> None:
    assert part_of(LOOP) == "the event loop"
    assert part_of("somewhere (else.py:1)") == REST


def test_what_is_no_turn_of_the_loop_is_left_out() -> None:
    found = shares([f"{PLAY} 3", "wait (threading.py:1) 50", f"{LOOP} 2"])
    assert found.total() == 5


def test_only_what_is_asked_for_is_counted() -> None:
    assert shares([f"{PLAY} 3", f"{LOOP} 2"], within="Table._decide").total() == 3
