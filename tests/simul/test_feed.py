"""Feed of a simul: messages to subscribers."""

from __future__ import annotations

import json
from typing import get_args

import msgspec
import pytest

from game_core import commands as g
from simul import commands as c
from simul import events as e
from simul.draft import LateJoin, Offer
from simul.messages import ANNOUNCE
from simul.replica import SimulReplica
from simul.wire_events import SimulEventWire
from tests.simul.simul_model import MATE, SimulModel, person


class TestSnapshot:
    def test_snapshot_names_the_role_of_the_viewer(self) -> None:
        model = SimulModel(players=2, auto_accept=False, max_boards=1)
        model.do(c.Accept(by="host", user="p1"))
        roles = {user: model.feed.snapshot(user, 7)["you"] for user in ("host", "p1", "p2", "p3", None)}
        assert roles == {"host": "host", "p1": "player", "p2": "applicant", "p3": None, None: None}
        assert model.feed.snapshot(None, 7)["watchers"] == 7
        model.do(c.Start(by="host"))
        snapshot = model.feed.snapshot("p1", 0)
        assert (snapshot["you"], snapshot["your_board"], snapshot["passes_left"]) == ("player", 1, None)

    def test_snapshot_of_a_thousand_boards_stays_below_410_kb(self) -> None:
        for mode, variants in (
            ("clock", None),
            ("round", (Offer("chess", "standard"), Offer("chess", "chess960"))),
        ):
            model = SimulModel(mode=mode, variants=variants, max_boards=1000, host_color="alternating", min_rating=100)
            for number in range(1, 1001):
                user = msgspec.structs.replace(person(number), id=f"Uq2Ld{number:03}", name=f"Guest-7F{number:03}")
                variant = "chess960" if variants and number % 2 else None
                ratings = ((1500 + number, True),) * 2
                model.do(c.Join(user=user, variant=variant, ratings=ratings))
            model.chance.ids = 10_000_000
            model.do(c.Start(by="host"))
            for number in range(1, 1001):
                for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4"):
                    if mode == "clock":
                        model.happen(
                            number, g.PlayMove(by=model.games[number].turn, move=move, ply=model.games[number].ply)
                        )
            size = len(json.dumps(model.feed.snapshot("host", 1000), separators=(",", ":")))
            assert 250_000 < size < 410_000
            started = len(json.dumps(model.last("started"), separators=(",", ":")))
            assert started < 410_000

    def test_snapshot_is_the_same_in_both_codecs(self) -> None:
        model = SimulModel(players=2, start=True, mode="round")
        snapshot = model.feed.snapshot("host", 0)
        assert msgspec.json.decode(msgspec.json.encode(snapshot)) == snapshot
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(snapshot)) == snapshot


class TestMessages:
    def test_messages_are_numbered_without_gaps(self) -> None:
        model = SimulModel(players=3, auto_accept=False)
        model.do(c.AcceptAll(by="host"))
        model.do(c.Start(by="host"))
        first = model.feed.seq - len(model.messages) + 1
        assert [message["seq"] for message in model.messages] == list(range(first, model.feed.seq + 1))
        assert {message["simul"] for message in model.messages} == {"simul1"}

    def test_move_in_clock_mode_sends_one_small_message(self) -> None:
        model = SimulModel(players=3, start=True)
        before = len(model.messages)
        model.move(2)
        (message,) = model.messages[before:]
        assert set(message) == {"t", "simul", "seq", "board", "ply", "position", "last", "clock", "turn"}
        assert (message["board"], message["ply"], message["last"], message["turn"]) == (2, 1, "e2e4", "player")
        assert len(json.dumps(message, separators=(",", ":"))) < 300

    def test_move_in_round_mode_sends_three_messages(self) -> None:
        model = SimulModel(players=3, start=True, mode="round")
        before = len(model.messages)
        model.move(1)
        assert [message["t"] for message in model.messages[before:]] == ["simul.board", "simul.at", "simul.board"]
        one, at, two = model.messages[before:]
        assert (one["host_clock"]["run"], at["host_clock"]["run"], two["host_clock"]["run"]) == (False, False, True)

    def test_message_of_a_finished_board_has_the_score(self) -> None:
        model = SimulModel(players=2, start=True)
        for move in MATE:
            model.move(1, move)
        message = model.last("board")
        assert (message["status"], message["result"], message["reason"]) == ("over", "0-1", "checkmate")
        assert message["score"] == {"wins": 0, "draws": 0, "losses": 1, "live": 1, "aborted": 0}

    @pytest.mark.parametrize("mode", ["clock", "round"])
    def test_finished_board_is_no_longer_postponed(self, mode: str) -> None:
        model = SimulModel(players=2, start=True, mode=mode)
        model.do(c.Later(by="host", board=2))
        shown = SimulReplica(msgspec.json.decode(msgspec.json.encode(model.feed.snapshot(None, 0))))
        assert shown["boards"][1]["later"] is True
        known = len(model.messages)
        model.play(2, g.Resign(by="b"))
        told = model.messages[known:]
        assert [message.get("later") for message in told if message["t"] == "simul.board"] == [False]
        for message in told:
            shown.apply(message)
        last = model.feed.snapshot(None, 0)
        assert {name: value for name, value in shown.snapshot().items() if name in last} == last

    def test_draw_offer_changes_only_the_clock(self) -> None:
        model = SimulModel(players=2, start=True)
        model.wait(1000)
        model.play(1, g.Draw(by="b", do="offer"))
        assert set(model.messages[-1]) <= {"t", "simul", "seq", "board", "clock"}

    def test_clock_shows_the_remaining_delay(self) -> None:
        model = SimulModel(players=1, start=True, tc={"base_s": 60, "delay_s": 5})
        assert model.last("started")["boards"][0]["clock"]["delay_left"] == 5000

    def test_board_of_a_late_joiner_is_sent_completely(self) -> None:
        model = SimulModel(players=1, start=True, mode="round", late_join=LateJoin(move=9))
        model.do(c.Join(user=person(2)))
        message = model.last("board")
        assert {**message, "t": "", "seq": 0} == {
            **model.feed.snapshot(None, 0)["boards"][1],
            "t": "",
            "seq": 0,
            "simul": "simul1",
            "host_clock": model.feed.host_clock,
            "score": {"wins": 0, "draws": 0, "losses": 0, "live": 2, "aborted": 0},
        }

    def test_every_event_type_is_announced_or_listed_as_silent(self) -> None:
        silent = {e.Created, e.Invited, e.Noted, e.Adjudicated, e.Ending, e.Prepared, e.CountdownOver}
        assert set(ANNOUNCE) == set(get_args(e.AnySimulEvent)) - silent
        assert len(get_args(SimulEventWire)) == 16
