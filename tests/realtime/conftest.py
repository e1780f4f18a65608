"""For all tests here: the server's event loop, and what rated games need.

ends           stores the ends of rated games
connection     to the module's database, beside its pool
no_pair_limit  all rated games of the same two players count
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lobby.ratings import ratings
from realtime.clock.loop_time import new_event_loop
from realtime.journal.rated_ends import RatedEnds
from realtime.ops.metrics import Metrics
from realtime.postgres.database import connect
from tests.realtime.stored_games import NODE

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncIterator, Callable, Mapping

    from realtime.postgres.database import Connection


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], AbstractEventLoop]]:
    return {"timed": new_event_loop}


@pytest.fixture
def no_pair_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all rated games of the same two players count."""
    monkeypatch.setattr(ratings, "PAIR_LIMIT", 1_000_000)


@pytest.fixture
async def ends(database_url: str) -> AsyncIterator[RatedEnds]:
    ends = RatedEnds(database_url, NODE, Metrics())
    ends.start()
    yield ends
    await ends.close()


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[Connection]:
    connection = await connect(database_url, name="test")
    yield connection
    await connection.close()
