"""A selector with two priorities. Low priority: new connections, anonymous spectators, and HTTP requests.

::

    poll ──► all ready high-priority sockets: players, the database
        └──► at most AT_ONCE low-priority ones, longest waiting first

So a move waits for the next poll only, however many others connect, disconnect or answer pings at the same instant, and
every low-priority socket gets its turn.
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
"""Low-priority sockets handled between two polls: a few milliseconds of work."""

CAN_BE = hasattr(select, "epoll")
"""Whether one epoll instance can watch another. Elsewhere all sockets have the same priority."""


class Row:
    """An epoll instance of its own for low-priority descriptors. The kernel keeps ready ones in order, and moves those
    it has reported to the end."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self.keys: dict[int, SelectorKey] = {}

    def fileno(self) -> int:
        """Return the descriptor of the epoll instance, which is readable when any of its sockets is ready."""
        return self._epoll.fileno()

    def register(self, fd: int, events: int, data: Any) -> SelectorKey:
        """Register a descriptor, as a selector does."""
        if fd in self.keys:
            raise KeyError(f"{fd} is registered already")
        self._epoll.register(fd, _mask(events))
        key = self.keys[fd] = SelectorKey(fd, fd, events, data)
        return key

    def modify(self, fd: int, events: int, data: Any) -> SelectorKey:
        """Change a registration, as a selector does."""
        if events != self.keys[fd].events:
            self._epoll.modify(fd, _mask(events))
        key = self.keys[fd] = SelectorKey(fd, fd, events, data)
        return key

    def unregister(self, fd: int) -> SelectorKey:
        """Remove a registration, as a selector does."""
        key = self.keys.pop(fd)
        with contextlib.suppress(OSError):  # it is closed, and so removed already
            self._epoll.unregister(fd)
        return key

    def ready(self) -> Ready:
        """Return some ready sockets, without waiting."""
        keys = self.keys
        return [(keys[fd], _events(mask) & keys[fd].events) for fd, mask in self._epoll.poll(0, AT_ONCE) if fd in keys]

    def close(self) -> None:
        """Close the epoll instance."""
        self._epoll.close()
        self.keys.clear()


class PrioritySelector(selectors.DefaultSelector):
    """The platform's selector with a second, low priority. Descriptors are numbers, as in asyncio."""

    def __init__(self) -> None:
        super().__init__()
        self._behind: set[int] = set()
        """Low-priority descriptors, registered or not yet."""
        self._row: Row | None = None
        self._row_key: SelectorKey | None = None
        if CAN_BE:
            self._row = Row()
            self._row_key = super().register(self._row.fileno(), EVENT_READ)

    def deprioritize(self, fd: int) -> None:
        """Give ``fd`` low priority until ``prioritize``."""
        if self._row is not None and fd not in self._behind:
            key = self._leave(fd)
            self._behind.add(fd)
            if key is not None:
                self.register(fd, key.events, key.data)

    def prioritize(self, fd: int) -> None:
        """Give ``fd`` normal priority. Call it before the descriptor is closed, because its number is reused."""
        if fd in self._behind:
            key = self._leave(fd)
            self._behind.remove(fd)
            if key is not None:
                self.register(fd, key.events, key.data)

    def register(self, fileobj: Any, events: int, data: Any = None) -> SelectorKey:
        """Register a descriptor with its priority."""
        if fileobj in self._behind and self._row is not None:
            return self._row.register(fileobj, events, data)
        return super().register(fileobj, events, data)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> SelectorKey:
        """Change a registration."""
        if fileobj in self._behind and self._row is not None:
            return self._row.modify(fileobj, events, data)
        return super().modify(fileobj, events, data)

    def unregister(self, fileobj: Any) -> SelectorKey:
        """Remove a registration."""
        if fileobj in self._behind and self._row is not None:
            return self._row.unregister(fileobj)
        return super().unregister(fileobj)

    def get_key(self, fileobj: Any) -> SelectorKey:
        """Return the key of a registration."""
        if fileobj in self._behind and self._row is not None:
            return self._row.keys[fileobj]
        return super().get_key(fileobj)

    def get_map(self) -> Mapping[Any, SelectorKey]:
        """Return all registrations of both priorities: asyncio of Python 3.12 and later reads them here."""
        front = super().get_map()
        return front if self._row is None or front is None else ChainMap(self._row.keys, front)  # type: ignore[arg-type]  # only read; None once closed

    def select(self, timeout: float | None = None) -> Ready:
        """Return ready sockets: all of normal priority, then some of low priority."""
        ready = super().select(timeout)
        for at, (key, _) in enumerate(ready):
            if key is self._row_key and self._row is not None:
                del ready[at]
                ready += self._row.ready()
                break
        return ready

    def close(self) -> None:
        """Close both selectors."""
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
    """Convert an epoll mask. An error or the end of a connection counts as readable and writable."""
    return (EVENT_READ if mask & ~select.EPOLLOUT else 0) | (EVENT_WRITE if mask & ~select.EPOLLIN else 0)
