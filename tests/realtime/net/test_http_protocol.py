"""HTTP protocol: the undocumented parts of uvicorn this server relies on, and its additions."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import cast

import pytest

from realtime.net.http_protocol import HEAD_BYTES, HEAD_LINES, UPGRADE, HttpProtocol
from realtime.protocol.limits import Limits
from tests.realtime.echo_server import LONG, echo_server
from tests.realtime.raw_client import RawClient, text, upgrade_request

GET = b"GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n"
GET_LONG = GET.replace(b"/page", b"/long")


def post(length: int) -> bytes:
    head = f"POST /page HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
    return head.encode() + b"x" * length


async def page(client: RawClient, request: bytes) -> tuple[int, bytes]:
    await client.send(request)
    status, _, body = await client.response()
    return status, body


class TestContract:
    """Undocumented behaviour of uvicorn that this server relies on."""

    async def test_http_requests_are_served(self) -> None:
        async with echo_server() as server, server.raw() as client:
            assert await page(client, GET) == (200, b"GET 0")
            assert await page(client, post(300_000)) == (200, b"POST 300000")

    async def test_kept_alive_connection_may_become_a_socket(self) -> None:
        async with echo_server() as server, server.raw() as client:
            assert await page(client, GET) == (200, b"GET 0")
            assert await page(client, post(5)) == (200, b"POST 5")
            assert (await client.open())["t"] == "welcome"
            await client.send(text('{"t":"x"}'))
            assert await client.message() == {"t": "x"}

    async def test_request_may_arrive_byte_by_byte(self) -> None:
        async with echo_server() as server, server.raw() as client:
            for byte in upgrade_request():
                await client.send(bytes([byte]))
                await asyncio.sleep(0)
            assert (await client.response())[0] == 101

    async def test_frames_sent_with_the_upgrade_are_not_lost(self) -> None:
        async with echo_server() as server, server.raw() as client:
            message = text('{"t":"early"}')
            await client.send(upgrade_request() + message + message[:5])
            assert (await client.response())[0] == 101
            assert (await client.message())["t"] == "welcome"
            assert (await client.message())["t"] == "early"
            await client.send(message[5:])
            assert (await client.message())["t"] == "early"

    async def test_frames_sent_before_the_answer_are_not_lost(self) -> None:
        async with echo_server() as server, server.raw() as client:
            server.handler.may_answer.clear()
            await client.send(upgrade_request("Authorization: Bearer member") + text('{"t":"first"}'))
            await server.handler.until(lambda: bool(server.handler.asked))
            await client.send(text('{"t":"second"}'))
            server.handler.may_answer.set()
            assert (await client.response())[0] == 101
            assert [(await client.message())["t"] for _ in range(3)] == ["welcome", "first", "second"]

    async def test_upgrade_after_unanswered_request_is_disconnected(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.send(GET + upgrade_request())
            await client.hung_up()
            assert not server.handler.opened

    async def test_other_upgrades_are_ignored(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.send(GET.replace(b"\r\n\r\n", b"\r\nConnection: upgrade, close\r\nUpgrade: h2c\r\n\r\n"))
            assert (await client.response())[0] == 200

    async def test_malformed_request_is_a_bad_request(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.send(b"\x16\x03\x01 nonsense\r\n\r\n")
            assert (await client.response())[0] == 400
            assert await client.hung_up() == b""

    async def test_uvicorn_counts_open_sockets(self) -> None:
        async with echo_server() as server:
            async with server.welcomed():
                assert len(server.uvicorn.server_state.connections) == 1
                assert len(server.gateway.connections) == 1
            await server.handler.until(lambda: bool(server.handler.closed))
            assert not server.uvicorn.server_state.connections
            assert not server.gateway.connections


QUICK = Limits(handshake_s=0.05, close_s=0.5)


class TestHowSlow:
    @pytest.mark.parametrize(
        "begun", [b"", b"G", upgrade_request()[:-2], GET + GET[:-1], post(5)[:-1], GET + post(5)[:-1]]
    )
    async def test_unfinished_request_is_disconnected(self, begun: bytes) -> None:
        async with echo_server(QUICK) as server, server.raw() as client:
            await client.send(begun)
            await client.hung_up()
            assert not server.uvicorn.server_state.connections

    async def test_finished_request_is_not_disconnected(self) -> None:
        async with echo_server(QUICK) as server, server.raw() as client:
            assert await page(client, GET) == (200, b"GET 0")
            await asyncio.sleep(3 * QUICK.handshake_s)  # the cut-off would have come in this time
            await client.open()
            await asyncio.sleep(3 * QUICK.handshake_s)
            await client.send(text('{"t":"x"}'))
            assert await client.message() == {"t": "x"}

    async def test_body_may_have_an_extended_time_limit(self) -> None:
        async with echo_server(QUICK) as server, server.raw() as client:
            begun = post(5).replace(b"/page", b"/slow")
            await client.send(begun[:-2])
            await asyncio.sleep(3 * QUICK.handshake_s)  # the cut-off would have come in this time
            assert await page(client, begun[-2:]) == (200, b"POST 5")
            await client.send(GET[:-1])
            await client.hung_up()

    async def test_answered_request_has_no_extended_time_limit(self) -> None:
        async with echo_server(QUICK) as server, server.raw() as client:
            assert await page(client, post(5).replace(b"/page", b"/hasty")[:-2]) == (200, b"POST 3")
            await client.hung_up()
            assert not server.uvicorn.server_state.connections

    @pytest.mark.parametrize("path", [b"/slow", b"/hasty"])
    async def test_complete_body_has_no_time_limit(self, path: bytes) -> None:
        async with echo_server(QUICK) as server, server.raw() as client:
            assert await page(client, post(5).replace(b"/page", path)) == (200, b"POST 5")
            await asyncio.sleep(3 * QUICK.handshake_s)  # a cut-off would have come in this time
            assert await page(client, GET) == (200, b"GET 0")

    async def test_unread_long_answer_is_disconnected(self) -> None:
        async with echo_server(Limits(silence_s=0.2)) as server, server.raw() as client:
            await client.send(GET_LONG)
            await server.until_empty()
            assert len(await client.hung_up()) < LONG

    async def test_slow_reader_keeps_connection_after_upgrade(self) -> None:
        async with echo_server(Limits(silence_s=1)) as server, server.raw() as client:
            assert await page(client, GET) == (200, b"GET 0")
            (connection,) = server.uvicorn.server_state.connections
            cast("HttpProtocol", connection).pause_writing()  # as the transport does with an answer that is not taken
            await client.open()
            for number in range(15):
                await asyncio.sleep(0.1)  # the cut-off would have come in this time
                await client.send(text(f'{{"t":"{number}"}}'))
                assert (await client.message())["t"] == f"{number}"

    async def test_long_answer_is_sent_to_a_reader(self) -> None:
        async with echo_server(Limits(silence_s=2)) as server, server.raw() as client:
            status, body = await page(client, GET_LONG)
            assert (status, len(body)) == (200, LONG)
            assert await page(client, GET) == (200, b"GET 0")


BROWSER = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nPragma: no-cache\r\n"
    b"User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:147.0)\r\nUpgrade: websocket\r\nOrigin: http://localhost\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Protocol: zeitnot.v1.msgpack\r\n\r\n"
)
SHORT = {
    "a browser's": BROWSER,
    "in lower case": BROWSER.replace(b"Upgrade", b"upgrade").replace(b"Connection", b"connection"),
    "with spaces": BROWSER.replace(b": websocket", b":  WebSocket"),
    "without a key": BROWSER.replace(b"Sec-WebSocket-Key", b"X-Key"),
    "with a bad token": BROWSER.replace(b"Pragma: no-cache", b"Authorization: Bearer expired"),
    "with an unknown header twice": BROWSER.replace(b"Pragma: no-cache", b"X-A: 1\r\nX-A: 2"),
    "with a cookie from elsewhere": BROWSER.replace(b"http://localhost", b"http://elsewhere\r\nCookie: zeitnot=member"),
    "with a cookie and two hosts": BROWSER.replace(b"Pragma: no-cache", b"Cookie: zeitnot=member\r\nHost: localhost"),
    "through a proxy": BROWSER.replace(b"Pragma: no-cache", b"X-Forwarded-For: 1.2.3.4, \xff\r\nExpect: 100-continue"),
    "of an old version": BROWSER.replace(b"Version: 13", b"Version: 8"),
    "with a long header": BROWSER.replace(b"no-cache", b"x" * 9_000),
    "with many headers": BROWSER.replace(b"Pragma: no-cache", b"\r\n".join(b"X-%d: 1" % n for n in range(80))),
}
"""Requests that are known for what they are as they come, and are not parsed twice."""

OTHERS = {
    "elsewhere": BROWSER.replace(b"/ws", b"/wss"),
    "with a query": BROWSER.replace(b"/ws", b"/ws?a=b"),
    "in HTTP/1.0": BROWSER.replace(b"HTTP/1.1", b"HTTP/1.0"),
    "by POST": BROWSER.replace(b"GET", b"POST"),
    "for something else": BROWSER.replace(b"websocket", b"h2c"),
    "without an upgrade": BROWSER.replace(b"Upgrade: websocket\r\n", b""),
    "with a connection that is none": BROWSER.replace(b"keep-alive, Upgrade", b"close"),
    "with the words in another header": BROWSER.replace(b"Upgrade: ", b"X-Upgrade: "),
    "with the words behind its end": GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "with a bare line feed": BROWSER.replace(b"\r\nPragma", b"\nPragma"),
    "with a tab behind": BROWSER.replace(b"websocket", b"websocket \t"),
    "that breaks off": BROWSER[:-2],
    "with far too many headers": BROWSER.replace(b"Pragma: no-cache", b"\r\n".join(b"X: 1" for _ in range(999))),
    "with a body": BROWSER.replace(b"Pragma: no-cache", b"Content-Length: 0\r\nContent-Length: 0"),
    "with a body in pieces": BROWSER.replace(b"Pragma: no-cache", b"transfer-encoding: chunked"),
    "that changes its mind": BROWSER.replace(b"Pragma: no-cache", b"Connection: close"),
    "that wants two things": BROWSER.replace(b"Pragma: no-cache", b"Upgrade: h2c"),
    "with a folded line": BROWSER.replace(b"Pragma: no-cache", b"Pragma: a\r\n b"),
    "with a space in a name": BROWSER.replace(b"Pragma:", b"Pragma :"),
    "with a zero byte": BROWSER.replace(b"no-cache", b"no\0cache"),
    "with another word in the list": BROWSER.replace(b", Upgrade", b", Upgraded"),
}
"""Requests that uvicorn has to look at."""


class TestShortWay:
    """The fast path of an upgrade: most upgrade requests arrive whole and alone."""

    @pytest.mark.parametrize("request_bytes", SHORT.values(), ids=SHORT)
    async def test_fast_path_answers_like_the_slow_path(self, request_bytes: bytes) -> None:
        async with echo_server() as server, server.raw() as short, server.raw() as long:
            assert UPGRADE.fullmatch(request_bytes)
            await short.send(request_bytes)
            await long.send(request_bytes[:7])
            await server.until_begun(2)
            await long.send(request_bytes[7:])
            answers = [await client.response() for client in (short, long)]
            for _, headers, _ in answers:
                headers.pop("date", None)
            assert answers[0] == answers[1]

    @pytest.mark.parametrize("request_bytes", OTHERS.values(), ids=OTHERS)
    def test_other_requests_do_not_take_the_fast_path(self, request_bytes: bytes) -> None:
        assert UPGRADE.match(request_bytes) is None

    def test_upgrade_pattern_has_no_backtracking(self) -> None:
        """64 KiB of ``upgradeupgrade`` must not take seconds: all repetitions are possessive."""
        pattern = re.sub(rb"\[[^]]*\]", b"x", UPGRADE.pattern)  # without sets of characters
        assert re.search(rb"(?<![*+}])[*+](?!\+)|\}(?!\+)", pattern) is None
        assert UPGRADE.match(b"GET /ws HTTP/1.1\r\nConnection: " + b"upgrade" * 9_000) is None


LINE = b"X-Filler: " + b"y" * 1000 + b"\r\n"

TOO_MUCH = {
    "many lines": GET[:-2] + b"".join(b"X-%d: 1\r\n" % number for number in range(HEAD_LINES + 1)) + b"\r\n",
    "long lines": GET[:-2] + LINE * 40 + b"\r\n",
    "an upgrade of many lines": upgrade_request(*(f"X-{number}: 1" for number in range(HEAD_LINES))),
    "an address without end": b"GET /" + b"a" * 100_000,
    "a line without end": GET[:-2] + b"X-Filler: " + b"y" * 200_000,
    "a line without end in one piece": GET[:-2] + b"X-Filler: " + b"y" * HEAD_BYTES,
    "lines without end": GET[:-2] + LINE * 200,
}


@pytest.mark.parametrize("request_head", TOO_MUCH.values(), ids=TOO_MUCH)
async def test_request_head_is_bounded(request_head: bytes) -> None:
    async with echo_server() as server, server.raw() as client:
        with contextlib.suppress(ConnectionError):  # it may be over before all was sent
            await client.send(request_head)
        assert await client.error() == (431, "bad_message")
        await client.hung_up()


async def test_chunk_extensions_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    chunked = b"POST /page HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with echo_server() as server, server.raw() as client:
        assert await page(client, chunked + b"1\r\nx\r\n" * 5_000 + b"0\r\n\r\n") == (200, b"POST 5000")
        with contextlib.suppress(ConnectionError):
            await client.send(chunked + b"1;" + b"e" * 200_000)
        await client.hung_up()


async def test_head_limit_applies_to_each_request() -> None:
    async with echo_server() as server, server.raw() as client:
        for _ in range(5):
            assert await page(client, GET[:-2] + LINE * 20 + b"\r\n") == (200, b"GET 0")
