"""A robot at a board of a simul."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robots.client import BotRefused
from tests.realtime.until import until
from tests.robots.playing.test_player import CLOCK, moved, snapshot
from tests.robots.playing.test_player import scene as scene

if TYPE_CHECKING:
    from robots.client import Message
    from tests.robots.playing.test_player import Scene

ROUND = {**CLOCK, "run": None, "held": "round"}


def board(**fields: object) -> Message:
    return snapshot(**{"simul": "s1", "clock": ROUND, **fields})


def clock(seq: int, why: str, held: str | None) -> Message:
    return {"t": "clock", "g": "g1", "seq": seq, "why": why, "clock": {**CLOCK, "held": held}}


async def test_move_is_prepared_while_the_host_is_elsewhere(scene: Scene) -> None:
    scene.player.handle(board())
    prepared = await scene.request("simul.prepare")
    assert {**prepared, "move": ""} == {"t": "simul.prepare", "simul": "s1", "g": "g1", "ply": 0, "move": ""}
    # Nothing is asked again while the move waits, whatever is told of the game.
    scene.player.handle({"t": "crowd", "topic": "game:g1", "online": {"w": True, "b": True}})
    scene.player.handle({"t": "chat", "g": "g1", "seq": 2})
    await until(lambda: len(scene.moves.jobs) == 1)
    scene.player.handle(moved(3, "w", prepared["move"]))
    scene.player.handle(moved(4, "b", "e7e5", clock=ROUND))
    assert (await scene.request("simul.prepare", 2))["ply"] == 2
    assert len(scene.moves.jobs) == 2
    assert not scene.requests("move")


async def test_move_is_played_where_the_host_is(scene: Scene) -> None:
    scene.moves.gate.clear()
    scene.player.handle(board())
    await until(lambda: len(scene.moves.jobs) == 1)
    scene.player.handle(clock(2, "arrived", "countdown"))
    scene.moves.gate.set()
    await scene.request("move")
    assert not scene.requests("simul.prepare")


async def test_the_other_request_is_sent_if_the_host_comes_or_goes(scene: Scene) -> None:
    scene.refusals.append(BotRefused("conflict", "the host is at your board; play the move"))
    scene.player.handle(board())
    await scene.request("move")
    assert [message["t"] for message in scene.sent] == ["simul.prepare", "move"]


async def test_board_without_clocks_does_not_tell_where_the_host_is(scene: Scene) -> None:
    scene.refusals.append(BotRefused("conflict", "the host is at another board"))
    scene.player.handle(board(clock=None, tc=None))
    await scene.request("simul.prepare")
    assert [message["t"] for message in scene.sent] == ["move", "simul.prepare"]


async def test_nothing_is_done_in_a_break(scene: Scene) -> None:
    scene.player.handle(board(clock={**CLOCK, "run": None, "held": "break"}))
    scene.player.handle({"t": "crowd", "topic": "game:g1", "online": {"w": True, "b": True}})
    assert not scene.moves.jobs
    scene.player.handle(clock(2, "resumed", None))
    await scene.request("move")


async def test_another_process_prepares_again_after_its_start(scene: Scene) -> None:
    scene.player.handle(board())
    await scene.request("simul.prepare")
    scene.player.handle(board())
    await scene.request("simul.prepare", 2)
    assert scene.moves.jobs[0].moves == scene.moves.jobs[1].moves
