"""Mail by SMTP in a thread, because Python's library blocks."""

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
"""Timeout of each answer of the mail server."""

MAIL_S = 30.0
"""Timeout of a whole mail, for a server that answers slowly again and again."""

SCHEMES = {"smtp": 587, "smtps": 465}
"""Default ports (RFC 6409, RFC 8314): ``smtp`` uses STARTTLS, ``smtps`` begins with TLS."""


class MailServer(msgspec.Struct, frozen=True):
    """A mail server. Its ``repr`` does not contain the password."""

    host: str
    port: int
    sender: str
    is_tls: bool
    user: str | None = None
    password: str | None = None

    def __repr__(self) -> str:
        return f"<mail server {self.host}:{self.port}>"


def parse_server(text: str) -> MailServer:
    """Parse ``smtp://user:password@host:port?from=chess@example.org``; user, password and port are optional.

    Raises:
        BadSetting: it is malformed; the message does not repeat it.
    """
    try:
        parts = urlsplit(text)
        sender = parse_qs(parts.query).get("from", [""])[0]
        port = parts.port or SCHEMES.get(parts.scheme, 0)
    except ValueError as error:
        raise BadSetting(f"smtp: {error}") from error
    if parts.scheme not in SCHEMES or not parts.hostname or "@" not in sender or not sender.isprintable():
        raise BadSetting("smtp: expected smtp://USER:PASSWORD@HOST:PORT?from=NAME@EXAMPLE.ORG, or smtps://…")
    return MailServer(
        host=parts.hostname,
        port=port,
        sender=sender,
        is_tls=parts.scheme == "smtps",
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
    )


class SmtpMailer:
    """The lobby's ``Mailer``. It sends one mail at a time: there are few.

    Each mail has a thread of its own, so a server that hangs blocks nothing else. The thread is a daemon, so that the
    end of the process does not wait for it, as it would for an executor's.
    """

    def __init__(self, server: MailServer) -> None:
        self._server = server
        self._turn = asyncio.Lock()

    async def send(self, to: str, subject: str, text: str) -> None:
        """Send a mail. Raises ``MailFailed``."""
        async with self._turn:
            loop = asyncio.get_running_loop()
            done: asyncio.Future[MailFailed | None] = loop.create_future()

            def settle(failed: MailFailed | None) -> None:
                if not done.done():
                    done.set_result(failed)

            def work() -> None:
                failed = self._send(to, subject, text)
                with suppress(RuntimeError):  # the loop is closed
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
            message["Auto-Submitted"] = "auto-generated"  # RFC 3834: suppresses automatic replies
            message.set_content(text)
            with self._connect() as smtp:
                if server.user is not None:
                    smtp.login(server.user, server.password or "")
                smtp.send_message(message)
        except (OSError, smtplib.SMTPException, MessageError, ValueError) as error:
            # An answer of the server may repeat the address, so only the kind of failure is given.
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
    """Refuse to send codes and passwords unencrypted, except to a server on this machine."""
    try:
        is_here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if not is_here:
        raise smtplib.SMTPNotSupportedError("no TLS")
