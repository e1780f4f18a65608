"""Security headers of every response."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from realtime.ops.log import REQUEST

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HOST = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")

EMBEDDED = "/embed/"
"""The path prefix of the pages that other sites may frame."""

FIXED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

HTTPS_ONLY = "max-age=31536000"
"""HSTS: browsers that have used https keep using it for a year (RFC 6797)."""


def content_security_policy(host: str | None) -> str:
    """Return the Content-Security-Policy of pages of ``host``: own scripts, styles, images and socket; no framing.

    The socket's address is explicit because not every browser counts ``ws:`` as ``'self'``.
    """
    return (
        "default-src 'self'; "
        f"connect-src {_connections(host)}; "
        "img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def embedded_policy(host: str | None) -> str:
    """Return the Content-Security-Policy of pages that any site may frame: they show a game and follow it over our
    socket."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        f"connect-src {_connections(host)}; "
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors *"
    )


def _connections(host: str | None) -> str:
    if host is None or not _HOST.fullmatch(host):
        return "'self'"
    return f"'self' ws://{host} wss://{host}"


class SecurityHeaders:
    """Middleware that adds the headers, and sets the name of the request for the log.

    Responses of the API are never cached: they depend on the time and the user.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        REQUEST.set(f"{scope['method']} {scope['path']}")
        host = Headers(scope=scope).get("host")
        is_embedded: bool = scope["path"].startswith(EMBEDDED)
        policy = embedded_policy(host) if is_embedded else content_security_policy(host)
        is_secure = scope["scheme"] == "https"
        is_api: bool = scope["path"].startswith("/api/")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy
                headers.update(FIXED)
                if is_secure:
                    headers["Strict-Transport-Security"] = HTTPS_ONLY
                if is_api:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers)
