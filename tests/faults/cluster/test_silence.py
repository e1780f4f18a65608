"""A silent link from one node to the database: nothing arrives, nothing is closed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import League
from tests.faults.cluster.invariants import go_on, of_node, played_out, unfinished

if TYPE_CHECKING:
    from harness.chaos.breakable_link import Way
    from harness.chaos.local_cluster import LocalCluster

pytestmark = pytest.mark.slow("long outages in a cluster")

TC = {"base_s": 10, "inc_s": 0}
"""Less than it lasts."""

PLIES = 60
"""What takes two players longer than it does until the others know."""


@pytest.mark.parametrize(
    ("ways", "silent_s"),
    [((), 20.0), (("there",), 12.0), (("back",), 12.0)],
    ids=["nothing passes", "no request passes", "no answer passes"],
)
async def test_silent_database_link_moves_the_games(
    cluster: LocalCluster, ways: tuple[Way, ...], silent_s: float
) -> None:
    """Other nodes take its games and its clients are sent there. Clients that cannot go there wait at no cost."""
    node = cluster.nodes[0]
    async with (
        League(node.url, games=6, seed=51, plies=20, tc=TC, think_s=(0.1, 0.3)) as stays,
        League(cluster.url, games=18, seed=52, plies=PLIES, tc=TC, think_s=(0.1, 0.2)) as moves,
    ):
        await asyncio.gather(go_on(stays, stays.matches), go_on(moves, moves.matches))
        theirs = [*await of_node(cluster, node, stays), *await of_node(cluster, node, moves)]
        node.database.stall(*ways)
        over_s = asyncio.get_running_loop().time() + silent_s
        await moves.until(lambda: "its clients are sent away" in node.read_log())
        theirs = await unfinished(cluster, theirs)
        assert theirs
        await go_on(moves, moves.matches)
        await asyncio.sleep(over_s - asyncio.get_running_loop().time())  # so long, for its own sake
        assert not await of_node(cluster, node, stays)
        assert not await of_node(cluster, node, moves)
        node.database.flow()
        await go_on(stays, stays.matches)
        truths = await played_out(cluster, stays, moves)
    assert "accepting clients" in node.read_log()
    assert all(truths[match.game].row.epoch > 1 for match in theirs)
