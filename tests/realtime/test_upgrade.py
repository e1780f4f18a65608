"""Handshakes over real sockets against a real uvicorn: its contract for a ``ws`` class, and who is let in."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from realtime.limits import Limits
from tests.realtime.echo_server import JSON, MSGPACK, EchoServer, echo_server
from tests.realtime.raw_client import RawClient, text, upgrade_request

GET = b"GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n"


def post(length: int) -> bytes:
    head = f"POST /page HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
    return head.encode() + b"x" * length


async def page(client: RawClient, request: bytes) -> tuple[int, bytes]:
    await client.send(request)
    status, _, body = await client.response()
    return status, body


class TestContract:
    """What this server relies on in uvicorn, which documents none of it."""

    async def test_pages_are_served_as_ever(self) -> None:
        async with echo_server() as server, server.raw() as client:
            assert await page(client, GET) == (200, b"GET 0")
            assert await page(client, post(300_000)) == (200, b"POST 300000")

    async def test_a_kept_alive_connection_can_become_a_socket(self) -> None:
        async with echo_server() as server, server.raw() as client:
            assert await page(client, GET) == (200, b"GET 0")
            assert await page(client, post(5)) == (200, b"POST 5")
            assert (await client.open())["t"] == "welcome"
            await client.send(text('{"t":"x"}'))
            assert await client.message() == {"t": "x"}

    async def test_a_request_may_come_byte_by_byte(self) -> None:
        async with echo_server() as server, server.raw() as client:
            for byte in upgrade_request():
                await client.send(bytes([byte]))
                await asyncio.sleep(0)
            assert (await client.response())[0] == 101

    async def test_what_comes_with_the_request_is_not_lost(self) -> None:
        async with echo_server() as server, server.raw() as client:
            message = text('{"t":"early"}')
            await client.send(upgrade_request() + message + message[:5])
            assert (await client.response())[0] == 101
            assert (await client.message())["t"] == "welcome"
            assert (await client.message())["t"] == "early"
            await client.send(message[5:])
            assert (await client.message())["t"] == "early"

    async def test_what_comes_before_the_answer_is_not_lost(self) -> None:
        async with echo_server() as server, server.raw() as client:
            server.handler.may_answer.clear()
            await client.send(upgrade_request("Authorization: Bearer member") + text('{"t":"first"}'))
            await server.handler.until(lambda: bool(server.handler.asked))
            await client.send(text('{"t":"second"}'))
            server.handler.may_answer.set()
            assert (await client.response())[0] == 101
            assert [(await client.message())["t"] for _ in range(3)] == ["welcome", "first", "second"]

    async def test_other_upgrades_are_not_ours(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.send(GET.replace(b"\r\n\r\n", b"\r\nConnection: upgrade, close\r\nUpgrade: h2c\r\n\r\n"))
            assert (await client.response())[0] == 200

    async def test_nonsense_is_a_bad_request(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.send(b"\x16\x03\x01 nonsense\r\n\r\n")
            assert (await client.response())[0] == 400
            assert await client.hung_up() == b""

    async def test_uvicorn_knows_its_sockets(self) -> None:
        async with echo_server() as server:
            async with server.welcomed():
                assert len(server.uvicorn.server_state.connections) == 1
                assert len(server.gateway.connections) == 1
            await server.handler.until(lambda: bool(server.handler.closed))
            assert not server.uvicorn.server_state.connections
            assert not server.gateway.connections


class TestWhoIsLetIn:
    async def test_a_stranger_may_watch(self) -> None:
        async with echo_server() as server, server.connect() as client:
            assert json.loads(await client.recv()) == {"t": "welcome", "user": None}
            assert client.subprotocol is None

    @pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
    async def test_a_bearer_token(self, subprotocol: str) -> None:
        async with echo_server() as server, server.welcomed(subprotocol, token="member") as client:
            assert client.subprotocol == subprotocol
            (connection,) = server.handler.opened
            assert connection.user is not None
            assert (connection.user.name, connection.address) == ("Anna", "127.0.0.1")

    async def test_a_cookie_from_our_own_page(self) -> None:
        async with echo_server() as server:
            options: dict[str, Any] = {
                "additional_headers": {"Cookie": "zeitnot=member"},
                "origin": f"http://127.0.0.1:{server.port}",
            }
            async with server.connect(**options) as client:
                assert json.loads(await client.recv())["user"] == "Anna"

    async def test_an_expired_cookie_is_a_stranger(self) -> None:
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
    async def test_a_refusal_comes_before_the_upgrade_and_in_json(
        self, request_bytes: bytes, status: int, code: str
    ) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.send(request_bytes)
            assert await client.error() == (status, code)
            assert await client.hung_up() == b""
            assert server.gateway.traffic.refused == {status: 1}
        assert not server.handler.opened

    async def test_a_refusal_reaches_who_is_still_sending(self) -> None:
        async with echo_server() as server, server.raw() as client:
            client.writer.write(upgrade_request("Authorization: Bearer expired") + b"x" * 3_000_000)
            assert await client.error() == (401, "unauthenticated")

    async def test_who_does_not_hang_up_after_a_refusal_is_hung_up_on(self) -> None:
        async with echo_server(Limits(close_s=0.01)) as server, server.raw() as client:
            await client.send(upgrade_request(path="/other"))
            assert await client.error() == (404, "not_found")
            await server.until_empty()


async def status_of(server: EchoServer, **options: Any) -> int:
    with pytest.raises(InvalidStatus) as refused:
        async with server.connect(**options):
            pass
    assert refused.value.response.body is not None
    assert json.loads(refused.value.response.body)["error"]["code"] == "rate_limited"
    return refused.value.response.status_code


class TestHowMany:
    async def test_guests_and_strangers_share_their_address(self) -> None:
        async with echo_server(Limits(connections=2)) as server, server.welcomed(token="guest"):
            async with server.welcomed():
                assert await status_of(server) == 429
                assert await status_of(server, token="other-guest") == 429
                async with server.welcomed(token="member"):
                    pass
            await server.handler.until(lambda: len(server.handler.closed) == 2)
            async with server.welcomed(token="other-guest"):
                assert server.gateway.traffic.refused == {429: 2}

    async def test_an_account_has_a_limit_of_its_own(self) -> None:
        async with echo_server(Limits(accounts=1)) as server:
            async with server.welcomed(token="member"):
                assert await status_of(server, token="member") == 429
                async with server.welcomed(token="guest"):
                    pass
            await server.handler.until(lambda: len(server.handler.closed) == 2)
            async with server.welcomed(token="member"):
                pass

    async def test_addresses_behind_a_proxy_of_ours_are_apart(self) -> None:
        async with echo_server(Limits(connections=1)) as server:
            async with (
                server.welcomed(additional_headers={"X-Forwarded-For": "192.0.2.1"}),
                server.welcomed(additional_headers={"X-Forwarded-For": "2001:db8::1"}),
            ):
                assert await status_of(server, additional_headers={"X-Forwarded-For": "192.0.2.1"}) == 429
                assert await status_of(server, additional_headers={"X-Forwarded-For": "2001:db8::2"}) == 429
            await server.handler.until(lambda: len(server.handler.closed) == 2)
        assert [connection.address for connection in server.handler.opened] == ["192.0.2.1", "2001:db8::1"]

    async def test_nobody_is_counted_for_ever(self) -> None:
        async with echo_server(Limits(connections=1, accounts=1)) as server:
            for number in range(1, 4):
                async with server.welcomed(token="guest"):
                    pass
                await server.handler.until(lambda number=number: len(server.handler.closed) == number)  # type: ignore[misc]  # a lambda's default is its closure
            assert not server.gateway._by_network
            assert not server.gateway._by_account


QUICK = Limits(handshake_s=0.05, close_s=0.5)


class TestHowSlow:
    @pytest.mark.parametrize("begun", [b"", b"G", upgrade_request()[:-2], GET + GET[:-1]])
    async def test_who_does_not_finish_a_request_is_cut_off(self, begun: bytes) -> None:
        async with echo_server(QUICK) as server, server.raw() as client:
            await client.send(begun)
            await client.hung_up()
            assert not server.uvicorn.server_state.connections

    async def test_who_finished_is_not(self) -> None:
        async with echo_server(QUICK) as server, server.raw() as client:
            assert await page(client, GET) == (200, b"GET 0")
            await asyncio.sleep(3 * QUICK.handshake_s)  # the cut-off would have come in this time
            await client.open()
            await asyncio.sleep(3 * QUICK.handshake_s)
            await client.send(text('{"t":"x"}'))
            assert await client.message() == {"t": "x"}

    async def test_a_session_that_cannot_be_looked_up_in_time(self) -> None:
        async with echo_server(QUICK) as server, server.raw() as client:
            server.handler.may_answer.clear()
            await client.send(upgrade_request("Authorization: Bearer member"))
            assert await client.error() == (503, "unavailable")

    async def test_who_leaves_before_the_answer_is_forgotten(self) -> None:
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

    async def test_who_is_still_at_the_door_at_shutdown_is_sent_away(self) -> None:
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
