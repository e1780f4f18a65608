"""Sockets that are heard after all others, some at a time: whoever is at the door, strangers, who can only watch, and
the requests of pages.

::

    poll ──► everybody else who has something to say: players, the database
        └──► AT_ONCE of the back row, those who have waited longest first

So a move waits for the next poll however many come, leave or answer pings in the same instant, and everybody in the
back row has his turn.
"""

from __future__ import annotations

import contextlib
import select
import selectors
from collections import ChainMap
from selectors import EVENT_READ, EVENT_WRITE, SelectorKey
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    Ready = list[tuple[SelectorKey, int]]

AT_ONCE = 100
"""Sockets of the back row that are heard between two polls: a few milliseconds' work."""

CAN_BE = hasattr(select, "epoll")
"""One of epoll's lists can be on another; elsewhere all sit in one row."""


class Row:
    """File descriptors on an epoll list of their own. The kernel keeps it in the order in which they became ready, and
    puts whoever was told of, and still is, at its end.
    """

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self.keys: dict[int, SelectorKey] = {}

    def fileno(self) -> int:
        """Ready to be read when anybody in the row is."""
        return self._epoll.fileno()

    def register(self, fd: int, events: int, data: Any) -> SelectorKey:
        """As a selector's."""
        if fd in self.keys:
            raise KeyError(f"{fd} is registered already")
        self._epoll.register(fd, _mask(events))
        key = self.keys[fd] = SelectorKey(fd, fd, events, data)
        return key

    def modify(self, fd: int, events: int, data: Any) -> SelectorKey:
        """As a selector's."""
        if events != self.keys[fd].events:
            self._epoll.modify(fd, _mask(events))
        key = self.keys[fd] = SelectorKey(fd, fd, events, data)
        return key

    def unregister(self, fd: int) -> SelectorKey:
        """As a selector's."""
        key = self.keys.pop(fd)
        with contextlib.suppress(OSError):  # it is closed already, and so it is off the list
            self._epoll.unregister(fd)
        return key

    def ready(self) -> Ready:
        """Some of those who are ready, without waiting."""
        keys = self.keys
        return [(keys[fd], _events(mask) & keys[fd].events) for fd, mask in self._epoll.poll(0, AT_ONCE) if fd in keys]

    def close(self) -> None:
        """Nobody is heard any more."""
        self._epoll.close()
        self.keys.clear()


class PrioritySelector(selectors.DefaultSelector):
    """The platform's selector with a back row. File descriptors are numbers, as asyncio has them."""

    def __init__(self) -> None:
        super().__init__()
        self._behind: set[int] = set()
        """Who sits in the back row, or will when he is registered."""
        self._row: Row | None = None
        self._row_key: SelectorKey | None = None
        if CAN_BE:
            self._row = Row()
            self._row_key = super().register(self._row.fileno(), EVENT_READ)

    def deprioritize(self, fd: int) -> None:
        """``fd`` is heard after the others, until it comes forward."""
        if self._row is not None and fd not in self._behind:
            key = self._leave(fd)
            self._behind.add(fd)
            if key is not None:
                self.register(fd, key.events, key.data)

    def prioritize(self, fd: int) -> None:
        """``fd`` is heard like any other; to be called before it is closed, for its number is given to others."""
        if fd in self._behind:
            key = self._leave(fd)
            self._behind.remove(fd)
            if key is not None:
                self.register(fd, key.events, key.data)

    def register(self, fileobj: Any, events: int, data: Any = None) -> SelectorKey:
        """As the base class."""
        if fileobj in self._behind and self._row is not None:
            return self._row.register(fileobj, events, data)
        return super().register(fileobj, events, data)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> SelectorKey:
        """As the base class."""
        if fileobj in self._behind and self._row is not None:
            return self._row.modify(fileobj, events, data)
        return super().modify(fileobj, events, data)

    def unregister(self, fileobj: Any) -> SelectorKey:
        """As the base class."""
        if fileobj in self._behind and self._row is not None:
            return self._row.unregister(fileobj)
        return super().unregister(fileobj)

    def get_key(self, fileobj: Any) -> SelectorKey:
        """As the base class."""
        if fileobj in self._behind and self._row is not None:
            return self._row.keys[fileobj]
        return super().get_key(fileobj)

    def get_map(self) -> Mapping[Any, SelectorKey]:
        """As the base class, both rows: asyncio of Python 3.12 and later looks here for who is registered."""
        front = super().get_map()
        return front if self._row is None or front is None else ChainMap(self._row.keys, front)  # type: ignore[arg-type]  # only read; None once closed

    def select(self, timeout: float | None = None) -> Ready:
        """As the base class; of the back row not all who are ready, and behind all others."""
        ready = super().select(timeout)
        for at, (key, _) in enumerate(ready):
            if key is self._row_key and self._row is not None:
                del ready[at]
                ready += self._row.ready()
                break
        return ready

    def close(self) -> None:
        """As the base class."""
        if self._row is not None:
            self._row.close()
        super().close()

    def _leave(self, fd: int) -> SelectorKey | None:
        try:
            return self.unregister(fd)
        except KeyError:
            return None


def _mask(events: int) -> int:
    return (select.EPOLLIN if events & EVENT_READ else 0) | (select.EPOLLOUT if events & EVENT_WRITE else 0)


def _events(mask: int) -> int:
    """An error or the end of a connection can be read and written."""
    return (EVENT_READ if mask & ~select.EPOLLOUT else 0) | (EVENT_WRITE if mask & ~select.EPOLLIN else 0)
