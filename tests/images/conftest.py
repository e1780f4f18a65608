"""A server for requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ServerProcess(tmp_path_factory.mktemp("images") / "data") as process:
        yield process.url
