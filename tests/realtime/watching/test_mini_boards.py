"""Mini boards: contents, rate, and slow subscribers, on a loop that the test turns."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import chess
from hypothesis import given
from hypothesis import strategies as st

from game_core import commands as c
from game_core.simul_board import SimulBoard
from realtime.fanout.message import Message
from realtime.fanout.subscription import Subscription
from realtime.games.shared_snapshot import COUNTED
from realtime.games.table_view import send_player
from realtime.watching import mini_boards as minis_module
from realtime.watching.mini_boards import AT_ONCE, ENCODING, GAP_S, MiniBoard
from tests.realtime.mini_harness import DELAY_MS, GAP_MS, Delayed, Socket, Wall
from tests.realtime.table_harness import BLACK, WHITE, Ear, play

if TYPE_CHECKING:
    import pytest


class TestWhatIsTold:
    def test_first_message_has_all_fields(self) -> None:
        h = Wall()
        play(h, "e2e4", "e7e5")
        ok, mini = h.look().heard
        assert ok == {"t": "ok", "id": 1, "seq": 2}
        snapshot = h.snapshot(None)
        same = set(mini) & set(snapshot) - {"t"}
        assert same >= {"g", "seq", "game", "variant", "speed", "rated", "tc", "players", "position", "turn", "clock"}
        assert same >= {"status", "result", "reason", "next", "simul", "watchers"}
        assert {name: mini[name] for name in same} == {name: snapshot[name] for name in same}  # type: ignore[literal-required]
        assert set(mini) - same - {"t"} == {"last", "leaps", "ply", "check"}
        assert (mini["last"], mini["ply"], mini["check"]) == ("e7e5", 2, False)

    def test_handicap_is_included(self) -> None:
        h = Wall(black_tc={"base_s": 60, "inc_s": 0})
        assert h.look().minis()[0]["tcs"] == h.snapshot(None)["tcs"]

    def test_board_of_a_simul_tells_the_hosts_side(self) -> None:
        h = Wall(simul_board=SimulBoard("s1", 1, "b"))
        mini = h.look().minis()[0]
        assert (mini["simul"], mini["simul_host"]) == ("s1", "b")
        assert "simul_host" not in Wall().look().minis()[0]

    def test_later_message_has_changed_fields_only(self) -> None:
        h = Wall()
        socket = h.look()
        play(h, "e2e4", "f7f6", "d1h5")
        h.loop.settle()
        change = socket.minis()[-1]
        assert set(change) == {
            "t", "g", "seq", "position", "last", "leaps", "turn", "ply", "check", "clock", "status", "result", "reason",
            "next",
        }  # fmt: skip
        assert (change["seq"], change["last"], change["turn"], change["ply"]) == (3, "d1h5", "b", 3)
        assert change["check"] is chess.Board(change["position"]).is_check() is True
        assert change["clock"] == h.snapshot(None)["clock"]

    def test_move_that_ends_the_game_is_one_message(self) -> None:
        h = Wall()
        socket = h.look()
        play(h, "f2f3", "e7e5", "g2g4")
        h.turn(1000)
        told = len(socket.minis())
        play(h, "d8h4")
        h.loop.settle()
        (last,) = socket.minis()[told:]
        assert (last["seq"], last["last"], last["status"], last["result"]) == (5, "d8h4", "over", "0-1")
        assert last["reason"] == "checkmate"

    def test_next_game_of_a_rematch_is_sent(self) -> None:
        h = Wall()
        play(h, "f2f3", "e7e5", "g2g4", "d8h4")
        socket = h.look()
        h.ask(c.Rematch(by="w", do="offer"))
        h.turn(1000)
        h.ask(c.Rematch(by="b", do="accept", next="game2"), user=BLACK)
        h.turn(1000)
        assert socket.minis()[-1]["next"] == "game2"

    def test_held_clocks_are_sent(self) -> None:
        h = Wall()
        play(h, "e2e4", "e7e5")
        socket = h.look()
        h.table.hold_for_storage(h.time.now_ms())
        h.turn(1000)
        assert socket.minis()[-1]["clock"]["held"] == "storage"

    def test_crowd_messages_are_not_sent(self) -> None:
        h = Wall()
        socket = h.look()
        play(h, "e2e4")
        h.turn(1000)
        told = len(socket.heard)
        h.table.topic.send(Message({"t": "crowd", "topic": "game:game1"}))
        h.turn(1000)
        assert len(socket.heard) == told
        assert h.loop.is_idle

    def test_renamed_player_causes_a_full_message(self) -> None:
        h = Wall()
        socket = h.look()
        named = type(WHITE)(WHITE.id, "Somebody", "member")
        h.table.seats.rename(named)
        send_player(h.table, "w")
        h.loop.settle()
        assert socket.minis()[-1]["players"]["w"]["user"]["name"] == "Somebody"
        play(h, "e2e4")
        h.turn(1000)
        assert "players" not in socket.minis()[-1]

    def test_mini_board_is_encoded_once_for_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = messages_made(monkeypatch)
        h = Wall()
        sockets = [h.look() for _ in range(300)]
        play(h, "e2e4")
        h.loop.settle()
        assert [len(socket.minis()) for socket in sockets] == [2] * 300
        assert len(made) == 2

    def test_many_new_watchers_cause_few_encodings(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = messages_made(monkeypatch)
        h = Wall()
        for _ in range(2 * COUNTED):
            h.join(Ear())
            h.look()
        assert COUNTED // 2 < len(made) <= COUNTED


def messages_made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The mini boards that are encoded from now on."""
    made = []

    class Counted(Message):
        def __init__(self, body: Any, seq: int = 0) -> None:
            made.append(body)
            super().__init__(body, seq)

    monkeypatch.setattr(minis_module, "Message", Counted)
    return made


class TestPace:
    def test_players_and_watchers_get_a_move_first(self) -> None:
        h = Wall()
        socket = h.look()
        play(h, "e2e4")
        assert [ear.kinds()[-1] for ear in (h.white, h.black, h.watcher)] == ["move"] * 3
        assert len(socket.minis()) == 1
        h.loop.turn()
        assert len(socket.minis()) == 2

    def test_changes_within_the_gap_are_sent_together(self) -> None:
        h = Wall()
        socket = h.look()
        play(h, "e2e4", each_ms=0)
        h.turn(50)
        assert socket.minis()[-1]["ply"] == 1
        play(h, "e7e5", "g1f3", "b8c6", each_ms=0)
        h.turn(GAP_MS - 52)
        assert socket.minis()[-1]["ply"] == 1
        h.turn(3)
        assert [mini["ply"] for mini in socket.minis()] == [0, 1, 4]

    @given(st.lists(st.integers(0, 300), max_size=40))
    def test_updates_are_limited_and_end_with_the_newest(self, pauses: list[int]) -> None:
        h = Wall(tc=None)
        socket = h.look()
        at: list[float] = []
        seen = len(socket.minis())
        moves = ["g1f3", "g8f6", "f3g1", "f6g8"]
        for number, pause_ms in enumerate(pauses):
            if number == 8:
                break  # the position has come three times
            play(h, moves[number % 4], each_ms=0)
            for _ in range(pause_ms):
                h.turn(1)
                if len(socket.minis()) > seen:
                    seen = len(socket.minis())
                    at.append(h.loop.time())
        h.turn(GAP_MS)
        assert socket.minis()[-1]["seq"] == h.table.game.seq
        assert all(later - earlier >= GAP_S - 1e-3 - 1e-6 for earlier, later in pairwise(at))
        assert h.loop.is_idle

    def test_many_subscribers_are_written_to_in_slices(self) -> None:
        h = Wall()
        sockets = [h.look() for _ in range(350)]
        play(h, "e2e4")
        written = []
        while h.loop.turn():
            written.append(sum(len(socket.minis()) - 1 for socket in sockets))
        assert written[-1] == 350
        assert all(later - earlier <= AT_ONCE for earlier, later in pairwise([0, *written]))
        assert len(written) == -(-(350 + ENCODING) // AT_ONCE)

    def test_longest_waiting_subscriber_is_first_despite_news(self) -> None:
        h = Wall()
        sockets = [h.look() for _ in range(AT_ONCE + 50)]
        play(h, "e2e4", each_ms=0)
        h.loop.turn()
        waiting = [socket for socket in sockets if len(socket.minis()) == 1]
        board = h.table.topic.minis
        assert isinstance(board, MiniBoard)
        assert [id(socket) for socket in board.owed] == [id(socket) for socket in waiting]
        board.sent_at_s = 0
        play(h, "e7e5", each_ms=0)
        h.loop.turn()
        assert all(socket.minis()[-1]["ply"] == 2 for socket in waiting)
        h.loop.settle()
        assert all(socket.minis()[-1]["ply"] == 2 for socket in sockets)
        assert all(len(socket.minis()) == 2 for socket in waiting)


class TestSlowReaders:
    def test_slow_subscriber_is_skipped_then_gets_the_newest(self) -> None:
        h = Wall()
        slow, quick = h.look(), h.look()
        slow.has_room = False
        for move in ("e2e4", "e7e5", "g1f3"):
            play(h, move)
            h.turn(1000)
        assert [mini["ply"] for mini in quick.minis()] == [0, 1, 2, 3]
        assert [mini["ply"] for mini in slow.minis()] == [0]
        slow.has_room = True
        h.turn(GAP_MS)
        assert [mini["ply"] for mini in slow.minis()] == [0, 3]
        assert h.loop.is_idle

    def test_equal_mini_board_is_not_sent_twice(self) -> None:
        h = Wall()
        slow = h.look()
        slow.has_room = False
        play(h, "e2e4")
        h.loop.settle()
        slow.has_room = True
        play(h, "e7e5")
        h.turn(1000)
        plies = [mini["ply"] for mini in slow.minis()]
        assert plies == sorted(set(plies))
        assert plies[-1] == 2

    def test_leaving_subscriber_is_forgotten(self) -> None:
        h = Wall()
        slow = h.look()
        slow.has_room = False
        play(h, "e2e4")
        h.loop.settle()
        h.tables.leave("game1", slow)  # type: ignore[arg-type]  # a socket to a table
        slow.has_room = True
        h.turn(1000)
        assert len(slow.minis()) == 1
        assert h.loop.is_idle
        assert not h.minis._behind

    def test_subscriber_leaving_during_slices_gets_no_more(self) -> None:
        h = Wall()
        sockets = [h.look() for _ in range(AT_ONCE + 10)]
        play(h, "e2e4")
        h.loop.turn()
        for socket in sockets:
            h.tables.leave("game1", socket)  # type: ignore[arg-type]  # a socket to a table
        h.loop.settle()
        assert sum(len(socket.minis()) - 1 for socket in sockets) == AT_ONCE - ENCODING


class TestComingAndGoing:
    def test_mini_board_subscriber_does_not_count_as_present(self) -> None:
        h = Wall()
        watching = h.table.topic.watching
        h.look()
        h.look(WHITE)
        assert h.table.topic.watching == watching
        assert len(h.table.topic) == 5

    def test_mini_board_replaces_game_subscription_and_back(self) -> None:
        h = Wall()
        socket = Socket(BLACK)
        h.join(socket)
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        assert h.table.seats.online() == {"w": True, "b": True}
        session = h.look_again(socket)
        assert h.table.seats.online() == {"w": True, "b": False}
        play(h, "e2e4")
        h.loop.settle()
        assert "move" not in socket.kinds()
        assert socket.minis()[-1]["ply"] == 1
        h.table.join(socket, Subscription(player=True))  # type: ignore[arg-type]  # a socket to a table
        assert h.table.seats.online() == {"w": True, "b": True}
        play(h, "e7e5")
        h.turn(1000)
        assert socket.kinds()[-1] == "move"
        assert socket.minis()[-1]["ply"] == 1
        h.look_again(socket)
        session.close()
        assert not len(h.table.topic.minis or ())

    def test_repeated_subscription_gets_a_full_message(self) -> None:
        h = Wall()
        socket = h.look()
        h.look_again(socket)
        play(h, "e2e4")
        h.loop.settle()
        assert ["players" in mini for mini in socket.minis()] == [True, True, False]

    def test_subscriber_before_pending_change_ends_with_the_newest(self) -> None:
        h = Wall()
        h.look()
        play(h, "e2e4")
        delayed = h.look()
        h.loop.settle()
        assert {mini["ply"] for mini in delayed.minis()} == {1}

    def test_first_message_includes_changes_without_subscribers(self) -> None:
        h = Wall()
        h.tables.leave("game1", h.look())  # type: ignore[arg-type]  # a socket to a table
        play(h, "e2e4")
        h.turn(1000)
        assert h.loop.is_idle
        socket = h.look()
        assert [mini["ply"] for mini in socket.minis()] == [1]
        play(h, "e7e5")
        h.turn(1000)
        assert [mini["ply"] for mini in socket.minis()] == [1, 2]

    def test_closed_socket_is_not_kept(self) -> None:
        h = Wall()
        socket = Socket()
        socket.closed = True
        h.look_again(socket)
        assert h.table.topic.minis is None

    def test_change_of_evicted_table_is_sent_after_its_return(self) -> None:
        h = Wall()
        socket = h.look()
        play(h, "e2e4")
        h.tables.table = None
        h.turn(1000)
        assert len(socket.minis()) == 1
        h.tables.table = h.table
        assert h.table.topic.minis is not None
        h.table.topic.minis.changed()
        h.turn(1000)
        assert socket.minis()[-1]["ply"] == 1


class TestDelay:
    def test_public_mini_board_is_delayed_with_its_clock(self) -> None:
        h = Delayed()
        public, player = h.look(), h.look(WHITE)
        play(h, "e2e4", "e7e5", each_ms=5000)
        h.turn(1000)
        assert [mini["ply"] for mini in public.minis()] == [0]
        assert player.minis()[-1]["ply"] == 2
        h.turn(DELAY_MS - 1001)
        assert public.minis()[-1]["ply"] == 1
        h.turn(1)
        h.turn(GAP_MS)
        assert public.minis()[-1]["ply"] == 2
        told, now_ms = public.minis()[-1]["clock"], h.time.now_ms()
        assert h.look().minis()[-1]["clock"] == h.snapshot(None)["clock"]
        assert told["at"] <= h.time.wall_ms(now_ms)
        assert told["run"] == "w"

    def test_public_subscribers_join_the_others_at_the_end(self) -> None:
        h = Delayed()
        public, player = h.look(), h.look(WHITE)
        play(h, "e2e4", "e7e5")
        h.ask(c.Resign(by="w"))
        h.turn(1000)
        assert public.minis()[-1]["status"] != "over"
        h.turn(DELAY_MS)
        assert h.table.delayed is None
        h.turn(GAP_MS)
        assert public.minis()[-1]["result"] == player.minis()[-1]["result"] == "0-1"
        board = h.table.topic.minis
        assert board is not None
        assert len(board) == 2
        h.tables.leave("game1", public)  # type: ignore[arg-type]  # a socket to a table
        assert len(board) == 1
