"""``kill -9`` of a node: the others go on with its games, with the lobby and with the simul that it led."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import League
from harness.demo.command import demonstrate
from harness.demo.options import DemoOptions
from tests.faults.cluster.invariants import Spell, count, go_on, hub, leader, of_node, played_out

if TYPE_CHECKING:
    from harness.chaos.local_cluster import LocalCluster

pytestmark = pytest.mark.slow("a node dies in the middle of many games")

GAMES = 24

EVENTS = "SELECT count(*) FROM event JOIN game ON game.id = event.game WHERE simul IS NOT NULL"
"""Of boards of simuls."""

SOME = 30


async def test_games_and_lobby_survive_a_kill_of_their_node(cluster: LocalCluster) -> None:
    """The clocks of its games are held until other nodes have taken them."""
    async with League(cluster.url, games=GAMES, seed=32, plies=60, think_s=(0.2, 0.6)) as league:
        await league.moves(GAMES)
        victim = await hub(cluster)
        lost = await of_node(cluster, victim, league)
        assert lost
        spell = Spell(league, lost)
        victim.signal(signal.SIGKILL)
        await victim.ended()
        await go_on(league, lost)
        spell.end()
        assert await hub(cluster) is not victim
        await go_on(league, league.matches)
        await victim.start()
        async with League(victim.url, games=2, seed=33, plies=6) as delayed:  # people meet as ever
            await delayed.finish()
        spell.check(await played_out(cluster, league))


async def test_simul_survives_a_kill_of_its_node(cluster: LocalCluster) -> None:
    plan = DemoOptions(url=cluster.url, boards=5, host_plays=True, mode="clock", seconds=100, think_s=0.2)
    showing = asyncio.create_task(demonstrate(plan, print, print), name="simul")
    try:
        victim = await leader(cluster)
        await _grows(cluster, showing)
        victim.signal(signal.SIGKILL)
        await victim.ended()
        assert await leader(cluster) is not victim
        await _grows(cluster, showing)
        await victim.start()
        await _grows(cluster, showing)
    finally:
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)


async def _grows(cluster: LocalCluster, showing: asyncio.Task[int]) -> None:
    """Until the simul that is being shown has had some more events."""
    aim = await count(cluster, EVENTS) + SOME
    while await count(cluster, EVENTS) < aim:
        if showing.done():
            raise AssertionError(f"it has ended: {showing.result()}")
        await asyncio.sleep(0.1)
