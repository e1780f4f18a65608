"""Requests that wait until a replica has caught up with the owner of its game."""

from __future__ import annotations

import asyncio

ATTACHED = -1
"""Stands in for an event number: wait until the state at the owner is known."""


class Waiters:
    """The waiting requests of one replica."""

    __slots__ = ("_for_events", "_for_owner")

    def __init__(self) -> None:
        self._for_events: list[tuple[int, asyncio.Future[None]]] = []
        self._for_owner: list[asyncio.Future[None]] = []

    @property
    def any_for_owner(self) -> bool:
        """Return whether a request waits for an owner of the game."""
        return bool(self._for_owner)

    async def for_event(self, seq: int, timeout_s: float) -> bool:
        """Wait for ``wake`` with ``seq`` or ``ATTACHED``. Return whether it came in time."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._for_events.append((seq, future))
        done, _ = await asyncio.wait((future,), timeout=timeout_s)
        if not done:
            future.cancel()
        return bool(done)

    async def for_owner(self, timeout_s: float) -> None:
        """Wait for ``wake_for_owner`` or the timeout."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._for_owner.append(future)
        try:
            await asyncio.wait((future,), timeout=timeout_s)
        finally:
            if future in self._for_owner:
                self._for_owner.remove(future)

    def wake(self, seq: int | None, *, is_attached: bool) -> None:
        """Wake the waiters for events up to ``seq``; None: wake all."""
        waiting, self._for_events = self._for_events, []
        for wanted, future in waiting:
            is_due = seq is None or (is_attached if wanted == ATTACHED else wanted <= seq)
            if not is_due and not future.done():
                self._for_events.append((wanted, future))
            elif not future.done():
                future.set_result(None)

    def wake_for_owner(self) -> None:
        """Wake the waiters for an owner, which is known now."""
        waiting, self._for_owner = self._for_owner, []
        for future in waiting:
            if not future.done():
                future.set_result(None)
