"""Connections to a database URL with several servers, only one of which is writable at a time.

asyncpg tries them one after the other within a single timeout: a server whose machine is gone without a reset would use
it up. Here the next server is tried while the previous one is still pending, and the first writable one is taken.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

import asyncpg
import msgspec

from realtime.postgres.libpq_environment import environment_of
from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    Connection = asyncpg.Connection[asyncpg.Record]

NEXT_S = 0.5
"""How long one server is waited for before the next is tried as well."""

DEFAULT_PORT = "5432"


class Host(msgspec.Struct, frozen=True):
    """A server: its name, its address or the directory of its socket, and its port."""

    host: str
    port: int


def hosts_of(url: str, environment: Mapping[str, str]) -> list[Host]:
    """Return the servers of ``url``, if there are several and a writable one is wanted; else none."""
    try:
        given = environment_of(url, environment)
    except BadSetting:
        return []  # asyncpg reports what is wrong with it
    if given.get("PGTARGETSESSIONATTRS") not in ("read-write", "primary"):
        return []
    hosts, ports = given.get("PGHOST", "").split(","), given.get("PGPORT", "").split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    if len(hosts) < 2 or len(ports) != len(hosts) or not all(port.isdecimal() for port in ports if port):
        return []
    return [Host(host, int(port or DEFAULT_PORT)) for host, port in zip(hosts, ports, strict=True)]


async def connect_to_any(url: str, *, timeout: float, **options: Any) -> Connection:  # noqa: ASYNC109  as asyncpg has it
    """Connect like ``asyncpg.connect``; of several servers to the first writable one."""
    hosts = hosts_of(url, os.environ)
    if not hosts:
        try:
            return await asyncpg.connect(url, timeout=timeout, **options)
        except FileNotFoundError as error:  # a missing socket, which asyncpg does not name
            raise ConnectionError(f"no PostgreSQL listens there: {error.strerror}: {_socket_of(url)}") from error
    ways = [partial(asyncpg.connect, url, host=host.host, port=host.port, timeout=timeout, **options) for host in hosts]
    async with asyncio.timeout(timeout):
        return await first_of(ways)


def _socket_of(url: str) -> str:
    try:
        given = environment_of(url, os.environ)
    except BadSetting:
        return "its socket"
    return f"{given.get('PGHOST', '')}/.s.PGSQL.{given.get('PGPORT', DEFAULT_PORT)}"


async def first_of(ways: Sequence[Callable[[], Awaitable[Connection]]]) -> Connection:
    """Return the first connection. If all fail, raise the error of the last of ``ways`` to fail."""
    waiting = deque(ways)
    tasks: set[asyncio.Task[Connection]] = set()
    error: BaseException | None = None
    try:
        while waiting or tasks:
            if waiting:
                tasks.add(asyncio.ensure_future(waiting.popleft()()))
            done, _ = await asyncio.wait(
                tasks, timeout=NEXT_S if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                tasks.discard(task)
                error = task.exception()
                if error is None:
                    return task.result()
                if not isinstance(error, asyncpg.PostgresError | asyncpg.InternalClientError | OSError):
                    raise error
    finally:
        await _end(tasks)
    assert error is not None, "none was made"
    raise error


async def _end(tasks: set[asyncio.Task[Connection]]) -> None:
    """Cancel the remaining attempts."""
    for task in tasks:
        task.cancel()
    for found in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(found, BaseException):
            found.terminate()
