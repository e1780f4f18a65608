"""Node counts in the metrics of a cluster of two servers."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import httpx

from tests.nats_process import NatsProcess
from tests.realtime.until import until
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from pathlib import Path


async def counted(client: httpx.AsyncClient, server: ServerProcess) -> tuple[float, float]:
    """Nodes that live, and those that are reached, as this one tells Prometheus."""
    text = (await client.get(server.url + "/metrics")).text
    living, reached = (
        re.search(rf"^{name} (\S+)$", text, re.MULTILINE) for name in ("zeitnot_nodes", "zeitnot_nodes_reached")
    )
    assert living is not None
    assert reached is not None
    return float(living[1]), float(reached[1])


async def test_metrics_count_the_nodes_of_the_cluster(database_url: str, tmp_path: Path) -> None:
    with NatsProcess() as nats:
        given = ("--database", database_url, "--nats", nats.url)
        one, two = ServerProcess(tmp_path / "one", *given), ServerProcess(tmp_path / "two", *given)
        with one, two:
            async with httpx.AsyncClient() as client:

                async def both_say(said: tuple[float, float]) -> None:
                    async def all_say() -> bool:
                        return [await counted(client, one), await counted(client, two)] == [said, said]

                    await until(all_say)

                await both_say((2, 2))
                nats.kill()
                await both_say((2, 1))
                nats.start()
                await both_say((2, 2))
                await asyncio.to_thread(two.kill9)

                async def alone() -> bool:
                    return await counted(client, one) == (1, 1)

                await until(alone)
