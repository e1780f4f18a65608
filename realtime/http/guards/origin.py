"""Other sites' pages change nothing here, although the browser would lend them our cookie.

Browsers say where a request comes from: ``Sec-Fetch-Site``, which no script can forge, and ``Origin`` on everything but
plain reads. Programs send neither; they hold their token themselves and cannot be tricked by a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from realtime.http.guards.failures import failure
from realtime.net.handshake import is_same_origin

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def is_own_page(headers: Headers, scheme: str | None = None) -> bool | None:
    """Whether a request comes from a page of this server; None when it comes from no browser's page at all.

    A page of another site cannot set ``X-Forwarded-Host`` without asking us first, so that header of a proxy may be
    believed here without knowing the proxy.

    Args:
        scheme: what a proxy that is believed says of how the request came to it (``X-Forwarded-Proto``).
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = headers.get("origin")
    if origin is None:
        return None
    return any(is_same_origin(origin, headers.get(name), scheme) for name in ("host", "x-forwarded-host"))


def has_bearer(headers: Headers) -> bool:
    """Whether there is a bearer token, which a browser adds by itself to nothing. It does so with ``Basic``."""
    return headers.get("authorization", "").partition(" ")[0].lower() == "bearer"


class OwnOrigin:
    """Refuses requests that change something from pages of other sites, unless they bring a bearer token.

    Args:
        is_proxied: whether there are proxies whose ``X-Forwarded-Proto`` is believed. A page cannot set that
            header without asking us first, so it does not matter here whether it comes from one of them.
    """

    def __init__(self, app: ASGIApp, *, is_proxied: bool) -> None:
        self.app = app
        self._is_proxied = is_proxied

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in SAFE_METHODS:
            headers = Headers(scope=scope)
            scheme = headers.get("x-forwarded-proto") if self._is_proxied else None
            if not has_bearer(headers) and is_own_page(headers, scheme) is False:
                response = failure(403, "forbidden", "this is for our own pages, and for programs with a token")
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)
