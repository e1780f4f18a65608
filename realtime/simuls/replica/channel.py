"""A stream of messages about a simul that another node leads: the live one or the delayed one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from realtime.simuls.live.shared_snapshot import EncodedSnapshots
from simul.replica import SimulReplica

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Channel:
    """Replica of the simul, from a snapshot on (``shown.Source``)."""

    def __init__(self, crowd: Callable[[], Mapping[str, Any]], snapshot: dict[str, Any]) -> None:
        self.replica = SimulReplica(snapshot)
        self.shown = EncodedSnapshots(self)
        self._crowd = crowd

    @property
    def seq(self) -> int:
        """Return the number of the last event."""
        seq: int = self.replica["seq"]
        return seq

    @property
    def is_host_here(self) -> bool:
        """Return whether the host is connected."""
        return bool(self._crowd()["host_online"])

    def snapshot(self, user: str | None, watchers: int) -> Mapping[str, Any]:
        """Return the ``simul`` message for an anonymous visitor."""
        return {**self.replica.snapshot(), "watchers": watchers, "host_online": self.is_host_here}
