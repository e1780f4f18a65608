"""The real HTTP application on a real database, without a network.

web         ``Web``: the application, and a client for each visitor
"""

from __future__ import annotations

import gzip
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from argon2.profiles import CHEAPEST
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from lobby.accounts.addresses import AddressBook
from lobby.accounts.identity import Identities
from lobby.accounts.mail_queue import MailQueue
from lobby.accounts.members import Members
from lobby.accounts.passwords import Hasher
from lobby.accounts.resets import Resets
from lobby.errors import NotFound
from lobby.lobby import Lobby
from lobby.moderation.bans import Bans
from lobby.moderation.word_filter import WordList
from realtime.http.accounts.own_profile import OwnProfileApi
from realtime.http.accounts.people import PeopleSource
from realtime.http.accounts.reports import ReportsApi
from realtime.http.app import build_http
from realtime.http.games.watching import WatchingSource
from realtime.imports.import_runner import ImportRunner
from realtime.imports.import_store import ImportStore
from realtime.journal.game_rows import GameRow, insert_game
from realtime.journal.live_games import LiveGames
from realtime.people.block_lists import BlockLists
from realtime.people.friends import Friends
from realtime.people.online_users import OnlineUsers
from realtime.people.presence import Presence
from realtime.protocol.limits import Limits
from realtime.simuls.live.listing import Listing
from realtime.simuls.live.reading import Reading
from realtime.watching.feeds import Feeds
from realtime.watching.game_lists import ANONYMOUS, GameFilter, list_games
from realtime.watching.live_index import LiveIndex
from realtime.watching.tv.director import Director
from tests.empty_tables import clear
from tests.realtime.fake_time import FakeTime

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from pathlib import Path

    from prometheus_client.core import Metric

    from lobby.accounts.user import User
    from lobby.pairing import NewGame
    from lobby.ports import Connection
    from lobby.wire.lobby import ChatLineWire, LobbyEventWire
    from realtime.games.scores.score_text import Form
    from realtime.postgres.database import Pool
    from realtime.simuls.live.simul_actor import SimulActor
    from simul.lists import Summary

BASE = "http://zeitnot.test"
ADDRESS = "198.51.100.7"
EMBED = "<!doctype html><head><title>Zeitnot</title></head><body><main></main></body>"
PAGE = "<!doctype html><head><title>Zeitnot</title></head><body></body>"


class Server:
    """Everything that the application needs, under the control of a test."""

    def __init__(self) -> None:
        self.snapshots: dict[str, dict[str, Any]] = {}
        self.live_games: list[dict[str, Any]] = []
        self.viewers: list[User | None] = []
        self.told_legal: list[bool] = []
        self.online: dict[str, str | None] = {}
        self.why: str | None = None
        self.failure: Exception | None = None
        self.pool: Pool

    async def snapshot(self, game_id: str, viewer: User | None, *, legal: bool = False) -> Any:
        self.viewers.append(viewer)
        self.told_legal.append(legal)
        if self.failure is not None:
            raise self.failure
        return self.snapshots.get(game_id)

    async def live(self, count: int) -> list[Any]:
        return self.live_games[:count]

    async def newest(self, wanted: GameFilter, count: int) -> list[GameRow]:
        return await list_games(self.pool, wanted, limit=count, viewer=ANONYMOUS)

    async def score(self, game_id: str, form: Form, site: str, viewer: User | None) -> str:
        if game_id not in self.snapshots or form != "pgn":
            raise NotFound("there is no such game")
        return f'[Site "{site}"]\n'

    def is_online(self, user: str) -> bool:
        return user in self.online

    def playing(self, user: str) -> str | None:
        return self.online.get(user)

    def why_not_ready(self) -> str | None:
        return self.why

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        await insert_game(connection, new_game, owner="test", epoch=1)
        return new_game

    def opened(self, new_game: NewGame) -> None:
        pass

    def lobby_event(self, event: LobbyEventWire) -> None:
        pass

    def to_user(self, user_id: str, message: Mapping[str, Any]) -> None:
        pass


class NoTables:
    """Tables without games: none is in memory, and none can be loaded."""

    def __init__(self) -> None:
        self.live_games = LiveGames()

    def peek(self, game_id: str) -> None:
        return None

    async def get(self, game_id: str) -> None:
        return None


class NoHalls:
    """Simuls without any, here or at other nodes."""

    replicas = None

    async def get(self, simul_id: str) -> SimulActor:
        raise NotFound("there is no such simul")

    def peek(self, simul_id: str) -> None:
        return None

    def summary(self, summary: Summary) -> Summary:
        return summary


class NoSimuls:
    """Reads of simuls while there are none."""

    def __init__(self, pool: Pool) -> None:
        simuls: Any = NoHalls()
        self.reading = Reading(simuls, pool, None)
        self.listing = Listing(simuls, pool, "node", None)


class Counted(Collector):
    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily("zeitnot_moves", "Moves.", 7)


def _nothing_to_watch(pool: Pool) -> WatchingSource:
    tables: Any = NoTables()
    time = FakeTime()
    director = Director(tables, time)
    return WatchingSource(
        Feeds(tables, time, director), director, LiveIndex(tables, time), Friends(pool, BlockLists(pool))
    )


class Web:
    """The application and its visitors."""

    def __init__(self, pool: Pool, static: Path, stack: AsyncExitStack) -> None:
        self.pool = pool
        self.server = Server()
        self.server.pool = pool
        self.identities = Identities(pool)
        self.hasher = Hasher(CHEAPEST)
        stack.callback(self.hasher.close)
        self.members = Members(self.identities, self.hasher)
        self.mails: list[tuple[str, str, str]] = []
        self.outbox = MailQueue(self)
        stack.push_async_callback(self.outbox.close)
        self.resets = Resets(self.identities, self.hasher, self.outbox)
        self.now_ms = 1_700_000_000_000
        self.now_s = 0.0
        self.presence = Presence()
        self.bans = Bans(pool, lambda: int(time.time() * 1000))
        self.block_lists = BlockLists(pool)
        stack.push_async_callback(self.block_lists.close)
        self.said: dict[tuple[str, str], list[ChatLineWire]] = {}
        self.told: list[tuple[str, Mapping[str, Any]]] = []
        self.imports = ImportRunner(ImportStore(pool, 1_000_000))
        stack.push_async_callback(self.imports.close)
        self.lobby = Lobby(pool, self.server, self.server, now_ms=lambda: self.now_ms, randbelow=lambda _n: 0)
        friends = Friends(pool, self.block_lists)
        self.app = build_http(
            identities=self.identities,
            members=self.members,
            resets=self.resets,
            addresses=AddressBook(pool, self.outbox),
            lobby=self.lobby,
            conduct=ReportsApi(self.identities, self.bans, self.block_lists, self.lines, self.tell),
            import_runner=self.imports,
            games=self.server,
            simuls=NoSimuls(pool),
            watching=_nothing_to_watch(pool),
            people=PeopleSource(self.server, OnlineUsers(pool, self.presence, lambda: self.now_s), friends),
            own_profile=OwnProfileApi(self.identities, self.members, self.bans, lambda: None),
            words=WordList(["darn"]),
            readiness=self.server,
            metrics=Counted(),
            limits=Limits(guests=3),
            static=static,
            on_failure=lambda: self.failures.append(1),
        )
        self.failures: list[int] = []
        self._stack = stack

    async def lines(self, game: str, person: str) -> list[ChatLineWire]:
        """Return the chat lines in ``said`` for a game's id and a person's."""
        return self.said.get((game, person), [])

    def tell(self, person: str, message: Mapping[str, Any]) -> None:
        """Record a message to the sockets of a person."""
        self.told.append((person, message))

    async def send(self, to: str, subject: str, text: str) -> None:
        """Record a mail."""
        self.mails.append((to, subject, text))

    async def client(self, address: str = ADDRESS, base: str = BASE, **headers: str) -> httpx.AsyncClient:
        """Return a client program, with its own cookie jar."""
        transport = httpx.ASGITransport(self.app, client=(address, 40_000), raise_app_exceptions=False)
        client = httpx.AsyncClient(transport=transport, base_url=base, headers=headers)
        return await self._stack.enter_async_context(client)

    async def browser(self, base: str = BASE) -> httpx.AsyncClient:
        """Return a client that behaves like a page of ours."""
        return await self.client(base=base, origin=base)


@pytest.fixture
async def web(pool: Pool, tmp_path: Path) -> AsyncIterator[Web]:
    await clear(pool, "person", "mailed", "kept_name", "seek", "challenge", "request", "game")
    (tmp_path / "secret.txt").write_text("secret")
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text(PAGE)
    (static / "embed.html").write_text(EMBED)
    (static / "sw.js").write_text("'worker'")
    (static / "manifest.webmanifest").write_text("{}")
    (static / "assets" / "index-1a2b.js").write_text("export {}")
    (static / "assets" / "index-1a2b.js.br").write_bytes(b"by brotli")
    (static / "assets" / "index-1a2b.js.gz").write_bytes(gzip.compress(b"export {}"))
    (static / "assets" / "knight-3c4d.svg").write_text("<svg/>")
    async with AsyncExitStack() as stack:
        web = Web(pool, static, stack)
        yield web
        await web.lobby.close()


@pytest.fixture
async def program(web: Web) -> httpx.AsyncClient:
    return await web.client()


def error_of(response: httpx.Response) -> tuple[int, str]:
    """Return status and code of an error in the form of the protocol."""
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message"}
    assert body["error"]["message"]
    assert response.headers["content-type"] == "application/json"
    return response.status_code, body["error"]["code"]
