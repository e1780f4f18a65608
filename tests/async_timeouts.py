"""A plugin of pytest: timeouts of asynchronous tests inside their event loop.

pytest-timeout raises an exception in a signal handler. If the event loop is in a callback then, it logs the exception
and goes on, and the test may wait for ever. So the coroutine of a test has the same timeout, a little earlier.
"""

from __future__ import annotations

import asyncio
from functools import wraps
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

EARLIER_S = 2.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Limit the coroutines. Those of Hypothesis run once an example, and are left to pytest-timeout."""
    for item in items:
        if isinstance(item, pytest.Function) and iscoroutinefunction(item.obj):
            limit_s = _limit_s(item)
            if limit_s > EARLIER_S and not hasattr(item.obj, "hypothesis"):
                item.obj = limited(item.obj, limit_s - EARLIER_S)


def limited(test: Callable[..., Coroutine[Any, Any, None]], limit_s: float) -> Callable[..., Coroutine[Any, Any, None]]:
    """Return ``test`` such that it raises ``TimeoutError`` after ``limit_s``."""

    @wraps(test)
    async def run(*args: Any, **kwargs: Any) -> None:
        async with asyncio.timeout(limit_s):
            await test(*args, **kwargs)

    return run


def _limit_s(item: pytest.Item) -> float:
    marker = item.get_closest_marker("timeout")
    if marker is not None:
        return float(marker.args[0])
    asked = item.config.getoption("timeout")
    return float(item.config.getini("timeout") if asked is None else asked)
