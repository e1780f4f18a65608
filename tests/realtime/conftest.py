"""Everything here runs on the server's own event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.loop_time import new_event_loop

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Mapping

    import pytest


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], AbstractEventLoop]]:
    return {"timed": new_event_loop}
