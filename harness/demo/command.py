"""The command ``zeitnot demo simul``: a simul with many scripted participants on a running server."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import AsyncExitStack, suppress
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from harness.demo.errors import DemoFailed
from harness.demo.guests import new_guests
from harness.demo.host import ScriptedHost, SimulHost, SimulSpectator
from harness.demo.options import Tally
from harness.demo.participant import Participant
from harness.demo.retries import Retries

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from harness.demo.options import DemoOptions

    Write = Callable[[str], None]

T = TypeVar("T")

AT_ONCE = 25
"""Sockets opened concurrently: a server accepts some hundreds a second."""

REPORT_EVERY_S = 5.0

OTHER_FILES = 64
"""Files of the process other than participants' sockets."""


async def demonstrate(options: DemoOptions, write: Write, warn: Write) -> int:
    """Run the demonstration; return the exit status.

    Args:
        write: called with each line of output.
        warn: called with each line about a request that had to be retried.

    Raises:
        DemoFailed: it cannot begin, or the server refuses what it needs.
    """
    options.check()
    _raise_file_limit(options.boards + OTHER_FILES)
    async with AsyncExitStack() as stack:
        demo = Demonstration(options, write, warn, stack)
        try:
            async with asyncio.timeout(options.seconds):
                await demo.prepare()
                await demo.play()
        except TimeoutError:
            write(f"the {options.seconds} s are over")
        finally:
            await demo.close()
    return 0


class Demonstration:
    """One demonstration. Its resources are closed with ``stack``."""

    def __init__(self, options: DemoOptions, write: Write, warn: Write, stack: AsyncExitStack) -> None:
        self._options = options
        self._write = write
        self._stack = stack
        self._chance = Random()  # noqa: S311  moves of a demonstration
        self._retries = Retries(self._chance, warn)
        self._tally = Tally()
        self._host: SimulHost | None = None
        """The host of a new simul; None if the simul exists already."""
        self._announced: str | None = None
        self._is_ready = False
        self._watch = SimulSpectator(options, None, self._chance)
        self._participants: list[Participant] = []
        self._playing: list[asyncio.Task[None]] = []

    async def prepare(self) -> None:
        """Create the simul, if needed, and let all clients join. Raises ``DemoFailed``."""
        options = self._options
        by_guest = options.host_plays and options.token is None
        tokens = await new_guests(urlsplit(options.url), options.boards + by_guest, self._retries)
        simul = options.simul or await self._announce(tokens.pop() if by_guest else options.token)
        self._write(f"{options.url}/simul/{simul}")
        if options.simul is not None:
            await self._retries.run(partial(self._watch.subscribe_to, simul))
            await self._watch.is_known.wait()
        variants = self._watch.variants
        self._participants = [
            Participant(options, simul, token, self._chance, self._tally, variants) for token in tokens
        ]
        await self._in_batches(self._connect(participant) for participant in self._participants)
        self._write(f"{options.boards:,} participants are here")
        if isinstance(self._host, ScriptedHost):
            await self._retries.run(partial(self._host.start, simul))
        else:
            self._stack.push_async_callback(self._watch.close)
            await self._retries.run(partial(self._watch.subscribe_to, simul))
            self._write("the host may start it on that page")
        self._is_ready = True

    async def play(self) -> None:
        """Play until all boards are over."""
        watch = self._host if isinstance(self._host, ScriptedHost) else self._watch
        ends: list[asyncio.Future[Any]] = [
            asyncio.create_task(watch.stay_connected(), name="the end of the simul"),
            asyncio.create_task(self._report(), name="tell how far it is"),
            asyncio.gather(*self._playing),
        ]
        try:
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in ends:
                task.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
            self._write(self._tally.summary())

    async def close(self) -> None:
        """Let the scripted host end the remaining boards, and close all sockets. Cancels a simul that was not ready."""
        if self._announced is not None and self._host is not None and not self._is_ready:
            with suppress(DemoFailed):
                await self._host.cancel(self._announced)
        elif isinstance(self._host, ScriptedHost):
            await self._host.end()
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        await asyncio.gather(*(participant.close() for participant in self._participants))

    async def _announce(self, token: str | None) -> str:
        self._host = (ScriptedHost if self._options.host_plays else SimulHost)(self._options, token, self._chance)
        self._stack.push_async_callback(self._host.close)
        self._announced = await self._retries.run(self._host.announce)
        return self._announced

    async def _connect(self, participant: Participant) -> None:
        await self._retries.run(participant.connect)
        self._playing.append(asyncio.create_task(participant.stay_connected(), name="a participant"))

    async def _report(self) -> None:
        for seconds in itertools.count(1):
            await asyncio.sleep(REPORT_EVERY_S)
            self._write(f"{seconds * REPORT_EVERY_S:,.0f} s: {self._tally.summary()}")

    async def _in_batches(self, work: Iterable[Awaitable[T]]) -> None:
        work = iter(work)
        while batch := list(itertools.islice(work, AT_ONCE)):
            await asyncio.gather(*batch)


def _raise_file_limit(needed: int) -> None:
    """Raise the limit of open files. Raises ``DemoFailed``."""
    try:
        import resource
    except ImportError:  # not a Unix: there is no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        if hard != resource.RLIM_INFINITY and hard < needed:
            raise DemoFailed(f"{needed} files are needed and {hard} allowed (ulimit -n); take fewer boards")
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
