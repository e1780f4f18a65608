"""Clients that survive faults: they reconnect, ask for what they have missed, and repeat unanswered requests."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING

from harness.chaos.errors import Violation
from harness.chaos.socket import GONE, Socket
from harness.chaos.view import Ack, Message, Thought, View

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from harness.chaos.script import Script

BACK_S = (0.02, 0.1)
"""The random delay before reconnecting that the protocol asks for."""

PONDER_S = (2.0, 8.0)
"""Thinking time long enough for a fault to occur meanwhile."""

AGAIN_S = (0.1, 0.3)
"""Delay before a request that was answered ``unavailable`` is repeated."""


class ScriptedClient:
    """A client with one socket at a time.

    Attributes:
        token: its session's; None if anonymous.
        views: what it was shown, by game.
        connects: number of its sockets.
        closed: number of closed sockets by code.
        refused: number of refused requests by code.
        away_s: each time without a socket subscribed to its games, in seconds.
    """

    def __init__(self, url: str, token: str | None, games: Sequence[str], chance: random.Random, codec: str) -> None:
        self.views = {game: View(game) for game in games}
        self.connects = 0
        self.closed: Counter[int] = Counter()
        self.refused: Counter[str] = Counter()
        self.away_s: list[float] = []
        self._lost_at: float | None = None
        self._url = url
        self.token = token
        self._codec = codec
        self._chance = chance

    @property
    def is_done(self) -> bool:
        """Return whether nothing more is expected."""
        return all(view.over for view in self.views.values())

    async def run(self) -> None:
        """Stay connected until all its games are over."""
        while not self.is_done:
            socket = Socket(self._url, self.token, self._codec)
            try:
                async with socket:
                    self.connects += 1
                    await self._attend(socket)
            except GONE:
                if self._lost_at is None:
                    self._lost_at = time.monotonic()
                if socket.closed_with is not None:
                    self.closed[socket.closed_with] += 1
                await self._pause(BACK_S)

    async def _attend(self, socket: Socket) -> None:
        for number, view in enumerate(self.views.values()):
            since = {"from": view.seq} if view.started else {}
            await socket.send({"t": "sub", "id": -1 - number, "topic": f"game:{view.game}", "ticks": False, **since})
        async for message in socket:
            if self._lost_at is not None and message["t"] == "ok":
                self.away_s.append(time.monotonic() - self._lost_at)
                self._lost_at = None
            if message.get("g") in self.views and message["t"] != "ok":
                self.views[message["g"]].take(message)
            await self._answered(socket, message)
            if self.is_done:
                return
        raise ConnectionError("the server has closed the socket")

    async def _answered(self, socket: Socket, message: Message) -> None:
        """Handle a message: an answer, or one that needs one. Reconnects if a subscription is ``unavailable``."""
        if message["t"] == "error":
            self.refused[message["code"]] += 1
            if message["code"] != "unavailable":
                raise Violation(f"refused: {message}")
            await self._pause(AGAIN_S)
            raise ConnectionError(message["message"])

    async def _pause(self, between_s: tuple[float, float]) -> None:
        await asyncio.sleep(self._chance.uniform(*between_s))


class ScriptedPlayer(ScriptedClient):
    """Plays one side of a script, and resigns if the script ends before the game.

    Attributes:
        view: what it was shown of its game.
        thoughts: its acknowledged moves by number of half-moves before.
    """

    def __init__(
        self,
        url: str,
        token: str,
        user: str,
        game: str,
        side: int,
        script: Script,
        chance: random.Random,
        think_s: tuple[float, float],
        ponders: float = 0.0,
    ) -> None:
        """``ponders``: share of its moves with a thinking time of ``PONDER_S`` instead of ``think_s``."""
        super().__init__(url, token, (game,), chance, chance.choice(["msgpack", "json"]))
        self.view = self.views[game]
        self.user = user
        self.thoughts: dict[int, Thought] = {}
        self._thought = Thought(0.0, 0.0)
        self._connects = 1
        """Number of its sockets when its last request was answered."""
        self._side = side
        self._script = script
        self._think_s = think_s
        self._ponders = ponders
        self._open: Message | None = None
        """The unanswered request of this socket or an earlier one."""
        self._sent = False
        """Whether it was sent on this socket."""

    @property
    def is_done(self) -> bool:
        return self.view.over and self._open is None

    async def _attend(self, socket: Socket) -> None:
        self._sent = False
        await super()._attend(socket)

    async def _answered(self, socket: Socket, message: Message) -> None:
        if self._open is not None and message.get("id") == self._open["id"]:
            if message["t"] == "ok":
                self._acknowledged(message)
            else:
                self.refused[message["code"]] += 1
                if message["code"] != "unavailable":
                    raise Violation(f"{self._open} got {message}")
                await self._pause(AGAIN_S)
                self._sent = False
        else:
            await super()._answered(socket, message)
        if not self.view.started or message["t"] in ("tick", "crowd"):
            return
        if self._open is None and self._is_my_turn():
            began = time.monotonic()
            await self._pause(PONDER_S if self._chance.random() < self._ponders else self._think_s)
            self._thought = Thought(began, time.monotonic())
            self._open = self._next_request()
            self._sent = False
        if self._open is not None and not self._sent:
            self._sent = True
            await socket.send(self._open)

    def _is_my_turn(self) -> bool:
        if self.view.over or (self.view.plies + self._script.first) % 2 != self._side:
            return False
        return self.view.plies < len(self._script.moves) or not self._script.is_decided

    def _next_request(self) -> Message:
        ply = self.view.plies
        common = {"id": ply + 1, "g": self.view.game, "key": f"{self.view.game[:8]}-{ply}"}
        if ply < len(self._script.moves):
            return {"t": "move", "move": self._script.moves[ply], "ply": ply, "seen": self.view.seq, **common}
        return {"t": "resign", **common}

    def _acknowledged(self, message: Message) -> None:
        request = self._open
        assert request is not None
        self._open = None
        self._thought.lost, self._connects = self.connects - self._connects, self.connects
        if request["t"] == "move":
            self.thoughts[request["ply"]] = self._thought
        ack = Ack(request["key"], self.user, request["t"], message["seq"], request["id"] - 1, request.get("move"))
        self.view.acks.append(ack)
