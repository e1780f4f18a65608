"""The port of ``/metrics``. The main port serves it only to the same machine."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import httpx
import psutil
import pytest

from tests.realtime.until import until
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from pathlib import Path

SPELLINGS = (
    "/metrics",
    "/%6detrics",
    "/metrics/",
    "//metrics",
    "/./metrics",
    "/x/../metrics",
    "/METRICS",
    "/metrics?x=1",
    "/metrics%2f",
    "/metrics;x",
)


def status(url: str, path: str, headers: tuple[str, ...] = (), name: str | None = None) -> int:
    """Of an answer to a request for this very path, by this ``Host``; other clients would tidy up the path first."""
    host, _, port = url.removeprefix("http://").rpartition(":")
    lines = (f"GET {path} HTTP/1.1", f"Host: {name or host}", *headers, "Connection: close", "", "")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall("\r\n".join(lines).encode())
        return int(connection.makefile("rb").readline().split()[1])


def metrics_urls(server: ServerProcess) -> list[str]:
    """What it has said of where they are."""
    return re.findall(r"metrics are at (\S+)/metrics", server.told())


def free_ports(count: int) -> int:
    """The first of so many in a row that nobody has."""
    for first in range(21000, 32000, count):
        with ExitStack() as stack:
            try:
                for port in range(first, first + count):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
            return first
    raise AssertionError("no free ports")


def test_metrics_have_their_own_port(tmp_path: Path, database_url: str) -> None:
    with ServerProcess(tmp_path / "data", "--metrics-port", "0", "--workers", "1", database=database_url) as server:
        (own,) = metrics_urls(server)
        assert 'zeitnot_build_info{python="' in httpx.get(f"{own}/metrics").text
        assert {path: status(server.url, path) for path in SPELLINGS} == dict.fromkeys(SPELLINGS, 404)
        assert [status(own, path) for path in ("/", "/healthz", "/api/v1/games", "/ws")] == [404] * 4
        assert status(own, "/metrics", ("X-Forwarded-For: 192.0.2.1",)) == 200, "a proxy there is meant"


@pytest.mark.parametrize("arguments", [("--proxies", "127.0.0.1"), ("--host", "0.0.0.0")], ids=["proxy", "public"])
def test_main_port_hides_metrics_from_other_machines(
    arguments: tuple[str, ...], tmp_path: Path, database_url: str
) -> None:
    with ServerProcess(tmp_path / "data", *arguments, "--workers", "1", database=database_url) as server:
        url = f"http://127.0.0.1:{server.port}"
        assert {path: status(url, path) for path in SPELLINGS} == dict.fromkeys(SPELLINGS, 404)


def test_main_port_serves_metrics_to_the_same_machine(tmp_path: Path, database_url: str) -> None:
    with ServerProcess(tmp_path / "data", "--workers", "1", database=database_url) as server:
        assert status(server.url, "/metrics") == 200
        for header in ("X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "Via: 1.1 proxy"):
            assert status(server.url, "/metrics", (header,)) == 404
        assert status(server.url, "/metrics", name="club.example") == 404, "a proxy that adds no header"
        assert [status(server.url, "/metrics", name=name) for name in ("localhost:8000", "[::1]:8000")] == [200, 200]


async def test_each_worker_has_its_own_metrics_port(tmp_path: Path, database_url: str) -> None:
    first = free_ports(2)
    arguments = ("--workers", "2", "--metrics-port", str(first))
    with ServerProcess(tmp_path / "data", *arguments, database=database_url) as server:
        urls = [f"http://127.0.0.1:{port}" for port in (first, first + 1)]
        await until(lambda: len(metrics_urls(server)) == 2)
        assert sorted(metrics_urls(server)) == urls
        async with httpx.AsyncClient() as client:
            texts = [(await client.get(f"{url}/metrics")).text for url in urls]
        assert all("zeitnot_build_info" in text for text in texts)
        connections = psutil.net_connections("tcp")
        listening = {c.laddr.port: c.pid for c in connections if c.laddr and c.status == psutil.CONN_LISTEN}
        assert listening[first] != listening[first + 1], "each port belongs to a worker"
        assert status(server.url, "/metrics") == 404, "it would be now the one's and now the other's"


@pytest.mark.parametrize("workers", [1, 2])
def test_taken_metrics_port_is_reported_before_the_database_exists(workers: int, tmp_path: Path) -> None:
    first = free_ports(2)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", first + workers - 1))
        taken.listen()
        command = [sys.executable, "-c", "from realtime.commands.cli import main; main()", "serve", "--port", "0"]
        command += ["--data", str(tmp_path / "data"), "--metrics-port", str(first), "--workers", str(workers)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 3
    assert f"127.0.0.1:{first + workers - 1}: Address already in use" in done.stderr
    assert not (tmp_path / "data").exists()
