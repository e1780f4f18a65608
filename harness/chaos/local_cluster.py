"""Cluster on this machine whose parts can all be broken: PostgreSQL, NATS, nodes, and the links between them.

clients ─► balancer ─┬─► node 1 ─┬─ link ─► PostgreSQL
                     ├─► node 2 ─┤
                     └─► node 3 ─┴─ link ─► NATS
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

import psutil

from harness.chaos.breakable_link import HERE, BreakableLink
from harness.chaos.league import LIMITS
from harness.chaos.local_node import LocalNode
from realtime.postgres.embedded import EmbeddedPostgres
from realtime.postgres.migrate import migrate
from realtime.postgres.nats_server import NatsServer

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping
    from types import TracebackType

    from harness.chaos.breakable_link import Streams
    from harness.chaos.local_node import NetworkNamespace

NOTICE_S = 1
"""Notice period of a node before it drains. It is short because the balancer ignores the notice."""

DRAIN_S = 6

SOCKET = ".s.PGSQL.5432"
"""Name of PostgreSQL's Unix socket in a directory."""


class LocalCluster:
    """``async with LocalCluster(nodes=3, chance=…) as cluster``: all nodes serve.

    Attributes:
        url: of the balancer, which connects each client to any node that accepts.
        database: URL of the database, past all links.
        nodes: all nodes.
        nats: the NATS server.
        postgres: the database server.
        standby: directory of the socket of a second database server that the nodes also connect to; the caller provides
            it.
    """

    def __init__(
        self,
        *,
        nodes: int,
        chance: random.Random,
        directory: Path | None = None,
        standby: Path | None = None,
        settings: Mapping[str, str] | None = None,
        places: Mapping[int, NetworkNamespace] | None = None,
        direct: bool = False,
        one_port: bool = True,
        prepare: str = "",
    ) -> None:
        """Set the options.

        Args:
            settings: of the database server, to override the usual ones.
            places: network namespaces of nodes, by number.
            direct: without links and balancer, which cost CPU time. The nodes share a port, and the kernel distributes
                connections. Without ``one_port`` each has its own, and ``url`` is the first one's.
            prepare: Python that each node runs first.
        """
        self._direct = direct
        self._one_port = direct and one_port
        self._places = places or {}
        self.standby = standby
        self._settings = settings
        self._prepare = prepare
        self._chance = chance
        self._count = nodes
        self._stack = contextlib.AsyncExitStack()
        self._directory = directory
        self.url = ""
        self.nodes: list[LocalNode] = []
        self.nats = NatsServer()
        self.postgres: EmbeddedPostgres

    @property
    def database(self) -> str:
        """Its URL, past all links."""
        return self.postgres.url

    async def __aenter__(self) -> Self:
        stack = self._stack
        try:
            home = self._directory or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="zeitnot-chaos-")))
            home.chmod(0o755)  # started by root, PostgreSQL runs under another account
            self.postgres = EmbeddedPostgres(home / "data", nodes=self._count + 1, settings=self._settings)
            await stack.enter_async_context(self.postgres)
            await migrate(self.postgres.url)
            await stack.enter_async_context(self.nats)
            for number in range(1, self._count + 1):
                self.nodes.append(await self._make(number, home))
            stack.push_async_callback(self._stop)
            if self._one_port:
                await self._start_on_one_port()
            else:
                await asyncio.gather(*(node.start() for node in self.nodes))
            if self._direct:
                self.url = self.nodes[0].url
            else:
                balancer = await stack.enter_async_context(BreakableLink(self._any_node))
                self.url = balancer.url
        except BaseException:
            await stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def heal(self) -> None:
        """Restore every link, and wait until every node serves."""
        for node in self.nodes:
            for link in (node.database, node.nats):
                link.plug()
                link.flow()
            node.signal(signal.SIGCONT)
        await asyncio.gather(*(node.start() for node in self.nodes if not node.is_up))

    @contextlib.contextmanager
    def postgres_suspended(self) -> Iterator[None]:
        """Suspend all of PostgreSQL's processes."""
        parent = psutil.Process(self.postgres.pid)
        parent.suspend()  # first, because it would start new ones
        processes = [parent, *parent.children(recursive=True)]
        try:
            for process in processes:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.suspend()
            yield
        finally:
            for process in reversed(processes):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.resume()

    async def _make(self, number: int, home: Path) -> LocalNode:
        path, place = Path(self.postgres.socket), self._places.get(number)
        servers = HERE if place is None else place.servers
        directory = home / f"db{number}"
        directory.mkdir()
        database = BreakableLink(
            lambda: asyncio.open_unix_connection(path), directory / SOCKET if place is None else None, servers
        )
        await self._stack.enter_async_context(database)
        nats = await self._stack.enter_async_context(BreakableLink(self.nats.port, host=servers))
        environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith("ZEITNOT_")},
            "ZEITNOT_HOST": HERE if place is None else place.address,
            "ZEITNOT_DATABASE": self._address(quote(str(directory)) if place is None else servers, database.port),
            "ZEITNOT_NATS": self.nats.url.replace(f"{HERE}:{self.nats.port}", f"{servers}:{nats.port}"),
            "ZEITNOT_LIMIT": LIMITS,
            "ZEITNOT_NOTICE_SECONDS": str(NOTICE_S),
            "ZEITNOT_DRAIN_SECONDS": str(DRAIN_S),
        }
        if self._direct:
            environment["ZEITNOT_DATABASE"] = self._address(quote(str(path.parent)), 0)
            environment["ZEITNOT_NATS"] = self.nats.url
        if self._one_port:
            environment["ZEITNOT_SHARE_PORT"] = "yes"
        return LocalNode(number, home / f"node{number}.log", database, nats, environment, place, self._prepare)

    def _address(self, host: str, port: int) -> str:
        """Return how a node reaches the database at ``host``, a directory with a socket or an address with a port, or
        the standby after its promotion."""
        address = self.postgres.url.partition("?")[0] + f"?host={host}"
        if port:
            return f"{address}&port={port}"
        return (
            address if self.standby is None else f"{address},{quote(str(self.standby))}&target_session_attrs=read-write"
        )

    async def _start_on_one_port(self) -> None:
        first, *others = self.nodes
        await first.start()
        for node in others:
            node.port = first.port
            await node.start()

    async def _any_node(self) -> Streams:
        """Connect to any node, like a balancer that only checks whether the port is open."""
        for node in self._chance.sample(self.nodes, len(self.nodes)):
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(node.host, node.port)
        raise ConnectionRefusedError("no node listens")

    async def _stop(self) -> None:
        for node in self.nodes:
            node.signal(signal.SIGCONT)
            node.signal(signal.SIGINT)
        await asyncio.gather(*(node.ended() for node in self.nodes))
