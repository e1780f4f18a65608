"""Limits of sockets for an address and an account."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import InvalidStatus

from realtime.protocol.limits import Limits
from tests.realtime.echo_server import EchoServer, echo_server

if TYPE_CHECKING:
    from realtime.net.connection import Connection


def reached(things: list[Connection], count: int) -> bool:
    return len(things) == count


async def status_of(server: EchoServer, **options: Any) -> int:
    with pytest.raises(InvalidStatus) as refused:
        async with server.connect(**options):
            pass
    assert refused.value.response.body is not None
    assert json.loads(refused.value.response.body)["error"]["code"] == "rate_limited"
    assert int(refused.value.response.headers["Retry-After"]) > 0
    return refused.value.response.status_code


async def test_guests_and_strangers_share_the_limit_of_an_address() -> None:
    async with echo_server(Limits(connections=2)) as server, server.welcomed(token="guest"):
        async with server.welcomed():
            assert await status_of(server) == 429
            assert await status_of(server, token="other-guest") == 429
            async with server.welcomed(token="member"):
                pass
        await server.handler.until(lambda: len(server.handler.closed) == 2)
        async with server.welcomed(token="other-guest"):
            assert server.gateway.traffic.refused == {429: 2}


async def test_account_has_its_own_limit() -> None:
    async with echo_server(Limits(accounts=1)) as server:
        async with server.welcomed(token="member"):
            assert await status_of(server, token="member") == 429
            async with server.welcomed(token="guest"):
                pass
        await server.handler.until(lambda: len(server.handler.closed) == 2)
        async with server.welcomed(token="member"):
            pass


async def test_addresses_behind_trusted_proxy_are_separate() -> None:
    async with echo_server(Limits(connections=1)) as server:
        async with (
            server.welcomed(additional_headers={"X-Forwarded-For": "192.0.2.1"}),
            server.welcomed(additional_headers={"X-Forwarded-For": "2001:db8::1"}),
        ):
            assert await status_of(server, additional_headers={"X-Forwarded-For": "192.0.2.1"}) == 429
            assert await status_of(server, additional_headers={"X-Forwarded-For": "2001:db8::2"}) == 429
        await server.handler.until(lambda: len(server.handler.closed) == 2)
    assert [connection.address for connection in server.handler.opened] == ["192.0.2.1", "2001:db8::1"]


async def test_counts_are_removed_after_close() -> None:
    async with echo_server(Limits(connections=1, accounts=1)) as server:
        closed = server.handler.closed
        for number in range(1, 4):
            async with server.welcomed(token="guest"):
                pass
            await server.handler.until(partial(reached, closed, number))
        assert not server.gateway._by_network
        assert not server.gateway._by_account
