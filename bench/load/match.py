"""Scripted game: each side answers a move as soon as it receives it, or after a thinking time."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from bench.load.requester import MATCH_BITS
from bench.load.socket import request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.load.player import MatchPlayer


class Delays(msgspec.Struct):
    """Delays of moves in seconds, one entry a move."""

    to_opponent: list[float] = msgspec.field(default_factory=list)
    """From sending a move until the opponent receives it."""
    to_ok: list[float] = msgspec.field(default_factory=list)
    """From sending a move until its ``ok``."""


class Match:
    """One game of two players.

    Args:
        number: number of this match among those of its players, from 1.
        game: id of the game.
        players: White and Black.
        moves: the script, in UCI. It restarts at its end, which only a bare server accepts.
        answered: whether the server answers a move with ``ok``.
    """

    def __init__(
        self,
        number: int,
        game: str,
        players: tuple[MatchPlayer, MatchPlayer],
        moves: Sequence[str],
        *,
        answered: bool = True,
    ) -> None:
        self.number = number
        self.game = game
        self.players = players
        self.received_plies = 0
        """Number of moves that the opponent has received."""
        self._answered = answered
        self._frames = [
            request({"t": "move", "id": number << MATCH_BITS | ply, "g": game, "move": move, "ply": ply})
            for ply, move in enumerate(moves)
        ]
        self._until = 0
        """Number of moves to be played."""
        self._unconfirmed = 0
        """Sent moves without an ``ok``."""
        self._sent_at = [0.0, 0.0]
        """When White and Black last sent a move."""
        self._delays = Delays()
        self._pace: Callable[[], float] | None = None
        self._done: asyncio.Future[None] | None = None
        for player in players:
            player.add_match(self)

    def play(self, plies: int, delays: Delays, pace: Callable[[], float] | None = None) -> asyncio.Future[None]:
        """Play ``plies`` more half-moves.

        Args:
            delays: receives the delays.
            pace: returns the thinking time of a move in seconds; None: moves are answered at once.

        Returns:
            A future that is done when all moves have been received and answered.
        """
        self._until = self.received_plies + plies
        self._delays = delays
        self._pace = pace
        self._done = asyncio.get_running_loop().create_future()
        self._go_on()
        return self._done

    def stop(self) -> None:
        """Stop after the move that is on its way or being thought about."""
        self._until = min(self._until, self.received_plies + 1)

    def move_received(self, player: MatchPlayer, ply: int) -> None:
        """Handle move number ``ply``, received by ``player``: their own or the opponent's."""
        side = ply & 1
        if player is self.players[side]:
            return
        self._delays.to_opponent.append(perf_counter() - self._sent_at[side])
        self.received_plies += 1
        if self.received_plies < self._until:
            self._go_on()
        else:
            self._end_if_complete()

    def confirmed(self, player: MatchPlayer) -> None:
        """Handle the ``ok`` of a move of ``player``."""
        side = 0 if player is self.players[0] else 1
        self._delays.to_ok.append(perf_counter() - self._sent_at[side])
        self._unconfirmed -= 1
        self._end_if_complete()

    def fail(self, error: Exception) -> None:
        """Handle a refused move: the future of ``play`` gets the error."""
        if self._done is not None and not self._done.done():
            self._done.set_exception(error)

    def _go_on(self) -> None:
        if self._pace is None:
            self._send()
        else:
            asyncio.get_running_loop().call_later(self._pace(), self._send)

    def _send(self) -> None:
        ply = self.received_plies
        side = ply & 1
        if self._answered:
            self._unconfirmed += 1
        self._sent_at[side] = perf_counter()
        self.players[side].socket.send(self._frames[ply % len(self._frames)])

    def _end_if_complete(self) -> None:
        complete = self.received_plies >= self._until and not self._unconfirmed
        if complete and self._done is not None and not self._done.done():
            self._done.set_result(None)
