"""Nodes in one process with tables, sockets and one database, connected by an exchange that can lose messages."""

from __future__ import annotations

import itertools
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from game_core.errors import Refusal
from lobby.accounts.identity import create_guest
from lobby.ids import new_id
from lobby.moderation.bans import Bans
from lobby.moderation.word_filter import EveryWord
from lobby.pairing import NewGame
from realtime.clock.loop_time import running_time
from realtime.clock.timers import Timers
from realtime.cluster.bus.bus import Exchange, LocalBus
from realtime.cluster.bus.cluster import Cluster
from realtime.cluster.games.games import ClusterGames
from realtime.dispatch.verbs.chat import ChatVerbs
from realtime.dispatch.verbs.games import BUILDERS, GameVerbs
from realtime.dispatch.verbs.topics import TopicVerbs
from realtime.fanout.session import Session
from realtime.games.chances.solver_pool import SolverPool
from realtime.games.clocks.ticker import Ticker
from realtime.games.rematches import Rematches
from realtime.games.tables import SLOTS, Tables
from realtime.journal.journal import Journal
from realtime.journal.nodes import Node
from realtime.journal.rated_ends import RatedEnds
from realtime.journal.storage import Storage
from realtime.ops.metrics import Metrics
from realtime.people.block_lists import BlockLists
from realtime.protocol import requests as r
from realtime.protocol.requests import decode_request
from tests.realtime.table_harness import Ear
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from game_core.time_control import TimeControl
    from lobby.accounts.user import User
    from realtime.clock.loop_time import ServerTime
    from realtime.games.table import Table
    from realtime.postgres.database import Pool

_numbers = itertools.count(1)


class Socket(Ear):
    """A client connected to one node."""

    closed = False
    number = 0

    def __init__(self, node: Member, user: User | None, ceiling_ms: int = 0) -> None:
        super().__init__(user, ceiling_ms)
        self.node = node
        self.session = Session(self)  # type: ignore[arg-type]  # a socket as far as a session needs one

    def send(self, message: Any) -> None:
        self.heard.append(dict(message))

    def cork(self) -> None:
        """Do nothing: everything is written at once."""

    def uncork(self) -> None:
        """Do nothing: no frames were kept."""

    def request(self, t: str, **fields: Any) -> int:
        """Send a request; return its number."""
        number = next(_numbers)
        request = decode_request({"t": t, "id": number, **fields})
        now_ms = self.node.time.now_ms()
        try:
            if isinstance(request, r.Sub):
                self.node.topic_verbs.sub(self.session, request, now_ms)
            elif isinstance(request, r.Chat):
                self.node.chat_verbs.handle(self.session, request, now_ms)
            else:
                assert type(request) in BUILDERS
                self.node.game_verbs.handle(self.session, request, now_ms)
        except Refusal as error:
            self.session.error(number, error)
        return number

    async def ask(self, t: str, **fields: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        number = self.request(t, **fields)

        def answer() -> dict[str, Any] | None:
            return next((body for body in self.heard if body.get("id") == number), None)

        await until(lambda: answer() is not None)
        found = answer()
        assert found is not None
        return found

    async def sub(self, game: str, **fields: Any) -> None:
        """Subscribe to a game."""
        assert (await self.ask("sub", topic=f"game:{game}", **fields))["t"] == "ok"

    def leave(self) -> None:
        """Close the socket."""
        self.closed = True
        self.session.close()

    def seqs(self) -> list[int]:
        """Return the numbers of the events that it received."""
        return [body["seq"] for body in self.heard if "seq" in body and body["t"] not in ("ok", "game")]


class Member:
    """One node."""

    def __init__(self, url: str, pool: Pool, name: str, exchange: Exchange, time: ServerTime | None = None) -> None:
        self.name = name
        self.pool = pool
        self.time: ServerTime = time or running_time()
        self.node = Node(url, pool, name)
        self.cluster = Cluster(name, LocalBus(exchange), pool)
        self.metrics = Metrics()
        self.journal = Journal(url, name)
        self.rated_ends = RatedEnds(url, name, self.metrics)
        self.timers = Timers(self.time)
        self.solver = SolverPool(self.metrics)
        self.tables = Tables(
            pool=pool,
            node=self.node,
            storage=Storage(self.journal, self.rated_ends),
            time=self.time,
            timers=self.timers,
            metrics=self.metrics,
            solver=self.solver,
        )
        bans = Bans(pool, lambda: 0)
        blocks = BlockLists(pool)
        self.games = ClusterGames(self.cluster, self.tables, self.node, pool, self.time)
        forwarder = self.games.forwarder
        self.game_verbs = GameVerbs(self.tables, bans, Rematches(pool, None), forwarder)  # type: ignore[arg-type]  # no lobby
        self.chat_verbs = ChatVerbs(self.tables, self.time, bans, EveryWord(), forwarder)
        forwarder.serve(self.game_verbs, {r.Chat: self.chat_verbs})
        self.topic_verbs = TopicVerbs(self.tables, None, None, None, self.time, blocks)  # type: ignore[arg-type]  # games only
        storage = Storage(self.journal, self.rated_ends)
        self.ticker = Ticker(self.tables, storage, self.node, self.time, lambda: None)

    async def start(self) -> None:
        await self.node.start()
        await self.cluster.start()
        await self.journal.start()
        self.rated_ends.start()
        self.games.start()

    async def close(self) -> None:
        await self.games.close()
        await self.tables.close()
        await self.solver.close()
        self.timers.close()
        await self.rated_ends.close()
        await self.journal.close()
        await self.cluster.close()
        await self.node.close()

    def tick(self) -> None:
        """Serve every slot of the ticker."""
        for _ in range(SLOTS):
            self.ticker.tick()

    def table(self, game: str) -> Table:
        """Return a table in memory."""
        table = self.tables.peek(game)
        assert table is not None
        return table

    async def new_game(self, tc: TimeControl | None = None, owner: str | None = None, **terms: Any) -> NewGame:
        """Create a game of two guests, whose table opens here, or at ``owner``."""
        white, black = (await create_guest(self.pool))[0], (await create_guest(self.pool))[0]
        fields: dict[str, Any] = {
            "id": new_id(), "game": "chess", "variant": "standard", "profile": "online", "rated": False, "tc": tc,
            "fen": None, "pausable": False, "white": white, "black": black, **terms,
        }  # fmt: skip
        async with self.pool.acquire() as connection, connection.transaction():
            new = await self.tables.start(NewGame(**fields), connection, owner)
        self.tables.opened(new, owner)
        return new


def tick(*members: Member) -> None:
    """Serve every slot of their tickers."""
    for one in members:
        one.tick()


@asynccontextmanager
async def fleet(
    url: str, pool: Pool, *names: str, exchange: Exchange | None = None, times: Mapping[str, ServerTime] | None = None
) -> AsyncIterator[list[Member]]:
    """Run nodes that know and reach each other."""
    exchange = exchange or Exchange()
    async with AsyncExitStack() as stack:
        members = []
        for name in names:
            one = Member(url, pool, name, exchange, (times or {}).get(name))
            await one.start()
            stack.push_async_callback(one.close)
            members.append(one)
        for one in members:
            await one.cluster.look()
        await until(lambda: all(one.cluster.is_reached(other.name) for one in members for other in members))
        yield members
