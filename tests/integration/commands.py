"""The command ``zeitnot`` in its own process, as an operator runs it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.server_process import COMMAND, ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-c", COMMAND, *map(str, arguments)]


async def zeitnot(*arguments: object, environment: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Run a command without a terminal; return exit status, standard output and standard error."""
    done = await asyncio.to_thread(
        subprocess.run,
        command(*arguments),
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr
