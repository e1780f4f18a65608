"""A rolling restart while people play."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import League
from tests.faults.cluster.invariants import go_on, played_out

if TYPE_CHECKING:
    from harness.chaos.local_cluster import LocalCluster

pytestmark = pytest.mark.slow("three nodes are replaced")

GAMES = 30

THINK_S = (0.2, 0.6)

GOING_AWAY = 1012
"""The close code that says: come back with a little random delay."""


async def test_rolling_restart_loses_no_event_and_no_time(cluster: LocalCluster) -> None:
    """No acknowledged request, event or clock time is lost, and sockets are closed only with the restart code."""
    async with League(cluster.url, games=GAMES, seed=31, plies=60, think_s=THINK_S) as league:
        for node in cluster.nodes:
            await go_on(league, league.matches)
            node.signal(signal.SIGTERM)
            await node.ended()
            assert node.status == 0
            await node.start()
        assert not all(player.view.over for player in league.players()), "every game was over before the restart"
        await played_out(cluster, league)
    for person in league.people():
        assert set(person.closed) <= {GOING_AWAY}, person.closed
        assert person.connects == person.closed[GOING_AWAY] + 1
    assert sum(person.connects > 1 for person in league.people()) > GAMES / 2
