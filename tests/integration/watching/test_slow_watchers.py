"""A spectator who does not read. Their socket is closed, nobody else notices, and they resume where they stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.integration.match import match
from tests.integration.scores import ALL
from tests.realtime.raw_client import text, upgrade_request
from tests.wire_client import Client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

WAIT_S = 20

MISSED = 10
"""Moves that they do not read, and some more: fewer than are kept for a resume."""

SUBS = 100
"""Snapshots asked for between two looks: some 150 KB."""


class Slow:
    """A socket with as little room for what comes as the kernel gives, which reads when it is told to."""

    def __init__(self, peer: socket.socket) -> None:
        self.heard: list[Any] = []
        self.is_over = False
        self._peer = peer
        self._rest = b""

    async def send(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(ConnectionError):  # it may be closed already
            await asyncio.get_running_loop().sock_sendall(self._peer, text(json.dumps(message)))

    async def read(self) -> None:
        """Take what is there, or wait for something; the end of it shows as ``is_over``."""
        data = b""
        with contextlib.suppress(ConnectionError):
            data = await asyncio.get_running_loop().sock_recv(self._peer, 65536)
        self.is_over = not data
        data, start = self._rest + data, 0
        while (end := _end_of_frame(data, start)) is not None:
            if data[start] == 0x81:  # text, all of it
                head = {126: 4, 127: 10}.get(data[start + 1], 2)
                self.heard.append(json.loads(data[start + head : end]))
            start = end
        self._rest = data[start:]


def _end_of_frame(data: bytes, start: int) -> int | None:
    """Where the frame at ``start`` ends; None if not all of it is there. RFC 6455 §5.2."""
    if len(data) < start + 2:
        return None
    size, head = data[start + 1], start + 2
    if size in (126, 127):
        head = start + (4 if size == 126 else 10)
        if len(data) < head:
            return None
        size = int.from_bytes(data[start + 2 : head], "big")
    return head + size if len(data) >= head + size else None


@contextlib.asynccontextmanager
async def slow(url: str) -> AsyncIterator[Slow]:
    place = urlsplit(url)
    loop = asyncio.get_running_loop()
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        peer.setblocking(False)
        await loop.sock_connect(peer, (place.hostname, place.port))
        await loop.sock_sendall(peer, upgrade_request(host=place.netloc))
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += await loop.sock_recv(peer, 1)
        yield Slow(peer)


async def counted(http: httpx.AsyncClient) -> tuple[float, float]:
    """How many sockets the server found to read too slowly, and how many of those are gone, with 1013."""
    samples = [
        sample
        for family in text_string_to_metric_families((await http.get("/metrics")).text)
        for sample in family.samples
    ]
    slow = sum(sample.value for sample in samples if sample.name == "zeitnot_slow_clients_total")
    gone = [sample for sample in samples if sample.name == "zeitnot_connections_closed_total"]
    return slow, sum(sample.value for sample in gone if sample.labels["code"] == "1013")


@pytest.fixture
async def http(url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=url) as client:
        yield client


@pytest.mark.lone_node("looks at /metrics of the process that closes")
async def test_slow_spectator_is_closed_and_resumes(url: str, http: httpx.AsyncClient) -> None:
    score = max(ALL, key=lambda score: len(score.moves))
    moves = iter(score.moves)
    assert await counted(http) == (0, 0)
    async with match(url, **score.terms) as m, Client(url) as other, slow(url) as stuck, asyncio.timeout(WAIT_S):
        await other.request("sub", topic=m.topic)
        await stuck.send({"t": "sub", "id": 1, "topic": m.topic, "ticks": False})
        while not any(message["t"] == "game" for message in stuck.heard):
            await stuck.read()
        while await counted(http) == (0, 0):
            if len(m.played) < MISSED:
                await m.play(next(moves))
            for _ in range(SUBS):
                await stuck.send({"t": "sub", "topic": m.topic, "ticks": False})
        await m.play(*(next(moves) for _ in range(5)))
        while not stuck.is_over:
            await stuck.read()
        while await counted(http) != (1, 1):
            """The server learns of the end at about the same time."""

        told = [message for message in stuck.heard if "seq" in message and message["t"] != "ok"]
        seen = 0
        for message in told:
            # A snapshot tells what there is, a move what comes next.
            assert message["seq"] == seen + (message["t"] == "move")
            seen = message["seq"]
        assert 0 < seen < len(m.played)

        async with Client(url) as again:
            await again.request("sub", topic=m.topic, **{"from": seen})
            for number in range(seen + 1, len(m.played) + 1):
                assert (await again.event(m.g, number))["move"] == m.played[number - 1]
            assert not any(message["t"] == "game" for message in again.messages)
        # Nobody else has noticed.
        for number in range(1, len(m.played) + 1):
            assert (await other.event(m.g, number))["move"] == m.played[number - 1]
