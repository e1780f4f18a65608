"""Streamed responses: generated while they are sent, so that little is held in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response, StreamingResponse

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send


class Pieces(StreamingResponse):
    """A response that sends what a generator yields. The generator is closed at once when the client disconnects."""

    def __init__(self, content: AsyncGenerator[bytes, None], headers: Mapping[str, str], media_type: str) -> None:
        super().__init__(content, headers=headers, media_type=media_type)
        self._content = content

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._content.aclose()


async def in_pieces(
    request: Request, content: AsyncGenerator[bytes, None], headers: Mapping[str, str], media_type: str
) -> Response:
    """Return a streamed response with status 200. Its first piece is awaited, so that an error before it gets its own
    status."""
    if request.method == "HEAD":
        return Response(headers=headers, media_type=media_type)
    try:
        first = await anext(content, None)
    except BaseException:
        await content.aclose()
        raise
    return Pieces(_with(first, content), headers, media_type)


async def _with(first: bytes | None, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    try:
        if first is not None:
            yield first
            async for piece in rest:
                yield piece
    finally:
        await rest.aclose()
