"""Waiting times of clients of a cluster that is being broken: ``python -m bench.failover [--games 500] [--killed]``.

There are three nodes with scripted players at each. Without ``--killed`` the players are behind a balancer, and the
nodes are drained and replaced one after the other. The result is how long clients were without a socket subscribed to
their games. With ``--killed`` the nodes share a port, because a balancer in Python would distort the measurement. The
node that has the most games is killed (``kill -9``). The result is how long it took until another node owned each of
its games.

``python -m bench.failover simul [--boards 1000]``: kills the node that runs a simul and has no clients. The result
is how long it took until another node handled the host's requests, and until the player's move at each board, requested
as the node dies, was made.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import signal
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from bench import failover_simul
from harness.chaos.checker import check_league, read_truths
from harness.chaos.league import League
from harness.chaos.local_cluster import LocalCluster
from realtime.postgres.database import connect

if TYPE_CHECKING:
    from collections.abc import Sequence

SEED = 7

LOOK_S = 0.05

AT_ONCE = 50


def write(line: str) -> None:
    """Print a line for the user."""
    print(line, flush=True)  # noqa: T201  a program


def spread(values: Sequence[float]) -> str:
    """Return p50, p99 and the maximum of ``values``, in seconds."""
    ordered = sorted(values)
    picked = [ordered[math.ceil(share * len(ordered)) - 1] for share in (0.5, 0.99)]
    return f"p50 {picked[0]:.2f} s, p99 {picked[1]:.2f} s, longest {ordered[-1]:.2f} s of {len(ordered)}"


async def restart(cluster: LocalCluster, leagues: Sequence[League]) -> None:
    """Replace every node."""
    for node in cluster.nodes:
        began = time.monotonic()
        node.signal(signal.SIGTERM)
        await node.ended()
        write(f"node {node.number} has ended after {time.monotonic() - began:.1f} s with {node.status}")
        await node.start()
        await asyncio.gather(*(league.moves(len(league.matches)) for league in leagues))
    people = [person for league in leagues for person in league.people()]
    gaps = [gap for person in people for gap in person.away_s]
    write(f"clients without a server: {spread(gaps)}")
    write(f"closed with: {sorted({code for person in people for code in person.closed})}")


async def kill(cluster: LocalCluster, leagues: Sequence[League]) -> None:
    """Kill the node that has the most games."""
    games = await owned(cluster)
    victim = max(cluster.nodes, key=lambda node: len(games.get(node.id, [])))
    lost = set(games[victim.id])
    matches = [match for league in leagues for match in league.matches if match.game in lost]
    before = {match.game: sum(len(player.view.acks) for player in match.players) for match in matches}
    began = time.monotonic()
    victim.signal(signal.SIGKILL)
    waits: dict[str, float] = {}
    taken = asyncio.create_task(taken_over(cluster, lost, victim.id), name="taken over")

    def look() -> bool:
        for match in matches:
            if match.game not in waits and (
                sum(len(player.view.acks) for player in match.players) > before[match.game] + 1
                or match.players[0].view.over
            ):
                waits[match.game] = time.monotonic() - began
        return len(waits) == len(matches)

    await asyncio.gather(*(league.until(look) for league in leagues))
    write(f"games that a living node has again: {spread(await taken)}")
    write(
        f"the node had {len(matches)} of {sum(map(len, games.values()))} games; "
        f"each has had two moves, thinking included, after: {spread([*waits.values()])}"
    )


async def taken_over(cluster: LocalCluster, games: set[str], dead: str) -> list[float]:
    """Return after how many seconds each of ``games`` had another owner."""
    began, found = time.monotonic(), list[float]()
    waiting = set(games)
    connection = await connect(cluster.database, name="bench")
    try:
        while waiting:
            rows = await connection.fetch("SELECT id FROM game WHERE owner = $1 AND status <> 'over'", dead)
            still = {row["id"] for row in rows}
            found += [time.monotonic() - began] * len(waiting - still)
            waiting &= still
            await asyncio.sleep(LOOK_S)
    finally:
        await connection.close()
    return found


async def owned(cluster: LocalCluster) -> dict[str, list[str]]:
    """Return the games that are not over, by the id of their node."""
    connection = await connect(cluster.database, name="bench")
    try:
        rows = await connection.fetch(
            "SELECT owner, array_agg(id) AS games FROM game WHERE status <> 'over' GROUP BY owner"
        )
    finally:
        await connection.close()
    return {row["owner"]: row["games"] for row in rows}


async def run(games: int, *, killed: bool, think_s: float) -> None:
    """Run the benchmark."""
    chance = random.Random(SEED)  # noqa: S311  which node a client comes to
    async with LocalCluster(nodes=3, chance=chance, direct=killed) as cluster, AsyncExitStack() as stack:
        leagues = []
        for number in range(-(-games // AT_ONCE)):  # a few at a time: each player has to make their first move soon
            count = min(AT_ONCE, games - number * AT_ONCE)
            league = League(
                cluster.url, games=count, seed=SEED + number, plies=400, think_s=(think_s / 2, think_s * 1.5)
            )
            leagues.append(await stack.enter_async_context(league))
        await asyncio.gather(*(league.moves(len(league.matches)) for league in leagues))
        await (kill if killed else restart)(cluster, leagues)
        await asyncio.gather(*(league.moves(len(league.matches)) for league in leagues))
        await stack.aclose()
        for league in leagues:
            truths = await read_truths(cluster.database, [match.game for match in league.matches])
            check_league(league, truths, finished=False)
        write(f"{games} games, {sum(league.acknowledged for league in leagues)} requests acknowledged, none lost")


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("games", "simul"), default="games")
    parser.add_argument("--boards", type=int, default=1000, help="of the simul")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--killed", action="store_true")
    parser.add_argument("--think", type=float, default=8.0, help="seconds a move, on average")
    arguments = parser.parse_args()
    if arguments.what == "simul":
        asyncio.run(failover_simul.run(arguments.boards, write))
        return
    asyncio.run(run(arguments.games, killed=arguments.killed, think_s=arguments.think))


if __name__ == "__main__":
    main()
