"""Mail addresses of members, confirmed by a mailed code.

A new address is stored as unconfirmed beside the confirmed one. Until its code is entered it receives nothing but
codes. The number of codes a day is limited per recipient and per sender, so that nobody can flood a stranger's mailbox.
The previous address is notified of a change.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from lobby.accounts.codes import code_hash, new_code
from lobby.errors import BadField, MailFailed, RateLimited, Unavailable

if TYPE_CHECKING:
    from lobby.accounts.mail_queue import MailQueue
    from lobby.accounts.user import User
    from lobby.ports import Mailer, Pool

CODE_HOURS = 24

TO_ADDRESS = 5
"""Codes a day to one address, whoever requests them. Enough for a person who searches the wrong mailbox first."""

BY_PERSON = 10
"""Codes a day that one person may request, for all addresses together."""


class Addresses(msgspec.Struct, frozen=True):
    """The confirmed address, and the one that waits for its code."""

    email: str | None
    unconfirmed: str | None


class AddressBook:
    """Changes of mail addresses.

    Args:
        outbox: sends codes and notices.
    """

    def __init__(self, pool: Pool, outbox: MailQueue) -> None:
        self._pool = pool
        self._outbox = outbox

    @property
    def sends_mail(self) -> bool:
        """Whether the server sends mail."""
        return self._outbox.is_there

    async def change(self, user: User, email: str | None) -> Addresses:
        """Begin a change to ``email``; it takes effect when its code is entered. None removes all addresses at once.

        The confirmed address stays in use until then. Passing the confirmed address cancels a pending change.

        Args:
            email: an address accepted by ``check_email``.

        Raises:
            RateLimited: that address, or this person, has had enough codes today.
        """
        if email is None:
            before = await self._pool.fetchval(
                """
                WITH old AS (SELECT person, email FROM account WHERE person = $1 FOR UPDATE)
                UPDATE account a SET email = NULL, unconfirmed = NULL, code_hash = NULL
                FROM old WHERE a.person = old.person RETURNING old.email
                """,
                user.id,
            )
            self._notify(before, _taken_away(user))
            return Addresses(None, None)
        current = await self._pool.fetchval("SELECT email FROM account WHERE person = $1", user.id)
        if email == current:
            await self._pool.execute(
                "UPDATE account SET unconfirmed = NULL, code_hash = NULL WHERE person = $1", user.id
            )
            return Addresses(current, None)
        if not self._outbox.is_there:
            await self._pool.execute(
                "UPDATE account SET unconfirmed = $2, code_hash = NULL WHERE person = $1", user.id, email
            )
            return Addresses(current, email)
        await self._count(f"by {user.id}", BY_PERSON, "too many codes were sent to you today; try again tomorrow")
        to = f"to {_mailbox(email)}"
        await self._count(to, TO_ADDRESS, "too many codes were sent to this address today; try again tomorrow")
        code = new_code()
        await self._pool.execute(
            """
            UPDATE account SET unconfirmed = $2, code_hash = $3, code_until = now() + make_interval(hours => $4)
            WHERE person = $1
            """,
            user.id,
            email,
            code_hash(code),
            CODE_HOURS,
        )

        async def write(mailer: Mailer) -> None:
            try:
                await mailer.send(email, "Confirm your email address on Zeitnot", _code(user, code))
            except MailFailed:
                # The mail was not delivered, so it does not count against the limit.
                await self._pool.execute("UPDATE mailed SET count = count - 1 WHERE who = $1", _who(to))
                raise

        self._outbox.post(write)
        return Addresses(current, email)

    async def begin(self, user: User, email: str) -> None:
        """Begin a change at sign-up. A refusal does not fail the sign-up."""
        with suppress(RateLimited, Unavailable):
            await self.change(user, email)

    async def confirm(self, user: User, code: str) -> Addresses:
        """Confirm the pending address with ``code``, and notify the previous one.

        Password reset codes that were mailed to the previous address are deleted.

        Raises:
            BadField: ``code`` is not the last code sent, was used already, or is a day old.
        """
        async with self._pool.acquire() as connection, connection.transaction():
            row = await connection.fetchrow(
                """
                WITH old AS (SELECT person, email FROM account WHERE person = $1 FOR UPDATE)
                UPDATE account a SET email = a.unconfirmed, unconfirmed = NULL, code_hash = NULL
                FROM old WHERE a.person = old.person AND a.code_hash = $2 AND a.code_until > now()
                    AND a.unconfirmed IS NOT NULL
                RETURNING a.email, old.email AS before
                """,
                user.id,
                code_hash(code),
            )
            if row is None:
                raise BadField("code", "wrong or expired code")
            await connection.execute("DELETE FROM reset WHERE person = $1", user.id)
        self._notify(row["before"], _changed(user))
        return Addresses(row["email"], None)

    def _notify(self, email: str | None, text: str) -> None:
        """Send a notice to the previous address."""
        if email is None or not self._outbox.is_there:
            return

        async def write(mailer: Mailer) -> None:
            await mailer.send(email, "Your email address on Zeitnot has changed", text)

        with suppress(Unavailable):
            self._outbox.post(write)

    async def _count(self, who: str, most: int, refusal: str) -> None:
        counted = await self._pool.fetchval(
            """
            INSERT INTO mailed AS m (who, count) VALUES ($1, 1)
            ON CONFLICT (who) DO UPDATE SET
                count = CASE WHEN m.since < now() - interval '1 day' THEN 1 ELSE m.count + 1 END,
                since = CASE WHEN m.since < now() - interval '1 day' THEN now() ELSE m.since END
                WHERE m.count < $2 OR m.since < now() - interval '1 day'
            RETURNING true
            """,
            _who(who),
            most,
        )
        if not counted:
            left_s = await self._pool.fetchval(
                "SELECT extract(epoch FROM since + interval '1 day' - now())::float8 FROM mailed WHERE who = $1",
                _who(who),
            )
            raise RateLimited(refusal, left_s or 0)


def _mailbox(email: str) -> str:
    """Return the mailbox of ``email``: many servers deliver NAME+ANYTHING to NAME (RFC 5233)."""
    local, _, domain = email.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _who(text: str) -> bytes:
    """Return the hash under which a limit is counted: the table does not contain readable addresses."""
    return hashlib.sha256(text.encode()).digest()


def _code(user: User, code: str) -> str:
    return (
        f"Hello {user.name},\n\n"
        "This address was entered for your Zeitnot account. Use this code to confirm it:\n\n"
        f"    {code}\n\n"
        "Enter it on your account page within a day. If you did not request this, ignore this email: without the code\n"
        "this address won't receive any other email.\n"
    )


def _changed(user: User) -> str:
    return (
        f"Hello {user.name},\n\n"
        "The email address of your account was changed. This address won't receive any more email.\n"
        "If you did not change it, someone else knows your password: ask the administrator of the server for help.\n"
    )


def _taken_away(user: User) -> str:
    return (
        f"Hello {user.name},\n\n"
        "The email address of your account was removed. This address won't receive any more email.\n"
        "If you did not remove it, someone else knows your password: ask the administrator of the server for help.\n"
    )
