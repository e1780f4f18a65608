"""The subscription of one socket to one topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable


class BlockedUsers(Protocol):
    """The people whom a subscriber has blocked (``people/block_lists.py``)."""

    ids: set[str] | None
    """None until they are loaded."""

    def hides(self, user: str) -> bool:
        """Return whether lines of ``user`` are hidden; all are while ``ids`` is None."""

    def when_read(self, call: Callable[[], None]) -> None:
        """Call ``call`` as soon as ``ids`` is loaded."""


class Subscription(msgspec.Struct):
    """The options of a subscription."""

    ticks: bool = True
    legal: bool = False
    laws: bool = False
    """The client can play by the Laws as played over a board."""
    player: bool = False
    """A player of the game, who is written to first."""
    blocked: BlockedUsers | None = None
    """People whose chat lines are hidden from this socket; None: nobody."""
    cursor: int = 0
    """Cursor of a spectator: how much has been sent (``SpectatorQueue``)."""
