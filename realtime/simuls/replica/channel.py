"""A stream in which another node tells of an exhibition: what is told at once, or what the public hears."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from realtime.simuls.live.shared_snapshot import Shown
from simul.replica import SimulReplica

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Channel:
    """SimulReplica from a snapshot on (``shown.Source``)."""

    def __init__(self, crowd: Callable[[], Mapping[str, Any]], snapshot: dict[str, Any]) -> None:
        self.told = SimulReplica(snapshot)
        self.shown = Shown(self)
        self._crowd = crowd

    @property
    def seq(self) -> int:
        """Number of the last event."""
        seq: int = self.told["seq"]
        return seq

    @property
    def is_host_here(self) -> bool:
        """Whether the host is connected."""
        return bool(self._crowd()["host_online"])

    def snapshot(self, user: str | None, watchers: int) -> Mapping[str, Any]:
        """The ``simul`` message for a stranger."""
        return {**self.told.snapshot(), "watchers": watchers, "host_online": self.is_host_here}
