"""Protection against CSRF: pages of other sites cannot change anything, although browsers send our cookie.

Browsers send the origin of a request: ``Sec-Fetch-Site``, which scripts cannot forge, and ``Origin`` except on simple
reads. Other programs send neither; they hold their token themselves, so a page cannot abuse it.
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
    """Return whether a request comes from a page of this server; None if it does not come from a page.

    A page of another site cannot set ``X-Forwarded-Host`` without a CORS preflight, so this header is trusted here from
    any proxy.

    Args:
        scheme: the scheme of the request, as reported by a trusted proxy (``X-Forwarded-Proto``).
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = headers.get("origin")
    if origin is None:
        return None
    return any(is_same_origin(origin, headers.get(name), scheme) for name in ("host", "x-forwarded-host"))


def has_bearer(headers: Headers) -> bool:
    """Return whether there is a bearer token. Browsers never add one by themselves, unlike ``Basic`` credentials."""
    return headers.get("authorization", "").partition(" ")[0].lower() == "bearer"


class OwnOrigin:
    """Middleware that refuses changes requested by pages of other sites, unless they send a bearer token.

    Args:
        is_proxied: whether there are trusted proxies that set ``X-Forwarded-Proto``. A page cannot set that header
            without a CORS preflight, so it does not matter here whether the request comes from one of them.
    """

    def __init__(self, app: ASGIApp, *, is_proxied: bool) -> None:
        self.app = app
        self._is_proxied = is_proxied

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in SAFE_METHODS:
            headers = Headers(scope=scope)
            scheme = headers.get("x-forwarded-proto") if self._is_proxied else None
            if not has_bearer(headers) and is_own_page(headers, scheme) is False:
                response = failure(403, "forbidden", "cross-site request refused; use an API token")
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)
