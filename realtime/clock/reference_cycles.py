"""What is tied to itself, and is untied at its end so that it goes at once and not with a garbage collection.

A test holds every kind of connection to leaving nothing behind (tests/realtime/clock/test_reference_cycles.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from websockets.server import ServerProtocol


def untie_transport(transport: asyncio.BaseTransport) -> None:
    """The connection of ``transport`` is lost: nothing is read from it any more.

    asyncio's transport of a socket keeps a bound method of its own by which it reads, so that the two would keep each
    other, and all that hangs on them. Where there is no such thing nothing happens.
    """
    if hasattr(transport, "_read_ready_cb"):
        transport._read_ready_cb = None  # noqa: SLF001  nothing public does it, and nobody calls it any more


def untie_protocol(websocket: ServerProtocol) -> None:
    """``websocket`` is handed no more data: it and the generator that is its parser keep each other, and so do the
    exceptions that it keeps and the frames that they came through.
    """
    websocket.parser.close()
    errors: list[BaseException | None] = [websocket.handshake_exc, websocket.parser_exc]
    for error in errors:
        if error is not None:
            error.__traceback__ = None
            errors += [error.__cause__, error.__context__]
