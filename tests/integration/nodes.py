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

    from tests.wire_client import Client, Message

Found = TypeVar("Found")


async def soon(url: str, look: Callable[[], Found], is_so: Callable[[Found], object]) -> Found:
    """What ``look``, which blocks, finds at the server at ``url``: at a lone node at once; of several look again until
    it ``is_so``."""
    while True:
        found = await asyncio.to_thread(look)
        if is_so(found) or not is_several(url):
            return found
        await asyncio.sleep(PAUSE_S)


async def caught_up(client: Client, g: str, seq: int) -> None:
    """Wait until the node of ``client``, who does not listen to game ``g``, shows event number ``seq``."""
    if is_several(client.url):
        start = len(client.messages)
        await client.request("sub", topic=f"game:{g}", ticks=False)
        await client.wait(lambda m: m["t"] != "ok" and m.get("g") == g and m.get("seq", 0) >= seq, start)
        await client.request("unsub", topic=f"game:{g}")


def told_by_any(url: str, message: Message) -> Message:
    """An event without what each node of the server at ``url`` says for itself: when it read the clock."""
    clock = message.get("clock")
    if clock is None or not is_several(url):
        return message
    return {**message, "clock": None if clock["run"] else {**clock, "at": 0}}
