"""NATS as the overlays configure it: clients need a password, and any server may fail."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from realtime.cluster.bus.bus import MAX_BYTES
from realtime.cluster.bus.nats_bus import NatsBus
from tests.k8s.conftest import nats_of
from tests.k8s.environment import environment_of
from tests.k8s.nats_servers import PASSWORD, NatsServers

if TYPE_CHECKING:
    from pathlib import Path

SECRETS = {"zeitnot-database": {"url": "postgresql://db.example/zeitnot"}, "zeitnot-nats": {"password": PASSWORD}}


def address(variant: str, servers: NatsServers) -> str:
    """What the server of this variant connects to, on this machine."""
    given = environment_of(variant, SECRETS)["ZEITNOT_NATS"]
    if variant == "dev":  # its password is the overlay's own
        given = given.replace("onlyfordevelopment", PASSWORD)
    return servers.at_home(given)


@pytest.mark.parametrize("variant", ["dev", "production"])
async def test_nats_refuses_clients_without_the_password(variant: str, tmp_path: Path) -> None:
    with NatsServers(*nats_of(variant), tmp_path) as servers:
        for url in address(variant, servers).split(","):
            asked = urlsplit(url)
            info, answer = await _connect(asked.hostname, asked.port, asked.username, asked.password)
            assert answer == b"PONG"
            assert info["max_payload"] >= MAX_BYTES + 1024
            assert not info.get("connect_urls"), "addresses without the password"
            for password in ("wrong", None):
                _, answer = await _connect(asked.hostname, asked.port, asked.username, password)
                assert answer == b"-ERR 'Authorization Violation'"


async def _connect(host: str | None, port: int | None, user: str | None, password: str | None) -> tuple[Any, bytes]:
    """NATS's own words: what the server says of itself, and its answer to who we say we are and a ping."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        info = json.loads((await reader.readline()).removeprefix(b"INFO "))
        said = {"verbose": False, **({} if password is None else {"user": user, "pass": password})}
        writer.write(b"CONNECT " + json.dumps(said).encode() + b"\r\nPING\r\n")
        return info, (await reader.readline()).strip()
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def test_nats_cluster_survives_the_loss_of_one_server(tmp_path: Path) -> None:
    with NatsServers(*nats_of("production"), tmp_path) as servers:
        urls = address("production", servers).split(",")
        assert len(urls) == 3
        heard: asyncio.Queue[bytes] = asyncio.Queue()
        # The first is where the sender begins; the other two are all that the receiver knows.
        sender, receiver = NatsBus(urls[0] + "," + urls[1], "test"), NatsBus(urls[2], "test")
        await receiver.open("b", heard.put_nowait)
        await sender.open("a", heard.put_nowait)
        try:
            await _arrives(sender, heard, b"first")
            servers.kill("zeitnot-nats-0")
            await _arrives(sender, heard, b"second")
        finally:
            await sender.close()
            await receiver.close()


async def _arrives(sender: NatsBus, heard: asyncio.Queue[bytes], message: bytes) -> None:
    """Send until it comes: the bus promises no more, while servers find each other or a client the next one."""
    async with asyncio.timeout(60):
        while True:
            sender.send("b", message)
            try:
                async with asyncio.timeout(0.2):
                    if await heard.get() == message:
                        return
            except TimeoutError:
                continue


async def test_nats_with_tls_refuses_unencrypted_connections(tmp_path: Path) -> None:
    """The component ``tls``: servers and their clients trust one certificate, and no other."""
    configuration, names = nats_of("production with tls")
    servers = NatsServers(configuration.replace("/etc/nats-tls/", f"{tmp_path}/"), names, tmp_path)
    ca = certify(tmp_path, [f"IP:{address}" for address in servers.hosts.values()])
    with servers:
        urls = address("production with tls", servers).split(",")
        assert all(url.startswith("tls://") for url in urls)
        heard: asyncio.Queue[bytes] = asyncio.Queue()
        sender, receiver = NatsBus(urls[0], "test", ca), NatsBus(urls[2], "test", ca)
        await receiver.open("b", heard.put_nowait)
        await sender.open("a", heard.put_nowait)
        try:
            await _arrives(sender, heard, b"through two servers")
        finally:
            await sender.close()
            await receiver.close()
        asked = urlsplit(urls[0])
        info, answer = await _connect(asked.hostname, asked.port, asked.username, asked.password)
        assert info["tls_required"] is True
        assert answer != b"PONG"


def certify(directory: Path, names: list[str]) -> Path:
    """Write ``ca.crt``, and ``tls.crt`` with ``tls.key`` for these names, as cert-manager does; the first."""

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=directory, check=True, capture_output=True)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl("req", "-x509", *key, "-subj", "/CN=ca", "-days", "2", "-keyout", "ca.key", "-out", "ca.crt")
    openssl("req", *key, "-subj", "/CN=nats", "-keyout", "tls.key", "-out", "tls.csr")
    (directory / "extensions").write_text(f"subjectAltName={','.join(names)}\n")
    openssl("x509", "-req", "-in", "tls.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", "extensions", "-out", "tls.crt")  # fmt: skip
    return directory / "ca.crt"
