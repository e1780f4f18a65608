"""A forgotten password is set anew with a code: mailed to its owner, or made by whoever runs the server.

A code is 12 letters and digits (60 bits); the database keeps its SHA-256. It holds for an hour and five tries, one a
person, and is good once.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from typing import TYPE_CHECKING

from lobby.errors import BadCredentials, MailFailed, Unavailable
from lobby.identity import User
from lobby.members import Login, insert_session, set_password
from lobby.passwords import check_password

if TYPE_CHECKING:
    from lobby.identity import Identities
    from lobby.needs import Connection, Mailer, Pool
    from lobby.passwords import Hasher

CODE_HOURS = 1
TRIES = 5

CODE_LENGTH = 12

MAIL_EVERY_S = 300
"""Between two mails to one person, whoever asks for them."""

MOST_WAITING = 50
"""Mails on their way; a mail server that hangs must not be what fills the memory."""

_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0 O 1 I, which people mix up

_WRONG = "there is nobody of that name with that code, or it has expired"

log = logging.getLogger(__name__)


async def new_code(connection: Connection | Pool, person: str, *, every_s: int = 0) -> str | None:
    """A code for ``person``, instead of one that he may have; None if the last is younger than ``every_s``."""
    code = "".join(secrets.choice(_ALPHABET) for _ in range(CODE_LENGTH))
    made = await connection.fetchval(
        """
        INSERT INTO reset AS r (person, code_hash, expires_at) VALUES ($1, $2, now() + make_interval(hours => $3))
        ON CONFLICT (person) DO UPDATE
            SET code_hash = excluded.code_hash, tries = 0, created_at = now(), expires_at = excluded.expires_at
            WHERE r.created_at <= now() - make_interval(secs => $4)
        RETURNING true
        """,
        person,
        _hash(code),
        CODE_HOURS,
        float(every_s),
    )
    return "-".join(code[at : at + 4] for at in range(0, CODE_LENGTH, 4)) if made else None


class Resets:
    """Codes asked for, and used.

    Args:
        mailer: None where the server sends no mail.
    """

    def __init__(self, identities: Identities, hasher: Hasher, mailer: Mailer | None) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._hasher = hasher
        self._mailer = mailer
        self._tasks: set[asyncio.Task[None]] = set()

    def request(self, name: str) -> None:
        """Mail a code to the member called ``name``, if there is one who has an address.

        Nothing is looked up before this returns, so that its time tells nothing.

        Raises:
            Unavailable: too many mails are on their way.
        """
        if len(self._tasks) >= MOST_WAITING:
            raise Unavailable("too many mails are on their way; try again later")
        task = asyncio.create_task(self._send(name), name="mail a code")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Give up what is on its way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def reset(self, name: str, code: str, password: str, *, agent: str | None = None) -> Login:
        """Set the password of the member called ``name``; all that he was logged in by ends, but for a new session.

        Raises:
            BadField: ``password``.
            BadCredentials: no such member, or not his code, or one that is used up.
            Unavailable: too many passwords are being hashed.
        """
        check_password(password, name)
        key = _hash("".join(char for char in code.upper() if char in _ALPHABET))
        # Counted by a statement of its own: a try that fails must not be rolled back.
        row = await self._pool.fetchrow(
            """
            UPDATE reset r SET tries = tries + 1 FROM person p
            WHERE p.id = r.person AND lower(p.name) = lower($1) AND p.closed_at IS NULL
                AND r.expires_at > now() AND r.tries < $2
            RETURNING p.id, p.name, p.kind, p.title, r.code_hash
            """,
            name,
            TRIES,
        )
        if row is None or not secrets.compare_digest(row["code_hash"], key):
            raise BadCredentials(_WRONG)
        user = User(id=row["id"], name=row["name"], kind=row["kind"], title=row["title"])
        encoded = await self._hasher.hash(password)
        async with self._pool.acquire() as connection, connection.transaction():
            used = await connection.fetchval(
                "DELETE FROM reset WHERE person = $1 AND code_hash = $2 RETURNING true", user.id, key
            )
            if not used:
                raise BadCredentials(_WRONG)  # the same code twice at once
            ended = await set_password(connection, user.id, encoded)
            token = await insert_session(connection, user.id, agent)
        self._identities.ended(user.id, ended)
        return Login(user, token)

    async def _send(self, name: str) -> None:
        try:
            if self._mailer is None:
                log.warning("somebody asked for a new password, and no mail server is set (--smtp)")
                return
            row = await self._pool.fetchrow(
                """
                SELECT p.id, p.name, a.email FROM person p JOIN account a ON a.person = p.id
                WHERE lower(p.name) = lower($1) AND p.closed_at IS NULL AND a.email IS NOT NULL
                """,
                name,
            )
            if row is None:
                return
            code = await new_code(self._pool, row["id"], every_s=MAIL_EVERY_S)
            if code is None:
                return
            try:
                await self._mailer.send(row["email"], "A new password for Zeitnot", _text(row["name"], code))
            except MailFailed:
                # Nobody has that code, and asking again need not wait for it.
                await self._pool.execute(
                    "DELETE FROM reset WHERE person = $1 AND code_hash = $2", row["id"], _hash(code)
                )
                raise
        except MailFailed as error:
            log.warning("a mail could not be sent: %s", error)
        except Exception:  # the top of a task
            log.exception("a code could not be mailed")


def _text(name: str, code: str) -> str:
    return (
        f"Hello {name},\n\n"
        "somebody, you we hope, asked for a new password of your account. This code sets one:\n\n"
        f"    {code}\n\n"
        f"It holds for an hour. If it was not you, do nothing: your password stays as it is.\n"
    )


def _hash(code: str) -> bytes:
    return hashlib.sha256(code.replace("-", "").encode()).digest()
