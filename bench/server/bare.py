"""The bare server: our gateway with as little behind it as a relay needs. It is the baseline of all figures.

    {"t":"join","room":R}   the socket is in room R from now on
    {"t":"move",…}          the message is sent to the room: encoded once, framed once
    {"t":"publish"}         a prebuilt frame is sent to the room: ``fan_out`` and nothing else

Run as ``python -m bench.server.bare CORE``; prints its address.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import uvicorn

from bench.server.process import announce, be_observed
from realtime.clock.loop_time import new_event_loop, running_time
from realtime.net.connection import fan_out
from realtime.net.gateway import Gateway
from realtime.net.server import Server
from realtime.protocol.codec import encode_msgpack, frame_binary
from realtime.protocol.limits import parse_limits

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    from lobby.accounts.user import Grant
    from realtime.net.connection import Connection

    Event = MutableMapping[str, Any]

LIMITS = parse_limits("connections=100000,rate=1000000")

EVENT = frame_binary(
    encode_msgpack(
        {
            "t": "move",
            "g": "00000000",
            "seq": 41,
            "ply": 40,
            "by": "w",
            "move": "g1f3",
            "san": "Nf3",
            "position": "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4",
            "check": False,
            "clock": {"w": 10_800_000, "b": 10_800_000, "run": "b", "at": 1_700_000_000_000},
        }
    )
)
"""What ``publish`` sends: a frame of the length of a move."""


class Rooms:
    """The session of a bare server: rooms of sockets, whose messages are not interpreted."""

    def __init__(self) -> None:
        self._rooms: dict[Any, dict[Connection, None]] = {}

    async def authenticate(self, token: str) -> Grant | None:
        """Return None: there are no users."""
        del token
        return None

    def on_open(self, connection: Connection) -> None:
        """Send the welcome."""
        connection.send({"t": "welcome"})

    def on_message(self, connection: Connection, message: dict[str, Any], received_ms: int) -> None:
        """Do the whole work of the baseline."""
        del received_ms
        kind = message["t"]
        if kind == "move":
            framed = frame_binary(encode_msgpack(message))
            for listener in connection.session:
                listener.write(framed)
        elif kind == "publish":
            fan_out(connection.session, EVENT)
        else:
            connection.session = room = self._rooms.setdefault(message["room"], {})
            room[connection] = None
            connection.send({"t": "ok", "id": message["id"]})

    def on_close(self, connection: Connection) -> None:
        """Leave the room."""
        if connection.session is not None:
            connection.session.pop(connection, None)


async def no_pages(
    scope: Event, receive: Callable[[], Awaitable[Event]], send: Callable[[Event], Awaitable[None]]
) -> None:
    """Answer every HTTP request with 404."""
    del scope, receive
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def serve() -> None:
    """Serve until SIGTERM."""
    gateway = Gateway(Rooms(), running_time(), limits=LIMITS)
    config = uvicorn.Config(
        no_pages,
        port=0,
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=2,
        **gateway.uvicorn_options(),
    )

    async def nobody_to_go_to(close: Callable[[], None]) -> None:
        pass

    async def nothing_to_flush() -> None:
        pass

    await Server(config, announce, nobody_to_go_to, nothing_to_flush).serve()


if __name__ == "__main__":
    be_observed(sys.argv[1])
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(serve())
