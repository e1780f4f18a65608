"""The wiring: the only module that knows everybody. What is opened here is closed here, in reverse order.

PostgreSQL ─ migrations ─ pool ─ node ─ storage ─ tables ─ lobby ─ reception ─ gateway ─ uvicorn
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

import uvicorn

from lobby.accounts.addresses import AddressBook
from lobby.accounts.identity import Identities
from lobby.accounts.mail_queue import MailQueue
from lobby.accounts.members import Members
from lobby.accounts.passwords import Hasher
from lobby.accounts.resets import Resets
from realtime.clock.garbage_collection import GarbageCollection
from realtime.clock.loop_time import running_time
from realtime.clock.timers import Timers
from realtime.cluster.bus.bus import LocalBus
from realtime.cluster.bus.cluster import Cluster
from realtime.cluster.bus.drain import Drain
from realtime.cluster.bus.nats_bus import NatsBus
from realtime.cluster.bus.partition_guard import PartitionGuard
from realtime.cluster.games.games import join_games
from realtime.cluster.games.placement import GamePlacement
from realtime.cluster.games.watching import ClusterWatching
from realtime.cluster.lobby.lobby_wiring import ClusterLobby
from realtime.cluster.people.account_events import AccountEvents
from realtime.cluster.people.remote_presence import RemotePresence
from realtime.cluster.people.shared_limits import SharedLimits
from realtime.dispatch.dispatcher import Dispatcher
from realtime.dispatch.verbs.chat import ChatVerbs
from realtime.dispatch.verbs.games import GameVerbs
from realtime.dispatch.verbs.lobby import LobbyVerbs
from realtime.dispatch.verbs.simuls import SimulVerbs
from realtime.dispatch.verbs.topics import TopicVerbs
from realtime.fanout.spectator_queue import FanOut
from realtime.games.chances.solver_pool import SolverPool
from realtime.games.deadlines import Deadlines
from realtime.games.delayed_ratings import DelayedRatings
from realtime.games.moderation import Moderation, lines_in, words_of
from realtime.games.tables import Tables
from realtime.games.ticker import Ticker
from realtime.gauges import add_gauges
from realtime.http.accounts.reports import ReportsApi
from realtime.http.app import build_http
from realtime.http.games.watching import WatchingSource
from realtime.http.probes.metrics import metrics_served
from realtime.imports.import_desk import ImportDesk
from realtime.imports.import_store import ImportStore
from realtime.journal.journal import Journal
from realtime.journal.last_backup import LastBackup
from realtime.journal.nodes import Node
from realtime.journal.rated_ends import RatedEnds
from realtime.journal.readiness import Readiness
from realtime.journal.storage import Storage
from realtime.net.gateway import Gateway
from realtime.net.server import STOP_S, Server
from realtime.ops.mail import SmtpMailer
from realtime.ops.metrics import Metrics
from realtime.people.account_poller import AccountPoller
from realtime.people.friends import Friends
from realtime.people.player_status import PlayerStatus
from realtime.people.presence import Presence
from realtime.postgres.database import close_pool, create_pool
from realtime.postgres.embedded import EmbeddedPostgres
from realtime.postgres.loop_errors import report
from realtime.postgres.migrate import migrate
from realtime.simuls.live.simuls import Simuls
from realtime.watching.feeds import Feeds
from realtime.watching.reader import GameReader

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    import asyncpg

    from lobby.accounts.user import User
    from realtime.commands.settings import Settings

    Pool = asyncpg.Pool[asyncpg.Record]

FLUSH_S = 1.0
"""How long the end of the server waits for moves that are being written."""

HOPE_S = 1.5
"""After this what still waits for the database is given up, so that a database that hangs does not keep the server."""

MIB = 1024 * 1024

log = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def opened_database(settings: Settings, *, nodes: int = 1) -> AsyncIterator[tuple[str, bool]]:
    """The database's URL, migrated, and whether it is ours alone; one of our own has room for so many ``nodes``."""
    async with contextlib.AsyncExitStack() as stack:
        if settings.database is None:
            postgres = EmbeddedPostgres(settings.data, settings.postgres_bin, nodes=nodes)
            await stack.enter_async_context(postgres)
            url = postgres.url
        else:
            url = settings.database
        await migrate(url)
        yield url, settings.database is None


async def migrate_only(settings: Settings) -> None:
    """The command ``zeitnot migrate``."""
    async with opened_database(settings):
        log.info("the database is up to date")


async def serve(settings: Settings, on_ready: Callable[[str], None], node_id: str | None = None) -> int:
    """Run the server until SIGTERM or SIGINT.

    Args:
        on_ready: called with the server's address when it serves.
        node_id: what it is called among the nodes; no other has had this name.

    Returns:
        The exit status.
    """
    words = words_of(settings.words)
    asyncio.get_running_loop().set_exception_handler(report)
    async with contextlib.AsyncExitStack() as stack:
        url, alone = await stack.enter_async_context(opened_database(settings))
        pool = await create_pool(url)
        stack.push_async_callback(close_pool, pool)
        time, metrics = running_time(), Metrics()
        node = Node(url, pool, node_id)
        node.on_clock = time.set_wall
        await node.start(expire_others=alone)
        ended: list[tuple[int, int]] = []
        """When clocks ran last, by game time, and by how much that was behind the database's."""

        async def close_node() -> None:
            stopped_ms_ago = time.now_ms() - ended[0][0] + ended[0][1] if ended else None
            await node.close(stopped_ms_ago=stopped_ms_ago)

        stack.push_async_callback(close_node)
        cluster = await _cluster(settings, node, pool)
        stack.push_async_callback(cluster.close)
        journal = Journal(url, node.id, observer=metrics)
        await journal.start()
        stack.push_async_callback(journal.close)
        rated_ends = RatedEnds(url, node.id, observer=metrics)
        rated_ends.start()
        stack.push_async_callback(rated_ends.close)
        storage = Storage(journal, rated_ends)
        timers = Timers(time)
        stack.callback(timers.close)
        verdicts = SolverPool(metrics)
        stack.push_async_callback(verdicts.close)
        fan_out = FanOut()
        tables = Tables(
            pool=pool,
            node=node,
            storage=storage,
            time=time,
            timers=timers,
            metrics=metrics,
            verdicts=verdicts,
            fan_out=fan_out,
        )
        stack.push_async_callback(tables.close)

        watching = ClusterWatching(cluster=cluster, tables=tables, time=time, fan_out=fan_out, pool=pool)
        stack.callback(watching.close)
        director, feeds = watching.director, Feeds(tables, time, watching.director)
        stack.push_async_callback(feeds.close_all)

        def notice(user: str, here: bool) -> None:  # noqa: FBT001  a callback
            (lobby.hub.came if here else lobby.hub.left)(user)
            halls.presence(user, here=here)

        people = Presence(notice)
        presence = RemotePresence(cluster, people)
        stack.callback(presence.close)
        conduct = Moderation(pool, people.tell_here, lambda: time.wall_ms(time.now_ms()), words)
        stack.push_async_callback(conduct.close)
        tables.on_over = conduct.judge.wake
        deadlines, ratings_later = Deadlines(pool, node, tables), DelayedRatings(pool, tables)
        lobby = ClusterLobby(
            cluster=cluster,
            node=node,
            pool=pool,
            starter=GamePlacement(tables, cluster, people, presence),
            people=people,
            time=time,
            bans=conduct.bans,
            fan_out=fan_out,
        )
        stack.push_async_callback(lobby.close)
        tables.lobby = lobby.door
        lobby.door.on_ask, presence.on_word = presence.tell_of, lobby.door.told
        halls = Simuls(
            pool=pool,
            node=node,
            tables=tables,
            people=people,
            lobby=lobby.door,
            time=time,
            timers=timers,
            fan_out=fan_out,
            cluster=cluster,
        )
        stack.push_async_callback(halls.close)
        tables.on_events, tables.host_absence = halls.board_changed, halls.host_absence
        lobby.wall = watching.wall(halls.open_cards)
        watching.follow(lobby.hub)
        identities = Identities(pool)
        hasher = Hasher()
        stack.callback(hasher.close)
        members = Members(identities, hasher)

        def rename(user: User) -> None:
            tables.rename(user)
            lobby.hub.rename(user)
            halls.rename(user)

        outbox = MailQueue(None if settings.smtp is None else SmtpMailer(settings.smtp))
        stack.push_async_callback(outbox.close)
        watch = AccountPoller(identities, people, rename)
        news = AccountEvents(cluster, identities, people, watch, conduct.bans, conduct.block_lists)
        stack.push_async_callback(news.close)

        def changed(user: User) -> None:
            rename(user)
            news.changed(user)

        members.on_changed = changed
        game_verbs = GameVerbs(tables, conduct.bans)
        chat_verbs = ChatVerbs(tables, time, conduct.bans, conduct.words)
        lobby_verbs = LobbyVerbs(lobby.door, tables.live_games, settings.limits, conduct.bans)
        simul_verbs = SimulVerbs(halls, tables, pool, conduct.bans, settings.limits, cluster)
        shared_limits = SharedLimits(cluster)
        stack.callback(shared_limits.close)
        shared_limits.share("lobby", lobby_verbs.paces, time.now_ms)
        shared_limits.share("simuls", simul_verbs.paces, time.now_ms)
        shared_limits.share("chat", chat_verbs.flood, time.now_ms)
        reception = Dispatcher(
            identities=identities,
            people=people,
            tables=tables,
            topic_verbs=TopicVerbs(tables, lobby.door, lobby.relay, people, time, conduct.block_lists, halls, director),
            game_verbs=game_verbs,
            lobby_verbs=lobby_verbs,
            chat_verbs=chat_verbs,
            simul_verbs=simul_verbs,
            limits=settings.limits,
            time=time,
            metrics=metrics,
            fan_out=fan_out,
        )
        stack.push_async_callback(reception.close)
        gateway = Gateway(reception, time, limits=settings.limits, trust_tcp_info=not settings.proxies)
        gateway.elsewhere = presence
        metrics.traffic = gateway.traffic
        garbage = GarbageCollection(metrics.collections)
        stack.callback(garbage.close)
        metrics.garbage = lambda: garbage.found
        last_backup = LastBackup(pool)
        add_gauges(metrics, tables, people, storage, halls, feeds, garbage, cluster, last_backup)
        await stack.enter_async_context(
            metrics_served(metrics, settings.host, settings.metrics_port, waits=settings.share_port)
        )

        def every_second() -> None:
            garbage.beat(metrics.moves_made)
            lobby.relay.beat()
            watching.relay.beat()
            halls.beat()

        pulse = Ticker(tables, storage, node, time, every_second, metrics.loop_lag.observe)
        node.clocks_behind_ms = pulse.clocks_behind_ms
        state = Readiness(node, storage.journal)
        imports = ImportDesk(ImportStore(pool, settings.limits.imports * MIB))
        stack.push_async_callback(imports.close)
        http = build_http(
            identities=identities,
            members=members,
            resets=Resets(identities, hasher, outbox),
            addresses=AddressBook(pool, outbox),
            lobby=lobby.door,
            conduct=ReportsApi(identities, conduct.bans, conduct.block_lists, lines_in(tables), people.send),
            import_desk=imports,
            games=GameReader(pool, tables, time, watching.newest, watching.elsewhere),
            simuls=halls,
            watching=WatchingSource(feeds, director, watching.book, Friends(pool)),
            presence=PlayerStatus(people, tables.live_games),
            readiness=state,
            metrics=metrics if settings.shows_metrics else None,
            limits=settings.limits,
            source_url=settings.source_url,
            hosts=settings.hosts,
            is_proxied=bool(settings.proxies),
            shared_limits=shared_limits,
            on_failure=gateway.traffic.count_failure,
        )
        games = join_games(cluster, tables, node, pool, time, game_verbs, chat_verbs)
        stack.push_async_callback(games.close)
        await cluster.start()  # only now: whatever is said there is somebody who hears it
        await conduct.bans.load()
        await lobby.hub.look()
        await imports.store.clear(alone=alone)
        live = await tables.note_live_games()
        cluster.complete()
        games.start()
        partition_guard = PartitionGuard(cluster, node, gateway, games.mirrors)
        partition_guard.start()
        stack.push_async_callback(partition_guard.close)
        pulse.start()
        stack.push_async_callback(pulse.close)
        background = [
            asyncio.create_task(_load(tables, live, garbage), name="load live games"),
            asyncio.create_task(deadlines.run(), name="look for correspondence flags"),
            asyncio.create_task(ratings_later.run(), name="rate delayed games"),
            asyncio.create_task(halls.load_all(), name="load exhibitions"),
            asyncio.create_task(lobby.run(), name="lobby ticks"),
            asyncio.create_task(conduct.judge.run(), name="judge finished games"),
            asyncio.create_task(watch.run(), name="watch people"),
            asyncio.create_task(last_backup.run(), name="look for the last backup"),
            asyncio.create_task(watching.run(), name="look at games elsewhere"),
            asyncio.create_task(watching.recall(), name="recall what television has shown"),
        ]
        stack.push_async_callback(_cancel, background)

        drain = Drain(
            cluster,
            node,
            lambda: gateway.connections,
            # The kernel is the balancer of a shared port, and knows at once.
            notice_s=0 if settings.share_port else settings.notice_seconds,
            seconds=settings.drain_seconds,
        )
        halls.release_boards = games.release
        drain.releases += (lobby.hub.release, halls.release_all, games.release_all)

        async def leave(close: Callable[[], None]) -> None:
            state.stopping = True
            await drain.give_notice()
            close()
            await partition_guard.close()  # should the database be back, nobody is welcome all the same
            await drain.run()

        async def flush() -> None:
            state.stopping = True
            behind_ms = node.clocks_behind_ms()
            if behind_ms is not None:
                ended.append((time.now_ms(), behind_ms))
            node.clocks_behind_ms = lambda: None  # later renewals charge nothing
            imports.stop()
            halls.broadcasts.stop()
            feeds.stop()
            asyncio.get_running_loop().call_later(HOPE_S, pool.terminate)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_S):
                    await storage.flush()

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
        server = Server(config, on_ready, leave, flush, share_port=settings.share_port)
        garbage.begin()
        await server.serve()
        return 0 if server.started else 1


async def _cluster(settings: Settings, node: Node, pool: Pool) -> Cluster:
    """This node among those that use the same database; without NATS it knows of them and does not reach them."""
    name = await pool.fetchval("SELECT id FROM cluster")
    bus = LocalBus() if settings.nats is None else NatsBus(settings.nats, name, settings.nats_ca)
    return Cluster(node.id, bus, pool, is_lone=settings.nats is None)


async def _load(tables: Tables, live: list[str], garbage: GarbageCollection) -> None:
    await tables.load_all(live)
    garbage.keep()


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
