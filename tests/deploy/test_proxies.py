"""nginx and HAProxy as in ``deploy/``, before a server: TLS, sockets, addresses, hidden paths."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.deploy.programs import free_port
from tests.deploy.proxies import NAME, Proxy, proxy
from tests.integration.http.test_metrics_port import SPELLINGS
from tests.realtime.until import until
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

    from tests.conftest import Server

pytestmark = pytest.mark.slow("Debian's own programs")

ORIGIN = f"https://{NAME}"


class Answer:
    """Of a request that no client library has tidied up."""

    def __init__(self, raw: bytes) -> None:
        head, _, self.body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1])
        self.headers = [(name.lower(), text) for name, _, text in (line.partition(": ") for line in lines)]

    def header(self, name: str) -> str:
        """The values of the header."""
        return ", ".join(text for known, text in self.headers if known == name)


def ask(proxy: Proxy, path: str, *headers: str, method: str = "GET", tls: bool = True) -> Answer:
    """By a connection of its own."""
    with socket.create_connection(("127.0.0.1", proxy.https if tls else proxy.http), timeout=10) as plain:
        stream = proxy.trust.wrap_socket(plain, server_hostname=NAME) if tls else plain
        lines = (
            f"{method} {path} HTTP/1.1",
            f"Host: {NAME}",
            *headers,
            "Content-Length: 0",
            "Connection: close",
            "",
            "",
        )
        stream.sendall("\r\n".join(lines).encode())
        raw = b""
        while part := stream.recv(65536):
            raw += part
        if tls:
            stream.close()
    return Answer(raw)


@pytest.fixture(scope="module", params=["nginx", "haproxy"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def before(kind: str, tmp_path_factory: pytest.TempPathFactory, postgres: Server) -> Iterator[Proxy]:
    directory = tmp_path_factory.mktemp(kind)
    arguments = ("--proxies", "127.0.0.1", "--hosts", NAME, "--limit", "guests=4", "--workers", "1")
    with (
        postgres.created() as database,
        ServerProcess(directory / "data", *arguments, database=database) as server,
        proxy(kind, server.port, directory) as found,
    ):
        yield found


async def test_socket_opens_for_the_own_origin(before: Proxy) -> None:
    made = ask(before, "/api/v1/guest", f"Origin: {ORIGIN}", "X-Forwarded-For: 192.0.2.77", method="POST")
    assert made.status == 201
    assert "Secure" in made.header("set-cookie")
    assert made.header("strict-transport-security") == "max-age=31536000"
    cookie = {"Cookie": made.header("set-cookie").partition(";")[0]}

    async def opened(origin: str) -> bool:
        async with connect(
            f"wss://{NAME}/ws", host="127.0.0.1", port=before.https, ssl=before.trust,
            additional_headers={**cookie, "Origin": origin}, subprotocols=["zeitnot.v1.json"],  # type: ignore[list-item]
        ) as client:  # fmt: skip
            return bool(json.loads(await client.recv())["t"] == "welcome")

    assert await opened(ORIGIN)
    for foreign in (f"http://{NAME}", "https://evil.example"):
        with pytest.raises(InvalidStatus) as refused:
            await opened(foreign)
        assert refused.value.response.status_code == 403


def test_plain_http_redirects_to_https(before: Proxy) -> None:
    answer = ask(before, "/game/x?y=z", tls=False)
    assert (answer.status, answer.header("location")) == (301, f"{ORIGIN}/game/x?y=z")


def test_metrics_are_hidden_from_the_public(before: Proxy) -> None:
    found = {path: ask(before, path) for path in SPELLINGS}
    assert {path: answer.status for path, answer in found.items() if answer.status < 400} == {}
    assert not any(b"zeitnot_moves" in answer.body for answer in found.values())
    assert ask(before, "/readyz").status == 200


def test_client_cannot_forge_its_address(before: Proxy) -> None:
    """Only four guests a minute are allowed for one address, whatever its headers claim."""
    statuses = []
    for number in range(6):
        claims = (f"X-Forwarded-For: 192.0.2.{number}", f"Forwarded: for=192.0.2.{number}")
        statuses.append(ask(before, "/api/v1/guest", *claims, method="POST").status)
    assert statuses[-1] == 429
    assert statuses.count(201) <= 4


def test_other_host_name_is_refused(before: Proxy) -> None:
    with socket.create_connection(("127.0.0.1", before.https), timeout=10) as plain:
        stream = before.trust.wrap_socket(plain, server_hostname=NAME)
        stream.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        assert int(stream.recv(65536).split()[1]) == 421
        stream.close()


async def told(request: Request) -> JSONResponse:
    return JSONResponse(request.headers.items())


async def test_proxy_replaces_forged_headers(kind: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Ask a server that returns the headers it received for the client's forged ones."""
    port = free_port()
    paths = [Route("/{path:path}", told)]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=paths), port=port, log_config=None, proxy_headers=False))
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    claims = [
        *("X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: http", "X-Forwarded-Host: evil.example"),
        *("X-Client-RTT-us: 900000", "X-Client-RTT-ms: 900"),
    ]
    try:
        with proxy(kind, port, tmp_path_factory.mktemp(kind)) as found:
            answer = await asyncio.to_thread(ask, found, "/x", *claims)
    finally:
        server.should_exit = True
        await task
    heard: dict[str, list[str]] = {}
    for name, text in json.loads(answer.body[answer.body.index(b"[") : answer.body.rindex(b"]") + 1]):
        heard.setdefault(name, []).append(text)
    assert heard["host"] == [NAME]
    assert heard["x-forwarded-for"] == ["127.0.0.1"]
    assert heard["x-forwarded-proto"] == ["https"]
    assert "x-forwarded-host" not in heard
    (rtt,) = heard["x-client-rtt-us" if kind == "nginx" else "x-client-rtt-ms"]
    assert int(rtt) < (100_000 if kind == "nginx" else 100)
    assert ("x-client-rtt-ms" if kind == "nginx" else "x-client-rtt-us") not in heard


def test_certbot_challenge_is_served(kind: str, before: Proxy) -> None:
    answer = ask(before, "/.well-known/acme-challenge/token", tls=False)
    if kind == "nginx":
        assert (answer.status, answer.body) == (200, b"proof")
    else:
        assert answer.status == 503, "certbot itself would answer, at port 8888"
