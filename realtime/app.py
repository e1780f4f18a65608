"""The server as a list of parts. What is opened here is closed here, in reverse order.

    Base ─► Games ─► Lobby ─► Simuls ─► Accounts ─► Sockets ─► HTTP ─► uvicorn

``realtime/wiring`` builds each part. Only it, this module and ``commands`` import from all subpackages.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvicorn

from lobby.robots.robot_accounts import open_robot_accounts
from realtime.clock.garbage_collection import GarbageCollection
from realtime.cluster.bus.drain import Drain
from realtime.cluster.bus.partition_guard import PartitionGuard
from realtime.commands.service_token import make_service_token
from realtime.games.clocks.deadlines import Deadlines
from realtime.games.clocks.ticker import Ticker
from realtime.games.moderation import lines_in, words_of
from realtime.games.ratings.delayed_ratings import DelayedRatings
from realtime.http.accounts.own_profile import OwnProfileApi
from realtime.http.accounts.people import PeopleSource
from realtime.http.accounts.reports import ReportsApi
from realtime.http.app import build_http
from realtime.http.games.watching import WatchingSource
from realtime.http.probes.metrics import metrics_served
from realtime.imports.import_runner import ImportRunner
from realtime.imports.import_store import ImportStore
from realtime.journal.last_backup import LastBackup
from realtime.journal.readiness import Readiness
from realtime.net.server import STOP_S, Server
from realtime.people.friends import Friends
from realtime.people.online_users import OnlineUsers
from realtime.people.player_status import PlayerStatus
from realtime.postgres.loop_errors import report
from realtime.watching.reader import GameReader
from realtime.wiring.accounts import build_accounts
from realtime.wiring.base import open_base, opened_database
from realtime.wiring.games import build_games
from realtime.wiring.gauges import add_gauges
from realtime.wiring.lobby import build_lobby
from realtime.wiring.simuls import build_simuls
from realtime.wiring.sockets import build_sockets

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp

    from realtime.commands.settings import Settings
    from realtime.simuls.live.simuls import Simuls
    from realtime.wiring.accounts import AccountServices
    from realtime.wiring.base import Base
    from realtime.wiring.games import GameServices
    from realtime.wiring.lobby import LobbyServices
    from realtime.wiring.sockets import Sockets

FLUSH_S = 1.0
"""How long the end of the server waits for moves that are being written."""

TERMINATE_S = 1.5
"""Time after which database connections are terminated, so that a database that hangs does not keep the server."""

MIB = 1024 * 1024

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerParts:
    """The parts of a server."""

    base: Base
    games: GameServices
    lobby: LobbyServices
    simuls: Simuls
    accounts: AccountServices
    sockets: Sockets
    garbage: GarbageCollection
    ticker: Ticker
    readiness: Readiness
    last_backup: LastBackup
    imports: ImportRunner


async def migrate_only(settings: Settings) -> None:
    """The command ``zeitnot migrate``."""
    async with opened_database(settings):
        log.info("the database is up to date")


async def serve(settings: Settings, on_ready: Callable[[str], None], node_id: str | None = None) -> int:
    """Run the server until SIGTERM or SIGINT.

    Args:
        on_ready: called with the server's address when it serves.
        node_id: the id of this node, which no other node has had; None: a new one.

    Returns:
        The exit status.
    """
    words = words_of(settings.words)
    asyncio.get_running_loop().set_exception_handler(report)
    async with contextlib.AsyncExitStack() as stack:
        base = await open_base(settings, node_id, stack)
        games = build_games(base)
        lobby = build_lobby(base, games, words)
        simuls = build_simuls(base, games, lobby)
        accounts = build_accounts(base, games, lobby, simuls)
        sockets = build_sockets(base, games, lobby, simuls, accounts)
        garbage = GarbageCollection(base.metrics.collections)
        stack.callback(garbage.close)
        parts = ServerParts(
            base=base,
            games=games,
            lobby=lobby,
            simuls=simuls,
            accounts=accounts,
            sockets=sockets,
            garbage=garbage,
            ticker=_ticker(base, games, lobby, simuls, garbage),
            readiness=Readiness(base.node, base.storage.journal),
            last_backup=LastBackup(base.pool),
            imports=ImportRunner(ImportStore(base.pool, settings.limits.imports * MIB)),
        )
        await _serve_metrics(parts)
        stack.push_async_callback(parts.imports.close)
        http = _http(parts)
        stack.push_async_callback(games.sharing.close)
        guard = await _start(parts)
        server = _server(parts, http, guard, on_ready)
        garbage.begin()
        await server.serve()
        return 0 if server.started else 1


def _ticker(
    base: Base, games: GameServices, lobby: LobbyServices, simuls: Simuls, garbage: GarbageCollection
) -> Ticker:
    def every_second() -> None:
        garbage.tick(base.metrics.moves_made)
        lobby.lobby.relay.tick()
        lobby.television.relay.tick()
        simuls.tick()

    return Ticker(games.tables, base.storage, base.node, base.time, every_second, base.metrics.loop_lag.observe)


async def _serve_metrics(parts: ServerParts) -> None:
    """Serve ``/metrics`` at a port of its own, if there is one."""
    base, settings = parts.base, parts.base.settings
    add_gauges(
        base.metrics,
        parts.games.tables,
        parts.lobby.people,
        base.storage,
        parts.simuls,
        parts.games.feeds,
        parts.garbage,
        base.cluster,
        parts.last_backup,
    )
    await base.stack.enter_async_context(
        metrics_served(base.metrics, settings.host, settings.metrics_port, waits=settings.share_port)
    )


def _http(parts: ServerParts) -> ASGIApp:
    base, settings = parts.base, parts.base.settings
    games, lobby, accounts = parts.games, parts.lobby, parts.accounts
    watching, moderation = games.watching, lobby.moderation
    status = PlayerStatus(lobby.people, games.tables.live_games)
    friends = Friends(base.pool, moderation.block_lists)
    return build_http(
        identities=accounts.identities,
        members=accounts.members,
        resets=accounts.resets,
        addresses=accounts.addresses,
        lobby=lobby.lobby.client,
        conduct=ReportsApi(
            accounts.identities, moderation.bans, moderation.block_lists, lines_in(games.tables), lobby.people.send
        ),
        import_runner=parts.imports,
        games=GameReader(base.pool, games.tables, base.time, watching.newest, watching.remote_games),
        simuls=parts.simuls,
        watching=WatchingSource(games.feeds, watching.director, watching.book, friends),
        people=PeopleSource(status, OnlineUsers(base.pool, lobby.people), friends),
        own_profile=OwnProfileApi(accounts.identities, accounts.members, moderation.bans, accounts.poller.wake),
        words=moderation.words,
        readiness=parts.readiness,
        metrics=base.metrics if settings.shows_metrics else None,
        limits=settings.limits,
        source_url=settings.source_url,
        hosts=settings.hosts,
        is_proxied=bool(settings.proxies),
        shared_limits=parts.sockets.shared_limits,
        on_failure=base.traffic.count_failure,
    )


async def _start(parts: ServerParts) -> PartitionGuard:
    """Join the other nodes, find the games to load, and start all background work."""
    base, games, lobby = parts.base, parts.games, parts.lobby
    token_file = base.settings.robots_token
    if token_file is not None:
        await open_robot_accounts(base.pool, make_service_token(token_file))
    await base.cluster.start()  # now that there are handlers for all messages
    await lobby.moderation.bans.load()
    await lobby.lobby.leader.look()
    await parts.imports.store.clear(alone=base.is_alone)
    live = await games.tables.note_live_games()
    base.cluster.complete()
    games.sharing.start()
    guard = PartitionGuard(base.cluster, base.node, parts.sockets.gateway, games.sharing.replicas)
    guard.start()
    base.stack.push_async_callback(guard.close)
    parts.ticker.start()
    base.stack.push_async_callback(parts.ticker.close)
    background = [
        asyncio.create_task(_load(parts, live), name="load live games"),
        asyncio.create_task(Deadlines(base.pool, base.node, games.tables).run(), name="look for correspondence flags"),
        asyncio.create_task(DelayedRatings(base.pool, games.tables).run(), name="rate delayed games"),
        asyncio.create_task(parts.simuls.load_all(), name="load simuls"),
        asyncio.create_task(lobby.lobby.run(), name="lobby ticks"),
        asyncio.create_task(lobby.moderation.judge.run(), name="judge finished games"),
        asyncio.create_task(parts.accounts.poller.run(), name="poll accounts"),
        asyncio.create_task(parts.last_backup.run(), name="look for the last backup"),
        asyncio.create_task(lobby.television.run(), name="look at games elsewhere"),
        asyncio.create_task(lobby.television.recall(), name="recall what television has shown"),
    ]
    base.stack.push_async_callback(_cancel, background)
    return guard


def _server(parts: ServerParts, http: ASGIApp, guard: PartitionGuard, on_ready: Callable[[str], None]) -> Server:
    base, settings, gateway = parts.base, parts.base.settings, parts.sockets.gateway
    drain = Drain(
        base.cluster,
        base.node,
        lambda: gateway.connections,
        # The kernel is the balancer of a shared port, and knows at once.
        notice_s=0 if settings.share_port else settings.notice_seconds,
        seconds=settings.drain_seconds,
        releases=(parts.lobby.lobby.leader.release, parts.simuls.release_all, parts.games.sharing.release_all),
    )

    async def leave(close: Callable[[], None]) -> None:
        parts.readiness.stop()
        await drain.give_notice()
        close()
        await guard.close()  # should the database be back, this node takes nobody all the same
        await drain.run()

    config = uvicorn.Config(
        http,
        host=settings.host,
        port=settings.port,
        **gateway.uvicorn_options(),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=STOP_S,
    )
    return Server(config, on_ready, leave, lambda: _flush(parts), share_port=settings.share_port)


async def _flush(parts: ServerParts) -> None:
    """Stop the clocks and long answers, and wait until the moves under way are stored."""
    parts.readiness.stop()
    parts.base.node.stop_clocks()
    parts.imports.stop()
    parts.simuls.broadcasts.stop()
    parts.games.feeds.stop()
    asyncio.get_running_loop().call_later(TERMINATE_S, parts.base.pool.terminate)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(FLUSH_S):
            await parts.base.storage.flush()


async def _load(parts: ServerParts, live: list[str]) -> None:
    await parts.games.tables.load_all(live)
    parts.garbage.keep()


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
