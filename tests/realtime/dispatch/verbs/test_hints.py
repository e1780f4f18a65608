"""Hints at the node that owns the game, with a robot that is a socket."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.user import User
from lobby.robots.robot_accounts import robot_id
from realtime.dispatch.verbs.hints import HintVerbs
from realtime.fanout.session import Session
from realtime.journal.live_games import LiveGame, LiveGames
from realtime.protocol.requests import Hint, HintGive
from tests.realtime.table_harness import WHITE, Ear, Harness, play
from tests.realtime.until import until

if TYPE_CHECKING:
    from realtime.games.table import Table

ROBOT = User(robot_id(3), "Robot-3", "bot")


class Socket(Ear):
    """What a session asks besides."""

    number = 1
    closed = False

    def send(self, message: Any) -> None:
        self.heard.append(message)


class OneTable:
    """Tables of which there is one."""

    def __init__(self, table: Table) -> None:
        self.live_games = LiveGames()
        self._table = table

    def peek(self, game_id: str) -> Table:
        return self._table

    async def get(self, game_id: str) -> Table:
        return self._table


class Scene:
    """A person and a robot at a game with hints; the robot's own socket is ``h.black``."""

    def __init__(self) -> None:
        self.h = Harness(black=ROBOT, hints=True)
        self.person, self.robot = Socket(WHITE), Socket(ROBOT)
        self.tables = OneTable(self.h.table)
        self._verbs = HintVerbs(self.tables, self.h.time)  # type: ignore[arg-type]  # as far as hints need them

    async def ask(self) -> Any:
        """Ask for a hint, and return the answer."""
        session = Session(self.person)  # type: ignore[arg-type]  # a socket to a session
        self._verbs.handle(session, Hint(id=1, g="game1"), 0)
        await session.finish()
        return self.person.heard[-1]

    async def give(self, ply: int, move: str) -> str:
        """Answer as the robot, and return the type of the answer, or the code of the refusal."""
        session = Session(self.robot)  # type: ignore[arg-type]  # a socket to a session
        self._verbs.handle(session, HintGive(id=1, g="game1", ply=ply, move=move, better="w"), 0)
        await session.finish()
        answer = self.robot.heard[-1]
        return str(answer.get("code", answer["t"]))


@pytest.fixture
def scene() -> Scene:
    return Scene()


async def test_robot_is_asked_and_its_answer_passed_on(scene: Scene) -> None:
    asked = asyncio.create_task(scene.ask())
    await until(lambda: scene.h.black.kinds()[-1:] == ["hint.asked"])
    assert await scene.give(0, "e2e4") == "ok"
    assert await asked == {"t": "ok", "id": 1, "ply": 0, "move": "e2e4", "better": "w", "winning": False}
    assert "hint.asked" not in scene.h.white.kinds() + scene.h.watcher.kinds()


async def test_person_who_plays_another_gets_none(scene: Scene) -> None:
    scene.tables.live_games.begin("game2", LiveGame("anna", WHITE.id, 1, is_real_time=True))
    assert (await scene.ask())["code"] == "conflict"
    scene.tables.live_games.end("game2")
    asked = asyncio.create_task(scene.ask())
    await until(lambda: scene.h.black.kinds()[-1:] == ["hint.asked"])
    assert await scene.give(0, "e2e4") == "ok"
    assert (await asked)["t"] == "ok"


async def test_answer_for_an_earlier_position_is_stale(scene: Scene) -> None:
    asked = asyncio.create_task(scene.ask())
    await until(lambda: scene.h.black.kinds()[-1:] == ["hint.asked"])
    play(scene.h, "d2d4")
    assert await scene.give(0, "e2e4") == "stale_ply"
    assert await scene.give(1, "e7e5") == "stale_ply"
    play(scene.h, "d7d5")
    assert await scene.give(0, "e2e4") == "stale_ply"
    assert (await asked)["code"] == "stale_ply"
    assert await scene.give(2, "c2c4") == "conflict"
    assert await scene.give(0, "e2e4") == "stale_ply"
