"""A node of a local cluster: one server process, with a link each to the database and to NATS."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.chaos.breakable_link import HERE
from harness.chaos.errors import Violation
from realtime.postgres.child_processes import end_with_parent

if TYPE_CHECKING:
    from pathlib import Path

    from harness.chaos.breakable_link import BreakableLink

READY_S = 90.0
"""Timeout for a node to serve; usually it takes a second."""

STOP_S = 30.0

_NAMED = re.compile(r"this node is (node-\w+)")

_COMMAND = "from realtime.commands.cli import main; main()"


@dataclass(frozen=True)
class NetworkNamespace:
    """A network namespace of a node.

    Attributes:
        enter: command prefix that enters it.
        servers: address of this machine there, for database and NATS.
        address: of the node, for its clients.
    """

    enter: tuple[str, ...]
    servers: str
    address: str


class LocalNode:
    """One server process and its two links.

    Attributes:
        host: its address for clients.
        port: its port, the same after every restart.
        starts: number of starts.
        is_paused: it was stopped by SIGSTOP.
    """

    def __init__(
        self,
        number: int,
        log: Path,
        database: BreakableLink,
        nats: BreakableLink,
        environment: dict[str, str],
        place: NetworkNamespace | None = None,
        prepare: str = "",
    ) -> None:
        """``prepare``: Python that its process runs first."""
        self.number = number
        self.host = HERE if place is None else place.address
        self.log = log
        self.database = database
        self.nats = nats
        self.port = 0
        self.starts = 0
        self.is_paused = False
        self._environment = environment
        self._enter = () if place is None else place.enter
        self._prepare = prepare
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        """Its own URL, past the balancer."""
        return f"http://{self.host}:{self.port}"

    @property
    def id(self) -> str:
        """Its node id since its last start."""
        *_, last = _NAMED.finditer(self.read_log())
        return last.group(1)

    @property
    def pid(self) -> int:
        """Process id."""
        assert self._process is not None, "it was started"
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Exit status of its process; None while it runs."""
        return None if self._process is None else self._process.returncode

    def read_log(self) -> str:
        """Return its log, over all its starts."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    @property
    def is_up(self) -> bool:
        """Whether its process runs, paused or not."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start the process, and wait until it serves. Raises ``Violation`` if it does not."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._enter,
                sys.executable,
                "-c",
                self._prepare + _COMMAND,
                "serve",
                env={**self._environment, "ZEITNOT_PORT": str(self.port)},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )
        self.starts += 1
        assert self._process.stdout is not None, "it is a pipe"
        try:
            async with asyncio.timeout(READY_S):
                line = (await self._process.stdout.readline()).decode()
        except TimeoutError:
            line = ""
        if not line.startswith("http://"):
            raise Violation(f"node {self.number} does not start ({line!r}):\n{self.read_log()}")
        self.port = int(line.rpartition(":")[2])

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it runs."""
        if self.is_up and self._process is not None:
            self._process.send_signal(number)
            self.is_paused = number == signal.SIGSTOP or (self.is_paused and number != signal.SIGCONT)

    async def ended(self) -> None:
        """Wait for the end of the process. Raises ``Violation`` if it does not end."""
        if self._process is None:
            return
        try:
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
        except TimeoutError as error:
            self._process.kill()
            raise Violation(f"node {self.number} does not stop within {STOP_S:.0f} s") from error
