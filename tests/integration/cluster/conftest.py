"""Two nodes for one test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import ROOM
from tests.integration.two_nodes import two_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.integration.two_nodes import Pair


@pytest.fixture
def pair(request: pytest.FixtureRequest, own_database: str, tmp_path: Path) -> Iterator[Pair]:
    """Two servers that drain for 3 s at most, or the module's ``DRAIN_S``."""
    drain_s = getattr(request.module, "DRAIN_S", 3)
    options = ("--limit", ROOM, "--notice-seconds", "1", "--drain-seconds", str(drain_s))
    with two_nodes(own_database, tmp_path, *options) as pair:
        yield pair
