"""The sockets of a robot, with clients that have no server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar, Self

import pytest

from robots.playing import account as account_module
from robots.playing.account import RobotAccount
from tests.realtime.until import until
from tests.robots.stub_moves import StubMoves

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from robots.client import Message


class FakeClient:
    """A connection that stays open and agrees to everything."""

    opened: ClassVar[list[FakeClient]] = []

    def __init__(self, url: str, token: str) -> None:
        self.welcome: Message = {"games": [], "user": {"name": "Robot-3"}, "now": 0}
        self.is_open = False
        self.requests: list[Message] = []

    async def __aenter__(self) -> Self:
        self.is_open = True
        self.opened.append(self)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.is_open = False

    async def __aiter__(self) -> AsyncIterator[Message]:
        await asyncio.Event().wait()
        yield {}

    async def request(self, kind: str, **fields: Any) -> Message:
        self.requests.append({"t": kind, **fields})
        return {"t": "ok"}

    async def get(self, path: str, **_: str) -> Any:
        return {"games": []}


@pytest.fixture
async def account(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RobotAccount]:
    monkeypatch.setattr(account_module, "BotClient", FakeClient)
    monkeypatch.setattr(account_module, "GAMES_PER_SOCKET", 2)
    monkeypatch.setattr(account_module, "SWEEP_S", 0.01)
    monkeypatch.setattr(FakeClient, "opened", [])
    made = RobotAccount("http://server", "t", 3, StubMoves())
    yield made
    await made.close()


def lasting(sockets: int) -> bool:
    """Whether so many connections are open, apart from those that look for games for a moment."""
    return sum(client.is_open and bool(client.requests) for client in FakeClient.opened) == sockets


async def test_sockets_are_opened_for_more_games_and_closed_without(account: RobotAccount) -> None:
    for number in range(5):
        account.enter(f"g{number}")
    await until(lambda: lasting(3))
    for game in ("g2", "g3"):
        account.drop(game)
    await until(lambda: lasting(2))
    account.drop("g4")
    await until(lambda: lasting(1))
    for game in ("g0", "g1"):
        account.drop(game)
    account.enter("g5")
    await until(lambda: any(request.get("topic") == "game:g5" for request in FakeClient.opened[0].requests))
    assert lasting(1)


async def test_games_that_are_over_take_no_room(account: RobotAccount) -> None:
    await until(lambda: lasting(1))
    for number in range(2):
        account.enter(f"g{number}")
    for player in account._sockets[0].games.values():
        player.is_over = True
    account.enter("g2")
    assert len(account._sockets) == 1
    assert account._sockets[0].games.keys() == {"g0", "g1", "g2"}
