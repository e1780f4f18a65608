"""Handshake: the fields of an upgrade request, and refusals before any lookup."""

from __future__ import annotations

import json

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from websockets.datastructures import Headers
from websockets.http11 import Request

from realtime.net.handshake import HandshakeRequest, WebSocket, client_network, is_same_origin, read_request, refusal
from realtime.protocol.errors import HandshakeRefused

PEER = "192.0.2.7"
PROXIES = ProxyHeadersMiddleware(None, ["10.0.0.0/8"]).trusted_hosts  # type: ignore[arg-type]  # only its list is used


def asked(*headers: tuple[str, str], path: str = "/ws", peer: str = PEER) -> HandshakeRequest:
    return read_request(Request(path, Headers([("Host", "play.example"), *headers])), peer, PROXIES)


def status(*headers: tuple[str, str], path: str = "/ws", peer: str = PEER) -> int:
    with pytest.raises(HandshakeRefused) as refused:
        asked(*headers, path=path, peer=peer)
    return refused.value.status


def test_handshake_without_session_is_anonymous() -> None:
    assert asked() == HandshakeRequest(PEER, proxied=False, token=None, by_bearer=False)
    assert asked(path="/ws?from=lobby").token is None


@pytest.mark.parametrize("path", ["/", "/ws/", "/wss", "/api/v1/me", "/%77s", "//ws", "http://play.example/ws"])
def test_handshake_on_other_path_is_not_found(path: str) -> None:
    assert status(path=path) == 404


@pytest.mark.parametrize("value", ["Bearer abc", "bearer abc", "BEARER  abc "])
def test_bearer_token_is_read(value: str) -> None:
    assert asked(("Authorization", value)) == HandshakeRequest(PEER, proxied=False, token="abc", by_bearer=True)


@pytest.mark.parametrize("value", ["", "Bearer", "Bearer ", "abc", "Basic YTpi", "Bearer " + "x" * 129])
def test_malformed_authorization_is_refused(value: str) -> None:
    assert status(("Authorization", value)) == 401


def test_two_authorizations_are_refused() -> None:
    assert status(("Authorization", "Bearer a"), ("Authorization", "Bearer b")) == 401


def test_bearer_token_needs_no_origin_and_precedes_cookie() -> None:
    headers = ("Authorization", "Bearer abc"), ("Cookie", "zeitnot=other"), ("Origin", "https://evil.example")
    assert asked(*headers).token == "abc"


def test_token_among_the_subprotocols_is_a_bearer_token() -> None:
    offered = ("Sec-WebSocket-Protocol", "zeitnot.v1.msgpack, zeitnot.token.abc")
    assert asked(offered, ("Cookie", "zeitnot=other")) == HandshakeRequest(
        PEER, proxied=False, token="abc", by_bearer=True
    )
    assert asked(offered, ("Authorization", "Bearer first")).token == "first"
    assert asked(("Sec-WebSocket-Protocol", "zeitnot.v1.msgpack")).token is None


@pytest.mark.parametrize("token", ["", "x" * 129])
def test_malformed_token_among_the_subprotocols_is_refused(token: str) -> None:
    assert status(("Sec-WebSocket-Protocol", f"zeitnot.token.{token}")) == 401


@pytest.mark.parametrize(
    ("headers", "rtt_ms"),
    [
        ([("X-Client-RTT-us", "34567")], 34.567),
        ([("X-Client-RTT-ms", "35")], 35.0),
        ([("X-Client-RTT-us", "x")], None),
        ([("X-Client-RTT-ms", "-1")], None),
        ([("X-Client-RTT-ms", "9" * 10)], None),
        ([("X-Client-RTT-ms", "1"), ("X-Client-RTT-ms", "900")], None),
        ([], None),
    ],
)
def test_trusted_proxy_reports_the_round_trip(headers: list[tuple[str, str]], rtt_ms: float | None) -> None:
    found = asked(*headers, ("X-Forwarded-For", "192.0.2.7"), peer="10.1.2.3")
    assert (found.proxied, found.rtt_ms) == (True, rtt_ms)
    assert asked(*headers).rtt_ms is None, "anybody else may say what he likes"


OWN = ("Origin", "https://play.example")


@pytest.mark.parametrize(
    "cookie", ["zeitnot=abc", "a=b; zeitnot=abc", 'zeitnot="abc"; zeitnot=later', " zeitnot = abc ;", "a;zeitnot=abc"]
)
def test_session_cookie_is_read(cookie: str) -> None:
    assert asked(("Cookie", cookie), OWN) == HandshakeRequest(PEER, proxied=False, token="abc", by_bearer=False)


@pytest.mark.parametrize("cookie", ["", "zeitnot=", "zeitnotx=abc", "Zeitnot=abc", "other=zeitnot=abc"])
def test_other_cookies_are_ignored(cookie: str) -> None:
    assert asked(("Cookie", cookie), ("Origin", "https://evil.example")).token is None


def test_too_long_cookie_is_ignored() -> None:
    assert asked(("Cookie", "zeitnot=" + "x" * 129), OWN).token is None


@pytest.mark.parametrize(
    "origin", [None, "", "null", "https://evil.example", "https://play.example.evil", "https://play.example:8443", "x"]
)
def test_session_cookie_requires_own_origin(origin: str | None) -> None:
    headers = [("Cookie", "zeitnot=abc")]
    if origin is not None:
        headers.append(("Origin", origin))
    assert status(*headers) == 403


def test_two_origins_are_refused() -> None:
    assert status(("Cookie", "zeitnot=abc"), OWN, ("Origin", "https://evil.example")) == 403


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("http://localhost:8000", "localhost:8000", True),
        ("http://LOCALHOST:8000", "localhost:8000", True),
        ("https://play.example", "play.example:443", True),
        ("https://play.example:443", "play.example", True),
        ("http://play.example", "play.example:80", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://localhost:8000", "localhost:8001", False),
        ("http://localhost", "127.0.0.1", False),
        ("https://play.example", "play.example:80", False),
        ("ftp://play.example", "play.example", False),
        ("chrome-extension://abc", "abc", False),
        ("http://play.example:port", "play.example", False),
        ("http://[::1", "play.example", False),
        ("http://", "", False),
        ("https://", "play.example", False),
        (None, "play.example", False),
        ("http://play.example", None, False),
    ],
)
def test_same_origin_compares_scheme_host_and_port(origin: str | None, host: str | None, same: bool) -> None:
    assert is_same_origin(origin, host) is same


@pytest.mark.parametrize(
    ("origin", "scheme", "same"),
    [
        ("https://play.example", "https", True),
        ("https://play.example", "wss", True),
        ("https://play.example", " HTTPS ", True),
        ("http://play.example", "https", False),
        ("http://play.example", "wss", False),
        ("https://play.example", "http", False),
        ("http://play.example", "ws", True),
        ("https://play.example", "https, http", True),  # says nothing that is known
        ("https://play.example", "", True),
        ("http://play.example", None, True),
    ],
)
def test_scheme_is_compared_if_a_proxy_reports_it(origin: str, scheme: str | None, same: bool) -> None:
    assert is_same_origin(origin, "play.example", scheme) is same


def test_scheme_counts_from_trusted_proxy_only() -> None:
    cookie = ("Cookie", "zeitnot=abc"), ("Origin", "http://play.example")
    assert status(*cookie, ("X-Forwarded-Proto", "https"), peer="10.1.2.3") == 403
    assert asked(*cookie, ("X-Forwarded-Proto", "http"), peer="10.1.2.3").token == "abc"
    assert asked(*cookie, ("X-Forwarded-Proto", "https")).token == "abc"


def test_headers_of_trusted_proxy_are_used() -> None:
    headers = ("X-Forwarded-For", "198.51.100.1, 203.0.113.9, 10.9.9.9"), ("X-Forwarded-Host", "www.example")
    assert asked(*headers, peer="10.1.2.3") == HandshakeRequest(
        "203.0.113.9", proxied=True, token=None, by_bearer=False
    )
    cookie = ("Cookie", "zeitnot=abc"), ("Origin", "https://www.example")
    assert asked(*headers, *cookie, peer="10.1.2.3").token == "abc"
    assert status(*headers, *cookie) == 403


def test_forwarding_headers_of_others_are_ignored() -> None:
    assert asked(("X-Forwarded-For", "203.0.113.9")) == HandshakeRequest(
        PEER, proxied=False, token=None, by_bearer=False
    )


def test_proxy_without_forwarded_address_counts_as_client() -> None:
    for header in ("X-Forwarded-Proto", "https"), ("X-Forwarded-For", ""), ("X-Forwarded-For", " "):
        assert asked(header, peer="10.1.2.3").address == "10.1.2.3"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_addresses_are_grouped_by_network(address: str, network: str) -> None:
    assert client_network(address) == network


@pytest.mark.parametrize(
    ("offered", "codec", "agreed"),
    [
        (None, "json", None),
        ("zeitnot.v1.json", "json", "zeitnot.v1.json"),
        ("zeitnot.v1.msgpack", "msgpack", "zeitnot.v1.msgpack"),
        ("zeitnot.v9.msgpack, zeitnot.v1.json, zeitnot.v1.msgpack", "json", "zeitnot.v1.json"),
        ("zeitnot.v1.msgpack, zeitnot.v1.json", "msgpack", "zeitnot.v1.msgpack"),
        ("chat, superchat", "json", None),
    ],
)
def test_first_supported_subprotocol_is_chosen(offered: str | None, codec: str, agreed: str | None) -> None:
    headers = [
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits"),
    ]
    if offered is not None:
        headers.append(("Sec-WebSocket-Protocol", offered))
    websocket = WebSocket()
    response = websocket.accept(Request("/ws", Headers(headers)))
    assert response.status_code == 101
    assert websocket.codec == codec
    assert response.headers.get("Sec-WebSocket-Protocol") == agreed
    assert "Sec-WebSocket-Extensions" not in response.headers


def test_refusal_has_the_error_format_of_the_api() -> None:
    response = refusal(HandshakeRefused(401, "unauthenticated", "log in"))
    assert json.loads(response.body) == {"error": {"code": "unauthenticated", "message": "log in"}}
    assert response.headers["Content-Length"] == str(len(response.body))
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert "WWW-Authenticate" not in refusal(HandshakeRefused(404, "not_found", "no")).headers
