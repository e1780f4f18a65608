"""Whom the people who are connected do not want to read, in memory: chat asks for every listener of every line."""

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

AGAIN_S = 1.0
"""Between tries while the database is away."""

MAX_WAITING = 1000
"""What waits for one person's list: lines, and what was said before. Reading takes a moment, unless the database is
away: then chat is the first thing that may be missed."""

log = logging.getLogger(__name__)


class BlockList:
    """Whom one person has blocked; shared by his sockets, which keep it.

    Attributes:
        ids: of those blocked; None until it has been read.
        version: how often it was changed.
    """

    __slots__ = ("__weakref__", "_waiting", "ids", "version")

    def __init__(self) -> None:
        self.ids: set[str] | None = None
        self.version = 0
        self._waiting: list[Callable[[], None]] = []

    def hides(self, user: str) -> bool:
        """Whether lines of ``user`` are not for this person: for certain, or as long as that is not known."""
        return self.ids is None or user in self.ids

    def when_read(self, call: Callable[[], None]) -> None:
        """Call ``call`` as soon as ``ids`` is there, which may be now; never, if too much waits for it already."""
        if self.ids is not None:
            call()
        elif len(self._waiting) < MAX_WAITING:
            self._waiting.append(call)

    def fill(self, ids: set[str]) -> None:
        """It was read."""
        self.ids = ids
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()


class BlockLists:
    """The lists of all who are connected. Those that are wanted at the same time are read with one query.

    Attributes:
        on_changed: called with what ``changed`` was.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._lists: WeakValueDictionary[str, BlockList] = WeakValueDictionary()
        self._wanted: set[str] = set()
        self._reading: asyncio.Task[None] | None = None
        self.on_changed: Callable[[str, str, bool], None] = lambda person, other, blocked: None

    def of(self, person: str) -> BlockList:
        """The list of ``person``, for as long as the caller keeps it; if it is new it is read in the background."""
        known = self._lists.get(person)
        if known is None:
            known = self._lists[person] = BlockList()
            self._want(person)
        return known

    def read_anew(self) -> None:
        """Some of them may have changed unheard. What is known counts until they have been read."""
        for person in tuple(self._lists):
            self._want(person)

    def _want(self, person: str) -> None:
        self._wanted.add(person)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read(), name="read block lists")

    def changed(self, person: str, other: str, *, blocked: bool) -> None:
        """``person`` has blocked ``other``, or does so no more; the database has it already."""
        self.on_changed(person, other, blocked)
        known = self._lists.get(person)
        if known is None:
            return
        known.version += 1
        if known.ids is not None:
            (known.ids.add if blocked else known.ids.discard)(other)

    async def close(self) -> None:
        """Read nothing more."""
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
                raise  # a fault of ours: tried again when the next one comes
            log.warning("the database is in trouble (%r); %d block lists wait", error, len(lists))
            await asyncio.sleep(AGAIN_S)
            return
        for person, blocked in lists.items():
            if blocked.version == versions[person]:
                blocked.fill(found[person])
            else:
                self._wanted.add(person)  # it was changed in between; what was read may be older than that
