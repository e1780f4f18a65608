"""One side goes from board to board and moves as fast as it can; at each board somebody answers at once.

Who goes does so as a person would: he moves where somebody waits, and when that is stored he looks for the next board.
Whether the boards are those of a simul, all on one socket, or games that know nothing of each other is for
whoever sets them up.
"""

from __future__ import annotations

import asyncio
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from bench.load.requester import MATCH_BITS
from bench.load.socket import Refused, request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.load.socket import Socket

MOVE_S = 30.0
"""A move that takes longer to be stored never is."""


class Waits(msgspec.Struct):
    """What moves took, in seconds, a move an entry: from its being sent to the other side's hearing of it."""

    out: list[float] = msgspec.field(default_factory=list)
    """Of who goes round."""
    back: list[float] = msgspec.field(default_factory=list)
    """Of those who answer."""


class Stop:
    """One board: its game, the sockets of both sides, and the moves that are played there.

    Args:
        number: from 1; the ids of its moves begin with it.
        tour: whoever goes round, and whose moves are the even ones.
        moves: in UCI, from the first on.
    """

    def __init__(self, number: int, game: str, tour: Tour, host: Socket, player: Socket, moves: Sequence[str]) -> None:
        self.number = number
        self.game = game
        self.ply = 0
        """Half-moves that both sides know of."""
        self._tour = tour
        self._sockets = (host, player)
        self._sent_s = 0.0
        self._frames = [
            request({"t": "move", "id": number << MATCH_BITS | ply, "g": game, "move": move, "ply": ply})
            for ply, move in enumerate(moves)
        ]

    @property
    def moves_left(self) -> int:
        """Moves that who goes round can still make here."""
        return (len(self._frames) - self.ply) // 2

    def visit(self) -> None:
        """Move."""
        self._send()

    def player_heard(self, ply: int) -> None:
        """The move of who goes round is at the other side, which answers at once."""
        if ply == self.ply and ply % 2 == 0:
            self._tour.waits.out.append(perf_counter() - self._sent_s)
            self.ply += 1
            self._send()

    def host_heard(self, ply: int) -> None:
        """The answer is there; half-move number ``ply`` was the last."""
        if ply == self.ply and ply % 2 == 1:
            self._tour.waits.back.append(perf_counter() - self._sent_s)
            self.ply += 1
            self._tour.waiting.append(self)
            self._tour.look()

    def _send(self) -> None:
        self._sent_s = perf_counter()
        self._sockets[self.ply & 1].send(self._frames[self.ply])


class Tour:
    """Whoever goes round.

    Attributes:
        waits: what the moves of this round took.
        waiting: the boards where he is to move.
    """

    def __init__(self) -> None:
        self.waits = Waits()
        self.waiting: deque[Stop] = deque()
        self._stored: asyncio.Future[None] | None = None
        self._looking: asyncio.Future[None] | None = None

    async def go(self, moves: int, waits: Waits, pace_s: float = 0.0) -> None:
        """Make ``moves`` moves and wait until they are answered.

        Args:
            pace_s: from one to the next at least.
        """
        self.waits = waits
        boards = len(self.waiting)
        loop = asyncio.get_running_loop()
        start_s = loop.time()
        for number in range(moves):
            if pace_s:
                await asyncio.sleep(max(0.0, start_s + number * pace_s - loop.time()))
            await self._until(1)
            self._stored = loop.create_future()
            self.waiting.popleft().visit()
            await asyncio.wait_for(self._stored, MOVE_S)
        await self._until(boards)

    def confirmed(self, move_id: int) -> None:
        """The ``ok`` of a move has come; the ids of who answers are odd."""
        if move_id % 2 == 0 and self._stored is not None and not self._stored.done():
            self._stored.set_result(None)

    def refused(self, why: str) -> None:
        """A move was refused."""
        for future in (self._stored, self._looking):
            if future is not None and not future.done():
                future.set_exception(Refused(why))

    def look(self) -> None:
        """A board waits."""
        if self._looking is not None and not self._looking.done():
            self._looking.set_result(None)

    async def _until(self, boards: int) -> None:
        async with asyncio.timeout(MOVE_S):
            while len(self.waiting) < boards:
                self._looking = asyncio.get_running_loop().create_future()
                await self._looking
