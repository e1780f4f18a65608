"""Delivery of the simul's decisions to the tables of its boards, in order for each board.

If a game refuses a command, the command came too late and is dropped; only refused extra time must be reported back. A
command that cannot be stored now is retried until it can.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from game_core.commands import GiveTime
from game_core.decide import decide
from game_core.errors import Refusal
from lobby.errors import Unavailable
from lobby.ids import new_id
from realtime.games.pending_command import PendingCommand
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from simul.decide import Send
    from simul.state import Simul

RETRY_INTERVAL_S = 1.0
"""Interval between two attempts to store a command."""

AT_ONCE = 50
"""Commands decided in one batch, without yielding to the loop: a break at a thousand boards takes twenty batches of
some milliseconds each.
"""

log = logging.getLogger(__name__)


class CommandBatch:
    """The commands of one decision."""

    def __init__(self, left: int, carried_out: asyncio.Future[None]) -> None:
        self._left = left
        self._carried_out = carried_out

    def less(self, count: int) -> None:
        """Record that ``count`` more were executed or refused."""
        self._left -= count
        if not self._left and not self._carried_out.done():
            self._carried_out.set_result(None)


class BoardCommand(NamedTuple):
    """A command for a board, with its own idempotency key."""

    send: Send
    key: str
    batch: CommandBatch


class BoardOutbox:
    """The outbox of one simul."""

    def __init__(self, state: Simul, tables: Tables, on_refused: Callable[[int, GiveTime], None]) -> None:
        """``on_refused``: called when the game at a board has refused extra time."""
        self._state = state
        self._on_refused = on_refused
        self._tables = tables
        self._waiting: dict[int, deque[BoardCommand]] = {}
        """By board; the first command of each is under way."""
        self._timers: set[asyncio.TimerHandle] = set()
        self._loads: set[asyncio.Task[None]] = set()
        self.closed = False

    def check(self, sends: Iterable[Send]) -> None:
        """Check whether the games would accept the extra time in their current state. Raises ``Refused``."""
        for send in sends:
            table = self._tables.peek(self._state.boards[send.board - 1].game)
            if isinstance(send.command, GiveTime) and table is not None:
                decide(table.game, send.command, self._tables.now_ms())

    def send(self, sends: Sequence[Send]) -> asyncio.Future[None]:
        """Deliver these after earlier commands of the same boards. The future is done when all have been executed or
        refused.
        """
        carried_out: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        batch = CommandBatch(len(sends), carried_out)
        batch.less(0)
        first: deque[int] = deque()
        for send in sends:
            queue = self._waiting.setdefault(send.board, deque())
            if not queue:
                first.append(send.board)
            queue.append(BoardCommand(send, new_id(), batch))
        self._go_all(first)
        return carried_out

    def close(self) -> None:
        """Stop sending."""
        self.closed = True
        for timer in self._timers:
            timer.cancel()
        for task in self._loads:
            task.cancel()

    def _go_all(self, boards: deque[int]) -> None:
        """Send the first command of each of these boards in batches, yielding to the loop between them."""
        for _ in range(min(AT_ONCE, len(boards))):
            self._go(boards.popleft())
        if boards:
            asyncio.get_running_loop().call_soon(self._go_all, boards)

    def _go(self, board: int) -> None:
        """Send the first command of ``board``."""
        if self.closed:
            return
        table = self._tables.peek(self._state.boards[board - 1].game)
        if table is not None and table.epoch is not None:
            self._submit(board, table)
            return
        task = asyncio.create_task(self._load(board), name=f"board {board} of {self._state.id}")
        self._loads.add(task)
        task.add_done_callback(self._loads.discard)

    async def _load(self, board: int) -> None:
        try:
            table = await self._tables.own(self._state.boards[board - 1].game)
        except (Refusal, *FAILURES):
            self._again(board)
        except Exception:
            log.exception("a board could not be loaded", extra={"simul": self._state.id, "board": board})
            self._again(board)
        else:
            self._submit(board, table)

    def _submit(self, board: int, table: Table) -> None:
        send, key, batch = self._waiting[board][0]
        is_answered = False

        def done(outcome: Any) -> None:
            nonlocal is_answered
            if is_answered:
                return
            is_answered = True
            if isinstance(outcome, Unavailable):
                self._again(board)
                return
            if isinstance(outcome, Refusal) and isinstance(send.command, GiveTime):
                self._on_refused(board, send.command)
            batch.less(1)
            queue = self._waiting[board]
            queue.popleft()
            if not queue:
                del self._waiting[board]
            else:
                self._go(board)

        # Extra time must be given once: the retry has the key of the first attempt.
        gives = isinstance(send.command, GiveTime)
        table.submit(
            PendingCommand(
                command=send.command,
                received_ms=self._tables.now_ms(),
                user=self._state.host.id if gives else None,
                key=key if gives else None,
                request="simul.edit" if gives else "",
                answer=done,
            )
        )

    def _again(self, board: int) -> None:
        if self.closed:
            return

        def go() -> None:
            self._timers.discard(timer)
            self._go(board)

        timer = asyncio.get_running_loop().call_later(RETRY_INTERVAL_S, go)
        self._timers.add(timer)
