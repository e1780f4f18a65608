"""One game of a robot, with a server that is a list of requests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from robots.client import BotDisconnected, BotRefused
from robots.jobs import BadJob, EngineFailed, NoEngine
from robots.playing.player import MAX_ENGINE_FAILURES, MAX_FAILURES, RobotPlayer
from tests.realtime.until import until
from tests.robots.stub_moves import StubMoves

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from robots.client import Message
    from robots.jobs import Job, JobAnswer

OFFERS = {"draw": None, "takeback": None, "rematch": None}

CLOCK = {"w": 60_000, "b": 60_000, "run": "w", "at": 0}


class Scene:
    """A robot at a game.

    Attributes:
        sent: its requests.
        refusals: raised by the next requests, in order.
    """

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.refusals: list[Exception] = []
        self.moves = StubMoves()
        self.player = self.robot()

    def robot(self, **options: Any) -> RobotPlayer:
        return RobotPlayer("g1", 3, self.moves, self.send, tempo=0.0, **options)

    async def send(self, kind: str, **fields: Any) -> Message:
        self.sent.append({"t": kind, **fields})
        if self.refusals:
            raise self.refusals.pop(0)
        return {"t": "ok"}

    def requests(self, kind: str) -> list[Message]:
        return [message for message in self.sent if message["t"] == kind]

    async def request(self, kind: str, number: int = 1) -> Message:
        """Wait for a request and return it."""
        await until(lambda: len(self.requests(kind)) >= number)
        return self.requests(kind)[number - 1]


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    scene = Scene()
    yield scene
    await scene.player.close()


def snapshot(**fields: Any) -> Message:
    seat = {"user": {"id": "x", "name": "X", "kind": "guest", "title": None}, "online": True}
    return {
        "t": "game", "g": "g1", "seq": 1, "game": "chess", "variant": "standard", "rules": "online", "fen": None,
        "tc": {"base_s": 60}, "you": "w", "moves": [], "notation": [], "turn": "w", "clock": CLOCK,
        "offers": OFFERS, "status": "live", "simul": None, "match": None,
        "players": {"w": seat, "b": seat}, **fields,
    }  # fmt: skip


def moved(seq: int, by: str, move: str, **fields: Any) -> Message:
    return {"t": "move", "g": "g1", "seq": seq, "by": by, "move": move, "san": "e4", "clock": CLOCK, **fields}


async def test_robot_moves_when_it_is_its_turn(scene: Scene) -> None:
    scene.player.handle(snapshot())
    move = await scene.request("move")
    assert (move["g"], move["ply"], move["seen"]) == ("g1", 0, 1)
    scene.player.handle(moved(2, "w", move["move"]))
    scene.player.handle(moved(3, "b", "e7e5"))
    assert (await scene.request("move", 2))["ply"] == 2
    assert scene.moves.jobs[1].moves == (move["move"], "e7e5")
    assert len(scene.moves.jobs) == 2
    assert list(scene.moves.games) == ["g1"]


async def test_robot_waits_for_its_opponent(scene: Scene) -> None:
    scene.player.handle(snapshot(you="b"))
    await asyncio.sleep(0)
    assert scene.moves.jobs == []
    scene.player.handle(moved(2, "w", "e2e4"))
    assert (await scene.request("move"))["ply"] == 1


async def test_takeback_is_accepted_and_the_new_position_played(scene: Scene) -> None:
    scene.player.handle(snapshot(you="b", moves=["e2e4", "e7e5"], notation=["e4", "e5"]))
    scene.player.handle({"t": "offer", "g": "g1", "seq": 2, "what": "takeback", "do": "offer", "by": "w"})
    assert (await scene.request("takeback"))["do"] == "accept"
    scene.player.handle({"t": "takeback", "g": "g1", "seq": 3, "plies": 2, "position": "", "clock": CLOCK})
    scene.player.handle(moved(4, "w", "d2d4"))
    assert (await scene.request("move"))["ply"] == 1
    assert scene.moves.jobs[-1].moves == ("d2d4",)


async def test_thought_is_dropped_when_the_position_changes(scene: Scene) -> None:
    scene.moves.gate.clear()
    scene.player.handle(snapshot(you="b", moves=["e2e4"], notation=["e4"], turn="b"))
    await until(lambda: len(scene.moves.jobs) == 1)
    scene.player.handle({"t": "takeback", "g": "g1", "seq": 2, "plies": 1, "position": "", "clock": CLOCK})
    scene.moves.gate.set()
    await asyncio.sleep(0)
    scene.player.handle(moved(3, "w", "d2d4"))
    assert (await scene.request("move"))["seen"] == 3
    assert len(scene.requests("move")) == 1


async def test_robot_waits_during_a_pause_only(scene: Scene) -> None:
    scene.player.handle(snapshot(clock={**CLOCK, "held": "pause"}))
    await asyncio.sleep(0)
    assert scene.moves.jobs == []
    scene.player.handle({"t": "clock", "g": "g1", "seq": 2, "clock": CLOCK, "why": "resumed", "by": "b"})
    await scene.request("move")
    scene.player.handle(snapshot(clock={**CLOCK, "held": "restart"}))
    await scene.request("move", 2)


async def test_gap_in_the_events_is_filled_by_a_snapshot(scene: Scene) -> None:
    scene.player.handle(snapshot(you="b"))
    scene.player.handle(moved(3, "w", "e2e4"))
    assert (await scene.request("sub"))["topic"] == "game:g1"
    assert scene.requests("move") == []
    scene.player.handle(moved(1, "w", "e2e4"))  # seen before
    assert scene.requests("move") == []


@pytest.mark.parametrize("code", ["unavailable", "rate_limited", "conflict", "stale_ply"])
async def test_refused_move_is_sent_again(scene: Scene, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robots.playing.game_requests.RETRY_S", 0.01)
    scene.refusals = [BotRefused(code, "not now")]
    scene.player.handle(snapshot())
    first, second = await scene.request("move"), await scene.request("move", 2)
    assert first == second
    assert bool(scene.requests("sub")) is (code in ("conflict", "stale_ply"))


@pytest.mark.parametrize("code", ["unavailable", "rate_limited"])
async def test_subscription_refused_for_a_moment_is_repeated(
    scene: Scene, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("robots.playing.game_requests.RETRY_S", 0.01)
    scene.refusals = [BotRefused(code, "not now")]
    await scene.player.subscribe()
    assert len(scene.requests("sub")) == 2
    scene.refusals = [BotRefused("not_found", "no such game")]
    with pytest.raises(BotRefused):
        await scene.player.subscribe()


async def test_lost_connection_ends_the_attempt_until_the_next_snapshot(scene: Scene) -> None:
    scene.refusals = [BotDisconnected("gone")]
    scene.player.handle(snapshot())
    first = await scene.request("move")
    await asyncio.sleep(0)
    scene.player.handle(snapshot())
    assert await scene.request("move", 2) == first


async def test_draw_is_answered_by_the_score(scene: Scene) -> None:
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 11
    scene.moves.score = 300
    scene.player.handle(snapshot(moves=moves, notation=moves))
    move = await scene.request("move")
    scene.player.handle(moved(2, "w", move["move"]))
    offer = {"t": "offer", "g": "g1", "what": "draw", "do": "offer", "by": "b"}
    scene.player.handle({**offer, "seq": 3})
    assert (await scene.request("draw"))["do"] == "decline"
    scene.moves.score = -100
    scene.player.handle(moved(4, "b", "b8c6", draw=True))
    assert (await scene.request("draw", 2))["do"] in ("accept", "claim")


EVEN = ["g1f3", "g8f6", "f3g1", "f6g8"] * 11


@pytest.mark.parametrize(("score", "answer"), [(-10, "accept"), (300, "decline")])
async def test_draw_offered_while_no_robot_played_is_answered(scene: Scene, score: int, answer: str) -> None:
    scene.moves.score = score
    moves = EVEN[:41]
    scene.player.handle(snapshot(moves=moves, notation=moves, turn="b", offers={**OFFERS, "draw": "b"}))
    assert (await scene.request("draw"))["do"] == answer
    assert [job.moves for job in scene.moves.jobs] == [tuple(moves[:40])], "the job of the robot's last move again"
    assert scene.requests("move") == []


async def test_draw_offered_early_is_declined_without_an_engine(scene: Scene) -> None:
    scene.player.handle(snapshot(moves=["g1f3"], notation=["Nf3"], turn="b", offers={**OFFERS, "draw": "b"}))
    assert (await scene.request("draw"))["do"] == "decline"
    assert scene.moves.jobs == []


async def test_draw_offer_that_nobody_can_judge_is_declined(scene: Scene) -> None:
    scene.player = RobotPlayer("g1", 8, Broken(EngineFailed("died")), scene.send, tempo=0.0)
    moves = EVEN[:41]
    scene.player.handle(snapshot(moves=moves, notation=moves, turn="b", offers={**OFFERS, "draw": "b"}))
    assert (await scene.request("draw"))["do"] == "decline"


async def test_draw_offer_is_not_answered_after_the_opponent_has_moved(scene: Scene) -> None:
    moves = EVEN[:41]
    scene.moves.gate.clear()
    scene.player.handle(snapshot(moves=moves, notation=moves, turn="b", offers={**OFFERS, "draw": "b"}))
    await until(lambda: len(scene.moves.jobs) == 1)
    scene.player.handle(moved(2, "b", "b8c6"))
    scene.moves.score = 300
    scene.moves.gate.set()
    assert (await scene.request("move"))["ply"] == 42
    assert scene.requests("draw") == [], "its move is the answer"


async def test_robot_moves_if_its_claim_is_refused(scene: Scene) -> None:
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    scene.refusals = [BotRefused("conflict", "the server counts differently")]
    scene.player.handle(snapshot(moves=moves, notation=moves))
    assert (await scene.request("draw"))["do"] == "claim"
    assert (await scene.request("move"))["ply"] == 8


async def test_takeback_offered_while_no_robot_played_is_accepted_before_it_moves(scene: Scene) -> None:
    offers = {**OFFERS, "takeback": "w"}
    scene.player.handle(snapshot(you="b", moves=["e2e4"], notation=["e4"], turn="b", offers=offers))
    assert (await scene.request("takeback"))["do"] == "accept"
    assert scene.moves.jobs == []
    scene.player.handle({"t": "takeback", "g": "g1", "seq": 2, "plies": 1, "position": "", "clock": CLOCK})
    scene.player.handle(moved(3, "w", "d2d4"))
    assert (await scene.request("move"))["ply"] == 1
    assert scene.moves.jobs[-1].moves == ("d2d4",)


async def test_robot_moves_on_if_its_answer_to_a_takeback_is_refused(scene: Scene) -> None:
    scene.refusals = [BotRefused("conflict", "no")]
    offers = {**OFFERS, "takeback": "w"}
    scene.player.handle(snapshot(you="b", moves=["e2e4"], notation=["e4"], turn="b", offers=offers))
    assert (await scene.request("move"))["ply"] == 1


async def test_robot_does_not_move_before_it_has_answered_a_takeback(scene: Scene) -> None:
    scene.moves.gate.clear()
    scene.player.handle(snapshot(you="b", moves=["e2e4"], notation=["e4"], turn="b"))
    await until(lambda: len(scene.moves.jobs) == 1)
    scene.player.handle({"t": "offer", "g": "g1", "seq": 2, "what": "takeback", "do": "offer", "by": "w"})
    scene.moves.gate.set()
    await scene.request("takeback")
    assert scene.requests("move") == []


async def test_rematch_offered_while_no_robot_played_is_answered(scene: Scene) -> None:
    scene.player.handle(snapshot(you="b", status="over", offers={**OFFERS, "rematch": "w"}))
    assert (await scene.request("rematch"))["do"] == "accept"


async def test_draw_is_claimed_when_the_game_is_not_won(scene: Scene) -> None:
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    scene.player.handle(snapshot(moves=moves, notation=moves))
    assert (await scene.request("draw"))["do"] == "claim"


async def test_rematch_is_accepted_while_there_is_room(scene: Scene) -> None:
    scene.player.handle(snapshot(you="b"))
    scene.player.handle({"t": "end", "g": "g1", "seq": 2, "result": "1-0", "reason": "resignation", "clock": None})
    assert scene.player.is_over
    assert scene.moves.games == {}
    offer = {"t": "offer", "g": "g1", "what": "rematch", "do": "offer", "by": "w"}
    scene.player.handle({**offer, "seq": 3})
    assert (await scene.request("rematch"))["do"] == "accept"
    scene.moves.has_room = False
    scene.player.handle({**offer, "seq": 4})
    assert (await scene.request("rematch", 2))["do"] == "decline"


async def test_new_game_begins_with_a_greeting(scene: Scene) -> None:
    robot = scene.robot(greets=True)
    robot.handle(snapshot(you="b"))
    assert "level 3" in (await scene.request("chat"))["text"]
    robot.handle(snapshot(you="b"))
    await robot.close()
    assert len(scene.requests("chat")) == 1


AWAY = {"t": "crowd", "topic": "game:g1", "online": {"w": True, "b": False}, "left": None}


async def test_paused_game_of_an_absent_opponent_takes_no_room(scene: Scene) -> None:
    scene.player.handle(snapshot(you="w", clock={**CLOCK, "held": "pause"}, moves=["e2e4", "e7e5"], notation=["", ""]))
    assert list(scene.moves.games) == ["g1"]
    scene.player.handle(AWAY)
    assert scene.moves.games == {}
    assert scene.player.is_idle
    await scene.player.end_idle()
    assert (await scene.request("claim"))["what"] == "draw"
    scene.player.handle({"t": "clock", "g": "g1", "seq": 2, "clock": CLOCK, "why": "resumed", "by": "b"})
    assert list(scene.moves.games) == ["g1"]
    assert not scene.player.is_idle


async def test_game_that_never_began_is_aborted_when_there_are_too_many(scene: Scene) -> None:
    scene.player.handle(snapshot(you="b", tc=None, clock=None))
    assert not scene.player.is_idle
    scene.player.handle({**AWAY, "online": {"w": False, "b": True}})
    assert scene.player.is_idle
    await scene.player.end_idle()
    await scene.request("abort")


async def test_score_of_a_move_with_fewer_nodes_does_not_count(scene: Scene) -> None:
    scene.player = RobotPlayer("g1", 8, Hurried(score=-2000), scene.send, tempo=0.0)
    scene.player.handle(snapshot())
    for number in range(3):
        move = await scene.request("move", number + 1)
        scene.player.handle(moved(2 * number + 2, "w", move["move"]))
        scene.player.handle(moved(2 * number + 3, "b", ("a7a6", "a6a5", "a5a4")[number]))
    await scene.request("move", 4)
    assert scene.requests("resign") == []


async def test_robot_resigns_what_is_lost(scene: Scene) -> None:
    scene.player = RobotPlayer("g1", 8, scene.moves, scene.send, tempo=0.0)
    scene.moves.score = -2000
    scene.player.handle(snapshot())
    for number in range(3):
        move = await scene.request("move", number + 1)
        scene.player.handle(moved(2 * number + 2, "w", move["move"]))
        scene.player.handle(moved(2 * number + 3, "b", ("a7a6", "a6a5", "a5a4")[number]))
    await scene.request("resign")


class Broken(StubMoves):
    """Fails with each of ``errors`` in turn."""

    def __init__(self, *errors: Exception) -> None:
        super().__init__()
        self.errors = list(errors)

    async def answer(self, job: Job) -> JobAnswer:
        if self.errors:
            raise self.errors.pop(0)
        return await super().answer(job)


class Hurried(StubMoves):
    """Has never time enough."""

    async def answer(self, job: Job) -> JobAnswer:
        return msgspec.structs.replace(await super().answer(job), is_reduced=True)


async def test_game_over_which_engines_fail_again_and_again_is_given_up(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("robots.playing.game_requests.RETRY_S", 0.0)
    errors = [EngineFailed("died") for _ in range(MAX_ENGINE_FAILURES)]
    scene.player = RobotPlayer("g1", 8, Broken(*errors), scene.send, tempo=0.0)
    scene.player.handle(snapshot())
    await scene.request("abort")


@pytest.mark.parametrize("errors", [[EngineFailed("died")], [NoEngine("not started")] * MAX_FAILURES])
async def test_engine_that_fails_or_is_missing_is_asked_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, errors: list[Exception]
) -> None:
    monkeypatch.setattr("robots.playing.game_requests.RETRY_S", 0.01)
    scene.player = RobotPlayer("g1", 8, Broken(*errors), scene.send, tempo=0.0)
    scene.player.handle(snapshot())
    await scene.request("move")
    assert scene.requests("abort") == []


async def test_position_that_no_engine_plays_is_given_up(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robots.playing.game_requests.RETRY_S", 0.001)
    errors = [BadJob("no such position") for _ in range(MAX_FAILURES)]
    scene.player = RobotPlayer("g1", 8, Broken(*errors), scene.send, tempo=0.0)
    scene.player.handle(snapshot())
    await scene.request("abort")
    assert scene.requests("move") == []
