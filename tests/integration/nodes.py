"""Differences between a single node and several nodes (``conftest.py``), for tests that run on both.

Messages on a socket, answers included, come in order and are true for every other socket of that node at once. Another
node, and a client of its HTTP API, gets them a moment later.
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
    """Return the result of ``look``, which blocks. With several nodes, repeat it until it ``is_so``."""
    while True:
        found = await asyncio.to_thread(look)
        if is_so(found) or not is_several(url):
            return found
        await asyncio.sleep(PAUSE_S)


async def caught_up(client: Client, g: str, seq: int) -> None:
    """Wait until the node of ``client``, which is not subscribed to game ``g``, shows event number ``seq``."""
    if is_several(client.url):
        start = len(client.messages)
        await client.request("sub", topic=f"game:{g}", ticks=False)
        await client.wait(lambda m: m["t"] != "ok" and m.get("g") == g and m.get("seq", 0) >= seq, start)
        await client.request("unsub", topic=f"game:{g}")


def told_by_any(url: str, message: Message) -> Message:
    """Return an event without the fields that differ between nodes: when each of them read the clock."""
    clock = message.get("clock")
    if clock is None or not is_several(url):
        return message
    instants = {field: 0 for field in ("at", "first_move_by") if field in clock}
    return {**message, "clock": None if clock["run"] else {**clock, **instants}}
