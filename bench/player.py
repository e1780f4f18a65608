"""A scripted player: one socket, the requests that prepare a game, and the moves of all games played on it."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

import msgspec

from bench.wire import Refused, Socket, connect

if TYPE_CHECKING:
    from bench.match import Match

MATCH_BITS = 12
"""Ids of moves are the match's number, from 1, and the half-move's in this many bits; smaller ids are others'."""


class Heard(msgspec.Struct):
    """As much of a message as a player has to know."""

    t: str
    id: int = 0
    g: str = ""
    ply: int = -1


_decode = msgspec.msgpack.Decoder(Heard).decode


class Player:
    """One socket and whoever sits at it."""

    def __init__(self) -> None:
        self.socket: Socket
        self._games: dict[str, Match] = {}
        self._numbers: dict[int, Match] = {}
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ids = itertools.count(1)
        self._welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def come(self, url: str, token: str | None) -> None:
        """Open the socket and wait for the welcome."""
        self.socket = await connect(url, token, self._hear)
        await self._welcome

    async def go(self) -> None:
        """Hang up."""
        self.socket.transport.close()
        await self.socket.closed

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """A request and its ``ok``. Raises ``Refused``."""
        number = next(self._ids) % (1 << MATCH_BITS)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        self.socket.ask({"t": kind, "id": number, **fields})
        return await answer

    def sit(self, match: Match) -> None:
        """Take part in ``match``."""
        self._games[match.game] = match
        self._numbers[match.number] = match

    def rise(self, match: Match) -> None:
        """Hear of ``match`` no more."""
        del self._games[match.game], self._numbers[match.number]

    def _hear(self, payload: bytes) -> None:
        heard = _decode(payload)
        if heard.t == "move":
            self._games[heard.g].heard(self, heard.ply)
        elif heard.t == "ok" and heard.id >> MATCH_BITS:
            self._numbers[heard.id >> MATCH_BITS].confirmed(self)
        elif heard.t == "ok":
            self._asked.pop(heard.id).set_result(msgspec.msgpack.decode(payload))
        elif heard.t == "error":
            self._refused(heard.id, msgspec.msgpack.decode(payload))
        elif heard.t == "welcome":
            self._welcome.set_result(None)

    def _refused(self, number: int, answer: dict[str, Any]) -> None:
        error = Refused(f"{answer['code']}: {answer['message']}")
        if number in self._asked:
            self._asked.pop(number).set_exception(error)
        elif number >> MATCH_BITS in self._numbers:
            self._numbers[number >> MATCH_BITS].fail(error)
        else:
            raise error
