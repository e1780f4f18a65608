"""What the boards of simuls ask about their hosts."""

from __future__ import annotations

from typing import Protocol


class HostSource(Protocol):
    """What knows the simuls (``simuls/live/acting_hosts.py``)."""

    def absence(self, simul_id: str) -> tuple[int, int] | None:
        """Return how long whoever plays for the host has been away and may be away, in ms; None: they are present, or
        it is unknown."""

    def acting_stand_in(self, simul_id: str) -> str | None:
        """Return the id of the stand-in who plays for the host; None: the host plays, or it is unknown."""

    def knows_acting_host(self, simul_id: str, *, owned: bool) -> bool:
        """Return whether nothing better than ``acting_stand_in`` can be known.

        ``owned``: for a board that this node owns.
        """

    async def find_acting_host(self, simul_id: str, *, owned: bool) -> None:
        """Wait until ``knows_acting_host``: the simul is being loaded. Raises ``Refusal``: ``unavailable``."""


class BoardHosts:
    """The hosts of all simuls. Without a source everybody is present, and plays themselves."""

    def __init__(self) -> None:
        self._source: HostSource | None = None

    def ask(self, source: HostSource) -> None:
        """Answer by ``source`` from now on."""
        self._source = source

    def absence(self, simul_id: str) -> tuple[int, int] | None:
        """As that of ``HostSource``."""
        return None if self._source is None else self._source.absence(simul_id)

    def acting_stand_in(self, simul_id: str) -> str | None:
        """As that of ``HostSource``."""
        return None if self._source is None else self._source.acting_stand_in(simul_id)

    def knows_acting_host(self, simul_id: str, *, owned: bool) -> bool:
        """As that of ``HostSource``."""
        return self._source is None or self._source.knows_acting_host(simul_id, owned=owned)

    async def find_acting_host(self, simul_id: str, *, owned: bool) -> None:
        """As that of ``HostSource``."""
        if self._source is not None:
            await self._source.find_acting_host(simul_id, owned=owned)


PRESENT = BoardHosts()
"""The hosts when there are no simuls."""
