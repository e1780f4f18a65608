"""Malformed and oversized frames. Other games continue."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

import msgpack  # type: ignore[import-untyped]  # it ships no annotations
import pytest
from websockets.exceptions import ConnectionClosed

from tests.wire_client import WAIT_S, Client, Message, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterable

pytestmark = pytest.mark.usefixtures("bystanders")

RATE = 200
BURST = 3 * RATE
LIMITS = f"connections=20000,guests=20000,rate={RATE}"

FRAME_BYTES = 8 * 1024

NESTED = 9
"""Maps within each other: one more than is read."""


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return {"t": "ping", "a": value}


BINARY = {
    "nothing": b"",
    "random": bytes(range(193, 255)),
    "a number": msgpack.packb(5),
    "text": msgpack.packb("ping"),
    "null": msgpack.packb(None),
    "a list": msgpack.packb(["ping"]),
    "cut off": msgpack.packb({"t": "ping", "id": 1})[:-1],
    "two in one": msgpack.packb({"t": "ping"}) * 2,
    "a map that claims four billion entries": b"\xdf\xff\xff\xff\xff",
    "text that claims four gigabytes": b"\x81\xa1t\xdb\xff\xff\xff\xff",
    "numbers for keys": msgpack.packb({1: 2, "t": "ping"}),
    "bytes": msgpack.packb({"t": "ping", "a": b"\x00"}),
    "an extension": msgpack.packb({"t": "ping", "a": msgpack.ExtType(5, b"x")}),
    "a time": msgpack.packb({"t": "ping", "a": msgpack.Timestamp(1)}),
    "no UTF-8 in text": b"\x81\xa1t\xa4\xff\xfe\xfd\xfc",
    "not a number": msgpack.packb({"t": "ping", "a": float("nan")}),
    "too deep": msgpack.packb(nested(NESTED)),
    "deeper than a stack": b"\x81\xa1a" * 2000 + b"\xc0",
}

TEXT = {
    "nothing": "",
    "no JSON": "ping",
    "a number": "5",
    "null": "null",
    "a list": '["ping"]',
    "cut off": '{"t":"ping"',
    "two in one": '{"t":"ping"}{"t":"ping"}',
    "NUL": "\0",
    "not a number": '{"t":"ping","a":NaN}',
    "infinite": '{"t":"ping","a":1e999}',
    "more than 64 bits": '{"t":"ping","a":18446744073709551616}',
    "half of a pair": '{"t":"ping","a":"\\ud800"}',
    "too deep": json.dumps(nested(NESTED)),
    "deeper than a stack": '{"a":' * 1300 + "1" + "}" * 1300,
}


async def answer_to(client: Client, payload: str | bytes) -> Message:
    """What the server says to ``payload``, where nothing else is under way."""
    start = len(client.messages)
    await client.send_raw(payload)
    return await client.wait(lambda m: m["t"] in ("ok", "error"), start)


async def closed_after(client: Client, payload: str | bytes | Iterable[str | bytes] | AsyncIterable[bytes]) -> int:
    """The code with which the server closes after ``payload``."""
    with contextlib.suppress(ConnectionClosed):  # it need not read to the end to know
        await client._socket.send(payload)
    return await closed(client)


async def closed(client: Client) -> int:
    async with asyncio.timeout(WAIT_S):
        await client._socket.wait_closed()
    assert client._reader is not None
    await client._reader
    assert client.closed_with is not None
    return client.closed_with


async def assert_serves(client: Client) -> None:
    """The socket is still good for something."""
    assert "now" in await client.request("ping")


@pytest.mark.parametrize("what", BINARY)
async def test_malformed_messagepack_is_a_bad_message(url: str, what: str) -> None:
    async with Client(url) as client:
        answer = await answer_to(client, BINARY[what])
        assert (answer["t"], answer["code"]) == ("error", "bad_message")
        assert "id" not in answer
        await assert_serves(client)


@pytest.mark.parametrize("what", TEXT)
async def test_malformed_json_is_a_bad_message(url: str, what: str) -> None:
    async with Client(url, codec="json") as client:
        answer = await answer_to(client, TEXT[what])
        assert (answer["t"], answer["code"]) == ("error", "bad_message")
        assert "id" not in answer
        await assert_serves(client)


async def test_text_on_a_binary_socket_closes_with_1003(url: str) -> None:
    async with Client(url) as client:
        assert await closed_after(client, json.dumps({"t": "ping", "id": 1})) == 1003


async def test_binary_on_a_text_socket_closes_with_1003(url: str) -> None:
    async with Client(url, codec="json") as client:
        assert await closed_after(client, msgpack.packb({"t": "ping", "id": 1})) == 1003


async def test_bad_utf8_closes_with_1007(url: str) -> None:
    async with Client(url, codec="json") as client:
        await client._socket.send(b'{"t":"ping","a":"\xff"}', text=True)
        assert await closed(client) == 1007


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_message_at_the_length_limit_is_accepted(url: str, codec: str) -> None:
    async with Client(url, codec=codec) as client:
        bare = {"t": "ping", "id": 1, "a": ""}
        text = json.dumps({**bare, "a": "x" * (FRAME_BYTES - len(json.dumps(bare)))})
        # MessagePack writes three bytes in front of a text of this length, and one in front of an empty one.
        packed = msgpack.packb({**bare, "a": "x" * (FRAME_BYTES - len(msgpack.packb(bare)) - 2)})
        payload = packed if codec == "msgpack" else text
        assert len(payload) == FRAME_BYTES
        assert (await answer_to(client, payload))["t"] == "ok"


@pytest.mark.parametrize("size", [FRAME_BYTES + 1, 10 * 1024 * 1024], ids=["by one byte", "10 MB"])
@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_too_long_message_closes_with_1009(url: str, codec: str, size: int) -> None:
    async with Client(url, codec=codec) as client:
        assert await closed_after(client, b"x" * size if codec == "msgpack" else "x" * size) == 1009


async def test_too_long_fragments_close_with_1009(url: str) -> None:
    async with Client(url) as client:
        assert await closed_after(client, [b"x" * 1024] * 9) == 1009


async def test_flood_is_warned_then_closed_with_4008(url: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        # What refills while they come is little: they are sent at once.
        for _ in range(3 * BURST):
            await client.send({"t": "ping", "id": 1})
        assert await closed(client) == 4008
        kinds = [m["t"] if m["t"] == "ok" else m["code"] for m in client.messages if m["t"] in ("ok", "error")]
        served, refused = kinds.count("ok"), kinds.count("rate_limited")
        assert served + refused == len(kinds)
        assert kinds[:BURST] == ["ok"] * BURST
        assert refused >= BURST


async def test_allowed_rate_is_never_refused(url: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        for _ in range(BURST):
            await client.request("ping")
        assert all(m["t"] != "error" for m in client.messages)
