"""lobby: many subscribers while seeks come and go; delay of each event, and its cost.

Seeks are made and withdrawn at a fixed rate by so many people that none of them waits for an answer. Every subscriber
counts events. One in ``SAMPLED`` also measures the delay from sending the request until receiving the event, which
includes the commit in the database.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time
from typing import TYPE_CHECKING

import msgspec

from bench.figure import Figure
from bench.load.guests import new_guests
from bench.load.player import MatchPlayer
from bench.load.socket import RequestFailed, connect, request
from bench.server.cpu_meter import Cost

if TYPE_CHECKING:
    from bench.bench_run import BenchRun
    from bench.load.socket import RawWebSocket
    from bench.server.process import ServerProcess

SEEKERS = 40
"""People who seek: each changes something a few times a second."""

SAMPLED = 20

OPENED_AT_ONCE = 100

LAST_S = 10.0
"""Timeout for an event to reach all subscribers."""

SUB = request({"t": "sub", "id": 1, "topic": "lobby"})

OK = b"\xa1t\xa2ok"
ADD, GONE, ERROR = b"\xa1t\xa9lobby.add", b"\xa1t\xaalobby.gone", b"\xa1t\xa5error"
"""First bytes of messages in MessagePack, after the length of the map."""


class Control(msgspec.Struct):
    """Time control of a seek. Every seeker has a different one, so that no seeks match."""

    base_s: int


class EventFields(msgspec.Struct):
    """The fields of an event that are needed."""

    t: str
    seek: str = ""
    tc: Control | None = None


_decode = msgspec.msgpack.Decoder(EventFields).decode


class Watchers:
    """Subscribers of the lobby.

    Attributes:
        received: number of events received by all of them.
        late_s: delay of each event at the sampled subscribers.
    """

    def __init__(self, url: str) -> None:
        self.received = 0
        self.late_s: list[float] = []
        self.sent_s: dict[int | str, float] = {}
        """When a request was sent: by the seeker's time control for a new seek, by the seek for a withdrawal."""
        self._url = url
        self._sockets: list[RawWebSocket] = []
        self._ready = 0
        self._awaited: tuple[int, asyncio.Future[None]] | None = None

    def __len__(self) -> int:
        return len(self._sockets)

    async def grow_to(self, size: int) -> None:
        """Add subscribers until there are ``size``."""
        while len(self._sockets) < size:
            more = min(OPENED_AT_ONCE, size - len(self._sockets))
            hears = [self._look if (len(self) + k) % SAMPLED == 0 else self._count for k in range(more)]
            sockets = await asyncio.gather(*(connect(self._url, None, on_message) for on_message in hears))
            self._sockets += sockets
            self._ready = 0
            subscribed = self._after(more)
            for socket in sockets:
                socket.send(SUB)
            await subscribed

    async def close(self) -> None:
        """Close all sockets."""
        for socket in self._sockets:
            socket.transport.close()
        await asyncio.gather(*(socket.closed for socket in self._sockets))

    def see(self, events: int) -> asyncio.Future[None]:
        """Reset the counters; return a future that is done when all subscribers have received ``events``."""
        self.received, self.late_s = 0, []
        return self._after(events * len(self))

    def _after(self, number: int) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._awaited = (number, done)
        return done

    def _reached(self, number: int) -> None:
        if self._awaited is not None and number == self._awaited[0]:
            self._awaited[1].set_result(None)
            self._awaited = None

    def _count(self, payload: bytes) -> None:
        if payload.startswith(GONE, 1) or payload.startswith(ADD, 1):
            self.received += 1
            self._reached(self.received)
        elif payload.startswith(OK, 1):
            self._ready += 1
            self._reached(self._ready)
        elif payload.startswith(ERROR, 1):
            raise RequestFailed(repr(payload))

    def _look(self, payload: bytes) -> None:
        now_s = time.perf_counter()
        self._count(payload)
        if payload.startswith(GONE, 1) or payload.startswith(ADD, 1):
            event = _decode(payload)
            sent_s = self.sent_s.get(event.seek if event.tc is None else event.tc.base_s)
            if sent_s is not None:
                self.late_s.append(now_s - sent_s)


class Seeker:
    """A user who makes and withdraws a seek in turn."""

    def __init__(self, player: MatchPlayer, base_s: int, watchers: Watchers) -> None:
        self._player = player
        self._base_s = base_s
        self._watchers = watchers
        self._seek: str | None = None
        self._turn = asyncio.Lock()

    async def change(self) -> None:
        """Make a seek, or withdraw it, once the last change is answered."""
        async with self._turn:
            await self._change()

    async def _change(self) -> None:
        now_s = time.perf_counter()
        if self._seek is None:
            self._watchers.sent_s[self._base_s] = now_s
            self._seek = (await self._player.request("seek", tc={"base_s": self._base_s}))["seek"]
        else:
            self._watchers.sent_s[self._seek] = now_s
            seek, self._seek = self._seek, None
            await self._player.request("unseek", seek=seek)


async def run(bench: BenchRun) -> list[Figure]:
    """Return the delay of events and their cost for each subscriber, by the number of subscribers."""
    sizes = bench.sizes
    figures = []
    async with bench.zeitnot() as server:
        watchers = Watchers(server.url)
        players = [MatchPlayer() for _ in range(SEEKERS)]
        tokens = await new_guests(server.url, SEEKERS)
        await asyncio.gather(
            *(player.connect(server.url, token) for player, token in zip(players, tokens, strict=True))
        )
        seekers = [Seeker(player, 600 + number, watchers) for number, player in enumerate(players)]
        for size in sizes.watchers:
            await watchers.grow_to(size)
            await _round(bench, server, watchers, seekers, sizes.lobby_s / 4)  # the first frames of a socket cost more
            rounds = [await _round(bench, server, watchers, seekers, sizes.lobby_s) for _ in range(sizes.rounds)]
            figures += _figures(bench, size, rounds)
        await asyncio.gather(*(player.close() for player in players))
        await watchers.close()
    return figures


Round = tuple[list[float], int, Cost]
"""Delays, number of deliveries, and cost."""


async def _round(
    bench: BenchRun, server: ServerProcess, watchers: Watchers, seekers: list[Seeker], seconds: float
) -> Round:
    """Make changes at a fixed rate for ``seconds``, and wait until all of them have reached all subscribers."""
    changes = max(2, int(bench.sizes.changes * seconds))
    meter = bench.meter(server)
    turns = itertools.cycle(seekers)
    work = []
    seen = watchers.see(changes)
    with meter:
        start_s = time.perf_counter()
        for number in range(changes):
            await asyncio.sleep(start_s + number / bench.sizes.changes - time.perf_counter())
            work.append(asyncio.create_task(next(turns).change()))
        await asyncio.gather(*work)
        await asyncio.wait_for(seen, LAST_S)
    bench.write(f"lobby, {len(watchers):,} watchers: server busy {meter.cost.server_s / meter.cost.wall_s:.0%}")
    return watchers.late_s, changes * len(watchers), meter.cost


def _figures(bench: BenchRun, size: int, rounds: list[Round]) -> list[Figure]:
    hundredths = [statistics.quantiles(late_s, n=100, method="inclusive") for late_s, _, _ in rounds]
    values = {
        "to watcher p50 ms": [row[49] * 1000 for row in hundredths],
        "to watcher p99 ms": [row[98] * 1000 for row in hundredths],
        "CPU µs an event and watcher": [cost.server_s / deliveries * 1e6 for _, deliveries, cost in rounds],
    }
    return [
        Figure(
            scenario="lobby",
            case=f"{size:,} watchers, {bench.sizes.changes} changes/s",
            what=what,
            rounds=tuple(found),
            cost=sum((cost for _, _, cost in rounds), Cost()),
        )
        for what, found in values.items()
    ]
