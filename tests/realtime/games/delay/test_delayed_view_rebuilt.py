"""Delayed view after a rebuild: nothing early, nothing lost."""

from __future__ import annotations

from typing import Any

import pytest

from game_core import commands as c
from game_core.evolve import evolve
from game_core.game import Game
from game_core.start import new_game
from realtime.games.delay import delayed_view as view_module
from realtime.games.delay.delayed_view import DelayedView
from realtime.games.table import Table
from realtime.games.table_view import RESTART, STORAGE
from tests.realtime.games.delay.test_delayed_view import DELAY_MS, Board, numbered
from tests.realtime.table_harness import BLACK, play


def a_rebuilt(h: Board, ages_ms: list[int]) -> DelayedView:
    """The table as a restart finds it: with all events, which are so old."""
    table, now_ms = h.table, h.time.now_ms()
    events: Any = [event for append in h.journal.written for event in append.events]
    table.topic.delayed = None
    start = new_game(table.game.setup, now_ms)
    again = Table(start, table.seats, 1, table.topic, table._services)
    again.delayed = delayed = DelayedView(again, h.delayed.exempt, table._services)
    for event in events:
        again.game = evolve(again.game, event, now_ms)
    delayed.recall(events, ages_ms, now_ms)
    again.hold_for_restart()
    h.table, h.delayed = again, delayed
    return delayed


class TestRestart:
    @pytest.mark.parametrize(
        ("ages_ms", "shown"),
        [
            ([90_000, 70_000, 60_000], 3),
            ([90_000, 70_000, 59_999], 2),
            ([90_000, 0, 0], 1),
            ([59_999, 59_998, 59_997], 0),
            ([90_000, 10_000, 70_000], 1),  # the database's clock was set: in order, never early
            ([90_000], 1),  # an event that was stored while the ages were read
            ([], 0),
        ],
    )
    def test_rebuilt_view_shows_only_released_events(self, ages_ms: list[int], shown: int) -> None:
        h = Board()
        play(h, "e2e4", "e7e5", "g1f3")
        delayed = a_rebuilt(h, ages_ms)
        assert delayed.game.seq == shown
        assert h.shown()["seq"] == shown
        h.turn(DELAY_MS)
        assert delayed.game.seq == 3

    def test_rebuilt_view_releases_the_rest_at_its_time(self) -> None:
        h = Board()
        play(h, "e2e4", "e7e5", "g1f3")
        a_rebuilt(h, [90_000, 50_000, 20_000])
        h.sit(h.watcher)
        h.turn(9_999)
        assert numbered(h.watcher) == []
        h.turn(1)
        assert [event["seq"] for event in numbered(h.watcher)] == [2]
        h.turn(29_999)
        assert [event["seq"] for event in numbered(h.watcher)] == [2]
        h.turn(1)
        assert [event["seq"] for event in numbered(h.watcher)] == [2, 3]
        h.turn(20_000)
        assert h.watcher.heard[-1] == {"t": "hold", "g": "game1", "why": RESTART}
        assert h.shown()["clock"]["held"] == RESTART

    def test_long_finished_game_is_fully_public_after_rebuild(self) -> None:
        h = Board()
        h.ask(c.Resign(by="b"), user=BLACK)
        a_rebuilt(h, [DELAY_MS])
        assert h.table.delayed is None

    def test_subscribers_get_missed_events_after_rebuild(self) -> None:
        h = Board()
        play(h, "e2e4", "e7e5")
        h.turn(DELAY_MS)
        topic, kept = h.table.topic, h.delayed.topic
        play(h, "g1f3", "b8c6")
        events: Any = [event for append in h.journal.written for event in append.events]
        again = Table(new_game(h.table.game.setup, 0), h.table.seats, 1, topic, h.table._services)
        again.delayed = DelayedView(again, h.delayed.exempt, h.table._services)
        assert again.delayed.topic is kept
        for event in events:
            again.game = evolve(again.game, event, h.time.now_ms())
        again.delayed.recall(events, [DELAY_MS * 2] * 3, h.time.now_ms())
        assert [event["seq"] for event in numbered(h.watcher)] == [1, 2, 3]


class TestBound:
    def test_full_queue_is_replaced_by_snapshot(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(view_module, "MAX_WAITING", 3)
        h = Board()
        play(h, "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", each_ms=1000)
        h.delayed.hold(STORAGE, None)
        h.turn(DELAY_MS - 1001)
        assert (h.watcher.heard, h.shown()["moves"]) == ([], ())
        h.turn(1)
        (leap,) = h.watcher.heard
        assert (leap["t"], leap["seq"], len(leap["moves"])) == ("game", 4, 4)
        h.turn(1000)
        assert [message["t"] for message in h.watcher.heard] == ["game", "move", "hold"]

    def test_hold_without_space_is_skipped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(view_module, "MAX_WAITING", 2)
        h = Board()
        play(h, "e2e4", "e7e5")
        h.delayed.hold(STORAGE, None)
        h.turn(DELAY_MS)
        assert h.watcher.kinds() == ["move", "move"]

    def test_long_history_is_replaced_by_snapshot(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(view_module, "MAX_WAITING", 2)
        h = Board()
        play(h, "e2e4", "e7e5", "g1f3", "b8c6")
        delayed = a_rebuilt(h, [90_000, 50_000, 40_000, 30_000])
        assert delayed.game.seq == 1
        h.turn(29_999)
        assert delayed.game.seq == 1
        h.turn(1)
        assert isinstance(delayed.game, Game)
        assert delayed.game.seq == 4
