"""What changes about people at one node counts at the others at once: logouts, names, roles, bans, blocks.

Each of these is in the database before it is told, and every node reads it there by itself, within two seconds what
concerns a person, within some more his bans. So what is told here only makes it sooner, and what gets lost is read.
Who has missed something, or has just met another node, reads everything anew.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import msgspec

from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.accounts.identity import Identities
    from lobby.accounts.user import User
    from lobby.moderation.bans import Bans
    from realtime.cluster.bus.cluster import Cluster
    from realtime.people.account_poller import AccountPoller
    from realtime.people.block_lists import BlockLists
    from realtime.people.presence import Presence

log = logging.getLogger(__name__)


class Revoked(msgspec.Struct):
    """A token of this hash is good no more."""

    person: str
    key: bytes
    is_replaced: bool = False


class Blocked(msgspec.Struct):
    """``person`` has blocked ``other``, or does so no more."""

    person: str
    other: str
    is_blocked: bool


class Changed(msgspec.Struct):
    """Something that is read in the database."""


class AccountEvents:
    """Tells the others, and hears them.

    Args:
        watch: reads what has changed about people.
    """

    def __init__(
        self,
        cluster: Cluster,
        identities: Identities,
        people: Presence,
        watch: AccountPoller,
        bans: Bans,
        block_lists: BlockLists,
    ) -> None:
        self._cluster = cluster
        self._identities = identities
        self._people = people
        self._watch = watch
        self._bans = bans
        self._block_lists = block_lists
        self._hears = False
        """What happens now another node has told: it is not told again."""
        self._is_stale = False
        """Bans have changed since the last reading began."""
        self._reading: asyncio.Task[None] | None = None
        identities.on_revoked, identities.on_replaced = self._revoked, self._replaced
        block_lists.on_changed = self._blocked
        bans.on_change = self._banned(bans.on_change)
        cluster.hears("people.revoked", Revoked, self._hear_revoked)
        cluster.hears("people.blocked", Blocked, self._hear_blocked)
        cluster.hears("people.changed", Changed, lambda _, __: watch.wake())
        cluster.hears("people.bans", Changed, lambda _, __: self._read_bans())
        cluster.on_came.append(self._read_anew)
        cluster.on_gap.append(self._read_anew)

    async def close(self) -> None:
        """Read nothing more."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def changed(self, user: User) -> None:
        """Something about ``user`` has changed here, and is stored."""
        self._cluster.tell_all("people.changed", Changed())

    # -- telling ------------------------------------------------------------------------------------------

    def _revoked(self, person: str, key: bytes) -> None:
        self._people.log_out(person, key)
        self._tell_revoked(Revoked(person, key))

    def _replaced(self, person: str, key: bytes) -> None:
        self._people.log_out_later(person, key)
        self._tell_revoked(Revoked(person, key, is_replaced=True))

    def _tell_revoked(self, revoked: Revoked) -> None:
        if not self._hears:
            self._cluster.tell_all("people.revoked", revoked)

    def _blocked(self, person: str, other: str, blocked: bool) -> None:  # noqa: FBT001  a callback
        if not self._hears:
            self._cluster.tell_all("people.blocked", Blocked(person, other, blocked))

    def _banned(self, tell: Callable[..., None]) -> Callable[..., None]:
        def told(*ban: object) -> None:
            tell(*ban)
            # Also what is found because another node has told of something: it need not have been this. Each node finds
            # a change once, so that comes to an end.
            self._cluster.tell_all("people.bans", Changed())

        return told

    # -- hearing ------------------------------------------------------------------------------------------

    def _hear_revoked(self, _: str, revoked: Revoked) -> None:
        self._hears = True
        try:
            self._identities.ended(revoked.person, [revoked.key], is_replaced=revoked.is_replaced)
        finally:
            self._hears = False

    def _hear_blocked(self, _: str, blocked: Blocked) -> None:
        self._hears = True
        try:
            self._block_lists.changed(blocked.person, blocked.other, blocked=blocked.is_blocked)
        finally:
            self._hears = False

    def _read_anew(self, _: str) -> None:
        self._watch.wake()
        self._block_lists.read_anew()
        self._read_bans()

    def _read_bans(self) -> None:
        self._is_stale = True
        if self._reading is None:
            self._reading = asyncio.create_task(self._read(), name="read bans")

    async def _read(self) -> None:
        try:
            while self._is_stale:
                self._is_stale = False
                await self._bans.refresh()
        except FAILURES as error:
            log.debug("bans are read again in a while: %r", error)
        except Exception:  # the top of a task
            log.exception("bans could not be read")
        finally:
            self._reading = None
