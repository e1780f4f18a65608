"""A participant: joins a simul, answers the host's moves, and reconnects after a lost socket."""

from __future__ import annotations

import asyncio
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from harness.demo.errors import RequestRefused
from harness.demo.moves import choose_move
from harness.demo.reconnecting_client import AGAIN_S, ReconnectingClient
from harness.demo.retries import LATER

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from random import Random

    from harness.demo.options import DemoOptions, Tally
    from robots.client import Message


class Participant(ReconnectingClient):
    """One participant.

    Args:
        simul: the simul's id.
        variants: those that are offered; the participant chooses one of several.
    """

    def __init__(
        self,
        options: DemoOptions,
        simul: str,
        token: str,
        chance: Random,
        tally: Tally,
        variants: Sequence[Message] = (),
    ) -> None:
        super().__init__(options, token, chance)
        self._simul = simul
        self._tally = tally
        self._wanted = chance.choice(variants) if len(variants) > 1 else {}
        self._has_joined = False
        self._kind = ("chess", "standard")
        self._game = ""
        self._color = ""
        self._position = ""
        self._ply = 0
        self._work: asyncio.Task[None] | None = None
        """The pending action."""
        self._is_blocked = False
        """Whether a move was impossible; the next change of the clocks may allow it."""

    async def subscribe(self) -> None:
        """Join, or subscribe to the game again."""
        if not self._has_joined:
            await self.request("simul.join", key="join", simul=self._simul, **self._wanted)
            self._has_joined = True
        for game in self.client.welcome["games"]:
            await self._watch(game)
        if self._game and self._game not in self.client.welcome["games"]:
            self._end()  # the game has ended meanwhile

    async def stay_connected(self) -> None:
        """Play until the game is over."""
        try:
            await super().stay_connected()
        finally:
            await self.close()

    async def reconnect(self) -> None:
        """Reconnect, and count it."""
        self._tally.lost += not self.is_connected and not self.over.is_set()
        await super().reconnect()

    async def close(self) -> None:
        """Cancel the pending action, and close the socket."""
        if self._work is not None:
            self._work.cancel()
        await super().close()

    async def _watch(self, game: str) -> None:
        await self.request("sub", topic=f"game:{game}", ticks=False)

    def on_message(self, message: Message) -> None:
        """Handle a message of the board."""
        kind = message["t"]
        if kind == "paired":
            self._do(partial(self._watch, message["g"]))
        elif kind == "game":
            self._see(message)
        elif message.get("g") != self._game or not self._game:
            return
        elif kind == "move":
            self._ply, self._position = message["ply"] + 1, message["position"]
            self._tally.moves += 1
            self._is_blocked = False
            if message["by"] != self._color:
                self._do(self._answer)
        elif kind == "clock" and self._is_blocked:
            self._do(self._answer)
        elif kind == "takeback":
            self._do(partial(self._watch, self._game))
        elif kind == "end":
            self._end()

    def _see(self, snapshot: Message) -> None:
        """Apply a snapshot of the game."""
        if not self._game:
            self._tally.boards += 1
        self._game, self._color = snapshot["g"], snapshot["you"]
        self._kind = snapshot["game"], snapshot["variant"]
        self._position, self._ply = snapshot["position"], len(snapshot["moves"])
        if snapshot["status"] == "over":
            self._end()
        elif snapshot["turn"] == self._color:
            self._do(self._answer)

    def _end(self) -> None:
        self._tally.over += not self.over.is_set()
        self.over.set()

    async def _answer(self) -> None:
        """Think, and move; in ``round`` mode prepare the move."""
        if self._options.think_s:
            await asyncio.sleep(min(self._chance.expovariate(1 / self._options.think_s), 5 * self._options.think_s))
        move = choose_move(*self._kind, self._position, self._chance)
        if move is not None:
            await self._retry(partial(self._play_or_prepare, move, self._ply))

    async def _play_or_prepare(self, move: str, ply: int) -> None:
        if self._options.mode == "round":
            try:
                await self.request("simul.prepare", simul=self._simul, g=self._game, ply=ply, move=move)
            except RequestRefused as error:
                if error.code != "conflict":
                    raise
            else:
                return
        start_s = perf_counter()
        try:
            await self.request("move", g=self._game, move=move, ply=ply)
        except RequestRefused as error:
            if error.code != "conflict":
                raise
            self._is_blocked = True  # the host is at another board, or there is a break
            return
        self._tally.answered += 1
        self._tally.answered_s += perf_counter() - start_s

    def _do(self, work: Callable[[], Awaitable[None]]) -> None:
        """Replace the pending action."""
        if self._work is not None:
            self._work.cancel()
        self._work = asyncio.create_task(self._retry(work), name="a participant")

    async def _retry(self, work: Callable[[], Awaitable[None]]) -> None:
        """Retry until it is done, refused for good, or the socket is lost. After a reconnect the action is chosen
        again."""
        while self.is_connected:
            try:
                await work()
            except RequestRefused as error:
                if error.code not in LATER:
                    self._tally.refused += error.code != "game_over"
                    return
            else:
                return
            await asyncio.sleep(self._chance.uniform(*AGAIN_S))
