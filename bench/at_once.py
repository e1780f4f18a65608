"""Waiting times of players who begin games at the same time at two nodes: ``python -m bench.at_once [--games 200]``.

One player of each pair is at the node that runs the lobby, the other at the other node. They agree on a game by a
challenge and subscribe to it. All pairs begin in the same moment. No request is retried.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from bench.failover import spread, write
from bench.failover_simul import Guest
from bench.load.guests import new_guests
from bench.load.pairs import TC
from bench.load.simul import in_batches
from bench.load.socket import RequestFailed
from harness.chaos.local_cluster import LocalCluster

if TYPE_CHECKING:
    from collections.abc import Sequence

SEED = 7


class RequestTimes:
    """Durations and refusals by kind of request."""

    def __init__(self) -> None:
        self._waits: dict[str, list[float]] = defaultdict(list)
        self._refused: dict[str, Counter[str]] = defaultdict(Counter)

    async def request(self, who: Guest, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request and time its answer. Raises ``RequestFailed``."""
        began = time.monotonic()
        try:
            return await who.request(kind, **fields)
        except RequestFailed as error:
            self._refused[kind][str(error)] += 1
            raise
        finally:
            self._waits[kind].append(time.monotonic() - began)

    def write_report(self) -> None:
        """Print the results."""
        for kind, waits in self._waits.items():
            write(f"{kind}: {spread(waits)}")
            for why, count in self._refused[kind].items():
                write(f"    {count} refused: {why}")


async def _begin(white: Guest, black: Guest, waits: RequestTimes) -> None:
    try:
        offer = await waits.request(white, "challenge", tc=TC, color="w")
        game = (await waits.request(black, "challenge.accept", challenge=offer["challenge"]))["g"]
        await asyncio.gather(*(waits.request(person, "sub", topic=f"game:{game}") for person in (white, black)))
    except RequestFailed:
        return  # counted by ``RequestTimes``


async def run(games: int) -> None:
    """Run the benchmark."""
    chance = random.Random(SEED)  # noqa: S311  the balancer's, which nobody uses
    async with LocalCluster(nodes=2, chance=chance, direct=True, one_port=False) as cluster:
        tokens = await new_guests(cluster.url, 2 * games)
        people: Sequence[Guest] = [Guest() for _ in tokens]
        await in_batches(
            person.connect(cluster.nodes[place % 2].url, token)
            for place, (person, token) in enumerate(zip(people, tokens, strict=True))
        )
        waits, began = RequestTimes(), time.monotonic()
        await asyncio.gather(*(_begin(*pair, waits) for pair in zip(people[::2], people[1::2], strict=True)))
        write(f"{games} pairs were answered within {time.monotonic() - began:.1f} s")
        waits.write_report()
        await asyncio.gather(*(person.close() for person in people))


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    asyncio.run(run(parser.parse_args().games))


if __name__ == "__main__":
    main()
