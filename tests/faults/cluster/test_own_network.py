"""A node without network to the database and to NATS: packets vanish, connections stay open."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import League
from harness.chaos.local_cluster import LocalCluster
from tests.faults.cluster.conftest import tell_logs
from tests.faults.cluster.invariants import ON_ITS_WAY_S, go_on, of_node, played_out, unfinished
from tests.faults.own_network import OwnNetwork, own_network

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

pytestmark = pytest.mark.slow("long outages in a cluster")

TC = {"base_s": 8, "inc_s": 0}
"""No more than it lasts."""

PLIES = 50


@pytest.fixture
def network() -> Iterator[OwnNetwork]:
    with own_network() as network:
        yield network


@pytest.fixture
async def cluster(network: OwnNetwork) -> AsyncIterator[LocalCluster]:
    async with LocalCluster(nodes=3, chance=random.Random(1), places={1: network.place}) as cluster:
        yield cluster
        tell_logs(cluster)


@pytest.mark.parametrize("cut_s", [8.0, 20.0])
async def test_isolated_node_loses_its_games_and_recovers(
    cluster: LocalCluster, network: OwnNetwork, cut_s: float
) -> None:
    """Other nodes take its games. Clients that stay with it wait at no cost, and it rejoins the cluster afterwards."""
    node = cluster.nodes[0]
    async with (
        League(node.url, games=6, seed=61, plies=20, tc=TC, think_s=(0.1, 0.3)) as stays,
        League(cluster.url, games=18, seed=62, plies=PLIES, tc=TC, think_s=(0.1, 0.2)) as moves,
    ):
        await asyncio.gather(go_on(stays, stays.matches), go_on(moves, moves.matches))
        theirs = [*await of_node(cluster, node, stays), *await of_node(cluster, node, moves)]
        network.cut()
        await asyncio.sleep(ON_ITS_WAY_S)
        theirs = await unfinished(cluster, theirs)
        assert theirs
        await asyncio.sleep(cut_s - ON_ITS_WAY_S)  # so long, for its own sake
        assert not await of_node(cluster, node, stays)
        assert not await of_node(cluster, node, moves)
        network.mend()
        await asyncio.gather(go_on(stays, stays.matches), go_on(moves, moves.matches))
        truths = await played_out(cluster, stays, moves)
    assert all(truths[match.game].row.epoch > 1 for match in theirs)
