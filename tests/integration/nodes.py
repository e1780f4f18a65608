"""What tests that run at a lone node and at several have to know of the difference (``conftest.py``).

What somebody is told by a socket, his own requests included, comes in order and holds for every other socket of that
node at once. Another node, and whoever asks it by HTTP, is told a moment later.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from tests.realtime.until import PAUSE_S
from tests.server_process import is_several

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.wire_client import Message

Found = TypeVar("Found")


async def soon(url: str, look: Callable[[], Found], is_so: Callable[[Found], object]) -> Found:
    """What ``look``, which blocks, finds at the server at ``url``: at a lone node at once; of several look again until
    it ``is_so``."""
    while True:
        found = await asyncio.to_thread(look)
        if is_so(found) or not is_several(url):
            return found
        await asyncio.sleep(PAUSE_S)


def told_by_any(url: str, message: Message) -> Message:
    """An event without what each node of the server at ``url`` says for itself: when it read the clock."""
    clock = message.get("clock")
    if clock is None or not is_several(url):
        return message
    return {**message, "clock": None if clock["run"] else {**clock, "at": 0}}
