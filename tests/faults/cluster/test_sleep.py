"""A suspended node (SIGSTOP, then SIGCONT): it is fenced and changes nothing."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import League
from tests.faults.cluster.invariants import ON_ITS_WAY_S, go_on, of_node, played_out, unfinished

if TYPE_CHECKING:
    from harness.chaos.local_cluster import LocalCluster

pytestmark = pytest.mark.slow("long outages in a cluster")

ASLEEP_S = 20.0

TC = {"base_s": 18, "inc_s": 0}
"""Less than it sleeps."""


async def test_suspended_node_is_fenced(cluster: LocalCluster) -> None:
    """Clients that stayed connected see every event in order, and the pause costs no clock time."""
    sleeper = cluster.nodes[0]
    async with (
        League(sleeper.url, games=8, seed=34, plies=24, tc=TC, think_s=(0.1, 0.5)) as stays,
        League(cluster.url, games=24, seed=35, plies=24, tc=TC, think_s=(0.1, 0.5)) as moves,
    ):
        await asyncio.gather(go_on(stays, stays.matches), go_on(moves, moves.matches))
        theirs = [*await of_node(cluster, sleeper, stays), *await of_node(cluster, sleeper, moves)]
        sleeper.signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(ON_ITS_WAY_S)
            theirs = await unfinished(cluster, theirs)
            assert theirs
            await asyncio.sleep(ASLEEP_S - ON_ITS_WAY_S)  # so long, for its own sake
            assert not await of_node(cluster, sleeper, stays), "its games have no new owner"
            assert not await of_node(cluster, sleeper, moves), "its games have no new owner"
        finally:
            sleeper.signal(signal.SIGCONT)
        await asyncio.gather(go_on(stays, stays.matches), go_on(moves, moves.matches))
        truths = await played_out(cluster, stays, moves)
    assert "the lease had expired for" in sleeper.read_log()
    for match in theirs:
        assert truths[match.game].row.epoch > 1, "it was its owner all the time"
