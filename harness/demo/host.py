"""The host of a demonstration: announces the exhibition; a scripted one also plays it, from the overview alone."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from harness.demo.errors import Refused
from harness.demo.moves import choose_move
from harness.demo.patience import LATER, Patience
from harness.demo.visitor import Visitor

if TYPE_CHECKING:
    from random import Random

    from harness.demo.client import Message
    from harness.demo.plan import Plan

TC = {"base_s": 1800, "inc_s": 10}

HOST_EXTRA_PER_BOARD_S = 10
"""In all at a thousand boards nearly three hours more."""

AGAIN_S = 1.0
"""After this a move that could not be stored is tried again."""

RATE_SHARE = 0.8
"""Of the messages a second that the server takes from one socket."""

END_S = 20.0
"""For all boards to be ended."""


class Watch(Visitor):
    """Somebody who looks whether the exhibition is over: a stranger, who hears of it as late as all do."""

    def __init__(self, plan: Plan, token: str | None, chance: Random) -> None:
        super().__init__(plan, token, chance)
        self._simul = ""

    async def look(self, simul: str) -> None:
        """See the exhibition ``simul``, and hear of it from now on. Raises ``DemoFailed``."""
        self._simul = simul
        if self.is_here:
            await self.settle()
        else:
            await self.come()

    async def settle(self) -> None:
        """After a restart the exhibition may not be loaded yet."""
        if self._simul:
            await self.client.ask("sub", topic=f"simul:{self._simul}")

    def hear(self, message: Message) -> None:
        """A message of the exhibition."""
        kind = message["t"]
        status = message["status"] if kind == "simul" else kind.removeprefix("simul.")
        if status in ("finished", "cancelled"):
            self.over.set()


class Host(Watch):
    """Who announces the exhibition. A person, who plays on his page, hears of nothing here."""

    def __init__(self, plan: Plan, token: str | None, chance: Random) -> None:
        super().__init__(plan, token, chance)
        self._key = f"{chance.getrandbits(64):x}"
        """With it what is asked for again is done once."""

    async def announce(self) -> str:
        """Announce it, once however often this is asked; its id. Raises ``DemoFailed``."""
        await self.come()
        plan = self._plan
        answer = await self.client.ask(
            "simul.create",
            key=f"{self._key}-new",
            name="Demonstration",
            text=f"{plan.boards} scripted participants.",
            game=plan.kind[0],
            variant=plan.kind[1],
            tc=TC,
            mode=plan.mode,
            host_color="alternating",
            host_extra_per_board_s=HOST_EXTRA_PER_BOARD_S,
            max_boards=plan.boards,
            auto_accept=True,
        )
        simul: str = answer["simul"]
        return simul

    async def cancel(self, simul: str) -> None:
        """Call off what has been announced. Raises ``Refused``."""
        await self.client.ask("simul.cancel", simul=simul)


class ScriptedHost(Host):
    """Moves wherever he is to move, one board after the other.

    Args:
        chance: what he plays, too.
    """

    def __init__(self, plan: Plan, token: str | None, chance: Random) -> None:
        super().__init__(plan, token, chance)
        self._boards: dict[int, Message] = {}
        self._kind = plan.kind
        self._at: int | None = None
        self._waiting: deque[int] = deque()
        self._queued: set[int] = set()
        self._news = asyncio.Event()

    async def start(self, simul: str) -> None:
        """Begin, and see all boards; what was begun already is only looked at. Raises ``DemoFailed``."""
        await self.come()
        await self.client.ask("simul.start", key=f"{self._key}-start", simul=simul)
        await self.look(simul)

    async def stay(self) -> None:
        """Play until it is over."""
        rate: int = self.client.welcome["limits"]["rate"]
        pause_s = max(self._plan.host_think_s, 1 / (RATE_SHARE * rate))
        over = asyncio.create_task(self.over.wait(), name="the exhibition's end")
        try:
            while not self.over.is_set():
                await self.come_back()
                board = self._next()
                if board is None:
                    self._news.clear()
                    news = asyncio.create_task(self._news.wait(), name="a board for the host")
                    try:
                        await asyncio.wait((news, over, self.client.closed), return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        news.cancel()
                    continue
                start_s = asyncio.get_running_loop().time()
                await self._move(board)
                await asyncio.sleep(max(0.0, start_s + pause_s - asyncio.get_running_loop().time()))
        finally:
            over.cancel()

    async def end(self) -> None:
        """Give a draw at all boards that are still played."""
        if self.over.is_set() or not self.is_here:
            return
        with suppress(Refused, TimeoutError):
            async with asyncio.timeout(END_S):
                await Patience(self._chance).ask(self._end_boards)
                await self.over.wait()

    async def _end_boards(self) -> None:
        if self.is_here and not self.over.is_set():
            await self.client.ask("simul.end", simul=self._simul, rest="draw")

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
            await self.client.ask("move", g=board["g"], move=move, ply=ply)
        except Refused as error:
            if error.code not in (*LATER, "conflict"):
                return  # the board has gone on; what is told of it says how
            await asyncio.sleep(AGAIN_S)
        if board["ply"] == ply and self._is_waiting(board):
            self._see(board)  # not stored, or not told yet
