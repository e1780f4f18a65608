"""A database's URL that names several servers, of which one at a time may be written to.

asyncpg tries one after the other, all in the time for one connection: a server that answers nothing, as its machine is
gone and nobody says so, would use it up for all that are named after it. So the next is asked while the one before is
still waited for, and the first that may be written to is taken.
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
"""So long one server is waited for until the next is asked, too."""

DEFAULT_PORT = "5432"


class Host(msgspec.Struct, frozen=True):
    """A server: its name, its address or the directory of its socket, and its port."""

    host: str
    port: int


def hosts_of(url: str, environment: Mapping[str, str]) -> list[Host]:
    """The servers that ``url`` names, if they are several and only one that may be written to is wanted; else none."""
    try:
        given = environment_of(url, environment)
    except BadSetting:
        return []  # asyncpg knows what is wrong with it, or that nothing is
    if given.get("PGTARGETSESSIONATTRS") not in ("read-write", "primary"):
        return []
    hosts, ports = given.get("PGHOST", "").split(","), given.get("PGPORT", "").split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    if len(hosts) < 2 or len(ports) != len(hosts) or not all(port.isdecimal() for port in ports if port):
        return []
    return [Host(host, int(port or DEFAULT_PORT)) for host, port in zip(hosts, ports, strict=True)]


async def connect_to_any(url: str, *, timeout: float, **options: Any) -> Connection:  # noqa: ASYNC109  as asyncpg has it
    """``asyncpg.connect``, which see; of several servers the first that may be written to."""
    hosts = hosts_of(url, os.environ)
    if not hosts:
        try:
            return await asyncpg.connect(url, timeout=timeout, **options)
        except FileNotFoundError as error:  # of a socket, which asyncpg does not name
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
    """The connection that is made first. Raises what the last of ``ways`` raises that fails, when all do."""
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
    """Nobody wants what these come to."""
    for task in tasks:
        task.cancel()
    for found in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(found, BaseException):
            found.terminate()
