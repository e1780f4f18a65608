"""Mail through a real SMTP server: TLS for remote servers, and failures without addresses."""

from __future__ import annotations

import asyncio
import contextlib
import smtplib
import ssl
import subprocess
from email import message_from_bytes, policy
from typing import TYPE_CHECKING, Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

from lobby.errors import MailFailed
from realtime.ops import mail
from realtime.ops.mail import SmtpMailer, parse_server
from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import EmailMessage
    from pathlib import Path

TO, SUBJECT, TEXT = "anna@example.org", "Ein Schlüssel", "Grüße,\n\nABCD-EFGH\n"


class Postman:
    """A mail server's hands: what was delivered, and who was let in."""

    def __init__(self) -> None:
        self.delivered: list[Any] = []
        self.refuse = False

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802  aiosmtpd's name
        if self.refuse:
            return "550 we do not know anna@example.org"
        self.delivered.append(envelope)
        return "250 OK"

    def let_in(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        return AuthResult(success=(data.login, data.password) == (b"chess", b"p@ss word"), handled=False)


class Office(Controller):
    """The server, with ``options`` of aiosmtpd's."""

    def __init__(self, postman: Postman, **options: Any) -> None:
        self.options = options
        super().__init__(postman, hostname="127.0.0.1", port=0)

    def factory(self) -> SMTP:
        return SMTP(self.handler, **self.options)

    def _trigger_server(self) -> None:
        """aiosmtpd would connect to the port it was given, which is 0: the one it got is looked up first."""
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]  # aiosmtpd's


@pytest.fixture
def postman() -> Postman:
    return Postman()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for 127.0.0.1, in one file."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    key = path.with_name("key.pem")
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", key, "-out", path, "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=IP:127.0.0.1",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    path.write_text(path.read_text() + key.read_text())
    return path


def tls_of(certificate: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    return context


@pytest.fixture
def office(postman: Postman) -> Iterator[Office]:
    office = Office(postman)
    office.start()
    yield office
    office.stop()


async def send(url: str) -> None:
    await SmtpMailer(parse_server(url)).send(TO, SUBJECT, TEXT)


def read(envelope: Any) -> EmailMessage:
    return message_from_bytes(envelope.content, policy=policy.default)


async def test_mail_arrives_as_written(office: Office, postman: Postman) -> None:
    await send(f"smtp://127.0.0.1:{office.port}?from=chess@example.org")
    (envelope,) = postman.delivered
    assert (envelope.mail_from, envelope.rcpt_tos) == ("chess@example.org", [TO])
    message = read(envelope)
    assert (message["Subject"], message["To"], message["From"]) == (SUBJECT, TO, "chess@example.org")
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"].endswith("@example.org>")
    assert message.get_content().replace("\r\n", "\n") == TEXT


async def test_password_over_tls_is_accepted(
    postman: Postman, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    office = Office(
        postman, tls_context=tls_of(certificate), require_starttls=True, authenticator=postman.let_in,
        auth_required=True,
    )  # fmt: skip
    office.start()
    try:
        await send(f"smtp://chess:p%40ss%20word@127.0.0.1:{office.port}?from=chess@example.org")
        with pytest.raises(MailFailed):
            await send(f"smtp://chess:wrong@127.0.0.1:{office.port}?from=chess@example.org")
    finally:
        office.stop()
    assert len(postman.delivered) == 1


async def test_untrusted_certificate_is_refused(postman: Postman, certificate: Path) -> None:
    office = Office(postman, tls_context=tls_of(certificate))
    office.start()
    try:
        with pytest.raises(MailFailed, match="SSLCertVerificationError"):
            await send(f"smtp://127.0.0.1:{office.port}?from=chess@example.org")
    finally:
        office.stop()
    assert not postman.delivered


async def test_remote_server_without_tls_is_refused(
    office: Office, postman: Postman, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = smtplib.SMTP.connect
    monkeypatch.setattr(smtplib.SMTP, "connect", lambda self, host="", port=0: connect(self, "127.0.0.1", office.port))
    with pytest.raises(MailFailed, match="SMTPNotSupportedError"):
        await send("smtp://mail.example.org?from=chess@example.org")
    assert not postman.delivered


async def test_refusal_of_server_is_reported_without_addresses(office: Office, postman: Postman) -> None:
    postman.refuse = True
    with pytest.raises(MailFailed) as caught:
        await send(f"smtp://127.0.0.1:{office.port}?from=chess@example.org")
    assert "anna" not in str(caught.value)
    assert caught.value.__cause__ is None


async def test_unreachable_server_fails_the_mail() -> None:
    silent = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    try:
        with pytest.raises(MailFailed):
            await send(f"smtp://127.0.0.1:{port}?from=chess@example.org")
    finally:
        silent.close()
        await silent.wait_closed()
    with pytest.raises(MailFailed):
        await send(f"smtp://127.0.0.1:{port}?from=chess@example.org")


async def test_hanging_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "TIMEOUT_S", 0.05)
    hung = asyncio.Event()

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()  # says nothing until the other has gone
        writer.close()
        hung.set()

    silent = await asyncio.start_server(hang, "127.0.0.1", 0)
    try:
        with pytest.raises(MailFailed, match="SMTPServerDisconnected"):
            await send(f"smtp://127.0.0.1:{silent.sockets[0].getsockname()[1]}?from=chess@example.org")
        await hung.wait()
    finally:
        silent.close()
        await silent.wait_closed()


async def test_endless_server_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "MAIL_S", 0.2)
    given_up, ended = asyncio.Event(), asyncio.Event()

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not given_up.is_set():
            writer.write(b"220-and another thing\r\n")
            await writer.drain()
            await asyncio.sleep(0.01)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        ended.set()

    talker = await asyncio.start_server(drip, "127.0.0.1", 0)
    try:
        with pytest.raises(MailFailed, match="no end within"):
            await send(f"smtp://127.0.0.1:{talker.sockets[0].getsockname()[1]}?from=chess@example.org")
    finally:
        given_up.set()
        await ended.wait()
        talker.close()
        await talker.wait_closed()


async def test_mails_are_sent_one_at_a_time(office: Office, postman: Postman) -> None:
    mailer = SmtpMailer(parse_server(f"smtp://127.0.0.1:{office.port}?from=chess@example.org"))
    await asyncio.gather(*(mailer.send(f"{number}@example.org", SUBJECT, TEXT) for number in range(5)))
    assert [envelope.rcpt_tos for envelope in postman.delivered] == [[f"{number}@example.org"] for number in range(5)]


async def test_header_injection_is_refused(office: Office, postman: Postman) -> None:
    mailer = SmtpMailer(parse_server(f"smtp://127.0.0.1:{office.port}?from=chess@example.org"))
    with pytest.raises(MailFailed):
        await mailer.send("anna@example.org\r\nBcc: all@example.org", SUBJECT, TEXT)
    assert not postman.delivered


@pytest.mark.parametrize(
    ("text", "port"), [("smtp://mail.example.org?from=a@b.de", 587), ("smtps://mail.example.org?from=a@b.de", 465)]
)
def test_default_port_follows_the_scheme(text: str, port: int) -> None:
    assert parse_server(text).port == port


@pytest.mark.parametrize(
    "text",
    ["mail.example.org", "http://mail.example.org?from=a@b.de", "smtp://mail.example.org", "smtp://?from=a@b.de",
     "smtp://u:secret@mail.example.org:x?from=a@b.de", "smtp://u:secret@mail.example.org?from=ab"],
)  # fmt: skip
def test_invalid_server_address_is_refused_without_its_password(text: str) -> None:
    with pytest.raises(BadSetting) as caught:
        parse_server(text)
    assert "secret" not in str(caught.value)


def test_repr_omits_the_password() -> None:
    assert "secret" not in repr(parse_server("smtp://u:secret@mail.example.org?from=a@b.de"))
