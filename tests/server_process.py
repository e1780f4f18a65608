"""A Zeitnot server as users run it: a separate process with a data directory, which tests start, kill and restart."""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

import psutil

from realtime.postgres.embedded import opened_beside
from tests.forked_command import ForkedCommand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from types import TracebackType

ROOT = Path(__file__).parent.parent
COMMAND = "from realtime.commands.cli import main; main()"

CHEAP_HASHES = """\
from argon2.profiles import CHEAPEST
from lobby.accounts.passwords import Hasher
Hasher.__init__.__defaults__ = (CHEAPEST,)
"""
"""``prepare`` for a server that is asked for hundreds of passwords: each takes a tenth of a second, in threads of the
lowest priority."""

NO_PAIR_LIMIT = """\
from lobby.ratings import ratings
ratings.PAIR_LIMIT = 1_000_000
"""
"""``prepare`` for a server on which all rated games of the same two players count."""

START_S = 120.0
"""Timeout for a start. A cold start takes about a second, and has taken half a minute beside a busy suite."""
STOP_S = 15.0
"""SIGTERM takes 5 s at most; the rest is for a machine that is busy with other tests."""


NODES = int(os.environ.get("ZEITNOT_WORKERS") or 1)
"""Number of nodes of each server that does not ask for another number."""

_several: set[str] = set()
"""Addresses of servers with several nodes."""


def is_several(url: str) -> bool:
    """Return whether the server at ``url`` has several nodes, of which a connection reaches any (``--workers``)."""
    return url in _several


class ServerProcess:
    """``zeitnot serve`` on any free port.

    Attributes:
        nodes: number of its nodes: from ``--workers``, else ``NODES``.
        data: its data directory; an embedded PostgreSQL is there, and survives a ``kill9``.
        database: address of the database, if it is not embedded.
        url: ``http://127.0.0.1:PORT`` after the start; it stays the same after a restart.
        log: file to which its stderr is appended.
        process: the running process, or None.
    """

    def __init__(
        self,
        data: Path,
        *arguments: str,
        database: str | None = None,
        environment: Mapping[str, str] | None = None,
        enter: Sequence[str] = (),
        prepare: str = "",
    ) -> None:
        """Set the options.

        Args:
            database: address of its database; None: it starts an embedded PostgreSQL, which takes a second and is for
                tests that kill, stop or fill it.
            enter: a command that runs the server in another namespace.
            prepare: Python that its process runs first.
        """
        self.data = data
        if database is None and "--database" in arguments:
            database = arguments[arguments.index("--database") + 1]
            arguments = tuple(part for part in arguments if part not in ("--database", database))
        database = database or (environment or {}).get("ZEITNOT_DATABASE")
        self.database = database
        self.url = ""
        self.log = data.with_name(data.name + ".log")
        self.process: subprocess.Popen[str] | ForkedCommand | None = None
        self._arguments = arguments
        self._enter = enter
        self._prepare = prepare
        # A server that is given a bus to other nodes is one of several anyway.
        asked = arguments[arguments.index("--workers") + 1] if "--workers" in arguments else None
        self.nodes = int(asked or (1 if "--nats" in arguments else NODES))
        own = {"ZEITNOT_WORKERS": str(self.nodes), "ZEITNOT_NO_ROBOTS": "yes"}
        self._environment = {**os.environ, **own, **(environment or {})}

    @property
    def port(self) -> int:
        """Return the port after the start."""
        return int(self.url.rpartition(":")[2])

    @property
    def metrics_url(self) -> str:
        """Return the address of its ``/metrics``: on a separate port, if it has announced one."""
        found = re.findall(r"metrics are at (http://[\w.:]+)/metrics", self.told())
        return found[-1] if found else self.url

    @property
    def pid(self) -> int:
        """Return the process id of the running server."""
        assert self.process is not None, "the server is not running"
        return self.process.pid

    def start(self) -> str:
        """Start the server and wait until it serves; return its ``url``. After a ``kill9`` it has the same port.

        Raises:
            AssertionError: it stopped, or did not serve in time; the message has its log.
        """
        assert self.process is None, "the server is running already"
        port = str(self.port) if self.url else "0"
        arguments = ["serve", "--port", port, *self.place, *self._arguments]
        if self._enter:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    [*self._enter, sys.executable, "-c", f"{self._prepare}{COMMAND}", *arguments],
                    cwd=ROOT,
                    env=self._environment,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                )
        else:
            self.process = ForkedCommand(
                arguments, directory=ROOT, environment=self._environment, log=self.log, prepare=self._prepare
            )
        self.url = self._first_line()
        if self.nodes > 1:
            _several.add(self.url)
        return self.url

    def kill9(self) -> None:
        """Kill the server, like a crash. Its PostgreSQL keeps running, and the next start adopts it."""
        self._signal(signal.SIGKILL)

    def stop(self) -> int | None:
        """Stop the server as an operator would, with everything it started. Return the exit status; None if it was not
        running."""
        try:
            return self._signal(signal.SIGTERM) if self.process is not None else None
        finally:
            for postgres in self._postgres():
                # Left by a kill9 without a restart, or by a server that did not stop.
                postgres.send_signal(signal.SIGINT)
                postgres.wait(STOP_S)

    def postgres_pid(self) -> int:
        """Return the process id of the embedded PostgreSQL's postmaster, for tests that kill it."""
        give_up_at = time.monotonic() + STOP_S
        # After a fault the server answers as soon as the next PostgreSQL accepts connections, which may be at any
        # moment.
        while not (found := self._postgres()) and time.monotonic() < give_up_at:
            time.sleep(0.01)
        (postgres,) = found
        return postgres.pid

    @property
    def place(self) -> tuple[str, str]:
        """Return the arguments of a command that is to use the same database."""
        return ("--data", str(self.data)) if self.database is None else ("--database", self.database)

    def opened(self) -> AbstractAsyncContextManager[str]:
        """Return the address of its database as a context manager."""
        return opened_beside(self.data, url=self.database)

    def told(self) -> str:
        """Return its log so far."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _signal(self, number: signal.Signals) -> int:
        assert self.process is not None, "the server is not running"
        process, self.process = self.process, None
        process.send_signal(number)
        try:
            return process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"the server did not stop within {STOP_S} s:\n{self.told()}") from None
        finally:
            assert process.stdout is not None
            process.stdout.close()

    def _postgres(self) -> list[psutil.Process]:
        found = []
        for pid_file in self.data.rglob("postmaster.pid"):
            try:
                process = psutil.Process(int(pid_file.read_text().split("\n", 1)[0]))
                if process.name() == "postgres":  # the process id of a stale file may belong to another program
                    found.append(process)
            except (psutil.NoSuchProcess, FileNotFoundError):
                continue
        return found

    def _first_line(self) -> str:
        assert self.process is not None
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            ready = selector.select(START_S)
        line = self.process.stdout.readline().strip() if ready else ""
        if not line.startswith("http://"):
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process = None
            raise AssertionError(f"the server did not start ({line!r}):\n{self.told()}")
        return line

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
        if error is not None:
            error.add_note(f"the server's log:\n{self.told()}")
