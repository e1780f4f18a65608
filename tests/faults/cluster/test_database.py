"""PostgreSQL outages, for all nodes or for one."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import League
from tests.faults.cluster.invariants import go_on, of_node, played_out

if TYPE_CHECKING:
    from harness.chaos.local_cluster import LocalCluster

pytestmark = pytest.mark.slow("long outages in a cluster")

GAMES = 24

TC = {"base_s": 12, "inc_s": 0}

CUT_S = 12.0
"""Longer than a lease, and as long as a clock."""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
async def test_restart_of_postgresql_under_three_nodes(cluster: LocalCluster, sign: signal.Signals) -> None:
    """By a fast shutdown and by a crash."""
    async with League(cluster.url, games=GAMES, seed=40, plies=40, think_s=(0.1, 0.4)) as league:
        await league.moves(GAMES * 2)
        before = cluster.postgres.pid
        os.kill(before, sign)
        await league.until(lambda: cluster.postgres.pid != before)
        await go_on(league, league.matches)
        await played_out(cluster, league)


async def test_node_without_database_loses_its_games_and_serves_its_clients(cluster: LocalCluster) -> None:
    """Other nodes take its games, and its clients play on through them: it costs no clock time and no game stops."""
    node = cluster.nodes[0]
    async with (
        League(node.url, games=6, seed=41, plies=20, tc=TC, think_s=(0.1, 0.3)) as stays,
        League(cluster.url, games=18, seed=42, plies=20, tc=TC, think_s=(0.1, 0.3)) as moves,
    ):
        await asyncio.gather(stays.moves(8), moves.moves(18))
        node.database.pull()
        await asyncio.sleep(CUT_S)  # so long, for its own sake
        assert not await of_node(cluster, node, stays)
        node.database.plug()
        await asyncio.gather(go_on(stays, stays.matches), go_on(moves, moves.matches))
        await played_out(cluster, stays, moves)
