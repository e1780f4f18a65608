"""System programs in front of or beside a server."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.missing_requirement import skip_or_fail

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[2]

DEPLOY = ROOT / "deploy"

START_S = 10.0


def program(name: str) -> str:
    """Return the path of a program; without it the test is skipped, and in CI it fails."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        skip_or_fail(f"no {name}: run tests/install-programs as root")
    return found


def free_port() -> int:
    """Return a port on 127.0.0.1 that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def running(command: Sequence[str], *ports: int) -> Iterator[None]:
    """Run a program in the foreground; the block begins once it listens on ``ports``."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + START_S
        while not all(map(_listens, ports)):
            if process.poll() is not None or time.monotonic() > until:
                process.kill()
                raise AssertionError(f"{command[0]} does not start: {process.communicate()[1]}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        try:
            process.communicate(timeout=START_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
