"""A host who goes from board to board and moves as fast as possible; at each board the player answers at once.

The host moves as a person would: at a board where a player waits. When the move is stored, they look for the next
board. The caller decides whether the boards belong to a simul on one socket or are unrelated games.
"""

from __future__ import annotations

import asyncio
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from bench.load.requester import MATCH_BITS
from bench.load.socket import RequestFailed, request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.load.socket import RawWebSocket

MOVE_S = 30.0
"""A move that is not stored within this time counts as lost."""


class MoveDelays(msgspec.Struct):
    """Delays of moves in seconds, one entry a move: from sending it until the other side receives it."""

    out: list[float] = msgspec.field(default_factory=list)
    """Moves of the host."""
    back: list[float] = msgspec.field(default_factory=list)
    """Moves of the players."""


class HostedGame:
    """One board: its game, the sockets of both sides, and its moves.

    Args:
        number: from 1; the ids of its moves begin with it.
        tour: the host's tour; the host makes the even moves.
        moves: in UCI, from the start of the game.
    """

    def __init__(
        self, number: int, game: str, tour: Tour, host: RawWebSocket, player: RawWebSocket, moves: Sequence[str]
    ) -> None:
        self.number = number
        self.game = game
        self.ply = 0
        """Half-moves that both sides have received."""
        self._tour = tour
        self._sockets = (host, player)
        self._sent_s = 0.0
        self._frames = [
            request({"t": "move", "id": number << MATCH_BITS | ply, "g": game, "move": move, "ply": ply})
            for ply, move in enumerate(moves)
        ]

    @property
    def moves_left(self) -> int:
        """Return the number of moves that the host can still make here."""
        return (len(self._frames) - self.ply) // 2

    def visit(self) -> None:
        """Make the host's next move."""
        self._send()

    def player_received(self, ply: int) -> None:
        """Handle a host's move received by the player, who answers at once."""
        if ply == self.ply and ply % 2 == 0:
            self._tour.delays.out.append(perf_counter() - self._sent_s)
            self.ply += 1
            self._send()

    def host_received(self, ply: int) -> None:
        """Handle an answer received by the host; half-move number ``ply`` was the last."""
        if ply == self.ply and ply % 2 == 1:
            self._tour.delays.back.append(perf_counter() - self._sent_s)
            self.ply += 1
            self._tour.waiting.append(self)
            self._tour.board_waits()

    def _send(self) -> None:
        self._sent_s = perf_counter()
        self._sockets[self.ply & 1].send(self._frames[self.ply])


class Tour:
    """The host's tour of the boards.

    Attributes:
        delays: delays of this round's moves.
        waiting: boards where the host is to move.
    """

    def __init__(self) -> None:
        self.delays = MoveDelays()
        self.waiting: deque[HostedGame] = deque()
        self._stored: asyncio.Future[None] | None = None
        self._waiting_for_board: asyncio.Future[None] | None = None

    async def play(self, moves: int, delays: MoveDelays, pace_s: float = 0.0) -> None:
        """Make ``moves`` moves and wait until they are answered.

        Args:
            pace_s: least interval between two moves.
        """
        self.delays = delays
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
        """Handle the ``ok`` of a move; the players' moves have odd ids."""
        if move_id % 2 == 0 and self._stored is not None and not self._stored.done():
            self._stored.set_result(None)

    def refused(self, why: str) -> None:
        """Handle a refused move."""
        for future in (self._stored, self._waiting_for_board):
            if future is not None and not future.done():
                future.set_exception(RequestFailed(why))

    def board_waits(self) -> None:
        """Handle that a board waits for the host."""
        if self._waiting_for_board is not None and not self._waiting_for_board.done():
            self._waiting_for_board.set_result(None)

    async def _until(self, boards: int) -> None:
        async with asyncio.timeout(MOVE_S):
            while len(self.waiting) < boards:
                self._waiting_for_board = asyncio.get_running_loop().create_future()
                await self._waiting_for_board
