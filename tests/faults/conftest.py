"""One server for each module, started as users start it, and the address of its database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import LIMITS
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    data, prepare = tmp_path_factory.mktemp("server") / "data", getattr(request.module, "PREPARE", "")
    with ServerProcess(data, "--limit", LIMITS, prepare=prepare) as server:
        yield server
    # An expected fault is one line in the log; a traceback is an unexpected one.
    assert "Traceback" not in server.told(), server.told()


@pytest.fixture
async def database(server: ServerProcess) -> AsyncIterator[str]:
    """The address of the server's embedded database. It stays the same when either is killed, but not when it is
    stopped."""
    async with server.opened() as url:
        yield url
