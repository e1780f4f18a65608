"""The opening handshake as pure functions: what an upgrade request asks for, and the response to a refused one.

Order of the checks: path (404), a request of RFC 6455 at all (400, 405, 426: by ``websockets``), Origin (403), token
(401: by the gateway, which asks its handler), limits (429: by the gateway, which counts).
"""

from __future__ import annotations

import ipaddress
from http import HTTPStatus
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import msgspec
from websockets.datastructures import Headers, MultipleValuesError
from websockets.http11 import Response
from websockets.server import ServerProtocol

from realtime.protocol.errors import HandshakeRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from websockets.http11 import Request
    from websockets.typing import Subprotocol

    from realtime.protocol.codec import Codec

PATH = "/ws"

COOKIE = "zeitnot"
"""Name of the cookie with a page's session token; HttpOnly, SameSite=Lax."""

CODECS: dict[str, Codec] = {"zeitnot.v1.msgpack": "msgpack", "zeitnot.v1.json": "json"}
"""Supported subprotocols."""

BEARER_PROTOCOL = "zeitnot.token."
"""A subprotocol that begins so is a bearer token: pages cannot set ``Authorization`` on a websocket. It is never agreed
to."""

DEFAULT_CODEC: Codec = "json"
"""Codec for clients that offer no known subprotocol, such as curl."""

RTT_HEADERS = {"X-Client-RTT-us": 1000, "X-Client-RTT-ms": 1}
"""Headers in which proxies report the round trip to the client, with the number of their units in a millisecond."""

MOST_RTT_DIGITS = 9

MAX_TOKEN = 128
"""Longer than any token of ours; longer ones are not looked up."""

RETRY_AFTER_S = {HTTPStatus.TOO_MANY_REQUESTS: 5, HTTPStatus.SERVICE_UNAVAILABLE: 1}
"""When to retry: sockets of an address or a person come and go, and a server is back within a second or two."""

DEFAULT_PORTS = {"http": 80, "https": 443}

PAGE_SCHEMES = {"http": "http", "ws": "http", "https": "https", "wss": "https"}
"""Schemes that a proxy may report, and the corresponding scheme of pages."""


class Proxies(Protocol):
    """Trusted proxies: uvicorn's own list, so that pages and sockets agree."""

    def __contains__(self, host: str | None) -> bool: ...

    def get_trusted_client_address(self, x_forwarded_for: str) -> tuple[str, int]:
        """Return the nearest address in the header that is not a proxy of ours."""


class HandshakeRequest(msgspec.Struct, frozen=True):
    """A well-formed upgrade request."""

    address: str
    """The client's IP address."""
    proxied: bool
    """Whether a proxy stands between, so that the kernel's round trip is not the client's."""
    token: str | None
    """The token to be authenticated; None if anonymous."""
    by_bearer: bool
    """Whether it came as a bearer token: an invalid one is refused with 401. An invalid cookie may just have expired
    and counts as none, otherwise the browser that keeps it would be locked out."""
    rtt_ms: float | None = None
    """The round trip to the client as measured by the proxy; None: not reported."""


class WebSocket(ServerProtocol):
    """``websockets``' protocol, which agrees to the first subprotocol of the client's list that we support, or to
    none."""

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """RFC 6455 §4.1: the client lists them in order of preference."""
        for offered in subprotocols:
            if offered in CODECS:
                return offered
        return None

    @property
    def codec(self) -> Codec:
        """The codec that was agreed on."""
        return CODECS.get(self.subprotocol or "", DEFAULT_CODEC)


def read_request(request: Request, peer: str, proxies: Proxies) -> HandshakeRequest:
    """Parse ``request``, from a socket with the remote address ``peer``.

    Raises:
        HandshakeRefused: 404 for another path, 401 for a malformed token, 403 if the session comes by cookie and the
            page is not ours.
    """
    headers = request.headers
    if request.path.partition("?")[0] != PATH:
        raise HandshakeRefused(404, "not_found", f"the websocket endpoint is {PATH}")
    forwarded = ", ".join(headers.get_all("X-Forwarded-For"))
    proxied = bool(forwarded) and peer in proxies
    address = (proxies.get_trusted_client_address(forwarded)[0] if proxied else peer) or peer
    rtt_ms = _rtt_ms(headers) if proxied else None
    if "Authorization" in headers:
        return HandshakeRequest(address, proxied, _bearer_token(headers), by_bearer=True, rtt_ms=rtt_ms)
    offered = _offered_token(headers)
    if offered is not None:
        return HandshakeRequest(address, proxied, offered, by_bearer=True, rtt_ms=rtt_ms)
    token = _cookie(headers)
    if token is None:
        return HandshakeRequest(address, proxied, None, by_bearer=False, rtt_ms=rtt_ms)
    host = _one(headers, "X-Forwarded-Host") if peer in proxies else None
    scheme = _one(headers, "X-Forwarded-Proto") if peer in proxies else None
    if not is_same_origin(_one(headers, "Origin"), host or _one(headers, "Host"), scheme):
        raise HandshakeRefused(403, "forbidden", "a cookie session requires a same-origin page; Origin is not Host")
    return HandshakeRequest(
        address, proxied, token if len(token) <= MAX_TOKEN else None, by_bearer=False, rtt_ms=rtt_ms
    )


def _rtt_ms(headers: Headers) -> float | None:
    """Return the round trip measured by a proxy, from one of the ``RTT_HEADERS``; None if there is none, or it is not a
    number."""
    for name, per_ms in RTT_HEADERS.items():
        text = _one(headers, name) or ""
        if text.isdecimal() and text.isascii() and len(text) <= MOST_RTT_DIGITS:
            return int(text) / per_ms
    return None


def is_same_origin(origin: str | None, host: str | None, scheme: str | None = None) -> bool:
    """Return whether ``origin`` (``https://example.org``) is a page of ``host`` (``example.org:443``).

    Args:
        scheme: with which the request came to a proxy (``X-Forwarded-Proto``); not compared if missing or none of the
            ``PAGE_SCHEMES``.
    """
    if not origin or not host:
        return False
    try:
        page = urlsplit(origin)
        server = urlsplit(f"//{host}")
        default = DEFAULT_PORTS[page.scheme]
        if PAGE_SCHEMES.get((scheme or "").strip().lower(), page.scheme) != page.scheme:
            return False
        ours = (server.hostname, server.port or default)
        theirs = (page.hostname, page.port or default)
    except (ValueError, KeyError):
        return False
    return page.hostname is not None and theirs == ours


def client_network(address: str) -> str:
    """Return what counts as one address for limits: an IPv4 address, or the /64 network of an IPv6 host."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip.packed[:8] + bytes(8), 64)))
    return str(ip)


def refusal(refused: HandshakeRefused) -> Response:
    """Return the HTTP response to a refused upgrade, with an error as in the HTTP API."""
    return json_response(refused.status, refused.code, refused.message, Headers())


def json_response(status: int, code: str, message: str, headers: Headers) -> Response:
    """Return ``{"error": {"code", "message"}}`` with ``status`` and additional ``headers``."""
    body = msgspec.json.encode({"error": {"code": code, "message": message}})
    for name, value in (
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
    ):
        if name in headers:
            del headers[name]
        headers[name] = value
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    retry_after_s = RETRY_AFTER_S.get(HTTPStatus(status))
    if retry_after_s is not None:
        headers["Retry-After"] = str(retry_after_s)
    return Response(status, HTTPStatus(status).phrase, headers, body)


def _bearer_token(headers: Headers) -> str:
    scheme, _, token = (_one(headers, "Authorization") or "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 0 < len(token) <= MAX_TOKEN:
        raise HandshakeRefused(401, "unauthenticated", "expected 'Authorization: Bearer TOKEN'")
    return token


def _offered_token(headers: Headers) -> str | None:
    """Return the token in the list of subprotocols; None if there is none."""
    for header in headers.get_all("Sec-WebSocket-Protocol"):
        for offered in header.split(","):
            name = offered.strip()
            if name.startswith(BEARER_PROTOCOL):
                token = name.removeprefix(BEARER_PROTOCOL)
                if not 0 < len(token) <= MAX_TOKEN:
                    raise HandshakeRefused(401, "unauthenticated", f"expected the subprotocol {BEARER_PROTOCOL}TOKEN")
                return token
    return None


def _cookie(headers: Headers) -> str | None:
    """Return our cookie's value; the first if there are several (RFC 6265 §5.4: the longest path comes first)."""
    for header in headers.get_all("Cookie"):
        for pair in header.split(";"):
            name, _, value = pair.partition("=")
            if name.strip() == COOKIE:
                return value.strip().strip('"') or None
    return None


def _one(headers: Headers, name: str) -> str | None:
    """Return the header's value; None if it is missing or given twice, which no honest client does."""
    try:
        return headers.get(name)
    except MultipleValuesError:
        return None
