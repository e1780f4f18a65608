"""The acting hosts of simuls, for the tables of their boards on this node."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from lobby.errors import NotFound, Unavailable
from realtime.simuls.replica.led_remotely import LedRemotely

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from realtime.simuls.live.simul_actor import SimulActor
    from realtime.simuls.replica.simul_replicas import RemoteSimuls
    from realtime.simuls.store.loading import SimulBeingRead


SYNC_S = 2.0
"""Maximum wait for a replica whose leader may have just died: the board can be shown without it."""


class ActingHosts:
    """The person who plays for the host of each simul: the host, or their stand-in. A ``HostSource``.

    Args:
        actors, being_read: the simuls in the memory of this node, and those being loaded.
        replicas: replicas of simuls that other nodes lead; None: there are no other nodes.
        load: loads a simul, or raises ``LedRemotely`` or a ``Refusal``.
        wall_ms: returns the present in Unix ms.
    """

    def __init__(
        self,
        actors: dict[str, SimulActor],
        being_read: dict[str, SimulBeingRead],
        replicas: RemoteSimuls | None,
        load: Callable[[str], Awaitable[SimulActor]],
        wall_ms: Callable[[], int],
    ) -> None:
        self._actors = actors
        self._being_read = being_read
        self._replicas = replicas
        self._load = load
        self._wall_ms = wall_ms

    def absence(self, simul_id: str) -> tuple[int, int] | None:
        """Return how long whoever plays for the host has been away and the limit for it, in ms; None: they are
        connected."""
        actor = self._actors.get(simul_id)
        gone_ms = None if actor is None else actor.state.host_gone_ms(self._wall_ms())
        return None if actor is None or gone_ms is None else (gone_ms, actor.state.setup.away_limit_s * 1000)

    def acting_stand_in(self, simul_id: str) -> str | None:
        """Return the id of the stand-in who plays for the host; None: the host plays, or it is unknown."""
        actor = self._actors.get(simul_id)
        if actor is not None:
            return actor.state.acting_host.id if actor.state.is_stand_in_acting else None
        being_read = self._being_read.get(simul_id)
        if being_read is not None:
            return being_read.stand_in_acting
        replica = None if self._replicas is None else self._replicas.peek(simul_id)
        return None if replica is None or replica.live is None else replica.live.replica.acting_stand_in()

    def knows_acting_host(self, simul_id: str, *, owned: bool) -> bool:
        """Return whether ``acting_stand_in`` is reliable, or cannot be better.

        Args:
            owned: for a board that this node owns, it must not come from a replica, which may be behind. For others it
                is only shown, and unknown unless the simul is shown here too.
        """
        if simul_id in self._actors:
            return True
        being_read = self._being_read.get(simul_id)
        if being_read is not None:
            return being_read.is_read
        replica = None if self._replicas is None else self._replicas.peek(simul_id)
        return not owned and (replica is None or replica.live is not None)

    async def find_acting_host(self, simul_id: str, *, owned: bool) -> None:
        """Wait until ``knows_acting_host``; load the simul if this node owns the board but has not begun to load it.

        Raises:
            Refusal: ``unavailable``, the simul has just been lost to another node.
        """
        being_read = self._being_read.get(simul_id)
        replica = None if self._replicas is None else self._replicas.peek(simul_id)
        if being_read is not None:
            await being_read.is_done.wait()
        elif replica is not None and not owned:
            with suppress(TimeoutError):
                async with asyncio.timeout(SYNC_S):
                    await replica.until_known(None)
        elif owned and simul_id not in self._actors:
            with suppress(LedRemotely, NotFound):
                await self._load(simul_id)
        if not self.knows_acting_host(simul_id, owned=owned):
            raise Unavailable("the simul is moving to another node; try again")
