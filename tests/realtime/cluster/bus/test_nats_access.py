"""Access to a NATS server: credentials, reports, and mandatory TLS for ``tls://``."""

from __future__ import annotations

import logging
import subprocess
from typing import TYPE_CHECKING

import pytest

from realtime.cluster.bus import nats_bus
from realtime.cluster.bus.nats_bus import NatsBus
from realtime.protocol.errors import BadSetting
from tests.nats_process import NatsProcess
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ACCOUNT = ("--user", "zeitnot", "--pass", "secret")


@pytest.fixture(scope="module")
def closed() -> Iterator[NatsProcess]:
    """A server that wants a password."""
    with NatsProcess(*ACCOUNT) as server:
        yield server


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1; its key lies beside it."""
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    command = [
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
        *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"),
        *("-keyout", str(path.with_name("key.pem")), "-out", str(path)),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return path


@pytest.fixture(scope="module")
def encrypted(certificate: Path) -> Iterator[NatsProcess]:
    """A server that wants TLS and a password."""
    tls = ("--tls", "--tlscert", str(certificate), "--tlskey", str(certificate.with_name("key.pem")))
    with NatsProcess(*ACCOUNT, *tls) as server:
        yield server


def address(server: NatsProcess, scheme: str, account: str = "zeitnot:secret@") -> str:
    return f"{scheme}://{account}127.0.0.1:{server.port}"


async def is_let_in(url: str, ca: Path | None = None) -> bool:
    """Whether a message gets through."""
    heard: list[bytes] = []
    bus = NatsBus(url, "access", ca)
    await bus.open("a", heard.append)
    try:
        if bus.is_up:
            bus.send("a", b"x")
            await until(lambda: bool(heard))
        return bus.is_up
    finally:
        await bus.close()


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> pytest.LogCaptureFixture:
    """What is logged; a start does not wait for long."""
    monkeypatch.setattr(nats_bus, "OPEN_S", 1.0)
    caplog.set_level(logging.INFO)
    return caplog


async def test_password_is_accepted_and_not_logged(closed: NatsProcess, told: pytest.LogCaptureFixture) -> None:
    assert await is_let_in(address(closed, "nats"))
    assert "secret" not in told.text


@pytest.mark.parametrize("account", ["zeitnot:sesame@", ""])
async def test_wrong_or_missing_password_is_logged_once(
    closed: NatsProcess, told: pytest.LogCaptureFixture, account: str
) -> None:
    assert not await is_let_in(address(closed, "nats", account))
    assert f"no connection to NATS at 127.0.0.1:{closed.port}: nats: 'Authorization Violation'" in told.text
    assert told.text.count("Authorization Violation") == 1, "once, however often it is tried"
    assert "sesame" not in told.text


async def test_password_over_tls_is_accepted(
    encrypted: NatsProcess, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert await is_let_in(address(encrypted, "tls"))


async def test_untrusted_certificate_is_refused(encrypted: NatsProcess, told: pytest.LogCaptureFixture) -> None:
    assert not await is_let_in(address(encrypted, "tls"))
    assert "certificate verify failed" in told.text


async def test_tls_url_refuses_server_without_tls(closed: NatsProcess, told: pytest.LogCaptureFixture) -> None:
    assert not await is_let_in(address(closed, "tls"))
    assert "the server does not encrypt" in told.text


async def test_server_with_small_max_payload_is_refused(
    tmp_path: Path, told: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the first long message would be lost, and so would each repetition."""
    monkeypatch.setattr(nats_bus, "OPEN_S", 0.1)
    (tmp_path / "nats.conf").write_text("max_payload: 65536")
    with NatsProcess("--config", str(tmp_path / "nats.conf")) as server:
        bus = NatsBus(server.url, "short")
        await bus.open("a", lambda data: None)
        await until(lambda: "max_payload is 65536 bytes there, at least 983040 are needed" in told.text)
        assert not bus.is_up
        await bus.close()


async def test_ca_file_may_be_configured(
    encrypted: NatsProcess, closed: NatsProcess, certificate: Path, told: pytest.LogCaptureFixture
) -> None:
    assert await is_let_in(address(encrypted, "tls"), certificate)
    assert not await is_let_in(address(encrypted, "tls"))
    assert "certificate verify failed" in told.text
    assert await is_let_in(address(closed, "nats"), certificate), "of no use there, and in nobody's way"


@pytest.mark.parametrize(("text", "why"), [(None, "No such file or directory"), ("no certificate", "NO_CERTIFICATE")])
async def test_ca_file_without_certificate_is_refused_at_start(text: str | None, why: str, tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BadSetting, match=rf"nats_ca: {file}: .*{why}"):
        NatsBus("tls://127.0.0.1:1", "access", file)
