"""Account events: a change to an account on one node takes effect on the others at once.

Events cover logouts, names, roles, bans and blocks. Each is stored in the database first, and every node polls it:
accounts within two seconds, bans within some more. Events only shorten that delay, and a lost one is made up for by
polling. A node that has missed events, or has just met another node, reads everything again.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import msgspec

from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from lobby.accounts.identity import Identities
    from lobby.accounts.user import User
    from lobby.moderation.bans import Ban, Bans
    from realtime.cluster.bus.cluster import Cluster
    from realtime.people.account_poller import AccountPoller
    from realtime.people.block_lists import BlockLists
    from realtime.people.presence import Presence

log = logging.getLogger(__name__)


class Revoked(msgspec.Struct):
    """The token with this hash is revoked."""

    person: str
    key: bytes
    is_replaced: bool = False


class Blocked(msgspec.Struct):
    """``person`` has blocked or unblocked ``other``."""

    person: str
    other: str
    is_blocked: bool


class ChangeNotice(msgspec.Struct):
    """A change to be read from the database."""


class AccountEvents:
    """Sends account events to other nodes, and applies theirs.

    Args:
        watch: polls account changes.
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
        self._is_applying = False
        """The current change comes from another node and is not sent on."""
        self._is_stale = False
        """Bans have changed since the last read began."""
        self._reading: asyncio.Task[None] | None = None
        identities.on_revoked.append(self._revoked)
        identities.on_replaced.append(self._replaced)
        block_lists.on_changed.append(self._blocked)
        bans.on_change.append(self._banned)
        cluster.subscribe("people.revoked", Revoked, self._apply_revoked)
        cluster.subscribe("people.blocked", Blocked, self._apply_blocked)
        cluster.subscribe("people.changed", ChangeNotice, lambda _, __: watch.wake())
        cluster.subscribe("people.bans", ChangeNotice, lambda _, __: self._read_bans())
        cluster.on_came.append(self._read_anew)
        cluster.on_gap.append(self._read_anew)

    async def close(self) -> None:
        """Stop reading."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def changed(self, user: User) -> None:
        """Handle a stored change to ``user`` made on this node."""
        self._cluster.broadcast("people.changed", ChangeNotice())

    # -- sending ------------------------------------------------------------------------------------------

    def _revoked(self, person: str, key: bytes) -> None:
        self._people.log_out(person, key)
        self._broadcast_revoked(Revoked(person, key))

    def _replaced(self, person: str, key: bytes) -> None:
        self._people.log_out_later(person, key)
        self._broadcast_revoked(Revoked(person, key, is_replaced=True))

    def _broadcast_revoked(self, revoked: Revoked) -> None:
        if not self._is_applying:
            self._cluster.broadcast("people.revoked", revoked)

    def _blocked(self, person: str, other: str, blocked: bool) -> None:  # noqa: FBT001  a callback
        if not self._is_applying:
            self._cluster.broadcast("people.blocked", Blocked(person, other, blocked))

    def _banned(self, person: str, ban: Ban | None) -> None:
        # This includes changes found because of an event, since they may be different ones. Each node finds a change
        # once, so the exchange ends.
        self._cluster.broadcast("people.bans", ChangeNotice())

    # -- receiving ----------------------------------------------------------------------------------------

    def _apply_revoked(self, _: str, revoked: Revoked) -> None:
        self._is_applying = True
        try:
            self._identities.ended(revoked.person, [revoked.key], is_replaced=revoked.is_replaced)
        finally:
            self._is_applying = False

    def _apply_blocked(self, _: str, blocked: Blocked) -> None:
        self._is_applying = True
        try:
            self._block_lists.changed(blocked.person, blocked.other, blocked=blocked.is_blocked)
        finally:
            self._is_applying = False

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
