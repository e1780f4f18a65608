"""Three servers, PostgreSQL and NATS for every test, with links between them that can be cut."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from harness.chaos.local_cluster import LocalCluster

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def cluster() -> AsyncIterator[LocalCluster]:
    async with LocalCluster(nodes=3, chance=random.Random(1)) as cluster:
        yield cluster
        tell_logs(cluster)


def tell_logs(cluster: LocalCluster) -> None:
    """Print the logs of the nodes for a failed test. A traceback in a log is an unexpected fault."""
    logs = [f"--- node {node.number}\n{node.read_log()}" for node in cluster.nodes]
    print("\n".join(logs))  # noqa: T201  pytest shows it
    assert not any("Traceback" in log for log in logs)
