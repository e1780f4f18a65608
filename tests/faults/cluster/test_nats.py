"""NATS outages, for all nodes or for one."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import League
from tests.faults.cluster.invariants import go_on, hub, of_node, played_out
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from harness.chaos.breakable_link import Way
    from harness.chaos.local_cluster import LocalCluster

pytestmark = pytest.mark.slow("long outages in a cluster")

AWAY_S = 20.0

CUT_S = 8.0
"""No move may cost that much more than its thinking time (``check_charges``)."""

THINK_S = (0.3, 0.9)


async def test_nodes_without_nats_continue_their_own_games(cluster: LocalCluster) -> None:
    """Games of players on one node go on, games between nodes wait. Only the node with the lobby serves it."""
    async with AsyncExitStack() as stack:
        alone = [
            await stack.enter_async_context(League(node.url, games=6, seed=36, plies=80, think_s=THINK_S))
            for node in cluster.nodes
        ]
        mixed = await stack.enter_async_context(League(cluster.url, games=12, seed=37, plies=20, think_s=THINK_S))
        lobby = await hub(cluster)
        other = next(node for node in cluster.nodes if node is not lobby)
        token, _ = await asyncio.to_thread(guest, other.url)
        client = await stack.enter_async_context(Client(other.url, token))
        await asyncio.gather(*(go_on(league, league.matches) for league in [*alone, mixed]))
        for node in cluster.nodes:
            node.nats.pull()
        back = asyncio.create_task(asyncio.sleep(AWAY_S))  # so long, for its own sake
        assert await client.refused("seek", tc={"base_s": 60, "inc_s": 0}, key="seek") == "unavailable"
        for node, league in zip(cluster.nodes, alone, strict=True):
            assert await of_node(cluster, node, league) == league.matches
            await go_on(league, league.matches)
        await back
        for node in cluster.nodes:
            node.nats.plug()
        await go_on(mixed, mixed.matches)
        async with League(other.url, games=1, seed=38, plies=4) as delayed:  # the lobby is back
            await delayed.finish()
        await played_out(cluster, *alone, mixed)


@pytest.mark.parametrize(
    "ways",
    [None, ("there", "back"), ("there",), ("back",)],
    ids=["cut", "nothing passes", "it is not heard", "it hears nothing"],
)
async def test_node_cut_off_from_nats_keeps_its_games(cluster: LocalCluster, ways: tuple[Way, ...] | None) -> None:
    """The node leads the lobby and keeps it, because its lease in the database stays valid. Clocks are held in games
    whose messages do not pass in either direction."""
    async with League(cluster.url, games=24, seed=39, plies=40, think_s=(0.2, 0.6)) as league:
        await league.moves(48)
        link = (await hub(cluster)).nats
        if ways is None:
            link.pull()
        else:
            link.stall(*ways)
        await asyncio.sleep(CUT_S)  # so long, for its own sake
        link.plug()
        link.flow()
        await go_on(league, league.matches)
        await played_out(cluster, league)
