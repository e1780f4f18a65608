"""Interfaces of ``Simuls`` for its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.simuls.live.broadcast import Broadcasts
    from realtime.simuls.live.simul_actor import SimulActor
    from simul.lists import Summary


class ReplicaSnapshots(Protocol):
    """Simuls that other nodes lead."""

    def snapshot(self, simul_id: str, user: str | None) -> bytes | None:
        """Return the snapshot of a simul for ``user``, as JSON; None: it is not replicated here."""


class SimulsHere(Protocol):
    """The simuls in the memory of this node."""

    is_draining: bool

    @property
    def broadcasts(self) -> Broadcasts:
        """Return the streams of their games."""

    @property
    def replicas(self) -> ReplicaSnapshots | None:
        """Return the replicas; None: there are no other nodes."""

    def peek(self, simul_id: str) -> SimulActor | None:
        """Return the simul if it is in memory."""

    def all(self) -> Iterator[SimulActor]:
        """Return every simul in memory."""

    async def get(self, simul_id: str) -> SimulActor:
        """Return the simul, from memory or loaded. Raises ``Refusal`` and ``LedRemotely``."""

    def summary(self, summary: Summary) -> Summary:
        """Return the current list entry of a simul."""

    def lose(self, simul_id: str) -> None:
        """Drop a simul that another node leads now."""
