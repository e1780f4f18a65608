"""File descriptors: the limit is raised at the start."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from pathlib import Path

METRIC = r"^process_max_fds (\S+)$"


@pytest.mark.parametrize(("soft", "hard"), [(256, 4096), (512, 512)])
def test_descriptor_limit_is_raised_to_the_hard_limit(soft: int, hard: int, tmp_path: Path, own_database: str) -> None:
    limited = ("sh", "-c", f'ulimit -Sn {soft} && ulimit -Hn {hard} && exec "$@"', "sh")
    with ServerProcess(tmp_path / "data", enter=limited, database=own_database) as server:
        found = re.search(METRIC, httpx.get(server.url + "/metrics").text, re.MULTILINE)
        assert found is not None
        assert float(found[1]) == hard
