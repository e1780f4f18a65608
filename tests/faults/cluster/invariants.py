"""Invariants after every fault: all clients saw what is stored, and each player was charged only for their own time."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from harness.chaos.checker import check_league, check_memory, read_truths
from harness.chaos.clocks import check_charges
from harness.chaos.errors import Violation
from realtime.postgres.database import connect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.chaos.checker import Truth
    from harness.chaos.league import League, LeagueGame
    from harness.chaos.local_cluster import LocalCluster
    from harness.chaos.local_node import LocalNode

AGAIN_S = 0.1

ON_ITS_WAY_S = 1.0
"""Time for what a node had sent to the database before it was cut off, which is stored after that: perhaps the end of a
game."""

SHOWN_S = 20.0
"""Time for every node to know the end of every game."""


async def played_out(cluster: LocalCluster, *leagues: League, database: str | None = None) -> dict[str, Truth]:
    """Play all games of ``leagues`` to the end and check them. Return what is stored at ``database``, by default the
    cluster's."""
    await asyncio.gather(*(league.finish() for league in leagues))
    truths: dict[str, Truth] = {}
    for league in leagues:
        found = await read_truths(database or cluster.database, [match.game for match in league.matches])
        check_league(league, found)
        for match in league.matches:
            check_charges(match, found[match.game])
        truths.update(found)
    await asyncio.gather(*(_is_shown(node, truths) for node in cluster.nodes))
    return truths


async def _is_shown(node: LocalNode, truths: dict[str, Truth]) -> None:
    async with asyncio.timeout(SHOWN_S):
        while True:
            try:
                return await check_memory(node.url, truths)
            except Violation as error:
                if "memory is at" not in str(error):
                    raise
                await asyncio.sleep(AGAIN_S)


async def of_node(cluster: LocalCluster, node: LocalNode, league: League) -> list[LeagueGame]:
    """Return the games of ``league`` that are not over and that ``node`` owns."""
    connection = await connect(cluster.database, name="checker")
    try:
        rows = await connection.fetch("SELECT id FROM game WHERE status <> 'over' AND owner = $1", node.id)
    finally:
        await connection.close()
    theirs = {row["id"] for row in rows}
    return [match for match in league.matches if match.game in theirs]


async def unfinished(cluster: LocalCluster, matches: Sequence[LeagueGame]) -> list[LeagueGame]:
    """Return those of ``matches`` that are not over."""
    connection = await connect(cluster.database, name="checker")
    try:
        rows = await connection.fetch(
            "SELECT id FROM game WHERE status <> 'over' AND id = ANY ($1::text[])", [match.game for match in matches]
        )
    finally:
        await connection.close()
    going_on = {row["id"] for row in rows}
    return [match for match in matches if match.game in going_on]


async def count(cluster: LocalCluster, query: str) -> int:
    """Return the result of a query for one number."""
    connection = await connect(cluster.database, name="checker")
    try:
        found: int = await connection.fetchval(query)
    finally:
        await connection.close()
    return found


class Spell:
    """A period in which the clocks of some games are held, from its creation until ``end``.

    Args:
        matches: those games.
    """

    def __init__(self, league: League, matches: Sequence[LeagueGame]) -> None:
        self._began = time.monotonic()
        self._lasted_ms = 0.0
        self._known = {match.game: max(view.seq for view in league.views_of(match.game)) for match in matches}

    def end(self) -> None:
        """End the period: the games go on."""
        self._lasted_ms = (time.monotonic() - self._began) * 1000

    def check(self, truths: dict[str, Truth]) -> None:
        """Check each game: until the second move after the beginning (one may have been on its way) both clocks
        together have lost less than half of the period."""
        assert self._known, "no game was being played"
        for game, known in self._known.items():
            states = truths[game].states()
            after = next((state for state in states if state.ply >= states[known].ply + 2), states[-1])
            before_clock, after_clock = states[known].clock, after.clock
            assert before_clock is not None
            assert after_clock is not None
            cost_ms = sum(before_clock.left) - sum(after_clock.left)
            assert cost_ms < self._lasted_ms / 2, f"game {game}: {cost_ms} of {self._lasted_ms} ms from {known} on"


async def hub(cluster: LocalCluster) -> LocalNode:
    """Return the node that runs the lobby."""
    return await _named(cluster, "SELECT owner FROM cluster_role WHERE name = 'hub'")


async def leader(cluster: LocalCluster) -> LocalNode:
    """Return the node that leads the simul that is being played."""
    return await _named(cluster, "SELECT owner FROM simul WHERE status = 'running'")


async def _named(cluster: LocalCluster, query: str) -> LocalNode:
    while True:
        connection = await connect(cluster.database, name="checker")
        try:
            owner = await connection.fetchval(query)
        finally:
            await connection.close()
        for node in cluster.nodes:
            if node.is_up and node.id == owner:
                return node
        await asyncio.sleep(AGAIN_S)


async def go_on(league: League, matches: Sequence[LeagueGame]) -> None:
    """Wait until each of ``matches`` that is not over has had another move, and all its clients were shown it."""
    players = [player for match in matches for player in match.players]
    aims = {player: len(player.view.acks) + 1 for player in players}
    await league.until(lambda: all(player.view.over or len(player.view.acks) >= aims[player] for player in players))
