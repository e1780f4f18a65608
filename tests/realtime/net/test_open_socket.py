"""Open socket: received frames, with the ``websockets`` client and as raw bytes."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no annotations
import pytest
from websockets.frames import Opcode

from realtime.net.open_socket import REFUSED_BYTES
from realtime.protocol.limits import DEFAULTS, Limits
from tests.realtime.echo_server import ECHO, JSON, MSGPACK, close_code, echo_server, talks
from tests.realtime.raw_client import client_frame, text


class TestMessages:
    async def test_json_is_sent_in_text_frames(self) -> None:
        async with echo_server() as server, server.welcomed(JSON) as client:
            await client.send('{"t":"x","id":5,"text":"ä"}')
            assert await client.recv() == '{"t":"x","id":5,"text":"ä"}'

    async def test_messagepack_is_sent_in_binary_frames(self) -> None:
        async with echo_server() as server, server.connect(MSGPACK) as client:
            assert msgpack.unpackb(await client.recv()) == {"t": "welcome", "user": None}
            message = {"t": "x", "id": 5, "text": "ä"}
            await client.send(msgpack.packb(message))
            assert msgpack.unpackb(await client.recv()) == message

    async def test_json_is_the_default_without_subprotocol(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open("Sec-WebSocket-Protocol: soap, wamp")
            await client.send(text(ECHO))
            assert await client.message() == {"t": "x"}

    async def test_frames_may_arrive_byte_by_byte(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            for byte in text('{"t":"x","text":"' + "y" * 200 + '"}'):
                await client.send(bytes([byte]))
                await asyncio.sleep(0)
            assert await client.message() == {"t": "x", "text": "y" * 200}

    async def test_many_frames_may_share_a_segment(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            await client.send(b"".join(text(json.dumps({"t": "x", "id": number})) for number in range(50)))
            assert [(await client.message())["id"] for _ in range(50)] == list(range(50))

    async def test_ping_may_come_between_fragments(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            await client.send(client_frame(Opcode.TEXT, '{"t":', fin=False))
            await client.send(client_frame(Opcode.CONT, b'"x","a":"\xc3', fin=False))
            await client.send(client_frame(Opcode.PING, "p"))
            assert (await client.next(Opcode.PONG)).data == b"p"
            await client.send(client_frame(Opcode.CONT, b'\xa4"}'))
            assert await client.message() == {"t": "x", "a": "ä"}
            await client.send(text(ECHO))
            assert await client.message() == {"t": "x"}

    async def test_longest_message_is_accepted(self) -> None:
        async with echo_server() as server, server.welcomed() as client:
            longest = json.dumps({"t": "x" * (DEFAULTS.frame_bytes - len('{"t": ""}'))})
            assert len(longest) == DEFAULTS.frame_bytes
            await client.send(longest)
            assert len(await client.recv()) == len(longest) - 1  # the space

    async def test_connections_are_numbered(self) -> None:
        async with echo_server() as server:
            async with server.welcomed(), server.welcomed(), server.welcomed():
                pass
            assert [connection.number for connection in server.handler.opened] == [1, 2, 3]
            await server.handler.until(lambda: len(server.handler.closed) == 3)
            traffic = server.gateway.traffic
            assert (traffic.open, traffic.opened, traffic.closed) == (0, 3, {1000: 3})


class TestBadInput:
    @pytest.mark.parametrize("payload", ["", "{", "null", "[1]", '"t"', "{'t':1}", "[" * 4000, '{"t":1e999}'])
    async def test_invalid_json_is_answered_and_socket_stays_open(self, payload: str) -> None:
        async with echo_server() as server, server.welcomed(JSON) as client:
            await client.send(payload)
            answer = json.loads(await client.recv())
            assert (answer["t"], answer["code"], "id" in answer) == ("error", "bad_message", False)
            assert await talks(client)
            assert server.gateway.traffic.bad_messages == 1

    @pytest.mark.parametrize("payload", [b"", b"\xc1", b"\x91" * 8000, b"\x81\x01\x02", b"\xc0", b"\x80\x80"])
    async def test_invalid_messagepack_is_answered_and_socket_stays_open(self, payload: bytes) -> None:
        async with echo_server() as server, server.welcomed(MSGPACK) as client:
            await client.send(payload)
            assert msgpack.unpackb(await client.recv())["code"] == "bad_message"
            await client.send(b"\x81\xa1t\xa1x")
            assert await client.recv() == b"\x81\xa1t\xa1x"

    async def test_text_frame_on_messagepack_socket_closes(self) -> None:
        async with echo_server() as server, server.welcomed(MSGPACK) as client:
            await client.send(ECHO)
            assert await close_code(client) == 1003

    @pytest.mark.parametrize("subprotocol", [JSON, None])
    async def test_binary_frame_on_json_socket_closes(self, subprotocol: str | None) -> None:
        async with echo_server() as server, server.welcomed(*filter(None, [subprotocol])) as client:
            await client.send(b"\x81\xa1t\xa1x")
            assert await close_code(client) == 1003

    async def test_fragment_of_the_wrong_type_closes(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            await client.send(client_frame(Opcode.BINARY, b"x", fin=False))
            assert (await client.close_frame()).code == 1003
        assert not server.handler.received

    @pytest.mark.parametrize(
        ("frames", "code"),
        [
            ([text(b'{"t":"\xff"}')], 1007),
            ([text(b'{"t":"\xed\xa0\x80"}')], 1007),
            ([client_frame(Opcode.TEXT, b'{"t":"\xc3', fin=False), client_frame(Opcode.CONT, b'"}')], 1007),
            ([client_frame(Opcode.TEXT, ECHO, mask=False)], 1002),
            ([b"\xf1\x80\x00\x00\x00\x00"], 1002),
            ([b"\x83\x80\x00\x00\x00\x00"], 1002),
            ([client_frame(Opcode.CONT, ECHO)], 1002),
            ([client_frame(Opcode.TEXT, "{", fin=False), text(ECHO)], 1002),
            ([client_frame(Opcode.CLOSE, b"\x03")], 1002),
            ([client_frame(Opcode.CLOSE, b"\x03\xe8\xff")], 1007),
            ([text("x" * 8193)], 1009),
            ([client_frame(Opcode.TEXT, "x" * 8000, fin=False), client_frame(Opcode.CONT, "x" * 193)], 1009),
            ([b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff"], 1009),
        ],
    )
    async def test_invalid_frame_closes_the_socket(self, frames: list[bytes], code: int) -> None:
        async with echo_server() as server, server.raw() as client, server.welcomed() as other:
            await client.open()
            await client.send(b"".join(frames))
            assert (await client.close_frame()).code == code
            await client.hung_up()
            await server.handler.until(lambda: len(server.handler.closed) == 1)
            assert not server.handler.received
            assert server.gateway.traffic.closed == {code: 1}
            assert await talks(other)

    async def test_message_before_an_invalid_frame_is_processed(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            await client.send(text(ECHO) + b"\xf1\x80" + text(ECHO))
            assert await client.message() == {"t": "x"}
            assert (await client.close_frame()).code == 1002
        assert len(server.handler.received) == 1

    async def test_oversized_frame_is_not_buffered(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            size, chunk = 10_000_000, b"x" * 50_000
            tracemalloc.start()
            try:
                client.writer.write(b"\x81\xff" + size.to_bytes(8, "big") + b"mask")
                for _ in range(size // len(chunk)):
                    await client.send(chunk)
                assert (await client.close_frame()).code == 1009
                _, peak = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
            assert peak < size // 2  # other work of this process is counted too

    async def test_empty_fragments_use_no_memory_and_count_as_flood(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            await client.send(client_frame(Opcode.TEXT, fin=False))
            await client.send(client_frame(Opcode.CONT, fin=False) * 200)
            assert (await client.close_frame()).code == 4008


class TestFlood:
    async def test_flooding_socket_gets_errors_then_is_closed(self) -> None:
        async with echo_server() as server, server.raw() as client, server.welcomed() as other:
            await client.open()
            await client.send(text(ECHO) * 1_000)
            answers = [await client.message() for _ in range(120)]
            assert answers[:60] == [{"t": "x"}] * 60
            assert {(answer["t"], answer["code"]) for answer in answers[60:]} == {("error", "rate_limited")}
            assert (await client.close_frame()).code == 4008
            await client.hung_up()
            assert await talks(other)
            assert server.gateway.traffic.rate_limited == 61
        assert len(server.handler.received) == 61

    async def test_any_message_over_the_rate_is_refused(self) -> None:
        async with echo_server(Limits(rate=1, burst=1)) as server, server.raw() as client:
            await client.open()
            await client.send(text(ECHO) + text(b"\xff\xff") + text("x" * 9_000))
            assert await client.message() == {"t": "x"}
            assert (await client.message())["code"] == "rate_limited"
            assert (await client.close_frame()).code == 1009

    async def test_refusal_of_short_request_has_its_id(self) -> None:
        async with echo_server(Limits(rate=1, burst=3)) as server, server.raw() as client:
            await client.open()
            parts = client_frame(Opcode.TEXT, '{"t":"x",', fin=False) + client_frame(Opcode.CONT, '"id":7}')
            long = text(json.dumps({"t": "x", "id": 9, "text": "y" * REFUSED_BYTES}))
            await client.send(text(ECHO) * 2 + parts + text('{"t":"x","id":8}') + long)
            answers = [await client.message() for _ in range(5)]
            assert [answer.get("id") for answer in answers] == [None, None, 7, 8, None]
            assert {answer["code"] for answer in answers[2:]} == {"rate_limited"}

    async def test_refusal_of_messagepack_request_has_its_id(self) -> None:
        async with echo_server(Limits(rate=1, burst=1)) as server, server.connect(MSGPACK) as client:
            await client.recv()
            for number in (1, 2):
                await client.send(msgpack.packb({"t": "x", "id": number}))
            assert msgpack.unpackb(await client.recv()) == {"t": "x", "id": 1}
            refused = msgpack.unpackb(await client.recv())
            assert (refused["code"], refused["id"]) == ("rate_limited", 2)

    async def test_message_with_a_fragment_over_the_rate_is_refused(self) -> None:
        async with echo_server(Limits(rate=1, burst=2)) as server, server.raw() as client:
            await client.open()
            parts = [client_frame(Opcode.TEXT, '{"t":', fin=False), client_frame(Opcode.CONT, '"x', fin=False)]
            await client.send(b"".join(parts) + client_frame(Opcode.CONT, '"}'))
            assert (await client.message())["code"] == "rate_limited"
        assert not server.handler.received

    @pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
    async def test_control_frames_count_against_the_rate(self, opcode: Opcode) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            await client.send(client_frame(opcode, "abcd") * 1_000)
            while (frame := await client.frame()).opcode in (Opcode.PING, Opcode.PONG):
                pass
            assert (frame.opcode, bytes(frame.data[:2])) == (Opcode.CLOSE, (4008).to_bytes(2, "big"))

    async def test_rate_may_be_raised_by_limits(self) -> None:
        async with echo_server(Limits(rate=1_000, burst=3_000)) as server, server.raw() as client:
            await client.open()
            await client.send(text(ECHO) * 1_000)
            for _ in range(1_000):
                assert await client.message() == {"t": "x"}


class TestFailingSession:
    async def test_request_that_raises_is_answered(self, caplog: pytest.LogCaptureFixture) -> None:
        async with echo_server() as server, server.welcomed() as client, server.welcomed() as other:
            await client.send('{"t":"raise","id":7}')
            answer = json.loads(await client.recv())
            assert (answer["t"], answer["id"], answer["code"]) == ("error", 7, "unavailable")
            await client.send('{"t":"raise","id":"x"}')
            assert "id" not in json.loads(await client.recv())
            assert await talks(client)
            assert await talks(other)
            assert server.gateway.traffic.failures == 2
        assert "on_message failed for connection 1" in caplog.text
        assert "the session is broken" in caplog.text

    async def test_failing_welcome_closes_the_socket(
        self, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with echo_server() as server:
            monkeypatch.setattr(server.handler, "on_open", broken)
            async with server.connect() as client:
                assert await close_code(client) == 1011
            await server.handler.until(lambda: bool(server.handler.closed))
        assert "broken failed for connection 1" in caplog.text

    async def test_failing_close_handler_is_logged(
        self, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with echo_server() as server:
            monkeypatch.setattr(server.handler, "on_close", broken)
            async with server.welcomed():
                pass
            await server.until_empty()
            assert not server.gateway._by_network
        assert "broken failed for connection 1" in caplog.text


def broken(*args: Any) -> None:
    raise RuntimeError("broken")
