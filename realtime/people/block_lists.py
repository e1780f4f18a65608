"""Block lists of connected users, in memory: chat checks them for every listener of every line."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from lobby.moderation.blocks import blocked_ids
from realtime.postgres.database import FAILURES, classify

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.postgres.database import Pool

RETRY_INTERVAL_S = 1.0
"""Interval between retries while the database is down."""

MAX_WAITING = 1000
"""Maximum number of calls that wait for one user's list, such as chat lines. Reading is fast unless the database is
down, and then chat may be lost first.
"""

log = logging.getLogger(__name__)


class BlockList:
    """Block list of one user, shared by their sockets, which keep it alive.

    Attributes:
        ids: ids of the blocked users; None until it has been read.
        version: number of changes.
    """

    __slots__ = ("__weakref__", "_waiting", "ids", "version")

    def __init__(self) -> None:
        self.ids: set[str] | None = None
        self.version = 0
        self._waiting: list[Callable[[], None]] = []

    def hides(self, user: str) -> bool:
        """Return whether lines of ``user`` are hidden from this user: blocked, or the list is not known yet."""
        return self.ids is None or user in self.ids

    def when_read(self, call: Callable[[], None]) -> None:
        """Call ``call`` once ``ids`` is known, which may be now. The call is dropped if too many already wait."""
        if self.ids is not None:
            call()
        elif len(self._waiting) < MAX_WAITING:
            self._waiting.append(call)

    def fill(self, ids: set[str]) -> None:
        """Set the ids that were read."""
        self.ids = ids
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()


class BlockLists:
    """Block lists of all connected users. Lists needed at the same time are read with one query.

    Attributes:
        on_changed: called with the arguments of ``changed``.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._lists: WeakValueDictionary[str, BlockList] = WeakValueDictionary()
        self._wanted: set[str] = set()
        self._reading: asyncio.Task[None] | None = None
        self.on_changed: list[Callable[[str, str, bool], None]] = []

    def of(self, person: str) -> BlockList:
        """Return the list of ``person``, which the caller keeps alive. A new list is read in the background."""
        known = self._lists.get(person)
        if known is None:
            known = self._lists[person] = BlockList()
            self._want(person)
        return known

    def read_anew(self) -> None:
        """Read all lists again, since changes may have been missed. The known ones stay in use meanwhile."""
        for person in tuple(self._lists):
            self._want(person)

    def _want(self, person: str) -> None:
        self._wanted.add(person)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read(), name="read block lists")

    def changed(self, person: str, other: str, *, blocked: bool) -> None:
        """Handle that ``person`` has blocked or unblocked ``other``, as stored in the database."""
        for call in self.on_changed:
            call(person, other, blocked)
        known = self._lists.get(person)
        if known is None:
            return
        known.version += 1
        if known.ids is not None:
            (known.ids.add if blocked else known.ids.discard)(other)

    async def close(self) -> None:
        """Stop reading."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        try:
            while self._wanted:
                people, self._wanted = self._wanted, set()
                await self._read_some({person: found for person in people if (found := self._lists.get(person))})
        except Exception:
            log.exception("block lists could not be read")
        finally:
            self._reading = None

    async def _read_some(self, lists: dict[str, BlockList]) -> None:
        versions = {person: blocked.version for person, blocked in lists.items()}
        try:
            found = await blocked_ids(self._pool, lists)
        except FAILURES as error:
            self._wanted |= lists.keys()
            if classify(error) is None:
                raise  # a bug of this server; the next request starts a new attempt
            log.warning("the database is in trouble (%r); %d block lists wait", error, len(lists))
            await asyncio.sleep(RETRY_INTERVAL_S)
            return
        for person, blocked in lists.items():
            if blocked.version == versions[person]:
                blocked.fill(found[person])
            else:
                self._wanted.add(person)  # it changed meanwhile, so the result may be outdated
