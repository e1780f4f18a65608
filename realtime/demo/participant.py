"""A participant: joins an exhibition, answers the host's moves, and comes back if his socket is lost."""

from __future__ import annotations

import asyncio
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from realtime.demo.client import Client
from realtime.demo.errors import DemoFailed, Refused
from realtime.demo.moves import choose_move

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from random import Random

    from realtime.demo.client import Message
    from realtime.demo.plan import Plan, Tally

AGAIN_S = (1.0, 5.0)
"""Who has lost his socket, or whose request could not be done, comes again after a time between these."""

LATER = ("unavailable", "rate_limited")
"""What is asked for again."""


class Participant:
    """One of the many.

    Args:
        simul: the exhibition's id.
    """

    def __init__(self, plan: Plan, simul: str, token: str, chance: Random, tally: Tally) -> None:
        self._plan = plan
        self._simul = simul
        self._token = token
        self._chance = chance
        self._tally = tally
        self._opened: Client | None = None
        self._has_joined = False
        self._kind = ("chess", "standard")
        self._game = ""
        self._color = ""
        self._position = ""
        self._ply = 0
        self._is_over = asyncio.Event()
        self._work: asyncio.Task[None] | None = None
        """What he is about to ask for."""
        self._waits = False
        """He could not move; what happens to the clocks next may let him."""

    async def come(self) -> None:
        """Join, or come back. Raises ``DemoFailed``."""
        self._opened = await Client.open(self._plan.url, self._token, self._hear)
        if not self._has_joined:
            await self._client.ask("simul.join", simul=self._simul)
            self._has_joined = True
        for game in self._client.welcome["games"]:
            await self._watch(game)

    async def play(self) -> None:
        """Play until the game is over."""
        over = asyncio.create_task(self._is_over.wait(), name="a participant's game")
        try:
            while not over.done():
                await asyncio.wait((over, self._client.closed), return_when=asyncio.FIRST_COMPLETED)
                if not over.done():
                    self._tally.lost += 1
                    await self._come_back()
        finally:
            over.cancel()
            await self.close()

    async def close(self) -> None:
        """Hang up, if he is here."""
        if self._work is not None:
            self._work.cancel()
        if self._opened is not None:
            await self._opened.close()

    @property
    def _client(self) -> Client:
        """His socket."""
        assert self._opened is not None, "he has come"
        return self._opened

    async def _come_back(self) -> None:
        while self._client.closed.done() and not self._is_over.is_set():
            await asyncio.sleep(self._chance.uniform(*AGAIN_S))
            try:
                await self.come()
            except DemoFailed:
                continue  # the server restarts; the time of the demonstration is bounded
            if self._game and self._game not in self._client.welcome["games"]:
                self._end()  # it has ended meanwhile

    async def _watch(self, game: str) -> None:
        await self._client.ask("sub", topic=f"game:{game}", ticks=False)

    def _hear(self, message: Message) -> None:
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
            self._waits = False
            if message["by"] != self._color:
                self._do(self._answer)
        elif kind == "clock" and self._waits:
            self._do(self._answer)
        elif kind == "takeback":
            self._do(partial(self._watch, self._game))
        elif kind == "end":
            self._end()

    def _see(self, snapshot: Message) -> None:
        """The game as it stands."""
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
        if not self._is_over.is_set():
            self._tally.over += 1
            self._is_over.set()

    async def _answer(self) -> None:
        """Think, and move; where the host goes from board to board, have the move ready."""
        if self._plan.think_s:
            await asyncio.sleep(min(self._chance.expovariate(1 / self._plan.think_s), 5 * self._plan.think_s))
        move = choose_move(*self._kind, self._position, self._chance)
        while move is not None:
            try:
                await self._play_or_prepare(move)
            except Refused as error:
                if error.code == "conflict":
                    self._waits = True  # the host is at another board, or there is a break
                elif error.code not in LATER:
                    self._tally.refused += error.code != "game_over"
                elif not self._client.closed.done():
                    await asyncio.sleep(self._chance.uniform(*AGAIN_S))
                    continue
            return

    async def _play_or_prepare(self, move: str) -> None:
        if self._plan.mode == "round":
            try:
                await self._client.ask("simul.prepare", simul=self._simul, g=self._game, ply=self._ply, move=move)
            except Refused as error:
                if error.code != "conflict":
                    raise
            else:
                return
        start_s = perf_counter()
        await self._client.ask("move", g=self._game, move=move, ply=self._ply)
        self._tally.answered += 1
        self._tally.answered_s += perf_counter() - start_s

    def _do(self, work: Callable[[], Awaitable[None]]) -> None:
        """This instead of what he was about to do."""
        if self._work is not None:
            self._work.cancel()
        self._work = asyncio.create_task(self._done(work), name="a participant")

    async def _done(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Refused:
            self._tally.refused += not self._client.closed.done()
