"""Streaming replica of a cluster's PostgreSQL, which can be promoted."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from realtime.postgres.account import account_for
from realtime.postgres.binaries import find_binaries
from realtime.postgres.child_processes import end_with_parent
from realtime.postgres.database import FAILURES, connect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from harness.chaos.local_cluster import LocalCluster

NAME = "second"

AGAIN_S = 0.05

SETTINGS = {"wal_level": "replica", "max_wal_senders": "4", "hot_standby": "on", "wal_sender_timeout": "5s"}
"""Settings of a server with a replica."""


class Replica:
    """A replica of the cluster's PostgreSQL; its socket is in the cluster's ``standby``."""

    def __init__(self, cluster: LocalCluster, home: Path) -> None:
        assert cluster.standby is not None
        self.url = f"{cluster.postgres.url.partition('?')[0]}?host={cluster.standby}"
        self._cluster = cluster
        self._home = home
        self._socket = cluster.standby
        self._account = account_for(home)
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, *, synchronous: bool) -> None:
        """Copy the database and follow it. ``synchronous``: a commit waits for the replica's disk."""
        primary = f"host={self._cluster.postgres.socket.parent} user=zeitnot application_name={NAME}"
        data = self._home / "data"
        program = find_binaries().directory / "pg_basebackup"
        copy = await asyncio.create_subprocess_exec(
            program, "-D", data, "-R", "-X", "stream", "-c", "fast", "-d", primary, stdin=asyncio.subprocess.DEVNULL
        )
        assert await copy.wait() == 0
        if self._account is not None:
            for path in (data, *data.rglob("*")):
                os.chown(path, self._account.uid, self._account.gid)
        settings = {"listen_addresses": "", "unix_socket_directories": str(self._socket), "max_connections": "120"}
        await self._spawn(data, {**SETTINGS, **settings})
        await self._until(
            self._cluster.database, "SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming'"
        )
        if synchronous:
            await _execute(self._cluster.database, f"ALTER SYSTEM SET synchronous_standby_names = '{NAME}'")
            await _execute(self._cluster.database, "SELECT pg_reload_conf()")
            query = "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
            await self._until(self._cluster.database, query)

    async def stop(self) -> None:
        """Stop the replica."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGINT)
            await self._process.wait()

    async def promote(self) -> None:
        """Promote the replica to be the database."""
        await _execute(self.url, "SELECT pg_promote()")
        await self._until(self.url, "SELECT NOT pg_is_in_recovery()")

    async def _spawn(self, data: Path, settings: Mapping[str, str]) -> None:
        arguments = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        account = self._account
        self._process = await asyncio.create_subprocess_exec(
            os.readlink(f"/proc/{self._cluster.postgres.pid}/exe"),  # readable for its account
            "-D",
            data,
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            cwd="/",
            user=None if account is None else account.uid,
            group=None if account is None else account.gid,
            extra_groups=None if account is None else [],
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        await self._until(self.url, "SELECT true")

    async def _until(self, url: str, query: str) -> None:
        while True:
            try:
                connection = await connect(url, name="checker")
            except FAILURES:
                is_so = False
            else:
                is_so = await connection.fetchval(query)
                await connection.close()
            if is_so:
                return
            await asyncio.sleep(AGAIN_S)


async def _execute(url: str, statement: str) -> None:
    connection = await connect(url, name="checker")
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@asynccontextmanager
async def replicated(cluster: LocalCluster, home: Path, *, synchronous: bool) -> AsyncIterator[Replica]:
    """Run a replica of ``cluster``'s PostgreSQL."""
    replica = Replica(cluster, home)
    try:
        await replica.start(synchronous=synchronous)
        yield replica
    finally:
        await replica.stop()
