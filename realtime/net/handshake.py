"""The opening handshake as pure functions: what an upgrade request asks for, and the answer to one that is refused.

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
"""Holds a page's session token; HttpOnly, SameSite=Lax."""

CODECS: dict[str, Codec] = {"zeitnot.v1.msgpack": "msgpack", "zeitnot.v1.json": "json"}
"""Subprotocols on offer."""

DEFAULT_CODEC: Codec = "json"
"""For who offers none, or none we know: hands and curl."""

RTT_HEADERS = {"X-Client-RTT-us": 1000, "X-Client-RTT-ms": 1}
"""In which proxies tell the round trip to the client, with how many of their units make a millisecond."""

MOST_RTT_DIGITS = 9

MAX_TOKEN = 128
"""Longer than any token of ours; a lookup of more would only cost."""

RETRY_AFTER_S = {HTTPStatus.TOO_MANY_REQUESTS: 5, HTTPStatus.SERVICE_UNAVAILABLE: 1}
"""When to come back: sockets of an address or a person come and go, a server is back within a second or two."""

DEFAULT_PORTS = {"http": 80, "https": 443}

PAGE_SCHEMES = {"http": "http", "ws": "http", "https": "https", "wss": "https"}
"""What a proxy says that it was asked by, to the scheme of pages there."""


class Proxies(Protocol):
    """Whom to believe about the client's address: uvicorn's own list, so that pages and sockets agree."""

    def __contains__(self, host: str | None) -> bool: ...

    def get_trusted_client_address(self, x_forwarded_for: str) -> tuple[str, int]:
        """The nearest address in the header that is no proxy of ours."""


class Asked(msgspec.Struct, frozen=True):
    """What a well-formed upgrade request asks for."""

    address: str
    """The client's IP address."""
    proxied: bool
    """A proxy stands between, so the kernel's round trip is not the client's."""
    token: str | None
    """To be authenticated; None for a stranger."""
    by_bearer: bool
    """It came as a bearer token: a bad one is refused with 401. A cookie may just have expired and then counts as
    none, or the browser that keeps it would be locked out."""
    rtt_ms: float | None = None
    """The round trip to the client as the proxy measured it; None: it does not tell."""


class WebSocket(ServerProtocol):
    """``websockets``' protocol that agrees to the first subprotocol of the client's list that we speak, or to none."""

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """RFC 6455 §4.1: the client lists them in order of preference."""
        for offered in subprotocols:
            if offered in CODECS:
                return offered
        return None

    @property
    def codec(self) -> Codec:
        """What was agreed on."""
        return CODECS.get(self.subprotocol or "", DEFAULT_CODEC)


def read_request(request: Request, peer: str, proxies: Proxies) -> Asked:
    """What ``request``, from a socket whose other end is ``peer``, asks for.

    Raises:
        HandshakeRefused: 404 for another path, 401 for a malformed token, 403 where the session comes by cookie and
            the page is not ours.
    """
    headers = request.headers
    if request.path.partition("?")[0] != PATH:
        raise HandshakeRefused(404, "not_found", f"sockets are opened at {PATH}")
    forwarded = ", ".join(headers.get_all("X-Forwarded-For"))
    proxied = bool(forwarded) and peer in proxies
    address = (proxies.get_trusted_client_address(forwarded)[0] if proxied else peer) or peer
    rtt_ms = _rtt_ms(headers) if proxied else None
    if "Authorization" in headers:
        return Asked(address, proxied, _bearer_token(headers), by_bearer=True, rtt_ms=rtt_ms)
    token = _cookie(headers)
    if token is None:
        return Asked(address, proxied, None, by_bearer=False, rtt_ms=rtt_ms)
    host = _one(headers, "X-Forwarded-Host") if peer in proxies else None
    scheme = _one(headers, "X-Forwarded-Proto") if peer in proxies else None
    if not is_same_origin(_one(headers, "Origin"), host or _one(headers, "Host"), scheme):
        raise HandshakeRefused(403, "forbidden", "a session by cookie is for our own pages: Origin is not Host")
    return Asked(address, proxied, token if len(token) <= MAX_TOKEN else None, by_bearer=False, rtt_ms=rtt_ms)


def _rtt_ms(headers: Headers) -> float | None:
    """What a proxy has measured, from one of the ``RTT_HEADERS``; None where it is none of them, or no number."""
    for name, per_ms in RTT_HEADERS.items():
        text = _one(headers, name) or ""
        if text.isdecimal() and text.isascii() and len(text) <= MOST_RTT_DIGITS:
            return int(text) / per_ms
    return None


def is_same_origin(origin: str | None, host: str | None, scheme: str | None = None) -> bool:
    """Whether ``origin`` (``https://example.org``) is a page of ``host`` (``example.org:443``).

    Args:
        scheme: by which the request came to a proxy, as that says (``X-Forwarded-Proto``); not compared where it says
            nothing, or none of the ``PAGE_SCHEMES``.
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
    """What counts as one address for limits: an IPv4 address, or the /64 an IPv6 host gets."""
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
    """The HTTP response to a refused upgrade, as the HTTP API words its errors."""
    return json_response(refused.status, refused.code, refused.message, Headers())


def json_response(status: int, code: str, message: str, headers: Headers) -> Response:
    """``{"error": {"code", "message"}}`` with ``status`` and, besides its own, ``headers``."""
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


def _cookie(headers: Headers) -> str | None:
    """Our cookie's value; the first where there are several (RFC 6265 §5.4: the longest path comes first)."""
    for header in headers.get_all("Cookie"):
        for pair in header.split(";"):
            name, _, value = pair.partition("=")
            if name.strip() == COOKIE:
                return value.strip().strip('"') or None
    return None


def _one(headers: Headers, name: str) -> str | None:
    """The header's value; None where it is missing or, which no honest client does, given twice."""
    try:
        return headers.get(name)
    except MultipleValuesError:
        return None
