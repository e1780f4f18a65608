"""Poller of account changes made elsewhere: by ``zeitnot users`` or by another server.

Any change to account data that servers keep in memory sets ``person.changed_at``. Each server queries for such accounts
every few seconds, drops its cached data about them, and verifies the tokens of their sockets again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from lobby.accounts.user import User
from realtime.people.presence import LOGGED_OUT
from realtime.postgres.database import FAILURES, classify

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from lobby.accounts.identity import Identities
    from realtime.people.presence import Presence

EVERY_S = 2.0
"""Maximum delay until a changed role, closed account or new password takes effect everywhere."""

OVERLAP_S = 30.0
"""Maximum duration of a transaction whose change is still noticed: ``changed_at`` is the time when it began."""

PAGE = 200
"""Accounts processed in one batch, without yielding to the loop: some milliseconds of work."""

log = logging.getLogger(__name__)


class AccountPoller:
    """Polls the database.

    Args:
        on_changed: called with each changed user.
    """

    def __init__(self, identities: Identities, people: Presence, on_changed: Callable[[User], None]) -> None:
        self._identities = identities
        self._people = people
        self._on_changed = on_changed
        self._seen: dict[str, datetime] = {}
        self._since: datetime | None = None
        self._woken = asyncio.Event()
        self._is_blind = False
        """The last query failed, and this has been logged."""

    def wake(self) -> None:
        """Poll now, because an account has changed."""
        self._woken.set()

    async def run(self) -> None:
        """Poll for ever. Database errors are retried."""
        while True:
            self._woken.clear()
            try:
                await self.look()
            except Exception as error:  # the top of a task
                if not isinstance(error, FAILURES) or classify(error) is None:
                    log.exception("account changes could not be applied")
                elif not self._is_blind:
                    self._is_blind = True
                    log.warning("account changes cannot be read, the database is in trouble: %r", error)
            else:
                self._is_blind = False
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY_S):
                    await self._woken.wait()

    async def look(self) -> None:
        """Process the changes since the last poll."""
        pool = self._identities.pool
        if self._since is None:
            self._since = await pool.fetchval("SELECT now()")
            return
        row = await pool.fetchrow(
            "SELECT now() AS now, $1::timestamptz - make_interval(secs => $2) AS after", self._since, OVERLAP_S
        )
        assert row is not None, "it asks no table"
        now, after = row["now"], row["after"]
        seen: dict[str, datetime] = {}
        last = ""
        while True:
            # Page by page, each with its own statement, so that changes to many accounts at once block nothing.
            rows = await pool.fetch(
                """
                SELECT id, name, kind, title, is_invisible, changed_at FROM person
                WHERE changed_at > created_at AND (changed_at, id) > ($1, $2) ORDER BY changed_at, id LIMIT $3
                """,
                after,
                last,
                PAGE,
            )
            for row in rows:
                seen[row["id"]] = row["changed_at"]
                user = User(id=row["id"], name=row["name"], kind=row["kind"], title=row["title"])
                is_late = self._has_old_grant(user, is_invisible=row["is_invisible"])
                if is_late or self._seen.get(row["id"]) != row["changed_at"]:
                    await self._take_over(user)
            if len(rows) < PAGE:
                break
            after, last = rows[-1]["changed_at"], rows[-1]["id"]
        self._seen, self._since = seen, now

    def _has_old_grant(self, user: User, *, is_invisible: bool) -> bool:
        """Return whether a socket of ``user`` has a grant that was read before the change: it was opened meanwhile."""
        grants = [socket.grant for socket in self._people.sockets_of(user.id) if socket.grant is not None]
        return any((grant.user, grant.is_invisible) != (user, is_invisible) for grant in grants)

    async def _take_over(self, user: User) -> None:
        self._identities.forget_person(user.id)
        for connection in self._people.sockets_of(user.id):
            if connection.grant is None:
                continue
            grant = await self._identities.grant_of_key(connection.grant.key)
            if grant is None and self._identities.is_revoked(connection.grant.key):
                continue  # ``Presence.log_out`` closes it, perhaps in a moment
            if grant is None:
                connection.close(LOGGED_OUT, "logged out")
            else:
                connection.grant, connection.user = grant, grant.user
        self._people.apply_grants(user.id)
        self._on_changed(user)
