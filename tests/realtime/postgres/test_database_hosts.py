"""Database URLs with several hosts, of which some do not answer."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from realtime.postgres.database import create_pool
from realtime.postgres.database_hosts import Host, connect_to_any, hosts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ANY = "target_session_attrs=read-write"


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        (f"postgresql://u:p@a:1,[::1]:2/db?{ANY}", [Host("a", 1), Host("::1", 2)]),
        (f"postgresql://u@a,b/db?{ANY}", [Host("a", 5432), Host("b", 5432)]),
        (f"postgresql://u@a:6,b/db?{ANY}", [Host("a", 6), Host("b", 5432)]),
        (f"postgresql:///db?host=/x,/y&port=7&{ANY}", [Host("/x", 7), Host("/y", 7)]),
        ("postgresql:///db?host=a,b&port=1,2&target_session_attrs=primary", [Host("a", 1), Host("b", 2)]),
        ("postgresql:///db?host=a,b,c&port=1,2&target_session_attrs=primary", []),
        (f"postgresql:///db?host=a,b&port=x&{ANY}", []),
        (f"postgresql://a/db?{ANY}", []),
        ("postgresql://a,b/db", []),
        ("postgresql://a,b/db?target_session_attrs=prefer-standby", []),
        ("mysql://a,b/db", []),
    ],
)
def test_hosts_of_url_with_primary_target_are_listed(url: str, hosts: list[Host]) -> None:
    assert hosts_of(url, {}) == hosts


def test_environment_names_hosts_if_the_url_does_not() -> None:
    environment = {"PGHOST": "a,b", "PGPORT": "1,2", "PGTARGETSESSIONATTRS": "read-write"}
    assert hosts_of("postgresql:///db", environment) == [Host("a", 1), Host("b", 2)]
    assert hosts_of("postgresql://c/db", environment) == []


@contextlib.contextmanager
def silent() -> Iterator[int]:
    """The port of a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def among(url: str, *ports: int) -> str:
    """``url`` after servers at these ports."""
    parts = urlsplit(url)
    asked = parse_qs(parts.query)
    host, port = asked["host"][0], asked.get("port", ["5432"])[0]
    hosts = ",".join(["127.0.0.1"] * len(ports) + [host])
    return f"{url.partition('?')[0]}?host={hosts}&port={','.join(map(str, [*ports, port]))}&{ANY}"


async def test_silent_host_is_skipped(database_url: str) -> None:
    with silent() as first, silent() as second:
        url = among(database_url, first, second)
        connection = await connect_to_any(url, timeout=30)
        assert await connection.fetchval("SELECT NOT pg_is_in_recovery()")
        await connection.close()
        async with asyncio.timeout(30):
            pool = await create_pool(url)
            assert await pool.fetchval("SELECT 1") == 1
            await pool.close()


async def test_refusing_host_is_skipped_at_once(database_url: str) -> None:
    with silent() as free:
        pass
    connection = await connect_to_any(among(database_url, free), timeout=30)
    await connection.close()


async def test_failure_of_all_hosts_is_reported(database_url: str) -> None:
    with silent() as free:
        pass
    nowhere = f"postgresql://u@127.0.0.1:{free},127.0.0.1:{free}/db?{ANY}"
    with pytest.raises(ConnectionRefusedError):
        await connect_to_any(nowhere, timeout=30)
    with pytest.raises(asyncpg.InvalidCatalogNameError):
        await connect_to_any(among(database_url.replace("?", "-not?", 1), free), timeout=30)
    with silent() as first, silent() as second, pytest.raises(TimeoutError):
        await connect_to_any(f"postgresql://u@127.0.0.1:{first},127.0.0.1:{second}/db?{ANY}", timeout=1)
