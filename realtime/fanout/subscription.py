"""How one socket is subscribed to one topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable


class BlockedUsers(Protocol):
    """Whom a subscriber does not want to read (``people/block_lists.py``)."""

    ids: set[str] | None
    """None until they have been read."""

    def hides(self, user: str) -> bool:
        """Whether lines of ``user`` are hidden; they are while ``ids`` is None."""

    def when_read(self, call: Callable[[], None]) -> None:
        """Call ``call`` as soon as ``ids`` is known."""


class Subscription(msgspec.Struct):
    """How one socket hears one topic."""

    ticks: bool = True
    legal: bool = False
    player: bool = False
    """A seat at the table: written to first."""
    blocked: BlockedUsers | None = None
    """Whose lines of chat are not for this socket; None: everybody's are."""
    told: int = 0
    """Of one who watches: how much he has been told (``SpectatorQueue``)."""
