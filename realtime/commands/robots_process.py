"""The process ``zeitnot robots``. Beside a server it is started when the server serves, restarted when it ends, and
stopped with it. The server goes on without it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from realtime.commands.service_token import read_service_token
from realtime.postgres.child_processes import end_with_parent
from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from realtime.commands.settings import RobotsSettings, Settings

FIRST_PAUSE_S = 1.0

MAX_PAUSE_S = 30.0
"""The pause before a restart doubles from the first to this one ..."""

HEALTHY_S = 60.0
"""... and begins again after a run of this time."""

STOP_S = 5.0

BAD_SETTINGS = 2
"""Exit status after an error that only the operator can fix."""

_COMMAND = "from realtime.commands.cli import main; main()"

log = logging.getLogger(__name__)


def play(settings: RobotsSettings) -> int:
    """Be that process, until a signal ends it. Returns the exit status. Raises ``BadSetting``."""
    from lobby.robots.robot_accounts import robot_tokens
    from robots.jobs import RobotError
    from robots.process import RobotsOptions, run_robots

    read_service_token(settings.token_file)  # a wrong file ends it at once

    def tokens() -> dict[int, str]:
        try:
            return robot_tokens(read_service_token(settings.token_file))
        except BadSetting as error:
            raise RobotError(str(error)) from error

    options = RobotsOptions(
        url=settings.server,
        tokens=tokens,
        engine=settings.engine,
        hub_engine=settings.hub_engine,
        slots=settings.engine_slots,
    )
    return asyncio.run(run_robots(options))


class RobotsProcess:
    """``async with RobotsProcess(settings) as robots: ... robots.start(url)``.

    Without a service token, or with ``--no-robots``, it does nothing.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(STOP_S):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def start(self, url: str) -> None:
        """Start the process for the server at ``url``, and watch it."""
        token_file = self._settings.robots_token
        if self._settings.no_robots:
            return
        if token_file is None:
            log.info("no robots play: with --database they need a --token-file")
            return
        self._task = asyncio.create_task(self._run(_arguments(self._settings, url, token_file)), name="watch robots")

    async def _run(self, arguments: list[str]) -> None:
        loop, pause_s = asyncio.get_running_loop(), FIRST_PAUSE_S
        environment = {name: text for name, text in os.environ.items() if not name.startswith("ZEITNOT_")}
        while True:
            began_s = loop.time()
            try:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-c",
                    _COMMAND,
                    *arguments,
                    env=environment,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.DEVNULL,
                    start_new_session=True,  # a terminal's Ctrl-C reaches only this process
                    preexec_fn=end_with_parent,
                )
                status = await self._process.wait()
            except OSError as error:
                log.warning("the process of the robots cannot be started: %s", error)
                status = 1
            if status == BAD_SETTINGS:
                log.error("no robots play: their process cannot use its settings")
                return
            if loop.time() - began_s >= HEALTHY_S:
                pause_s = FIRST_PAUSE_S
            log.warning("the process of the robots has ended (status %d); it is started again", status)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, MAX_PAUSE_S)


def _arguments(settings: Settings, url: str, token_file: Path) -> list[str]:
    options = {
        "--server": _own_address(url),
        "--token-file": str(token_file),
        "--engine": settings.engine,
        "--hub-engine": settings.hub_engine,
        "--engine-slots": settings.engine_slots,
        "--log-format": settings.log_format,
        "--log-level": settings.log_level,
    }
    return ["robots", *(part for name, text in options.items() if text is not None for part in (name, str(text)))]


def _own_address(url: str) -> str:
    """Return the address at which this machine reaches a server that listens at ``url``."""
    host = urlsplit(url).hostname
    return url.replace("0.0.0.0", "127.0.0.1", 1) if host == "0.0.0.0" else url.replace("[::]", "[::1]", 1)  # noqa: S104  compared only
