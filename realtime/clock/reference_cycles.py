"""Breaking of reference cycles in closed connections, so that they are freed at once without the garbage collector.

A test checks that no kind of connection leaves any (tests/realtime/clock/test_reference_cycles.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from websockets.server import ServerProtocol


def untie_transport(transport: asyncio.BaseTransport) -> None:
    """Break the cycle of a lost ``transport``.

    asyncio's socket transport stores one of its own bound methods, by which it reads. No effect on other transports.
    """
    if hasattr(transport, "_read_ready_cb"):
        transport._read_ready_cb = None  # noqa: SLF001  nothing public does it, and nobody calls it any more


def untie_protocol(websocket: ServerProtocol) -> None:
    """Break the cycles of ``websocket``, which gets no more data: it refers to its parser's generator and back, and to
    exceptions whose tracebacks refer to frames of the parser."""
    websocket.parser.close()
    errors: list[BaseException | None] = [websocket.handshake_exc, websocket.parser_exc]
    for error in errors:
        if error is not None:
            error.__traceback__ = None
            errors += [error.__cause__, error.__context__]
