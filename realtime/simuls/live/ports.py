"""``Simuls``, as far as its parts need it."""

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
        """How one of them looks to ``user``, as JSON; None: it is not followed here."""


class SimulsHere(Protocol):
    """The simuls in the memory of this node."""

    is_draining: bool

    @property
    def broadcasts(self) -> Broadcasts:
        """The streams of their games."""

    @property
    def mirrors(self) -> ReplicaSnapshots | None:
        """None: there are no other nodes."""

    def peek(self, simul_id: str) -> SimulActor | None:
        """The simul if it is in memory."""

    def all(self) -> Iterator[SimulActor]:
        """Every simul in memory."""

    async def get(self, simul_id: str) -> SimulActor:
        """The simul, from memory or loaded. Raises ``WireError`` and ``LedElsewhere``."""

    def summary(self, summary: Summary) -> Summary:
        """What a list shows of a simul, as it is now."""

    def lose(self, simul_id: str) -> None:
        """Another node leads it now."""
