"""Mail by SMTP, from a thread: the library of Python waits, and a mail server may take its time."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from contextlib import suppress
from email.errors import MessageError
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from ipaddress import ip_address
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from lobby.errors import MailFailed
from realtime.protocol.errors import BadSetting

TIMEOUT_S = 10.0
"""For each answer of the mail server."""

MAIL_S = 30.0
"""For a whole mail: a server that says a little every few seconds is no better than one that says nothing."""

SCHEMES = {"smtp": 587, "smtps": 465}
"""With their ports (RFC 6409, RFC 8314): ``smtp`` asks for TLS once it is connected, ``smtps`` begins with it."""


class Server(msgspec.Struct, frozen=True):
    """Where mail is handed over. Its ``repr`` has no password."""

    host: str
    port: int
    sender: str
    is_tls: bool
    user: str | None = None
    password: str | None = None

    def __repr__(self) -> str:
        return f"<mail server {self.host}:{self.port}>"


def parse_server(text: str) -> Server:
    """``smtp://user:password@host:port?from=chess@example.org``, user, password and port as needed.

    Raises:
        BadSetting: it is no such address; the message does not repeat it.
    """
    try:
        parts = urlsplit(text)
        sender = parse_qs(parts.query).get("from", [""])[0]
        port = parts.port or SCHEMES.get(parts.scheme, 0)
    except ValueError as error:
        raise BadSetting(f"smtp: {error}") from error
    if parts.scheme not in SCHEMES or not parts.hostname or "@" not in sender or not sender.isprintable():
        raise BadSetting("smtp: expected smtp://USER:PASSWORD@HOST:PORT?from=NAME@EXAMPLE.ORG, or smtps://…")
    return Server(
        host=parts.hostname,
        port=port,
        sender=sender,
        is_tls=parts.scheme == "smtps",
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
    )


class SmtpMailer:
    """The lobby's ``Mailer``. One mail at a time: there are few, and a server that hangs gets no more than one.

    Each has a thread that the end of the process does not wait for, as it would for those of an executor.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._turn = asyncio.Lock()

    async def send(self, to: str, subject: str, text: str) -> None:
        """Hand a mail over. Raises ``MailFailed``."""
        async with self._turn:
            loop = asyncio.get_running_loop()
            done: asyncio.Future[MailFailed | None] = loop.create_future()

            def settle(failed: MailFailed | None) -> None:
                if not done.done():
                    done.set_result(failed)

            def work() -> None:
                failed = self._send(to, subject, text)
                with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                    loop.call_soon_threadsafe(settle, failed)

            Thread(target=work, name="mail", daemon=True).start()
            try:
                async with asyncio.timeout(MAIL_S):
                    failed = await done
            except TimeoutError:
                raise MailFailed(f"{self._server.host}: no end within {MAIL_S:g} s") from None
            if failed is not None:
                raise failed

    def _send(self, to: str, subject: str, text: str) -> MailFailed | None:
        server = self._server
        try:
            message = EmailMessage()
            message["From"], message["To"], message["Subject"] = server.sender, to, subject
            message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=server.sender.rpartition("@")[2])
            message["Auto-Submitted"] = "auto-generated"  # RFC 3834: nobody's holiday answer, please
            message.set_content(text)
            with self._connect() as smtp:
                if server.user is not None:
                    smtp.login(server.user, server.password or "")
                smtp.send_message(message)
        except (OSError, smtplib.SMTPException, MessageError, ValueError) as error:
            # An answer of the server may repeat the address it was given: only the kind of failure is told.
            return MailFailed(f"{server.host}: {type(error).__name__}")
        return None

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        context = ssl.create_default_context()
        if server.is_tls:
            return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_S, context=context)
        smtp = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)
        try:
            smtp.ehlo()
            if smtp.has_extn("starttls"):
                smtp.starttls(context=context)
                smtp.ehlo()
            else:
                _refuse_plain(server.host)
        except BaseException:
            smtp.close()
            raise
        return smtp


def _refuse_plain(host: str) -> None:
    """Codes and passwords do not travel in the clear; to a server on this machine they do not travel."""
    try:
        is_here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if not is_here:
        raise smtplib.SMTPNotSupportedError("no TLS")
