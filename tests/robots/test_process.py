"""What the process of the robots reports, and how it meets a server with other tokens."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from robots.client import BotDisconnected
from robots.jobs import RobotError, Workload
from robots.levels import HIGHEST
from robots.process import LeasedRobots, RobotsOptions
from tests.realtime.until import until
from tests.robots.stub_moves import StubMoves

if TYPE_CHECKING:
    import pytest


class Room(StubMoves):
    """Has room for ``number`` games of the star, and ``most`` of others, of a minute or longer."""

    def __init__(self, number: int, most: int) -> None:
        super().__init__()
        self.number, self.most = number, most

    def can_accept(self, workload: Workload, number: int = 1) -> bool:
        assert workload.level == HIGHEST
        assert workload.clock_s, "a real pool divides by it"
        return workload.clock_s >= 60 and number <= (self.number if workload.game == "chinese-checkers" else self.most)


def report_of(room: StubMoves) -> tuple[object, object]:
    report = LeasedRobots(RobotsOptions(url="http://127.0.0.1:1", tokens=dict), room)._report()
    return report["free"], report["least_s"]


def test_report_has_the_room_of_the_game_with_the_least() -> None:
    assert report_of(Room(100, 100)) == (50, 60)
    assert report_of(Room(7, 100)) == (5, 60)
    assert report_of(Room(1, 100)) == (5, 60)
    assert report_of(Room(0, 100)) == (0, 0)


async def test_tokens_are_read_again_when_the_server_refuses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str | None] = []

    class Refusing:
        def __init__(self, url: str, token: str | None) -> None:
            used.append(token)

        async def __aenter__(self) -> None:
            raise BotDisconnected("refused", 401)

        async def __aexit__(self, *_: object) -> None:
            pass

    tokens = iter(({1: "old"}, RobotError("no file"), {1: "new"}, {1: "newer"}))

    def read() -> dict[int, str]:
        found = next(tokens)
        if isinstance(found, RobotError):
            raise found
        return found

    monkeypatch.setattr("robots.process.BotClient", Refusing)
    monkeypatch.setattr("robots.process.REPORT_S", 0.001)
    monkeypatch.setattr("robots.process.LONGEST_PAUSE_S", 0.001)
    running = asyncio.create_task(
        LeasedRobots(RobotsOptions(url="http://127.0.0.1:1", tokens=read), StubMoves()).run(), name="robots"
    )
    await until(lambda: used[:2] == ["old", "new"])
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
