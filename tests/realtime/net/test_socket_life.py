"""Lifetime of a socket, from the first ping to the last frame."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

import pytest
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode

from realtime.clock.loop_time import running_time
from realtime.ops.traffic import CLOSE_CODES
from realtime.protocol.codec import frame_text
from realtime.protocol.limits import Limits
from tests.realtime.echo_server import ECHO, MSGPACK, close_code, echo_server, talks
from tests.realtime.raw_client import client_frame, text


class TestPings:
    async def test_first_ping_follows_the_welcome(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            assert (await client.frame()).opcode is Opcode.PING

    async def test_ping_of_client_is_answered(self) -> None:
        async with echo_server() as server, server.welcomed() as client:
            await (await client.ping(b"hello"))

    async def test_pongs_measure_the_round_trip(self) -> None:
        async with echo_server(Limits(ping_s=0.02), trust_tcp_info=False) as server, server.raw() as client:
            await client.open()
            (connection,) = server.handler.opened
            assert connection.round_trip.ceiling_ms == 0
            ping = await client.frame()
            await asyncio.sleep(0.06)  # the round trip that is to be measured
            await client.send(client_frame(Opcode.PONG, bytes(ping.data)))
            assert (await client.frame()).opcode is Opcode.PING
            assert connection.round_trip.ceiling_ms >= 50

    async def test_kernel_round_trip_bounds_a_late_pong(self) -> None:
        async with echo_server(Limits(ping_s=0.02)) as server, server.raw() as client:
            await client.open()
            (connection,) = server.handler.opened
            ping = await client.frame()
            await asyncio.sleep(0.06)
            await client.send(client_frame(Opcode.PONG, bytes(ping.data)))
            assert (await client.frame()).opcode is Opcode.PING
            assert 0 < connection.round_trip.ceiling_ms < 50

    async def test_round_trip_of_proxy_does_not_bound_the_client(self) -> None:
        async with echo_server(Limits(ping_s=0.02)) as server, server.raw() as client:
            await client.open("X-Forwarded-For: 192.0.2.1")
            (connection,) = server.handler.opened
            ping = await client.frame()
            await asyncio.sleep(0.06)
            await client.send(client_frame(Opcode.PONG, bytes(ping.data)))
            assert (await client.frame()).opcode is Opcode.PING
            assert connection.round_trip.ceiling_ms >= 50

    async def test_only_the_expected_pong_counts(self) -> None:
        async with echo_server(Limits(ping_s=0.02), trust_tcp_info=False) as server, server.raw() as client:
            await client.open()
            (connection,) = server.handler.opened
            await client.frame()
            for payload in (b"", b"\x00\x00\x00\x02", b"\x00\x00\x00\x01 "):
                await client.send(client_frame(Opcode.PONG, payload))
            await client.send(text(ECHO))
            assert await client.message() == {"t": "x"}
            assert connection.round_trip._average_ms < 0

    async def test_silent_peer_is_closed_then_disconnected(self) -> None:
        limits = Limits(ping_s=0.05, silence_s=0.2, close_s=0.05)
        async with echo_server(limits) as server, server.raw() as client:
            await client.open()
            assert (await client.close_frame()).code == 1001
            await server.handler.until(lambda: bool(server.handler.closed))
            assert not server.handler.closed[0].said_goodbye
            assert await client.hung_up() == b""

    async def test_vanished_peer_is_disconnected(self) -> None:
        """The connection is half-open: packets are dropped, so the server sees a peer that reads nothing."""
        limits = Limits(ping_s=0.05, silence_s=0.2, close_s=0.05)
        async with echo_server(limits) as server, server.raw() as client:
            await client.open()
            client.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a StreamWriter's is a ReadTransport too
            frame = frame_text(b"x" * 60_000)
            for _ in range(200):
                server.handler.opened[0].write_droppable(frame)
            await server.handler.until(lambda: bool(server.handler.closed))
            assert server.gateway.traffic.closed == {1001: 1}

    async def test_peer_that_only_answers_pings_stays_open(self) -> None:
        async with echo_server(Limits(ping_s=0.05, silence_s=0.2)) as server, server.raw() as client:
            await client.open()
            for _ in range(8):
                ping = await client.frame()
                assert ping.opcode is Opcode.PING
                await client.send(client_frame(Opcode.PONG, bytes(ping.data)))
            assert not server.handler.closed


class TestStamps:
    async def test_message_is_stamped_in_game_time(self) -> None:
        async with echo_server() as server, server.welcomed() as client:
            before = running_time().now_ms()
            await asyncio.sleep(0)  # a stamp may be as old as the last poll
            assert await talks(client)
            (_, received_ms) = server.handler.received[0]
            assert before - 1 <= received_ms <= running_time().now_ms()

    async def test_message_during_busy_loop_has_time_of_previous_poll(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            await client.frame()
            peer = client.writer.get_extra_info("socket")
            await asyncio.sleep(0)
            before_ms = running_time().now_ms()
            time.sleep(0.1)  # noqa: ASYNC251  the loop is to be busy
            os.write(peer.fileno(), text(ECHO))
            time.sleep(0.1)  # noqa: ASYNC251
            await client.message()
            (_, received_ms) = server.handler.received[0]
            assert received_ms <= before_ms
            assert running_time().now_ms() >= before_ms + 200


class TestClosing:
    @pytest.mark.parametrize(
        ("code", "goodbye"), [(1000, True), (1001, True), (1011, False), (3000, False), (4000, False)]
    )
    async def test_intended_close_counts_as_goodbye(self, code: int, goodbye: bool) -> None:
        async with echo_server() as server:
            async with server.welcomed() as client:
                await client.close(code)
                assert client.close_code == code
            await server.handler.until(lambda: bool(server.handler.closed))
            assert server.handler.closed == server.handler.opened
            assert server.handler.closed[0].said_goodbye is goodbye
            assert server.gateway.traffic.closed == {code if code in CLOSE_CODES else "other": 1}

    async def test_close_frame_without_code_is_no_goodbye(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            await client.send(client_frame(Opcode.CLOSE))
            assert (await client.close_frame()).code == 1005
            await server.handler.until(lambda: bool(server.handler.closed))
            assert not server.handler.closed[0].said_goodbye

    async def test_lost_connection_is_no_goodbye(self) -> None:
        async with echo_server() as server:
            async with server.raw() as client:
                await client.open()
                client.writer.transport.abort()
            async with server.raw() as client:
                await client.open()
            await server.handler.until(lambda: len(server.handler.closed) == 2)
            assert not any(connection.said_goodbye for connection in server.handler.closed)
            assert server.gateway.traffic.closed == {1006: 2}

    async def test_messages_after_a_close_frame_are_ignored(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            await client.send(client_frame(Opcode.CLOSE, b"\x03\xe8") + text(ECHO))
            assert (await client.close_frame()).code == 1000
            await client.hung_up()
        assert not server.handler.received

    async def test_session_may_close_the_socket(self) -> None:
        async with echo_server() as server, server.welcomed() as client:
            await client.send('{"t":"leave"}')
            await client.send(ECHO)
            assert await close_code(client) == 1000
            await server.handler.until(lambda: bool(server.handler.closed))
            assert len(server.handler.received) == 1
            assert not server.handler.closed[0].said_goodbye
            server.handler.closed[0].send({"t": "late"})
            server.handler.closed[0].close(1000)

    async def test_pings_are_answered_while_closing(self) -> None:
        async with echo_server() as server, server.raw() as client:
            await client.open()
            server.handler.opened[0].close(1000)
            assert (await client.close_frame()).code == 1000
            await client.send(client_frame(Opcode.PING, "p") + text(ECHO))
            assert (await client.frame()) == Frame(Opcode.PONG, b"p")
            await client.send(client_frame(Opcode.CLOSE, b"\x03\xe8"))
            assert await client.hung_up() == b""
        assert not server.handler.received


class TestShutdown:
    async def test_shutdown_closes_with_1012(self) -> None:
        async with echo_server() as server, server.welcomed() as one, server.welcomed(MSGPACK) as two:
            async with server.raw() as raw:
                await raw.open()
                await raw.send(client_frame(Opcode.TEXT, "{", fin=False) + b"\x81")
                stopping = asyncio.create_task(server.stop())
                assert [await close_code(one), await close_code(two)] == [1012, 1012]
                assert (await raw.close_frame()).code == 1012
            await stopping
            assert len(server.handler.closed) == 3

    async def test_silent_client_does_not_delay_shutdown(self) -> None:
        async with echo_server(Limits(close_s=0.05)) as server, server.raw() as client:
            await client.open()
            await server.stop()
            assert (await client.close_frame()).code == 1012

    async def test_sigterm_closes_sockets(self) -> None:
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.realtime.echo_server", stdout=asyncio.subprocess.PIPE
        )
        assert child.stdout is not None
        port = int(await child.stdout.readline())
        async with connect(f"ws://127.0.0.1:{port}/ws", proxy=None) as client:
            await client.recv()
            child.send_signal(signal.SIGTERM)
            assert await close_code(client) == 1012
        async with asyncio.timeout(5):
            assert await child.wait() == -signal.SIGTERM
