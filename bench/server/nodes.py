"""Server of several processes on one port: its CPU time, the node of each socket, and pairs of players by node."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

import psutil

from bench.load.pairs import Arena
from bench.load.player import MatchPlayer
from bench.server.process import process_cpu_s

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.server.process import ServerProcess

NATS = "nats-server"

AS_THEY_COME, SAME, DIFFERENT = "as they come", "same node", "different nodes"
"""Ways to pair players."""

SURPLUS = 1.2
"""This many times the wanted players connect at once, until enough of them are at the right node."""


class Nodes:
    """The nodes of ``zeitnot serve --workers N``, or the single node of a server without that option.

    Attributes:
        url: ``http://HOST:PORT``, common to all.
        pids: process ids of the nodes, in the order of their start.
    """

    def __init__(self, server: ServerProcess, number: int) -> None:
        self.url = server.url
        family = psutil.Process(server.pid).children() if number > 1 else []
        self._nats = [child.pid for child in family if child.name() == NATS]
        self.pids = [child.pid for child in family if child.name() != NATS] or [server.pid]
        assert len(self.pids) == number, f"{self.pids} are not {number} nodes"

    def cpu_s(self) -> float:
        """Return the CPU seconds of all nodes so far, without NATS."""
        return sum(map(process_cpu_s, self.pids))

    def nats_cpu_s(self) -> float:
        """Return the CPU seconds of NATS so far; 0 if there is none."""
        return sum(map(process_cpu_s, self._nats))

    async def of(self, players: Iterable[MatchPlayer]) -> list[int]:
        """Return the process id of the node of each player, found by the other end of their socket."""
        pids = await asyncio.to_thread(self._by_port)
        return [pids[player.socket.transport.get_extra_info("sockname")[1]] for player in players]

    def _by_port(self) -> dict[int, int]:
        return {
            connection.raddr.port: pid
            for pid in self.pids
            for connection in psutil.Process(pid).net_connections("tcp")
            if connection.status == psutil.CONN_ESTABLISHED
        }


class SeatedArena(Arena):
    """Pairs of players by their nodes.

    Attributes:
        apart: number of pairs whose players are at different nodes.
    """

    def __init__(self, nodes: Nodes, scripts: Sequence[tuple[str, ...]], how: str) -> None:
        super().__init__(nodes.url, scripts)
        self.apart = 0
        self._nodes = nodes
        self._how = how

    async def open(self, pairs: int) -> None:
        """Connect players until ``pairs`` pairs can be formed; the others are disconnected."""
        players: list[MatchPlayer] = []
        found: list[tuple[MatchPlayer, MatchPlayer]] = []
        while len(found) < pairs:
            tokens = await self._tokens(int(SURPLUS * 2 * pairs))
            new = [MatchPlayer() for _ in tokens]
            await self._all(player.connect(self._url, token) for player, token in zip(new, tokens, strict=True))
            players += new
            at = await self._nodes.of(players)
            found = self._paired(list(zip(players, at, strict=True)))
        self._pairs = found[:pairs]
        where = dict(zip(players, at, strict=True))
        self.apart = sum(where[white] != where[black] for white, black in self._pairs)
        seated = {player for pair in self._pairs for player in pair}
        await self._all(player.close() for player in players if player not in seated)

    def _paired(self, players: Sequence[tuple[MatchPlayer, int]]) -> list[tuple[MatchPlayer, MatchPlayer]]:
        if self._how == AS_THEY_COME:
            return [(white, black) for (white, _), (black, _) in zip(players[::2], players[1::2], strict=False)]
        rows = [[player for player, at in players if at == pid] for pid in self._nodes.pids]
        others = rows if self._how == SAME else rows[1:] + rows[:1]
        pairs = [zip(row[::2], other[1::2], strict=False) for row, other in zip(rows, others, strict=True)]
        # Alternate between the nodes, so that the first pairs are not all at the first node.
        return [pair for turn in itertools.zip_longest(*pairs) for pair in turn if pair is not None]
