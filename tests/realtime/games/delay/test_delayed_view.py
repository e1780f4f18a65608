"""Delayed view: the same events with the same numbers, nothing early, on fake time."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

from game_core import commands as c
from game_core.public_delay import PublicDelay
from game_core.simul_board import SimulBoard
from lobby.accounts.user import User
from lobby.pairing import MatchScore
from realtime.fanout.spectator_queue import FanOut
from realtime.fanout.subscription import Subscription
from realtime.games.chat_rooms import ChatRooms
from realtime.games.clocks.ticker import Ticker
from realtime.games.delay.delayed_view import DelayedView
from realtime.games.delay.exemptions import Exempt
from realtime.games.table_view import STORAGE, crowd_body, send_crowd, snapshot_of, tick_body
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness, left, next_move, play

DELAY_S = 60
DELAY_MS = DELAY_S * 1000

GUEST = User("g" * 8, "Guest", "guest")
OTHER = User("o" * 8, "Other", "guest")
"""Plays at another board of the same simul."""


class Board(Harness):
    """A board that the public sees a minute later. ``watcher`` is a stranger, ``insider`` plays at another board."""

    def __init__(self, tc: Any = None, **fields: Any) -> None:
        fields.setdefault("simul_board", SimulBoard("simul1", 1, "w", delay_s=DELAY_S))
        super().__init__({"base_s": 3600, "inc_s": 0} if tc is None else tc, **fields)
        exempt = Exempt()
        exempt.people.add(OTHER.id)
        self.delayed = self.table.delayed = DelayedView(self.table, exempt, self.table._services)
        self.insider = Ear(OTHER)
        self.sit(self.watcher)
        self.sit(self.insider)

    def sit(self, ear: Ear) -> None:
        self.table.join(ear, Subscription())  # type: ignore[arg-type]  # a socket to a table

    def turn(self, ms: int) -> None:
        """Let ``ms`` pass; what is due on the way is shown when it is."""
        end_ms = self.time.now_ms() + ms
        while (due_ms := self.delayed.due_ms()) is not None and due_ms <= end_ms:
            self.time.advance(max(0, due_ms - self.time.now_ms()))
            self.delayed.on_timer()
        self.time.advance(end_ms - self.time.now_ms())

    def shown(self, user: str | None = None) -> dict[str, Any]:
        """The snapshot without what is the same for all."""
        body = self.snapshot(user)
        return {name: body[name] for name in ("seq", "moves", "position", "clock", "status", "result", "offers")}


def later(events: list[Any]) -> list[Any]:
    """``events`` as they are told a delay later."""
    return [_later(event) for event in events]


def _later(event: dict[str, Any]) -> dict[str, Any]:
    clock = event.get("clock")
    return {**event, "clock": {**clock, "at": clock["at"] + DELAY_MS}} if clock else event


def numbered(ear: Ear) -> list[Any]:
    return [message for message in ear.heard if "seq" in message]


class TestInTime:
    def test_public_gets_the_same_events_after_the_delay(self) -> None:
        h = Board()
        play(h, "e2e4", "e7e5", "g1f3", each_ms=2000)
        h.ask(c.Draw(by="b", do="offer"), user=BLACK)
        h.ask(c.Resign(by="b"), user=BLACK)
        told = numbered(h.white)
        assert [event["seq"] for event in told] == [1, 2, 3, 4, 5]
        assert numbered(h.black) == numbered(h.insider) == told
        assert h.watcher.heard == []
        h.turn(DELAY_MS - 4001)
        assert h.watcher.heard == []
        h.turn(1)
        assert numbered(h.watcher) == later(told[:1])
        h.turn(2000)
        assert numbered(h.watcher) == later(told[:2])
        h.turn(2000)
        assert numbered(h.watcher) == later(told)

    def test_public_snapshot_equals_earlier_snapshot_of_players(self) -> None:
        h = Board()
        moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
        live: dict[int, dict[str, Any]] = {}
        public: dict[int, dict[str, Any]] = {}
        for second in range(150):
            if second % 9 == 4 and second // 9 < len(moves):
                h.ask(next_move(h, moves[second // 9]))
            live[second], public[second] = h.shown(WHITE.id), h.shown()
            h.turn(1000)
        for second in range(DELAY_S, 150):
            assert public[second] == _later(live[second - DELAY_S])

    def test_public_snapshot_is_the_start_before_the_delay(self) -> None:
        h = Board()
        start = h.shown()
        play(h, "e2e4", "e7e5")
        assert (h.shown()["moves"], h.shown()["clock"]["w"]) == ((), start["clock"]["w"])
        assert h.shown(OTHER.id)["moves"] == ("e2e4", "e7e5")

    def test_ticks_are_delayed(self) -> None:
        h = Board()
        play(h, "e2e4", "e7e5")
        h.turn(DELAY_MS + 5000)
        now_ms = h.time.now_ms()
        live, public = tick_body(h.table, now_ms, 7), tick_body(h.delayed, now_ms, 7)
        assert live is not None
        assert public is not None
        assert public["clock"]["w"] - live["clock"]["w"] == DELAY_MS
        assert public["clock"]["at"] == 7

    def test_time_until_claim_is_hidden_from_the_public(self) -> None:
        h = Board()
        play(h, "e2e4", "e7e5", "g1f3")
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        now_ms = h.time.now_ms()
        assert left(h)["b"] is not None
        assert crowd_body(h.table, now_ms, delayed=True)["left"] == {"w": None, "b": None}
        assert crowd_body(h.table, now_ms)["watchers"] == crowd_body(h.table, now_ms, delayed=True)["watchers"] == 2
        send_crowd(h.table, now_ms, [h.watcher], delayed=True)  # type: ignore[list-item]  # a socket
        assert h.watcher.heard[-1]["left"] == {"w": None, "b": None}

    def test_absence_of_player_is_hidden_from_the_public(self) -> None:
        h = Board()
        play(h, "e2e4")
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        both, white = {"w": True, "b": True}, {"w": True, "b": False}
        now_ms = h.time.now_ms()
        assert crowd_body(h.table, now_ms)["online"] == white
        assert crowd_body(h.table, now_ms, delayed=True)["online"] == both
        for user, here in ((h.table.seats.white.user.id, white), (None, both)):
            players = snapshot_of(h.table, h.time, user)["players"]
            assert {"w": players["w"]["online"], "b": players["b"]["online"]} == here
        h.turn(DELAY_MS)
        assert h.watcher.heard[-1]["t"] == "move"
        assert snapshot_of(h.table, h.time)["players"]["b"]["online"], "there is more to come"

    def test_ticker_sends_players_and_public_their_own_state(self) -> None:
        h = Board()
        play(h, "e2e4", "e7e5", "g1f3")
        h.turn(DELAY_MS - 500)
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        nobody: Any = SimpleNamespace(crowd=lambda table: None)
        ticker, now_ms = Ticker(nobody, nobody, nobody, h.time, lambda: None), h.time.now_ms()
        ticker._turn(h.table, now_ms, h.time.wall_ms(now_ms))
        live, public = ({m["t"]: m for m in ear.heard} for ear in (h.white, h.watcher))
        assert (live["tick"]["clock"]["run"], public["tick"]["clock"]["run"]) == ("b", "w")
        assert live["crowd"]["left"]["b"] is not None
        assert public["crowd"]["left"] == {"w": None, "b": None}
        assert live["crowd"]["watchers"] == public["crowd"]["watchers"] == 2

    def test_public_view_has_no_legal_moves(self) -> None:
        h = Board()
        play(h, "e2e4")
        assert "legal" not in h.snapshot(None, legal=True)
        assert "legal" not in h.snapshot(OTHER.id, legal=True)

    def test_server_hold_is_delayed(self) -> None:
        h = Board()
        play(h, "e2e4", "e7e5")
        h.turn(10_000)
        h.table.hold_for_storage(h.time.now_ms())
        assert (h.white.kinds()[-1], h.watcher.kinds()) == ("hold", [])
        before = h.shown(WHITE.id)["clock"]
        h.turn(DELAY_MS)
        assert h.watcher.heard[-1] == {"t": "hold", "g": "game1", "why": STORAGE}
        assert h.shown()["clock"] == {**before, "at": before["at"] + DELAY_MS}
        h.turn(5000)
        assert h.shown()["clock"]["w"] == before["w"]

    def test_hold_of_stopped_clock_is_omitted(self) -> None:
        h = Board()
        h.table.hold_for_storage(h.time.now_ms())
        h.ask(c.Resign(by="b"), user=BLACK)
        h.delayed.hold(STORAGE, None)
        h.turn(DELAY_MS)
        assert numbered(h.watcher)[-1]["t"] == "end"


class TestFrom:
    def test_missed_events_are_those_shown_to_the_public(self) -> None:
        h = Board()
        play(h, "e2e4", "e7e5", "g1f3")
        h.turn(DELAY_MS)
        shown = h.table.shown_to(None)
        assert shown is h.delayed
        missed = h.delayed.topic.since(1, h.delayed.game.seq)
        assert missed is not None
        assert [message.seq for message in missed] == [2, 3]
        play(h, "b8c6")
        assert h.delayed.topic.since(3, h.delayed.game.seq) == []
        assert h.delayed.topic.since(4, h.delayed.game.seq) is None

    def test_gap_without_subscribers_is_filled_by_a_snapshot(self) -> None:
        h = Board()
        play(h, "e2e4")
        h.turn(DELAY_MS)
        h.table.leave(h.watcher)  # type: ignore[arg-type]  # a socket to a table
        play(h, "e7e5")
        h.turn(DELAY_MS)
        h.sit(h.watcher)
        play(h, "g1f3")
        h.turn(DELAY_MS)
        assert [event["seq"] for event in numbered(h.watcher)] == [1, 3]
        assert h.delayed.topic.since(1, 3) is None


class TestExempt:
    def test_new_player_sees_live_game_from_next_subscription(self) -> None:
        h = Board()
        guest = Ear(GUEST)
        h.sit(guest)
        play(h, "e2e4")
        assert guest.heard == []
        h.delayed.exempt.people.add(GUEST.id)
        h.sit(guest)
        play(h, "e7e5")
        h.turn(DELAY_MS)
        assert [event["seq"] for event in numbered(guest)] == [2]
        assert h.table.topic.watching == 3

    def test_both_spectator_rooms_merge_at_the_end(self) -> None:
        h = Board()
        now_ms = h.time.now_ms()
        h.delayed.chat = ChatRooms(h.delayed.topic, h.table.seats)
        h.delayed.chat.write("spectators", GUEST, "who wins?", None, now_ms, 2)
        h.table.chat = ChatRooms(h.table.topic, h.table.seats)
        h.table.chat.write("spectators", OTHER, "Black has just resigned", None, now_ms, 1)
        assert [message["text"] for message in h.watcher.heard] == ["who wins?"]
        assert [message["text"] for message in h.insider.heard] == ["Black has just resigned"]
        h.ask(c.Resign(by="b"), user=BLACK)
        h.turn(DELAY_MS)
        assert h.table.delayed is None
        lines = [line.text for line in h.table.chat.said("spectators")]
        assert lines == ["Black has just resigned", "who wins?"]
        assert h.table.chat.said("players") == ()


class TestMatch:
    def test_match_score_is_shown_with_the_first_event(self) -> None:
        h = Board()
        h.table.seats.match = MatchScore(1, 2, 0)
        play(h, "e2e4")
        assert (h.snapshot(None)["match"], h.snapshot(WHITE.id)["match"]) == (None, {"games": 1, "w": 1.0, "b": 0.0})
        h.turn(DELAY_MS)
        assert h.snapshot(None)["match"] == h.snapshot(WHITE.id)["match"]


class TestEnd:
    def test_event_during_merge_of_audiences_is_delivered(self) -> None:
        h = Board(simul_board=None, delay=PublicDelay(DELAY_S))
        play(h, "e2e4", "e7e5")
        h.ask(c.Resign(by="b"), user=BLACK)
        h.turn(DELAY_MS)
        h.table.delayed = delayed = h.delayed
        h.ask(c.Rematch(by="b", do="offer"), user=BLACK)
        delayed._join_others()
        assert h.table.delayed is delayed
        h.turn(DELAY_MS)
        assert h.table.delayed is None
        delayed._join_others()
        assert h.watcher in h.table.topic.watchers

    def test_spectators_sent_slices_get_events_after_the_merge(self) -> None:
        h = Board(simul_board=None, delay=PublicDelay(DELAY_S))
        other, soon = Ear(), deque[Any]()
        h.sit(other)
        for topic in (h.table.topic, h.delayed.topic):
            topic.watchers._fan_out = FanOut(soon.append, at_once=1)
        for step in (
            c.PlayMove(by="w", ply=0, move="e2e4"),
            c.PlayMove(by="b", ply=1, move="e7e5"),
            c.Resign(by="b"),
            c.Rematch(by="b", do="offer"),
        ):
            h.ask(step)
            h.turn(DELAY_MS)
            while soon:
                soon.popleft()()
        assert h.table.delayed is None
        assert [ear.kinds() for ear in (h.watcher, other)] == [["move", "move", "end", "offer"]] * 2
        assert len(h.delayed.topic) == 0

    def test_audiences_merge_when_all_is_shown(self) -> None:
        h = Board()
        play(h, "e2e4")
        h.ask(c.Resign(by="b"), user=BLACK)
        assert not h.table.is_idle
        h.turn(DELAY_MS - 1)
        assert h.shown()["status"] == "created"
        h.turn(1)
        assert h.table.delayed is None
        assert h.table.is_idle
        assert h.table.shown_to(None) is h.table
        assert h.watcher in h.table.topic.watchers
        assert h.table.topic.watching == len(h.table.topic.watchers) == 2
        assert h.shown()["result"] == "1-0"

    def test_leaving_socket_is_removed_from_both_topics(self) -> None:
        h = Board()
        h.table.leave(h.watcher)  # type: ignore[arg-type]  # a socket to a table
        assert h.watcher not in h.table.topic  # type: ignore[operator]  # a socket to a topic
        play(h, "e2e4")
        h.turn(DELAY_MS)
        assert h.watcher.heard == []


class TestMetrics:
    def test_public_move_counter_is_delayed_and_internal_one_is_not(self) -> None:
        h = Board()
        metrics = h.table._services.metrics
        play(h, "e2e4", "e7e5")
        h.ask(c.Resign(by="b"), user=BLACK)
        assert (metrics.moves, metrics.moves_made, metrics.ended) == (0, 2, {})
        assert metrics.stages["publish"].buckets()[-1][1] == 0
        h.turn(DELAY_MS)
        assert (metrics.moves, metrics.moves_made, metrics.ended) == (2, 2, {"resignation": 1})

    def test_replica_counts_no_moves(self) -> None:
        h = Board()
        metrics = h.table._services.metrics
        play(h, "e2e4", "e7e5")
        h.table.epoch = None
        h.turn(DELAY_MS)
        assert (metrics.moves, metrics.events) == (0, 0)
