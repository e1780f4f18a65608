"""A solver process and the queue of its questions.

A process that dies is restarted and asked the same question once more.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from realtime.games.chances.solver_worker import Question, SolverReply

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable, Sequence

    from game_core.color import Color
    from game_core.rules import Finding

    Done = Callable[["Answer"], None]

Answer = Literal["yes", "no", "undecided", "none"]
"""Answer to a question; ``none``: no solver could be asked."""

TRIES = 2
"""Attempts for each question. A dead process gets one more; a question that kills processes kills two at most."""

RESTART_MIN_S = 0.1
RESTART_MAX_S = 30.0
"""Longest delay before a process is restarted after a failed question."""

STOP_S = 1.0
"""Time for a killed process to exit."""

log = logging.getLogger(__name__)


class Key(NamedTuple):
    """A question: whether ``color`` can win from a position."""

    game: str
    variant: str
    identity: str
    color: Color
    profile: str = "online"


class LaneTerms(NamedTuple):
    """Settings of a lane."""

    name: str
    nodes: int
    """Most positions of one search."""
    most_waiting: int
    """Length of the queue. When it is full, a further question gets no answer; an urgent one displaces a waiting
    one."""
    niceness: int
    """Niceness of the process: 0 has the priority of the server, 19 the lowest."""
    answer_s: float
    """A process without an answer for this long counts as stuck: ten times the longest search."""


class SolverLane:
    """A queue and its process, which answers one question at a time.

    Args:
        command: starts the process.
        found: called with each result, None if the process could not be asked, and the seconds that it took; returns
            the answer.
    """

    def __init__(
        self, terms: LaneTerms, command: Sequence[str], found: Callable[[Key, LaneTerms, Finding | None, float], Answer]
    ) -> None:
        self.terms = terms
        self._command = command
        self._found = found
        self._loop = asyncio.get_running_loop()
        self._waiting: OrderedDict[Key, list[Done]] = OrderedDict()
        """Questions in order of arrival, including the one being asked."""
        self._current: Key | None = None
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Return the id of the process; None if it does not run."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    def put(self, key: Key, done: Done, *, first: bool, modest: bool) -> None:
        """Queue a question; see ``SolverPool.query``. ``first``: before all that wait."""
        waiting = self._waiting.get(key)
        if waiting is not None:
            waiting.append(done)
            if first:
                self._waiting.move_to_end(key, last=False)
        elif self._closed or (modest and self._waiting) or not self._has_room(first=first):
            self._loop.call_soon(self._finish, key, [done], None, 0.0)
        else:
            self._waiting[key] = [done]
            if first:
                self._waiting.move_to_end(key, last=False)
            self._wake.set()
            self.begin()

    def forget(self, key: Key, done: Done) -> None:
        """Withdraw a question."""
        waiting = self._waiting.get(key, [])
        if done in waiting:
            waiting.remove(done)
            if not waiting and key != self._current:
                del self._waiting[key]

    def _has_room(self, *, first: bool) -> bool:
        """Return whether the queue has room for one more. A question that goes first displaces the last one."""
        if len(self._waiting) < self.terms.most_waiting:
            return True
        last = next(reversed(self._waiting))
        if not first or last == self._current:
            return False
        self._loop.call_soon(self._finish, last, self._waiting.pop(last), None, 0.0)
        return True

    def begin(self) -> None:
        """Start the worker task unless it runs."""
        if self._task is None and not self._closed:
            self._task = asyncio.create_task(self._run(), name=f"verdicts on {self.terms.name}")

    async def close(self) -> None:
        """End the process. Waiting questions get no answer."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._end_process()
        # No callback: the waiting commands are decided after the next start of the server, not without an answer.
        self._waiting.clear()

    async def _run(self) -> None:
        again_s = RESTART_MIN_S
        with suppress(OSError):
            # If this fails, the first question reports why.
            await self._started()
        while True:
            await self._wake.wait()
            if not self._waiting:
                self._wake.clear()
                continue
            key = self._current = next(iter(self._waiting))
            began = self._loop.time()
            try:
                finding = await self._answered(key)
            except Exception:
                log.exception("deciding whether a side can win failed with an internal error")
                finding = None
            self._current = None
            self._finish(key, self._waiting.pop(key), finding, self._loop.time() - began)
            if finding is not None:
                again_s = RESTART_MIN_S
                continue
            await asyncio.sleep(again_s)
            again_s = min(2 * again_s, RESTART_MAX_S)

    async def _answered(self, key: Key) -> Finding | None:
        for _ in range(TRIES):
            finding = await self._examine(key)
            if finding is not None:
                return finding
            await self._end_process()
        return None

    async def _examine(self, key: Key) -> Finding | None:
        """Return the finding of the process; None if it cannot be started, dies, is stuck or reports a fault."""
        question = Question(key.game, key.variant, key.identity, key.color, self.terms.nodes, key.profile)
        try:
            process = await self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(msgspec.json.encode(question) + b"\n")
            async with asyncio.timeout(self.terms.answer_s):
                line = await process.stdout.readline()
            reply = msgspec.json.decode(line, type=SolverReply)
        except (OSError, TimeoutError, msgspec.DecodeError) as error:
            why = "gone" if isinstance(error, msgspec.DecodeError) else f"{type(error).__name__} {error}"
            log.warning("solver process: %s", why, extra={"fen": key.identity})
            return None
        if reply.finding is None:
            log.error("it could not be decided whether a side can win:\n%s", reply.fault, extra={"fen": key.identity})
        return reply.finding

    async def _started(self) -> Process:
        if self._process is not None and self._process.returncode is not None:
            await self._end_process()
        if self._process is None:
            # In a session of its own: Ctrl-C in a terminal must reach the server only.
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self._process.pid, self.terms.niceness)
        return self._process

    async def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await process.wait()

    def _finish(self, key: Key, waiting: list[Done], finding: Finding | None, took_s: float) -> None:
        answer = self._found(key, self.terms, finding, took_s)
        for done in waiting:
            try:
                done(answer)
            except Exception:
                log.exception("applying a verdict failed")
