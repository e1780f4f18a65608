"""Upgrades over real sockets against a real uvicorn: accepted and refused."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from realtime.protocol.limits import Limits
from tests.realtime.echo_server import JSON, MSGPACK, echo_server
from tests.realtime.raw_client import upgrade_request


class TestWhoIsLetIn:
    async def test_anonymous_upgrade_is_accepted(self) -> None:
        async with echo_server() as server, server.connect() as client:
            assert json.loads(await client.recv()) == {"t": "welcome", "user": None}
            assert client.subprotocol is None

    @pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
    async def test_upgrade_with_bearer_token_is_accepted(self, subprotocol: str) -> None:
        async with echo_server() as server, server.welcomed(subprotocol, token="member") as client:
            assert client.subprotocol == subprotocol
            (connection,) = server.handler.opened
            assert connection.user is not None
            assert (connection.user.name, connection.address) == ("Anna", "127.0.0.1")

    async def test_upgrade_with_cookie_from_own_page_is_accepted(self) -> None:
        async with echo_server() as server:
            options: dict[str, Any] = {
                "additional_headers": {"Cookie": "zeitnot=member"},
                "origin": f"http://127.0.0.1:{server.port}",
            }
            async with server.connect(**options) as client:
                assert json.loads(await client.recv())["user"] == "Anna"

    async def test_expired_cookie_is_anonymous(self) -> None:
        async with echo_server() as server, server.raw() as client:
            welcome = await client.open("Cookie: zeitnot=expired", "Origin: http://localhost")
            assert welcome["user"] is None

    @pytest.mark.parametrize(
        ("request_bytes", "status", "code"),
        [
            (upgrade_request(path="/other"), 404, "not_found"),
            (upgrade_request("Cookie: zeitnot=member", "Origin: http://evil"), 403, "forbidden"),
            (upgrade_request("Cookie: zeitnot=member"), 403, "forbidden"),
            (upgrade_request("Authorization: Bearer expired"), 401, "unauthenticated"),
            (upgrade_request("Authorization: Basic YTpi"), 401, "unauthenticated"),
            (upgrade_request("Authorization: Bearer broken"), 503, "unavailable"),
            (upgrade_request().replace(b"GET", b"PUT"), 405, "bad_message"),
            (upgrade_request().replace(b"Version: 13", b"Version: 8"), 400, "bad_message"),
            (upgrade_request().replace(b"Sec-WebSocket-Key", b"X-Key"), 400, "bad_message"),
            (upgrade_request("Content-Length: 3") + b"abc", 400, "bad_message"),
            (upgrade_request("Cookie: " + "x" * 9_000), 431, "bad_message"),
            (upgrade_request(path="/ws?" + "x" * 9_000), 414, "bad_message"),
        ],
    )
    async def test_refusal_precedes_upgrade_and_is_json(self, request_bytes: bytes, status: int, code: str) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.send(request_bytes)
            assert await client.error() == (status, code)
            assert await client.hung_up() == b""
            assert server.gateway.traffic.refused == {status: 1}
        assert not server.handler.opened

    async def test_refusal_reaches_client_that_is_still_sending(self) -> None:
        async with echo_server() as server, server.raw() as client:
            client.writer.write(upgrade_request("Authorization: Bearer expired") + b"x" * 3_000_000)
            assert await client.error() == (401, "unauthenticated")

    async def test_refused_client_that_stays_is_disconnected(self) -> None:
        async with echo_server(Limits(close_s=0.01)) as server, server.raw() as client:
            await client.send(upgrade_request(path="/other"))
            assert await client.error() == (404, "not_found")
            await server.until_empty()

    async def test_unavailable_node_refuses_without_lookup(self) -> None:
        async with echo_server() as server:
            server.gateway.is_away = True
            for token in ("Authorization: Bearer member", "X-Stranger: yes"):
                async with server.raw() as client:
                    await client.send(upgrade_request(token))
                    assert await client.error() == (503, "unavailable")
            assert not server.handler.asked

    async def test_node_unavailable_during_lookup_refuses(self) -> None:
        async with echo_server() as server, server.raw() as client:
            server.handler.may_answer.clear()
            await client.send(upgrade_request("Authorization: Bearer member"))
            await server.handler.until(lambda: bool(server.handler.asked))
            server.gateway.is_away = True
            server.handler.may_answer.set()
            assert await client.error() == (503, "unavailable")


QUICK = Limits(handshake_s=0.05, close_s=0.5)


class TestHowSlow:
    async def test_slow_session_lookup_is_refused(self) -> None:
        async with echo_server(QUICK) as server, server.raw() as client:
            server.handler.may_answer.clear()
            await client.send(upgrade_request("Authorization: Bearer member"))
            assert await client.error() == (503, "unavailable")

    async def test_client_that_left_before_the_answer_is_forgotten(self) -> None:
        async with echo_server(Limits(accounts=1)) as server:
            server.handler.may_answer.clear()
            async with server.raw() as client:
                await client.send(upgrade_request("Authorization: Bearer member"))
                await server.handler.until(lambda: bool(server.handler.asked))
            server.handler.may_answer.set()
            await server.until_empty()
            assert len(server.handler.opened) == len(server.handler.closed)
            async with server.welcomed(token="member"):
                pass

    async def test_upgrade_pending_at_shutdown_is_refused(self) -> None:
        async with echo_server() as server, server.raw() as client:
            server.handler.may_answer.clear()
            await client.send(upgrade_request("Authorization: Bearer member"))
            await server.handler.until(lambda: bool(server.handler.asked))
            stopping = asyncio.create_task(server.stop())
            assert await client.error() == (503, "unavailable")
            await client.hung_up()
            client.writer.close()
            await stopping
        assert not server.handler.opened
