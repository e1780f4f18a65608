"""Three servers, PostgreSQL and NATS for every test, with links between them that can be cut."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from harness.chaos.town import Town

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def town() -> AsyncIterator[Town]:
    async with Town(nodes=3, chance=random.Random(1)) as town:
        yield town
        tell_logs(town)


def tell_logs(town: Town) -> None:
    """Print the logs of the nodes for a failed test. A traceback in a log is an unexpected fault."""
    logs = [f"--- node {node.number}\n{node.told()}" for node in town.nodes]
    print("\n".join(logs))  # noqa: T201  pytest shows it
    assert not any("Traceback" in log for log in logs)
