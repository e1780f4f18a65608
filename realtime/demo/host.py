"""The host of a demonstration: announces the exhibition; a scripted one also plays it, from the overview alone."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from realtime.demo.client import Client
from realtime.demo.errors import DemoFailed, Refused
from realtime.demo.moves import choose_move

if TYPE_CHECKING:
    from random import Random

    from realtime.demo.client import Message
    from realtime.demo.plan import Plan

TC = {"base_s": 1800, "inc_s": 10}

HOST_EXTRA_PER_BOARD_S = 10
"""In all at a thousand boards nearly three hours more."""

COME_BACK_S = (1.0, 5.0)
"""Who has lost his socket comes again after a time between these."""

AGAIN_S = 1.0
"""After this a move that could not be stored is tried again."""

RATE_SHARE = 0.8
"""Of the messages a second that the server takes from one socket."""

END_S = 20.0
"""For all boards to be ended."""


async def announce(plan: Plan, client: Client) -> str:
    """Announce the exhibition; its id. Raises ``Refused``."""
    answer = await client.ask(
        "simul.create",
        name="Demonstration",
        text=f"{plan.boards} scripted participants.",
        variant=plan.variant,
        tc=TC,
        mode=plan.mode,
        host_color="alternating",
        host_extra_per_board_s=HOST_EXTRA_PER_BOARD_S,
        max_boards=plan.boards,
        auto_accept=True,
    )
    simul: str = answer["simul"]
    return simul


class Watch:
    """Somebody who looks whether the exhibition is over: a stranger, who hears of it as late as all do. He comes back
    if his socket is lost.

    Args:
        token: who he is; None for a stranger.
        chance: when he comes back.

    Attributes:
        over: set when it is.
    """

    def __init__(self, plan: Plan, token: str | None, chance: Random) -> None:
        self.over = asyncio.Event()
        self._plan = plan
        self._token = token
        self._chance = chance
        self._simul = ""
        self._opened: Client | None = None

    async def come(self) -> Client:
        """Open a socket. Raises ``DemoFailed``."""
        self._opened = await Client.open(self._plan.url, self._token, self.hear)
        return self._opened

    async def look(self, simul: str) -> None:
        """See the exhibition ``simul``, and hear of it from now on. Raises ``Refused``."""
        self._simul = simul
        await self._client.ask("sub", topic=f"simul:{simul}")

    async def play(self) -> None:
        """Until it is over."""
        over = asyncio.create_task(self.over.wait(), name="the exhibition's end")
        try:
            while not self.over.is_set():
                await asyncio.wait((over, self._client.closed), return_when=asyncio.FIRST_COMPLETED)
                await self._come_back()
        finally:
            over.cancel()

    async def close(self) -> None:
        """Hang up, if he is here."""
        if self._opened is not None:
            await self._opened.close()

    @property
    def _client(self) -> Client:
        """His socket."""
        assert self._opened is not None, "he has come"
        return self._opened

    async def _come_back(self) -> None:
        """If the socket is lost: again and again, for the server restarts. The time of the demonstration is bounded."""
        while self._client.closed.done() and not self.over.is_set():
            await asyncio.sleep(self._chance.uniform(*COME_BACK_S))
            with suppress(DemoFailed):
                await self.come()
                await self._look_again()

    async def _look_again(self) -> None:
        """The exhibition may not be loaded yet."""
        try:
            await self.look(self._simul)
        except Refused:
            await self._client.close()
            raise

    def hear(self, message: Message) -> None:
        """A message of the exhibition."""
        kind = message["t"]
        status = message["status"] if kind == "simul" else kind.removeprefix("simul.")
        if status in ("finished", "cancelled"):
            self.over.set()


class ScriptedHost(Watch):
    """Moves wherever he is to move, one board after the other.

    Args:
        chance: what he plays, too.
    """

    def __init__(self, plan: Plan, token: str | None, chance: Random) -> None:
        super().__init__(plan, token, chance)
        self._boards: dict[int, Message] = {}
        self._kind = ("chess", plan.variant)
        self._at: int | None = None
        self._waiting: deque[int] = deque()
        self._queued: set[int] = set()
        self._news = asyncio.Event()

    async def start(self, simul: str) -> None:
        """Begin, and see all boards. Raises ``Refused``."""
        await self._client.ask("simul.start", simul=simul)
        await self.look(simul)

    async def play(self) -> None:
        """Play until it is over."""
        rate: int = self._client.welcome["limits"]["rate"]
        pause_s = max(self._plan.host_think_s, 1 / (RATE_SHARE * rate))
        over = asyncio.create_task(self.over.wait(), name="the exhibition's end")
        try:
            while not self.over.is_set():
                await self._come_back()
                board = self._next()
                if board is None:
                    self._news.clear()
                    news = asyncio.create_task(self._news.wait(), name="a board for the host")
                    await asyncio.wait((news, over, self._client.closed), return_when=asyncio.FIRST_COMPLETED)
                    news.cancel()
                    continue
                start_s = asyncio.get_running_loop().time()
                await self._move(board)
                await asyncio.sleep(max(0.0, start_s + pause_s - asyncio.get_running_loop().time()))
        finally:
            over.cancel()

    async def end(self) -> None:
        """Give a draw at all boards that are still played."""
        if self.over.is_set() or self._client.closed.done():
            return
        with suppress(Refused, TimeoutError):
            await self._client.ask("simul.end", simul=self._simul, rest="draw")
            async with asyncio.timeout(END_S):
                await self.over.wait()

    def hear(self, message: Message) -> None:
        """A message of the exhibition."""
        super().hear(message)
        kind = message["t"]
        if kind == "simul":
            self._at = message["at"]
            for board in message["boards"]:
                self._see(board)
        elif kind == "simul.board":
            self._see(message)
        elif kind == "simul.at":
            self._at = message["board"]
            self._news.set()

    def _see(self, news: Message) -> None:
        number: int = news["board"]
        board = self._boards.setdefault(number, {})
        board.update(news)
        if self._is_waiting(board) and number not in self._queued:
            self._queued.add(number)
            self._waiting.append(number)
        self._news.set()

    def _is_waiting(self, board: Message) -> bool:
        return bool(board["turn"] == "host" and board["status"] != "over")

    def _next(self) -> Message | None:
        """Where he is to move now: where he is, or in ``clock`` mode wherever somebody has waited for longest."""
        if self._plan.mode == "round":
            here = self._boards.get(self._at or 0)
            is_there = here is not None and (here.get("clock") or {}).get("held") != "round"
            return here if here is not None and is_there and self._is_waiting(here) else None
        while self._waiting:
            number = self._waiting.popleft()
            self._queued.discard(number)
            if self._is_waiting(self._boards[number]):
                return self._boards[number]
        return None

    async def _move(self, board: Message) -> None:
        ply: int = board["ply"]
        move = choose_move(*self._kind, board["position"], self._chance)
        if move is None:
            return
        try:
            await self._client.ask("move", g=board["g"], move=move, ply=ply)
        except Refused as error:
            if error.code not in ("unavailable", "rate_limited", "conflict"):
                return  # the board has gone on; what is told of it says how
            await asyncio.sleep(AGAIN_S)
        if board["ply"] == ply and self._is_waiting(board):
            self._see(board)  # not stored, or not told yet
