"""Several nodes on one machine and one port: ``zeitnot serve --workers N``.

    this process ─┬─ embedded PostgreSQL, without --database
                  ├─ embedded NATS server, without --nats
                  └─ N servers on one port (SO_REUSEPORT): the kernel distributes connections

A server that dies is restarted, and its games continue at the others. SIGHUP replaces one after the other: a new one
serves before the old one is drained, so its sockets move to servers that stay. That is how a new version is deployed
without an interruption. SIGTERM and SIGINT stop all at once. With an external database SIGTERM drains them first,
because there may be nodes on other machines. All are marked as draining before any of them begins, so that none hands
games to another of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from realtime.journal.nodes import new_node_id
from realtime.net.server import PORT_TAKEN, held_port, shared_socket
from realtime.postgres.child_processes import end_with_parent
from realtime.postgres.database import FAILURES, connect
from realtime.postgres.nats_server import NatsServer
from realtime.wiring.base import opened_database

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from realtime.commands.settings import Settings

RESTART_DELAY_S = 1.0
"""Delay before a dead server is restarted."""

STOP_S = 10.0
"""Time for a server to end when all stop at once; a single one also has the time for draining."""

MARK_S = 2.0
"""Time to mark all servers as about to stop; without the mark they find out from each other, which takes longer."""

_COMMAND = "from realtime.commands.cli import main; main(['serve'], node={!r}, worker={})"

log = logging.getLogger(__name__)


class Worker:
    """One server, restarted whenever it ends by itself, if it has ever served.

    Attributes:
        node: the server's node name in the database, new with each start.
        is_ready: set while it serves.
        failed: its exit status if it has ended without ever serving; it is not restarted then.
    """

    def __init__(self, number: int, environment: Mapping[str, str]) -> None:
        self.number = number
        self.node = new_node_id()
        self.is_ready = asyncio.Event()
        self.failed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._has_served = False
        self.environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._task = asyncio.create_task(self._run(), name=f"worker {number}")

    async def stop(self, number: signal.Signals, within_s: float) -> None:
        """Stop it for good."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._end(number, within_s)

    def hurry(self) -> None:
        """Kill what ends slowly."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)

    async def begin(self) -> bool:
        """Wait until it serves; False if it does not start."""
        ready = asyncio.create_task(self.is_ready.wait())
        waited: list[asyncio.Future[Any]] = [ready, self.failed]
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
        return not self.failed.done()

    async def _run(self) -> None:
        while True:
            self.node = new_node_id()
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                _COMMAND.format(self.node, self.number),
                env=dict(self.environment),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # a terminal's Ctrl-C reaches only this process
                preexec_fn=end_with_parent,
            )
            assert process.stdout is not None, "it is a pipe"
            if await process.stdout.readline():
                self.is_ready.set()
                self._has_served = True
            status = await process.wait()
            self.is_ready.clear()
            if not self._has_served:
                self.failed.set_result(status)
                return
            log.warning("server %d has ended (status %d); it is started again", self.number, status)
            await asyncio.sleep(RESTART_DELAY_S)

    async def _end(self, number: signal.Signals, within_s: float) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)
        try:
            async with asyncio.timeout(within_s):
                await process.wait()
        except TimeoutError:
            log.warning("server %d does not end; it is killed", self.number)
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def serve_workers(settings: Settings, on_ready: Callable[[str], None]) -> int:
    """Run ``settings.workers`` servers until SIGTERM or SIGINT; return the exit status.

    Args:
        on_ready: called with their URL when all serve.
    """
    stopping, renewing = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    workers: list[Worker] = []
    received = signal.SIGINT

    def stop(number: signal.Signals) -> None:
        nonlocal received
        if not stopping.is_set():
            received = number
        elif number == signal.SIGINT != received:
            received = number
            for worker in workers:
                worker.hurry()
        stopping.set()

    async def stop_all() -> None:
        # With an embedded database there are no nodes elsewhere.
        patient = received == signal.SIGTERM and settings.database is not None
        within_s = STOP_S + (settings.drain_seconds if patient else 0)
        number = signal.SIGTERM if patient else signal.SIGINT
        if patient:
            await _mark(url, [worker.node for worker in workers])
        await asyncio.gather(*(worker.stop(number, within_s) for worker in workers))

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    loop.add_signal_handler(signal.SIGHUP, renewing.set)
    async with contextlib.AsyncExitStack() as stack:
        url, alone = await stack.enter_async_context(opened_database(settings, nodes=settings.workers))
        if alone:
            await _forget_nodes(url)
        nats = settings.nats
        if nats is None:
            nats = (await stack.enter_async_context(NatsServer())).url
        # Held as long as we run: nobody else can take the port between two servers.
        try:
            hold = shared_socket if settings.share_port else held_port
            held = stack.enter_context(hold(settings.host, settings.port))
        except OSError as error:
            log.error("%s:%d: %s", settings.host, settings.port, error)  # noqa: TRY400  a user's to mend
            return PORT_TAKEN
        port = held.getsockname()[1]
        environment = {
            **{name: text for name, text in os.environ.items() if name != "ZEITNOT_DATA"},
            **_given(settings),
            "ZEITNOT_DATABASE": url,
            "ZEITNOT_NATS": nats,
            "ZEITNOT_PORT": str(port),
            "ZEITNOT_SHARE_PORT": "yes",
            "ZEITNOT_WORKERS": "1",
            "ZEITNOT_NO_ROBOTS": "yes",  # their process runs beside this one
            "ZEITNOT_TOKEN_FILE": str(settings.robots_token or ""),
        }
        of_each = [{"ZEITNOT_METRICS_PORT": str(port)} for port in settings.metrics_ports] or [{}] * settings.workers
        workers += [Worker(number, environment | own) for number, own in enumerate(of_each, start=1)]
        stack.push_async_callback(stop_all)
        stopped = asyncio.create_task(stopping.wait())
        ready = asyncio.create_task(_all_ready(workers))
        failures = [worker.failed for worker in workers]
        waited: list[asyncio.Future[Any]] = [stopped, ready, *failures]
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        failed = next((failure.result() for failure in failures if failure.done()), None)
        if failed is not None and not stopping.is_set():
            log.error("a server does not start (status %d): all stop", failed)
            stopping.set()
        if not stopping.is_set():
            host = f"[{settings.host}]" if ":" in settings.host else settings.host
            on_ready(f"http://{host}:{port}")
        renew = asyncio.create_task(_renew(workers, renewing, settings.drain_seconds))
        await stopped
        for task in (ready, renew):
            task.cancel()
        await asyncio.gather(ready, renew, return_exceptions=True)
    if failed is None:
        return 0
    return failed if failed > 0 else 1


async def _all_ready(workers: list[Worker]) -> None:
    for worker in workers:
        await worker.is_ready.wait()


async def _renew(workers: list[Worker], renewing: asyncio.Event, drain_seconds: float) -> None:
    while True:
        await renewing.wait()
        renewing.clear()
        for old in list(workers):
            log.info("server %d is replaced", old.number)
            new = Worker(old.number, old.environment)
            workers.append(new)
            if not await new.begin():
                log.error(
                    "server %d: the new one does not start (status %d); the old one stays",
                    old.number,
                    new.failed.result(),
                )
                workers.remove(new)
                break
            await old.stop(signal.SIGTERM, drain_seconds + STOP_S)
            workers.remove(old)
        else:
            log.info("all servers have been replaced")


async def _mark(url: str, nodes: list[str]) -> None:
    """Announce to all nodes that ours are about to stop."""
    try:
        async with asyncio.timeout(MARK_S):
            connection = await connect(url, name="zeitnot workers")
            try:
                await connection.execute("UPDATE node SET is_draining = true WHERE id = ANY ($1::text[])", nodes)
            finally:
                connection.terminate()
    except FAILURES as error:
        log.warning("the servers could not be told that all of them are stopping: %r", error)


async def _forget_nodes(url: str) -> None:
    """Delete all node rows of an embedded database: they belong to dead nodes."""
    connection = await connect(url, name="zeitnot workers")
    try:
        await connection.execute("UPDATE node SET expires_at = now() WHERE expires_at > now()")
    finally:
        await connection.close()


def _given(settings: Settings) -> dict[str, str]:
    """Return our own settings for the servers."""
    return {f"ZEITNOT_{name.upper()}": text for name, text in settings.texts.items() if name != "data"}
