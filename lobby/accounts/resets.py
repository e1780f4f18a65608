"""Password resets by a code that is mailed to the owner or created by an administrator.

A code is valid for an hour and can be used once. A new code leaves earlier ones valid, so requesting codes for another
person does not lock them out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.codes import code_hash, new_code
from lobby.accounts.members import Login, insert_session, set_password
from lobby.accounts.names import is_name
from lobby.accounts.passwords import check_password
from lobby.accounts.user import User
from lobby.errors import BadCredentials, MailFailed

if TYPE_CHECKING:
    from lobby.accounts.identity import Identities
    from lobby.accounts.mail_queue import MailQueue
    from lobby.accounts.passwords import Hasher
    from lobby.ports import Connection, Mailer, Pool

CODE_HOURS = 1

MAIL_EVERY_S = 300
"""Least time between two mails to one person, whoever requests them: at most twelve of their codes are valid at a
time."""

_WRONG = "wrong username or code, or the code has expired"


async def new_reset(connection: Connection | Pool, person: str) -> str:
    """Create a code for ``person``, beside those they already have."""
    code = new_code()
    await connection.execute(
        "INSERT INTO reset (code_hash, person, expires_at) VALUES ($1, $2, now() + make_interval(hours => $3))",
        code_hash(code),
        person,
        CODE_HOURS,
    )
    return code


class Resets:
    """Requests for codes, and their use.

    Args:
        outbox: sends the codes.
    """

    def __init__(self, identities: Identities, hasher: Hasher, outbox: MailQueue) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._hasher = hasher
        self._outbox = outbox

    @property
    def sends_mail(self) -> bool:
        """Whether the server mails codes."""
        return self._outbox.is_there

    def request(self, name: str) -> None:
        """Mail a code to the member called ``name``, if they exist and have an address.

        Nothing is looked up before this returns, so its duration reveals nothing.

        Raises:
            Unavailable: the mail queue is full.
        """
        self._outbox.post(lambda mailer: self._send(mailer, name))

    async def reset(self, name: str, code: str, password: str, *, agent: str | None = None) -> Login:
        """Set the password of the member called ``name``. All their sessions and tokens end, and a new session is
        returned.

        Raises:
            BadField: ``password``.
            BadCredentials: there is no such member, or the code is wrong, expired or used.
            Unavailable: too many passwords are being hashed.
        """
        check_password(password, name)
        key = code_hash(code)
        row = None
        if is_name(name):
            row = await self._pool.fetchrow(
                """
                SELECT p.id, p.name, p.kind, p.title FROM person p JOIN reset r ON r.person = p.id
                WHERE lower(p.name) = lower($1) AND p.closed_at IS NULL AND r.code_hash = $2 AND r.expires_at > now()
                """,
                name,
                key,
            )
        if row is None:
            raise BadCredentials(_WRONG)
        user = User(id=row["id"], name=row["name"], kind=row["kind"], title=row["title"])
        encoded = await self._hasher.hash(password)
        async with self._pool.acquire() as connection, connection.transaction():
            used = await connection.fetchval(
                "DELETE FROM reset WHERE person = $1 AND code_hash = $2 RETURNING true", user.id, key
            )
            if not used:
                raise BadCredentials(_WRONG)  # the same code was used twice at once
            ended = await set_password(connection, user.id, encoded)
            token = await insert_session(connection, user.id, agent)
        self._identities.ended(user.id, ended)
        return Login(user, token)

    async def _send(self, mailer: Mailer, name: str) -> None:
        if not is_name(name):
            return
        # One statement finds the member and records the time: of concurrent requests only one sends a mail.
        row = await self._pool.fetchrow(
            """
            UPDATE account a SET reset_at = now() FROM person p
            WHERE p.id = a.person AND lower(p.name) = lower($1) AND p.closed_at IS NULL AND a.email IS NOT NULL
                AND (a.reset_at IS NULL OR a.reset_at <= now() - make_interval(secs => $2))
            RETURNING p.id, p.name, a.email
            """,
            name,
            float(MAIL_EVERY_S),
        )
        if row is None:
            return
        code = await new_reset(self._pool, row["id"])
        try:
            await mailer.send(row["email"], "Reset your Zeitnot password", _text(row["name"], code))
        except MailFailed:
            # The code was not delivered, and the next request need not wait for it.
            await self._pool.execute("DELETE FROM reset WHERE code_hash = $1", code_hash(code))
            await self._pool.execute("UPDATE account SET reset_at = NULL WHERE person = $1", row["id"])
            raise


def _text(name: str, code: str) -> str:
    return (
        f"Hello {name},\n\n"
        "A password reset was requested for your account. Use this code to set a new password:\n\n"
        f"    {code}\n\n"
        f"It is valid for an hour. If you did not request this, ignore this email: your password stays the same.\n"
    )
