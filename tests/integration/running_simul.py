"""A simul over sockets, with its host and players."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from typing import TYPE_CHECKING, Any

from tests.wire_client import WAIT_S, Client, Message, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ANNOUNCED = {"name": "Club night", "tc": {"base_s": 600}, "host_color": "w", "auto_accept": True}

GAME = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "c2c3", "g8f6", "d2d3", "d7d6", "e1g1", "e8g8")
"""Legal moves of both sides from the start position."""

MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
"""Moves by which Black mates."""


class RunningSimul:
    """One simul with subscribed sockets of its host and its players.

    Attributes:
        id: id of the simul.
        host, players: sockets.
        boards: the id of each player's game, by number from 1; empty before the start.
    """

    def __init__(self, url: str, simul: str, host: Client, players: list[Client]) -> None:
        self.url = url
        self.id = simul
        self.host = host
        self.players = players
        self.boards: dict[int, str] = {}

    def player(self, board: int) -> Client:
        """Return the player of a board."""
        return self.players[board - 1]

    async def ask(self, kind: str, who: Client | None = None, **fields: Any) -> Message:
        """Make a request ``simul.…`` of the host, or of ``who``."""
        return await (who or self.host).request(f"simul.{kind}", simul=self.id, **fields)

    async def refused(self, kind: str, who: Client | None = None, **fields: Any) -> str:
        """Return the code of the refusal of such a request."""
        return await (who or self.host).refused(f"simul.{kind}", simul=self.id, **fields)

    async def start(self) -> None:
        """Let the host start it."""
        await self.ask("start")
        started = await self.event("started")
        self.boards = {board["board"]: board["g"] for board in started["boards"]}

    async def event(self, kind: str, who: Client | None = None, **fields: Any) -> Message:
        """Return the first event of this kind with these fields that the host, or ``who``, has received."""

        def is_it(message: Message) -> bool:
            of = message["t"] == f"simul.{kind}" and message["simul"] == self.id
            return of and all(message.get(name) == value for name, value in fields.items())

        return await (who or self.host).wait(is_it)

    async def move(self, board: int, ply: int, move: str | None = None, who: Client | None = None) -> Message:
        """Make half-move ``ply`` at ``board`` for the side to move; the host is White."""
        mover = who or (self.host if ply % 2 == 0 else self.player(board))
        return await mover.request("move", g=self.boards[board], move=move or GAME[ply], ply=ply)

    async def at(self, board: int) -> None:
        """Wait until the host's socket has received their arrival at ``board``."""
        await self.event("at", board=board)

    def shown(self, viewer: Client | None = None) -> Message:
        """Return the simul as HTTP shows it to ``viewer``. Blocking."""
        shown: Message = fetch(self.url, f"simuls/{self.id}", viewer)
        return shown


@contextlib.asynccontextmanager
async def announced(url: str, players: int = 2, *, join: bool = True, **terms: Any) -> AsyncIterator[RunningSimul]:
    """Announce a simul as a guest, and let other guests join."""
    async with contextlib.AsyncExitStack() as stack:
        host = await stack.enter_async_context(Client(url, guest(url)[0]))
        simul = (await host.request("simul.create", **{**ANNOUNCED, **terms}))["simul"]
        sockets = [await stack.enter_async_context(Client(url, guest(url)[0])) for _ in range(players)]
        running_simul = RunningSimul(url, simul, host, sockets)
        for socket in (host, *sockets):
            await listen(socket, simul)
        for socket in sockets if join else ():
            await running_simul.ask("join", socket)
        yield running_simul


@contextlib.asynccontextmanager
async def running(url: str, players: int = 2, **terms: Any) -> AsyncIterator[RunningSimul]:
    """Announce a simul and start it."""
    async with announced(url, players, **terms) as running_simul:
        if not terms.get("auto_accept", True):
            await running_simul.ask("accept_all")
        await running_simul.start()
        yield running_simul


async def listen(who: Client, simul: str, **fields: Any) -> Message:
    """Subscribe to a simul and return its snapshot."""
    start = len(who.messages)
    await who.request("sub", topic=f"simul:{simul}", **fields)
    return await who.wait(lambda m: m["t"] == "simul" and m["simul"] == simul, start)


def fetch(url: str, path: str, viewer: Client | None = None) -> Any:
    """Return the answer of ``path`` of the API to ``viewer``. Blocking."""
    headers = {} if viewer is None or viewer.token is None else {"Authorization": f"Bearer {viewer.token}"}
    request = urllib.request.Request(f"{url}/api/v1/{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=WAIT_S) as response:
        return json.load(response)
