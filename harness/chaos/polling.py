"""Waiting by polling, for another process's state."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

PAUSE_S = 0.005


async def until(condition: Callable[[], Awaitable[object]] | Callable[[], bool]) -> None:
    """Wait until ``condition()``, or its awaited result, is true."""
    while True:
        answer = condition()
        if answer is True or (answer is not False and await answer):
            return
        await asyncio.sleep(PAUSE_S)
