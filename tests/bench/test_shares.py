"""Shares of a profile: samples count for the innermost known part."""

from __future__ import annotations

from bench.shares import REST, part_of, shares

LOOP = "BaseEventLoop._run_once (asyncio/base_events.py:1922);Handle._run (asyncio/events.py:80)"
PLAY = f"{LOOP};Table._decide (realtime/games/table.py:196);Standard.play (game_core/chess/standard.py:70)"


def test_sample_counts_for_the_innermost_known_part() -> None:
    assert part_of(f"{PLAY};Board.push (chess/__init__.py:2000)").startswith("rules")
    assert part_of(f"{PLAY};namedtuple (collections/__init__.py:1)").startswith("rules")
    assert part_of(f"{LOOP};Table._decide (realtime/games/table.py:196)").startswith("table")


def test_unknown_loop_turns_count_for_the_event_loop() -> None:
    assert part_of(LOOP) == "the event loop"
    assert part_of("somewhere (else.py:1)") == REST


def test_samples_outside_the_event_loop_are_omitted() -> None:
    found = shares([f"{PLAY} 3", "wait (threading.py:1) 50", f"{LOOP} 2"])
    assert found.total() == 5


def test_only_samples_within_the_given_frame_are_counted() -> None:
    assert shares([f"{PLAY} 3", f"{LOOP} 2"], within="Table._decide").total() == 3
