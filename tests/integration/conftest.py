"""A server of their own for the tests of each module, by the command that its users give."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOM = "connections=20000,guests=20000,rate=1000"
"""Limits that no test meets by accident; a module that means to meet one names its own as ``LIMITS``."""


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    limits = getattr(request.module, "LIMITS", ROOM)
    data = tmp_path_factory.mktemp("server") / "data"
    with ServerProcess(data, "--limit", limits, "--log-format", "json") as server:
        yield server
    faults = [line for line in server.told().splitlines() if json.loads(line)["level"] in ("error", "critical")]
    assert not faults, "the server was at fault:\n" + "\n".join(faults)


@pytest.fixture
def url(server: ServerProcess) -> str:
    return server.url
