"""Delayed broadcast of a simul: the same messages with the same numbers, nothing early, on fake time."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core import commands as g
from realtime.games.delay.delayed_reads import DOUBT_MS
from realtime.simuls.live import delayed_broadcast as broadcast_module
from realtime.simuls.live.audience import Audience
from realtime.simuls.live.delayed_broadcast import NOTHING, hidden_since, later, summary_as_public
from realtime.simuls.live.shared_snapshot import OWN
from realtime.simuls.live.topic import SimulTopic
from simul import commands as c
from simul.draft import LateJoin
from simul.feed import FeedUpdate
from simul.lists import summary_of
from tests.realtime.fake_time import FakeTime
from tests.realtime.table_harness import Bells, Ear
from tests.simul.simul_model import HOST, SimulModel, person

if TYPE_CHECKING:
    from simul.wire import SimulSnapshotWire

DELAY_S = 60
DELAY_MS = DELAY_S * 1000


class Listener(Ear):
    """A socket to which several messages are written at once."""

    def write(self, frame: bytes) -> None:
        frames = frame
        while frames:
            # 5.2: a length over 125 takes two bytes more, one over 65,535 eight.
            extra = {126: 2, 127: 8}.get(frames[1], 0)
            length = int.from_bytes(frames[2 : 2 + extra]) if extra else frames[1]
            start = 2 + extra
            self.heard.append(msgspec.json.decode(frames[start : start + length]))
            frames = frames[start + length :]

    write_droppable = write


class Sockets:
    """Who is connected (``People``)."""

    def __init__(self, *ears: Ear) -> None:
        self.ears = ears

    def sockets_of(self, user: str) -> list[Ear]:
        return [ear for ear in self.ears if ear.user is not None and ear.user.id == user]


class Stage:
    """A simul with its audience: the host, two players and a spectator."""

    def __init__(self, *, start: bool = True, players: int = 2, **fields: Any) -> None:
        fields = {"delay_s": DELAY_S, "late_join": LateJoin(move=20), **fields}
        self.actor = SimulModel(players=players, **fields)
        self.actor.messages.clear()
        self.time = FakeTime(unix_ms=self.actor.now_ms)
        self.host, self.stranger, self.third = Listener(HOST), Listener(), Listener(person(3))
        self.players = [Listener(person(number)) for number in (1, 2)]
        self.ears = [self.host, *self.players, self.stranger, self.third]
        self.audience = self.an_audience(SimulTopic("simul1"))
        for ear in self.ears:
            self.audience.join(ear)  # type: ignore[arg-type]  # a socket
        if start:
            self.start()

    def an_audience(self, topic: SimulTopic) -> Audience:
        return Audience(self.actor.feed, topic, Sockets(*self.ears), self.time, Bells())  # type: ignore[arg-type]

    def start(self) -> None:
        self.audience.begin_delayed(list(self.actor.state.players or self.actor.state.applicants))
        self.do(c.Start(by="host"))

    def do(self, *commands: c.SimulCommand) -> None:
        for command in commands:
            self.actor.do(command)
            self.pump()

    def move(self, *numbers: int) -> None:
        for number in numbers:
            self.actor.move(number)
            self.pump()

    def pump(self) -> None:
        """What has been told is told."""
        self.audience.publish(FeedUpdate(tuple(self.actor.messages), tuple(self.actor.told)))
        self.actor.messages.clear()
        self.actor.told.clear()
        self.flush()

    def flush(self) -> None:
        for topic in (self.audience.topic, self.audience.topic.delayed):
            if isinstance(topic, SimulTopic):
                topic.watchers._flush()

    def turn(self, ms: int) -> None:
        """Let ``ms`` pass; what is due on the way is told when it is."""
        end_ms = self.time.now_ms() + ms
        while (delayed := self.audience.delayed) and (due_ms := delayed.due_ms()) is not None and due_ms <= end_ms:
            self.pass_(due_ms - self.time.now_ms())
            delayed.on_timer()
        self.pass_(end_ms - self.time.now_ms())
        self.flush()

    def pass_(self, ms: int) -> None:
        self.time.advance(max(0, ms))
        self.actor.wait(max(0, ms))
        self.pump()

    def shown(self, user: str | None = None) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.audience.snapshot("json", user))
        return {name: value for name, value in body.items() if name not in (*OWN, "watchers", "host_online")}

    def numbered(self, ear: Ear) -> list[Any]:
        return [message for message in ear.heard if "seq" in message and message["t"] != "simul"]


def so_much_later(body: dict[str, Any]) -> dict[str, Any]:
    body = copy.deepcopy(body)
    later(body, DELAY_MS)
    return body


async def test_public_gets_the_same_events_after_the_delay() -> None:
    stage = Stage()
    stage.move(1, 2, 1)
    stage.turn(3000)
    stage.move(2)
    stage.actor.play(1, g.Resign(by="b"))
    stage.pump()
    told = stage.numbered(stage.host)
    assert [message["seq"] for message in told] == list(range(told[0]["seq"], told[0]["seq"] + len(told)))
    assert stage.numbered(stage.players[1]) == told
    assert stage.numbered(stage.stranger) == stage.numbered(stage.third) == []
    stage.turn(DELAY_MS - 3001)
    assert stage.numbered(stage.stranger) == []
    stage.turn(1)
    first = stage.numbered(stage.stranger)
    assert 0 < len(first) < len(told)
    stage.turn(3000)
    assert stage.numbered(stage.stranger) == stage.numbered(stage.third) == [so_much_later(body) for body in told]


@pytest.mark.parametrize("mode", ["clock", "round"])
async def test_public_snapshot_equals_earlier_snapshot_of_players(mode: str) -> None:
    stage = Stage(mode=mode)
    live, public = {}, {}
    for second in range(150):
        if second == 20:
            stage.do(c.TakeBreak(by="host", until=stage.actor.now_ms + 15_000))
        elif second % 7 == 3 and not 20 < second < 36:
            number = stage.actor.state.at if mode == "round" else 1 + second % 2
            if number is not None and stage.actor.games[number].turn == "w":
                stage.move(number)
        elif second == 70:
            stage.actor.play(2, g.Resign(by="b"))
            stage.pump()
        live[second], public[second] = stage.shown("host"), stage.shown()
        stage.turn(1000)
    for second in range(DELAY_S, 150):
        assert public[second] == so_much_later(live[second - DELAY_S]), second


async def test_simul_is_public_without_delay_before_its_start() -> None:
    stage = Stage(start=False)
    stage.do(c.Join(user=person(4)))
    assert stage.numbered(stage.stranger) == stage.numbered(stage.host) != []
    before = stage.shown("host")
    assert stage.shown() == before
    stage.start()
    assert (stage.shown()["status"], stage.shown("host")["status"]) == ("created", "running")
    assert stage.shown() == before


async def test_new_player_is_shown_the_live_simul() -> None:
    stage = Stage(auto_accept=True)
    stage.move(1)
    stage.do(c.Join(user=person(3)))
    shown = next(message for message in stage.third.heard if message["t"] == "simul")
    assert (shown["you"], shown["your_board"], shown["seq"]) == ("player", 3, stage.actor.feed.seq)
    stage.move(2)
    assert stage.numbered(stage.third)[-1]["seq"] == stage.actor.feed.seq
    assert stage.numbered(stage.stranger) == []
    stage.audience.topic.catch_up(stage.third)  # type: ignore[arg-type]  # a socket
    stage.audience.topic.catch_up(stage.stranger)  # type: ignore[arg-type]  # a socket


async def test_watcher_count_is_sent_to_all() -> None:
    stage = Stage()
    stage.audience.publish_crowd()
    for ear in stage.ears:
        assert (ear.heard[-1]["t"], ear.heard[-1]["watchers"]) == ("simul.crowd", 4)


async def test_audiences_merge_when_all_is_shown() -> None:
    stage = Stage()
    stage.do(c.End(by="host", rest="draw", boards={}))
    stage.turn(DELAY_MS - 1)
    assert stage.shown()["status"] == "created"
    assert stage.audience.delayed is not None
    delayed = stage.audience.delayed.topic
    assert stage.stranger in list[Any](delayed.watchers)
    stage.turn(1)
    assert stage.audience.delayed is None
    assert len(delayed) == 0, "a listener of both topics would receive events twice"
    assert (stage.shown()["status"], stage.audience.topic.delayed) == ("finished", None)
    assert stage.numbered(stage.stranger)[-1]["t"] == "simul.finished"
    assert stage.stranger in stage.audience.topic.watchers
    assert stage.audience.topic_for(None) == (stage.audience.topic, stage.actor.feed.seq)


class TestRestart:
    """The actor is created again, with the topic of its earlier subscribers."""

    async def test_public_sees_no_boards_after_restart(self) -> None:
        stage = Stage()
        stage.move(1, 2)
        topic = stage.audience.topic
        stage.actor.restart()
        stage.actor.messages.clear()
        stage.audience.close()
        stage.audience = stage.an_audience(topic)
        stage.audience.resume_delayed()
        shown: SimulSnapshotWire = stage.stranger.heard[-1]
        assert (shown["t"], shown["status"], shown["boards"]) == ("simul", "running", [])
        assert {name: shown[name] for name in NOTHING} == NOTHING  # type: ignore[literal-required]
        assert len(stage.host.heard[-1]["boards"]) == 2
        now = stage.shown("host")
        stage.turn(DELAY_MS - 1)
        assert stage.shown()["boards"] == []
        stage.turn(1)
        assert (stage.stranger.heard[-1]["t"], stage.stranger.heard[-1]["seq"]) == ("simul", now["seq"])
        assert stage.shown()["boards"] == so_much_later(now)["boards"]

    async def test_long_finished_simul_is_fully_public(self) -> None:
        stage = Stage()
        topic = stage.audience.topic
        stage.do(c.End(by="host", rest="draw", boards={}))
        stage.audience.close()
        stage.time.advance(DELAY_MS + DOUBT_MS)
        stage.audience = stage.an_audience(topic)
        stage.audience.resume_delayed()
        assert stage.audience.delayed is None
        assert stage.stranger in list[Any](topic.watchers)
        assert stage.stranger.heard[-1]["status"] == "finished"


async def test_full_queue_is_replaced_by_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast_module, "MAX_WAITING", 3)
    stage = Stage()
    for number in (1, 2, 1, 2, 1, 2):
        stage.turn(1000)
        stage.move(number)
    stage.turn(DELAY_MS - 6001)
    assert stage.stranger.heard == []
    stage.turn(6001)
    heard = stage.stranger.heard
    assert heard[0]["t"] == "simul"
    assert [message["seq"] for message in heard] == list(range(heard[0]["seq"], stage.actor.feed.seq + 1))
    assert stage.shown()["boards"] == so_much_later(stage.shown("host"))["boards"]


async def test_public_summary_reveals_no_hidden_results() -> None:
    stage = Stage()
    delayed = stage.audience.delayed
    assert delayed is not None
    stage.actor.play(1, g.Resign(by="b"))
    stage.pump()
    wall_ms = stage.actor.now_ms
    told = summary_as_public(summary_of(stage.actor.state), delayed, wall_ms)
    assert (told.status, told.score.wins) == ("running", 0)
    stage.turn(DELAY_MS)
    told = summary_as_public(summary_of(stage.actor.state), delayed, wall_ms)
    assert (told.status, told.score.wins, told.score.live) == ("running", 1, 1)
    stage.do(c.End(by="host", rest="draw", boards={}))
    summary = summary_of(stage.actor.state)
    assert summary.ended_ms is not None
    for age_ms, hidden in ((0, True), (DELAY_MS + DOUBT_MS - 1, True), (DELAY_MS + DOUBT_MS, False)):
        told = summary_as_public(summary, None, summary.ended_ms + age_ms)
        assert (told.status, told.final is None) == (("running", True) if hidden else ("finished", False))
    assert hidden_since(msgspec.structs.replace(summary, status="cancelled"), 0) is None
