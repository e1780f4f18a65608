"""List entries of simuls, from the nodes that lead them: the rows in the database do not contain all counts."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.errors import Refusal
from realtime.simuls.store import leadership
from simul.lists import card_wire, summary_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lobby.ports import Pool
    from realtime.cluster.bus.cluster import Cluster
    from realtime.simuls.live.ports import SimulsHere
    from simul.lists import Summary
    from simul.wire_lists import SimulCardWire

LIST = "simul.list"

QUERY_TIMEOUT_S = 1.0
"""Timeout for another node. After it, its entries are those of the database."""

log = logging.getLogger(__name__)


class Listed(msgspec.Struct, frozen=True):
    """Ids of simuls."""

    simuls: list[str]


class SimulEntries(msgspec.Struct, frozen=True):
    """Entries of the simuls that the node leads."""

    cards: list[dict[str, Any]]


class Listing:
    """List entries of all nodes."""

    def __init__(self, simuls: SimulsHere, pool: Pool, node: str, cluster: Cluster | None) -> None:
        self._simuls = simuls
        self._pool = pool
        self._node = node
        self._cluster = cluster
        if cluster is not None:
            cluster.on_request(LIST, Listed, self._answer)

    async def cards(self, summaries: Sequence[Summary]) -> list[SimulCardWire]:
        """Return the current entries for ``summaries``, which were read from the database. Raises any query error."""
        lines = {summary.id: card_wire(self._simuls.summary(summary)) for summary in summaries}
        cluster = self._cluster
        if cluster is not None and not cluster.is_alone:
            wanted = [one.id for one in summaries if one.status != "cancelled" and self._simuls.peek(one.id) is None]
            places = await leadership.leaders(self._pool, self._node, wanted) if wanted else {}
            requests = [self._request(cluster, node, ids) for node, ids in places.items() if cluster.is_reached(node)]
            for cards in await asyncio.gather(*requests):
                lines.update({card["simul"]: card for card in cards})
        return [lines[summary.id] for summary in summaries]

    async def _request(self, cluster: Cluster, node: str, ids: list[str]) -> list[SimulCardWire]:
        try:
            lines = await cluster.request(node, LIST, Listed(ids), SimulEntries, QUERY_TIMEOUT_S)
        except Refusal as error:
            log.info("the lines of %d simuls come from the database: %s", len(ids), error)
            return []
        return lines.cards  # type: ignore[return-value]  # encoded by that node

    def _answer(self, sender: str, listed: Listed, answer: Any) -> None:
        simuls = [actor for simul_id in listed.simuls if (actor := self._simuls.peek(simul_id)) is not None]
        answer(SimulEntries([{**card_wire(self._simuls.summary(summary_of(actor.state)))} for actor in simuls]))
