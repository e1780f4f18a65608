"""Delay by moves: nothing early, everything in order, stopped time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core import commands as c
from game_core.color import other
from game_core.evolve import evolve
from game_core.game import Game
from game_core.public_delay import PublicDelay
from game_core.start import new_game
from realtime.fanout.subscription import Subscription
from realtime.games.delay import delayed_view as view_module
from realtime.games.delay.delayed_view import HELD, DelayedView
from realtime.games.delay.exemptions import Exempt
from realtime.games.table import Table
from realtime.games.table_view import STORAGE, tick_body
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness, play

MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7")


class Board(Harness):
    """A game that the public sees ``delay_moves`` moves later; ``watcher`` is a stranger."""

    def __init__(self, delay_moves: int = 2, **fields: Any) -> None:
        super().__init__({"base_s": 3600, "inc_s": 0}, delay=PublicDelay(moves=delay_moves), **fields)
        self.delayed = self.table.delayed = DelayedView(self.table, Exempt(), self.table._services)
        self.sit(self.watcher)

    def sit(self, ear: Ear) -> None:
        self.table.join(ear, Subscription())  # type: ignore[arg-type]  # a socket to a table

    def rebuild(self) -> None:
        """As a restart finds the table: its listeners are gone, its events are there."""
        setup, now_ms = self.table.game.setup, self.time.now_ms()
        topic = type(self.table.topic)(self.table.topic.name)
        again = Table(new_game(setup, now_ms), self.table.seats, 1, topic, self.table._services)
        again.delayed = delayed = DelayedView(again, Exempt(), self.table._services)
        events: Any = [event for append in self.journal.written for event in append.events]
        for event in events:
            again.game = evolve(again.game, event, now_ms)
        delayed.recall(events, [], now_ms)
        again.hold_for_restart()
        self.table, self.delayed = again, delayed


def numbered(ear: Ear) -> list[Any]:
    return [message for message in ear.heard if "seq" in message]


def seqs(ear: Ear) -> list[int]:
    return [message["seq"] for message in numbered(ear)]


class TestInOrder:
    def test_move_is_shown_after_the_configured_number_of_moves(self) -> None:
        h = Board(2)
        for made, move in enumerate(MOVES, 1):
            play(h, move)
            shown = max(0, made - 4)
            assert seqs(h.watcher) == list(range(1, shown + 1))
            assert h.snapshot(None)["moves"] == MOVES[:shown]
            assert h.snapshot(WHITE.id)["moves"] == MOVES[:made]
        assert h.snapshot(None)["delay_moves"] == 2
        assert "delay_s" not in h.snapshot(None)

    @pytest.mark.parametrize("end", ["resign", "abort", "draw"])
    def test_all_events_are_shown_at_the_end(self, end: str) -> None:
        h = Board(30)
        play(h, *MOVES[: 1 if end == "abort" else 5])
        assert h.watcher.heard == []
        if end == "resign":
            h.ask(c.Resign(by="b"), user=BLACK)
        elif end == "abort":
            h.ask(c.Abort(by="w"))
        else:
            h.ask(c.Draw(by="b", do="offer"), user=BLACK)
            h.ask(c.Draw(by="w", do="accept"))
        assert [m["t"] for m in numbered(h.watcher)] == [m["t"] for m in numbered(h.white)]
        assert seqs(h.watcher) == seqs(h.white)
        assert h.table.delayed is None
        assert h.watcher in h.table.topic.watchers  # type: ignore[comparison-overlap]  # a socket
        assert h.snapshot(None)["status"] == "over"

    def test_events_after_the_end_are_public(self) -> None:
        h = Board(2)
        play(h, "e2e4", "e7e5")
        h.ask(c.Resign(by="b"), user=BLACK)
        h.ask(c.Rematch(by="b", do="offer"), user=BLACK)
        assert seqs(h.watcher) == [1, 2, 3, 4]

    def test_offer_is_shown_with_the_move_before_it(self) -> None:
        h = Board(1)
        play(h, "e2e4", "e7e5")
        h.ask(c.Draw(by="b", do="offer"), user=BLACK)
        h.ask(c.GiveTime(by="b", seconds=15), user=BLACK)
        assert h.snapshot(WHITE.id)["offers"]["draw"] == "b"
        play(h, "g1f3")
        assert seqs(h.watcher) == [1]
        play(h, "b8c6")
        assert [m["t"] for m in numbered(h.watcher)] == ["move", "move", "offer", "clock"]

    def test_takebacks_do_not_shorten_the_delay(self) -> None:
        h = Board(2)
        play(h, *MOVES[:6])
        for _ in range(4):
            h.ask(c.Takeback(by="b", do="offer"), user=BLACK)
            h.ask(c.Takeback(by="w", do="accept"))
            play(h, "a7a6")
            assert h.snapshot(None)["moves"] == MOVES[:2]
        play(h, "b5a4")
        assert h.snapshot(None)["moves"] == MOVES[:3]

    def test_takeback_of_shown_move_is_delayed(self) -> None:
        h = Board(1)
        play(h, *MOVES[:4])
        for _ in range(3):
            by = other(h.table.game.turn)
            h.ask(c.Takeback(by=by, do="offer"), user=WHITE if by == "w" else BLACK)
            h.ask(c.Takeback(by=other(by), do="accept"), user=BLACK if by == "w" else WHITE)
        assert len(h.table.game.moves) == 1
        assert h.snapshot(None)["moves"] == MOVES[:2]
        instead = ("c7c5", "g1f3", "d7d6", "d2d4", "c5d4")
        play(h, *instead[:4])
        assert h.snapshot(None)["moves"] == MOVES[:3], "those that were taken back come first"
        play(h, instead[4])
        assert h.snapshot(None)["moves"] == ("e2e4", *instead[:3])


class TestClocks:
    def test_public_clocks_stand_at_the_time_of_the_shown_move(self) -> None:
        h = Board(1)
        play(h, *MOVES[:6], each_ms=7000)
        h.time.advance(100_000)
        public, live = h.snapshot(None), h.snapshot(WHITE.id)
        assert public["clock"] is not None
        assert live["clock"] is not None
        assert public["times"] == live["times"][:4]
        assert (public["clock"]["w"], public["clock"]["b"]) == (public["times"][2], public["times"][3])
        assert (public["clock"]["run"], public["clock"].get("held")) == (None, HELD)
        assert live["clock"]["w"] < public["clock"]["w"] - 100_000
        assert tick_body(h.delayed, h.time.now_ms(), 1) is None
        for message in numbered(h.watcher)[2:]:
            assert message["clock"]["held"] == HELD
        h.ask(c.Resign(by="b"), user=BLACK)
        assert numbered(h.watcher)[-1] == numbered(h.white)[-1]

    def test_server_hold_is_not_shown(self) -> None:
        h = Board(1)
        play(h, *MOVES[:5])
        h.watcher.heard.clear()
        h.table.hold_for_storage(h.time.now_ms())
        assert h.white.kinds()[-1] == "hold"
        assert h.watcher.heard == []
        assert h.snapshot(None)["clock"] == {**(h.snapshot(None)["clock"] or {}), "held": HELD}
        h.delayed.hold(STORAGE, None)
        assert h.watcher.heard == []

    def test_pause_is_shown_as_pause(self) -> None:
        h = Board(1, pausable=True)
        play(h, *MOVES[:4])
        h.ask(c.Pause(by="w", on=True))
        h.ask(c.Pause(by="w", on=False))
        play(h, *MOVES[4:6])
        told = [m["clock"].get("held") for m in numbered(h.watcher) if m["t"] == "clock"]
        assert told == ["pause", HELD]

    def test_delay_by_moves_has_no_due_time(self) -> None:
        h = Board(1)
        play(h, *MOVES[:4])
        assert h.delayed.due_ms() is None
        assert not h.delayed.is_waiting


class TestRestart:
    @pytest.mark.parametrize("made", range(len(MOVES) + 1))
    def test_rebuilt_view_shows_the_same_and_loses_nothing(self, made: int) -> None:
        h = Board(2)
        play(h, *MOVES[:made])
        before = h.snapshot(None)
        h.rebuild()
        assert h.snapshot(None)["moves"] == before["moves"] == MOVES[: max(0, made - 4)]
        guest = Ear()
        h.sit(guest)
        h.ask(c.Resume(), user=None)
        for move in MOVES[made:]:
            play(h, move)
        assert h.snapshot(None)["moves"] == MOVES[:6]
        h.ask(c.Resign(by="w"))
        told = seqs(guest)
        assert told == list(range(told[0], h.table.game.seq + 1))
        assert h.snapshot(None)["result"] == "0-1"

    def test_finished_game_is_fully_public_after_rebuild(self) -> None:
        h = Board(2)
        play(h, *MOVES[:3])
        h.ask(c.Resign(by="w"))
        h.table.delayed = h.delayed
        h.rebuild()
        assert h.table.delayed is None
        assert h.snapshot(None)["moves"] == MOVES[:3]

    def test_subscribers_get_missed_events_after_rebuild(self) -> None:
        h = Board(1)
        play(h, *MOVES[:4])
        topic, kept = h.table.topic, h.delayed.topic
        again = Table(new_game(h.table.game.setup, 0), h.table.seats, 1, topic, h.table._services)
        again.delayed = DelayedView(again, Exempt(), h.table._services)
        assert again.delayed.topic is kept
        play(h, *MOVES[4:6])
        h.watcher.heard[:] = h.watcher.heard[:2]
        kept.seq = 2
        events: Any = [event for append in h.journal.written for event in append.events]
        for event in events:
            again.game = evolve(again.game, event, h.time.now_ms())
        again.delayed.recall(events, [], h.time.now_ms())
        assert seqs(h.watcher) == [1, 2, 3, 4]


class TestBound:
    def test_full_queue_is_replaced_by_snapshot(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(view_module, "MAX_WAITING", 3)
        h = Board(1)
        play(h, *MOVES[:2])
        for _ in range(2):
            h.ask(c.GiveTime(by="w", seconds=15))
        play(h, MOVES[2])
        assert h.watcher.heard == []
        play(h, MOVES[3])
        (leap,) = h.watcher.heard
        assert (leap["t"], leap["seq"], leap["moves"]) == ("game", 4, list(MOVES[:2]))
        assert leap["clock"]["held"] == HELD
        play(h, *MOVES[4:6])
        assert [m["t"] for m in h.watcher.heard] == ["game", "move", "move"]
        h.ask(c.Resign(by="w"))
        assert h.snapshot(None)["moves"] == MOVES[:6]

    @pytest.mark.parametrize("is_over", [False, True])
    def test_long_history_is_replaced_by_snapshot(self, monkeypatch: pytest.MonkeyPatch, is_over: bool) -> None:
        monkeypatch.setattr(view_module, "MAX_WAITING", 3)
        h = Board(1)
        play(h, *MOVES[:4])
        for _ in range(2):
            h.ask(c.GiveTime(by="w", seconds=15))
        view_module.MAX_WAITING = 1
        h.rebuild()
        assert h.snapshot(None)["moves"] == MOVES[:2]
        h.ask(c.Resume(), user=None)
        h.delayed._queue.limit = 3
        play(h, MOVES[4])
        assert h.snapshot(None)["moves"] == MOVES[:2]
        if is_over:
            h.ask(c.Resign(by="w"))
            assert h.snapshot(None)["moves"] == MOVES[:5]
        else:
            play(h, MOVES[5])
            assert h.snapshot(None)["moves"] == MOVES[:4]
            assert isinstance(h.delayed.game, Game)


@given(st.data())
def test_nothing_is_shown_early_in_any_game(data: st.DataObject) -> None:
    moves = data.draw(st.integers(1, 3), label="delay")
    h = Board(moves)
    reach: list[int] = []
    for _ in range(data.draw(st.integers(0, 40), label="steps")):
        game, before = h.table.game, h.delayed.game.seq
        what = data.draw(st.sampled_from(["move", "move", "move", "takeback", "time", "restart"]))
        color = other(game.turn)
        if what == "move":
            play(h, data.draw(st.sampled_from(game.legal_moves())))
        elif what == "takeback" and game.moves:
            h.ask(c.Takeback(by=color, do="offer"), user=WHITE if color == "w" else BLACK)
            h.ask(c.Takeback(by=game.turn, do="accept"), user=WHITE if game.turn == "w" else BLACK)
        elif what == "time":
            h.ask(c.GiveTime(by="w", seconds=15))
        elif what == "restart":
            shown = h.snapshot(None)["moves"]
            h.rebuild()
            assert h.snapshot(None)["moves"] == shown
            h.ask(c.Resume(), user=None)
        game = h.table.game
        if game.status == "over":
            assert h.snapshot(None)["moves"] == game.moves
            return
        ply = 0
        reach.clear()
        for append in h.journal.written:
            for event in append.events:
                ply += 1 if type(event).__name__ == "Moved" else -getattr(event, "plies", 0)
                reach.append(ply + 2 * moves)
        assert h.delayed.game.seq >= before
        for number in range(before, h.delayed.game.seq):
            assert reach[number] <= game.ply
