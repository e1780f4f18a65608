"""Connections of a vanished machine, closed by PostgreSQL's keepalives."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from realtime.postgres.child_processes import end_with_parent
from realtime.postgres.database import connect
from realtime.postgres.embedded import EmbeddedPostgres
from tests.faults.own_network import NETWORKS, OwnNetwork, own_network
from tests.realtime.until import until
from tests.server_process import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow("a network of its own")

GONE_S = 60.0
"""By default PostgreSQL would notice after two hours. It is set to notice within 11 s."""

CLIENT = """
import asyncio, sys
from realtime.postgres.database import connect

async def main():
    idle, busy, tied = [await connect(sys.argv[1], name=name) for name in ("idle", "busy", "tied")]
    await tied.execute("BEGIN; LOCK TABLE pg_catalog.pg_description IN SHARE MODE")
    asking = asyncio.ensure_future(busy.fetchval("SELECT repeat('x', 100000) FROM pg_sleep(2)"))
    await asyncio.sleep(0.5)
    print("connected", flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""
"""One connection that waits to be asked, one with an answer on its way, one with a lock."""


@pytest.fixture
def network() -> Iterator[OwnNetwork]:
    with own_network() as network:
        yield network


@pytest.fixture
def home() -> Iterator[Path]:
    """A directory that PostgreSQL's account may read."""
    with tempfile.TemporaryDirectory(prefix="zeitnot-") as name:
        path = Path(name)
        path.chmod(0o755)
        (path / "hba").write_text(f"local all all trust\nhost all all {NETWORKS} trust\n", encoding="utf-8")
        yield path


async def test_connections_of_a_vanished_machine_are_closed(home: Path, network: OwnNetwork) -> None:
    host = network.place.servers
    async with EmbeddedPostgres(
        home / "data", settings={"listen_addresses": host, "hba_file": str(home / "hba")}
    ) as postgres:
        here = await connect(postgres.url, name="here")

        async def left() -> set[str]:
            names = await here.fetch("SELECT application_name AS name FROM pg_stat_activity WHERE client_addr NOTNULL")
            return {row["name"] for row in names}

        client = await asyncio.create_subprocess_exec(
            *network.place.enter, sys.executable, "-c", CLIENT, f"{postgres.url.partition('?')[0]}?host={host}",
            cwd=ROOT, stdout=asyncio.subprocess.PIPE, preexec_fn=end_with_parent,
        )  # fmt: skip
        assert client.stdout is not None
        assert await client.stdout.readline() == b"connected\n"
        assert await left() == {"idle", "busy", "tied"}
        network.cut()
        cut_s = time.monotonic()
        async with asyncio.timeout(GONE_S):
            while names := await left():

                async def fewer(names: set[str] = names) -> bool:
                    return await left() != names

                await until(fewer)
                print(f"{names - await left()} after {time.monotonic() - cut_s:.1f} s")  # noqa: T201  pytest shows it
        client.kill()
        await client.wait()
        await here.close()
