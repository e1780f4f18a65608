"""The running simuls in which a person plays for the host or may take over, on all nodes.

The message ``welcome`` lists them, and ``simul.hosting`` tells of a change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from realtime.cluster.bus.replicated_feed import ReplicatedFeed, Topics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.people.presence import Presence
    from realtime.protocol.wire_personal import SimulHostingWire
    from simul.state import Simul

TOPICS = Topics(delta="simul.hosts", portion="simul.hosts", want="simul.hosts_want")

PORTION = 1000
"""Number of simuls in one message: some 30 KB."""


class HostsReport(msgspec.Struct, omit_defaults=True):
    """The people who play for the hosts of running simuls of one node, or may, by simul; nobody: it does not run there
    any more."""

    hosts: dict[str, list[str]] = {}
    first: bool = msgspec.field(default=False, name="is_first")
    last: bool = msgspec.field(default=False, name="is_last")


class Hosting:
    """The people who play for the host of a running simul, or may. Each node tells its own sockets."""

    def __init__(self, cluster: Cluster | None, people: Presence) -> None:
        self._cluster = cluster
        self._people = people
        self._hosts: dict[str, list[str]] = {}
        """Of the simuls that this node leads."""
        self._feed = None if cluster is None else ReplicatedFeed(cluster, TOPICS, HostsReport, self, portion=PORTION)

    def close(self) -> None:
        """Stop sending and asking."""
        if self._feed is not None:
            self._feed.close()

    def of(self, user: str) -> list[str]:
        """Return the running simuls in which ``user`` plays for the host or may take over."""
        nodes = (self._hosts, *(() if self._feed is None else self._feed.copies.values()))
        return sorted({simul for hosts in nodes for simul, people in hosts.items() if user in people})

    def tick(self, states: Iterable[Simul]) -> None:
        """Update the simuls of this node, and report the changes. Called once a second."""
        before, self._hosts = self._hosts, {state.id: state.possible_hosts() for state in states if state.is_running}
        changed = [simul for simul in before | self._hosts if before.get(simul) != self._hosts.get(simul)]
        for simul in changed:
            if self._feed is not None:
                self._feed.note(simul)
            self._tell(before.get(simul), self._hosts.get(simul))

    def _tell(self, *hosts: list[str] | None) -> None:
        for user in {user for people in hosts for user in people or ()}:
            message: SimulHostingWire = {"t": "simul.hosting", "simuls": self.of(user)}
            self._people.send_body_here(user, message)

    # -- other nodes --------------------------------------------------------------------------------------

    def keys(self) -> Iterable[str]:
        """Return the simuls of this node."""
        return self._hosts

    def encode(self, simuls: list[str]) -> HostsReport:
        """Return the people of these simuls of this node."""
        return HostsReport({simul: self._hosts.get(simul, []) for simul in simuls})

    def decode(self, report: HostsReport) -> Iterable[tuple[str, list[str] | None]]:
        """Yield the simuls of another node."""
        for simul, hosts in report.hosts.items():
            yield simul, hosts or None

    def replaced(self, node: str, simul: str, was: list[str] | None, now: list[str] | None) -> None:
        """Tell the people of a simul of ``node``, unless the node is gone: then another one takes over the simul."""
        if self._cluster is not None and node in self._cluster.others:
            self._tell(was, now)
