"""Request bodies: small JSON objects. Longer ones are streamed by their handlers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from lobby.errors import BadMessage
from realtime.http.guards.failures import failure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 8 * 1024
"""Bytes; the same limit as for a message on the socket."""


class BodyLimit:
    """Middleware that refuses longer bodies with 413, by ``Content-Length`` or by counting bytes.

    Args:
        long_bodies: limits in bytes by method and path, if they exceed ``MAX_BODY``.
    """

    def __init__(self, app: ASGIApp, long_bodies: Mapping[tuple[str, str], int]) -> None:
        self.app = app
        self._long_bodies = long_bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = self._long_bodies.get((scope["method"], scope["path"]), MAX_BODY)
        too_large = f"a body can have at most {most} bytes"
        length = Headers(scope=scope).get("content-length", "0")
        if len(length) > len(str(most)) or not length.isdigit() or int(length) > most:
            await failure(413, "bad_message", too_large, {"Connection": "close"})(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > most:
                    raise HTTPException(413, too_large, {"Connection": "close"})
            return message

        await self.app(scope, counted, send)


async def read_object(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body; for an empty body an empty object.

    Raises:
        BadMessage: the body is something else.
    """
    body = await request.body()
    if not body:
        return {}
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:  # RecursionError: for ``[[[[…``
        raise BadMessage("the body is not JSON") from error
    if not isinstance(value, dict):
        raise BadMessage("the body must be a JSON object")
    return value
