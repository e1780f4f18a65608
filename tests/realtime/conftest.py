"""Event loop of the server for all tests here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lobby.ratings import ratings
from realtime.clock.loop_time import new_event_loop

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Mapping


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], AbstractEventLoop]]:
    return {"timed": new_event_loop}


@pytest.fixture
def no_pair_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all rated games of the same two players count."""
    monkeypatch.setattr(ratings, "PAIR_LIMIT", 1_000_000)
