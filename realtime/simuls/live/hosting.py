"""The running simuls that a person conducts, whichever node leads them: for ``welcome``, and told when they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.people.presence import Presence
    from realtime.protocol.wire_personal import SimulHostingWire
    from simul.state import Simul

HOSTS = "simul.hosts"

RESEND_TICKS = 10
"""Ticks, of a second each, between two repeats, since a message may be lost."""


class SimulHosts(msgspec.Struct, frozen=True):
    """The people who conduct the running simuls of one node, by simul."""

    hosts: dict[str, list[str]]


class Hosting:
    """The people who conduct running simuls, at all nodes."""

    def __init__(self, cluster: Cluster | None, people: Presence) -> None:
        self._cluster = cluster
        self._people = people
        self._hosts: dict[str, list[str]] = {}
        """Of the simuls that this node leads."""
        self._others: dict[str, dict[str, list[str]]] = {}
        """By node."""
        self._ticks = 0
        if cluster is not None:
            cluster.subscribe(HOSTS, SimulHosts, self._take)
            cluster.on_gone.append(self._forget)

    def of(self, user: str) -> list[str]:
        """Return the running simuls that ``user`` conducts."""
        nodes = (self._hosts, *self._others.values())
        return sorted({simul for hosts in nodes for simul, people in hosts.items() if user in people})

    def tick(self, states: Iterable[Simul]) -> None:
        """Update the simuls of this node, tell their people of a change, and the other nodes. Called once a second."""
        before, self._hosts = self._hosts, {state.id: state.conductors() for state in states if state.is_running}
        changed = {simul for simul in before | self._hosts if before.get(simul) != self._hosts.get(simul)}
        for user in {user for simul in changed for hosts in (before, self._hosts) for user in hosts.get(simul, ())}:
            message: SimulHostingWire = {"t": "simul.hosting", "simuls": self.of(user)}
            self._people.send(user, message)
        self._ticks += 1
        if self._cluster is not None and not self._cluster.is_alone and (changed or self._ticks % RESEND_TICKS == 0):
            self._cluster.broadcast(HOSTS, SimulHosts(self._hosts))

    def _forget(self, node: str) -> None:
        self._others.pop(node, None)

    def _take(self, sender: str, message: SimulHosts) -> None:
        self._others[sender] = message.hosts
