"""A simul on the real server with a socket for each person, and the same number of unrelated games."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, TypeVar

import msgspec

from bench.load.guests import new_guests
from bench.load.pairs import AT_ONCE, TC
from bench.load.requester import MATCH_BITS, MessageHeader, Requester, decode_header
from bench.load.round_host import HostedGame, MoveDelays, Tour
from bench.load.script import OPENING_PLIES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from bench.load.socket import RequestFailed

T = TypeVar("T")

STARTED_S = 60.0
"""Timeout for a thousand boards to begin."""


class SimulClient(Requester):
    """A player or the host of a simul.

    Attributes:
        on_move: called with a ``move`` or a ``simul.board``.
        paired: the game that they were paired for.
        shown: the first snapshot of a simul that they received, encoded.
    """

    def __init__(self, tour: Tour) -> None:
        super().__init__()
        loop = asyncio.get_running_loop()
        self.on_move: Callable[[MessageHeader], None] = lambda _: None
        self.paired: asyncio.Future[str] = loop.create_future()
        self.shown: asyncio.Future[bytes] = loop.create_future()
        self._tour = tour

    def _on_message(self, payload: bytes) -> None:
        header = decode_header(payload)
        if header.t in ("move", "simul.board"):
            self.on_move(header)
        elif header.t == "ok" and header.id >> MATCH_BITS:
            self._tour.confirmed(header.id)
        elif header.t == "paired" and not self.paired.done():
            self.paired.set_result(header.g)
        elif header.t == "simul" and not self.shown.done():
            self.shown.set_result(payload)
        else:
            self.answered(header.t, header.id, payload)

    def _refused(self, number: int, error: RequestFailed) -> None:
        self._tour.refused(str(error))


class Boards:
    """Games in which one side goes from board to board.

    Attributes:
        tour: the tour of that side.
    """

    def __init__(self, url: str, scripts: Sequence[tuple[str, ...]]) -> None:
        self.tour = Tour()
        self._url = url
        self._scripts = itertools.cycle(scripts)
        self._people: list[SimulClient] = []

    async def close(self) -> None:
        """Close all sockets."""
        await asyncio.gather(*(person.close() for person in self._people))

    async def _connect_clients(self, number: int) -> list[SimulClient]:
        self._people = [SimulClient(self.tour) for _ in range(number)]
        tokens = await new_guests(self._url, number)
        await in_batches(person.connect(self._url, token) for person, token in zip(self._people, tokens, strict=True))
        return self._people

    def _stop(self, number: int, game: str, host: SimulClient, player: SimulClient) -> HostedGame:
        stop = HostedGame(number, game, self.tour, host.socket, player.socket, next(self._scripts))
        player.on_move = lambda header: stop.player_received(header.ply)
        return stop

    async def _begin(self, stops: list[HostedGame]) -> None:
        """Play the opening moves."""
        self.tour.waiting.extend(stops)
        await self.tour.play(len(stops) * OPENING_PLIES // 2, MoveDelays())


class SimulGames(Boards):
    """A host who has White at all boards.

    Attributes:
        id: id of the simul.
        snapshot_bytes: size of its snapshot after the start, in MessagePack.
    """

    def __init__(self, url: str, scripts: Sequence[tuple[str, ...]]) -> None:
        super().__init__(url, scripts)
        self.id = ""
        self.snapshot_bytes = 0

    async def open(self, boards: int) -> None:
        """Connect everybody, let them join, start the simul, and play the opening moves."""
        host, *players = await self._connect_clients(boards + 1)
        announced = {"name": "Bench", "tc": TC, "host_color": "w", "max_boards": boards, "auto_accept": True}
        self.id = (await host.request("simul.create", **announced))["simul"]
        await in_batches(player.request("simul.join", simul=self.id) for player in players)
        async with asyncio.timeout(STARTED_S):
            await host.request("simul.start", simul=self.id)
            games = await asyncio.gather(*(player.paired for player in players))
        seats = dict(zip(games, players, strict=True))
        await in_batches(player.request("sub", topic=f"game:{game}", ticks=False) for game, player in seats.items())
        await host.request("sub", topic=f"simul:{self.id}")
        payload = await host.shown
        self.snapshot_bytes = len(payload)
        shown = msgspec.msgpack.decode(payload)["boards"]
        stops = [self._stop(board["board"], board["g"], host, seats[board["g"]]) for board in shown]
        host.on_move = lambda header: stops[header.board - 1].host_received(header.ply - 1)
        await self._begin(stops)


class Unrelated(Boards):
    """The same number of unrelated games; the White players move in turn, as a host would."""

    async def open(self, boards: int) -> None:
        """Connect everybody, pair them, and play the opening moves."""
        people = await self._connect_clients(2 * boards)
        pairs = zip(people[::2], people[1::2], strict=True)
        await self._begin(await in_batches(self._agree(number, *pair) for number, pair in enumerate(pairs, 1)))

    async def _agree(self, number: int, white: SimulClient, black: SimulClient) -> HostedGame:
        offer = await white.request("challenge", tc=TC, color="w")
        game = (await black.request("challenge.accept", challenge=offer["challenge"]))["g"]
        for person in (white, black):
            await person.request("sub", topic=f"game:{game}", ticks=False)
        stop = self._stop(number, game, white, black)
        white.on_move = lambda header: stop.host_received(header.ply)
        return stop


async def in_batches(work: Iterable[Awaitable[T]]) -> list[T]:
    """Return all results in order, running ``AT_ONCE`` at a time."""
    results: list[T] = []
    work = iter(work)
    while batch := list(itertools.islice(work, AT_ONCE)):
        results += await asyncio.gather(*batch)
    return results
