"""The tables of this node: finding, loading, takeover, eviction."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from lobby.accounts.profile import with_countries
from lobby.errors import NotFound, Unavailable
from lobby.ids import is_id
from lobby.ratings.ratings import with_ratings
from realtime.fanout.spectator_queue import FanOut
from realtime.games.board_hosts import BoardHosts
from realtime.games.delay.exemptions import DelayExemptions
from realtime.games.finished_tables import FinishedTablesCache
from realtime.games.loading import Loading
from realtime.games.recovery import RETRY_INTERVAL_S, revive
from realtime.games.services import Services
from realtime.games.table_factory import TableFactory
from realtime.games.table_view import send_player
from realtime.games.tables_by_player import TablesByPlayer
from realtime.journal.game_rows import begun_game, insert_game, live_games, setup_of
from realtime.journal.live_games import LiveGames
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import asyncpg

    from game_core.events import AnyEvent
    from lobby.accounts.user import User
    from lobby.pairing import NewGame
    from lobby.ports import Connection as DatabaseConnection
    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.fanout.subscription import Subscription
    from realtime.fanout.topics import Topic
    from realtime.games.chances.solver_pool import SolverPool
    from realtime.games.game_observer import GameObserver
    from realtime.games.other_nodes import OtherNodes
    from realtime.games.ports import LiveTable
    from realtime.games.seats import IsShown
    from realtime.games.table import Table
    from realtime.journal.nodes import Node
    from realtime.journal.storage import Storage
    from realtime.net.connection import Connection
    from realtime.ops.metrics import Metrics

    Pool = asyncpg.Pool[asyncpg.Record]

SLOTS = 50
"""Slots of the ticker. A table takes 30 µs if both players are sent their clocks: 3 ms a slot with five thousand
games."""

log = logging.getLogger(__name__)


class Tables:
    """The tables in memory, and the ids of all games that are not over.

    Implements the lobby's ``GameStarter``.

    Attributes:
        timers: the timers of the tables.
        hosts: the hosts of simuls.
        live_games: the games that are not over, in memory or not.
        others: the link to other nodes; None: a single node.
    """

    def __init__(
        self,
        *,
        pool: Pool,
        node: Node,
        storage: Storage,
        time: ServerTime,
        timers: Timers,
        metrics: Metrics,
        solver: SolverPool,
        fan_out: FanOut | None = None,
        is_shown: IsShown = lambda user: True,
    ) -> None:
        self._pool = pool
        self._node = node
        self._time = time
        self._services = Services(
            journal=storage.journal,
            time=time,
            timers=timers,
            metrics=metrics,
            solver=solver,
            may_decide=node.is_leased,
            on_change=self._on_change,
            on_lost=self._on_lost,
            on_hold=self._on_hold,
            fan_out=fan_out or FanOut(),
        )
        self.timers = timers
        self._tables: dict[str, Table] = {}
        self._exemptions = DelayExemptions(pool)
        self._observers: list[GameObserver] = []
        self.hosts = BoardHosts()
        self._maker = TableFactory(self._services, storage, self._exemptions, self.hosts, is_shown)
        self._seated = TablesByPlayer()
        self._slots: list[dict[str, Table]] = [{} for _ in range(SLOTS)]
        self._topics: dict[str, Topic] = {}
        """Topics that have subscribers although their table is not in memory (it is being reloaded)."""
        self._loading = Loading(self, pool, node, self._exemptions, self._maker)
        self.live_games = LiveGames()
        self.finished = FinishedTablesCache()
        self._held: dict[str, tuple[int, int]] = {}
        """Games whose clock is held, with the number of their last event and the start of the hold."""
        self._work: set[asyncio.Task[Any]] = set()
        self.others: OtherNodes | None = None

    def observe(self, *observers: GameObserver) -> None:
        """Call ``observers`` for every game of this node from now on."""
        self._observers += observers

    def share_with(self, others: OtherNodes) -> None:
        """Share games with other nodes from now on. Called by ``others``."""
        self.others = others

    # -- queries ------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._tables)

    def now_ms(self) -> int:
        """Return the present on the game axis."""
        return self._time.now_ms()

    def in_slot(self, slot: int) -> Collection[Table]:
        """Return the tables of ``slot``."""
        return tuple(self._slots[slot].values())

    def all(self) -> Iterable[Table]:
        """Return every table in memory."""
        return tuple(self._tables.values())

    def peek(self, game_id: str) -> Table | None:
        """Return the table if it is in memory."""
        return self._tables.get(game_id)

    def has(self, game_id: str) -> bool:
        """Return whether the table is in memory and this node may write to it."""
        table = self._tables.get(game_id)
        return table is not None and table.epoch is not None

    # -- finding ------------------------------------------------------------------------------------------

    async def get(self, game_id: str) -> Table | None:
        """Return the table, from memory or rebuilt from its events; None if there is no such game."""
        table = self._tables.get(game_id)
        if table is not None:
            # The caller uses it after an await or two: it must not be evicted in between.
            table.used_at_ms = self.now_ms()
            if table.game.status == "over":
                self.finished.want(table)
            return table
        return await self._loading.load(game_id) if is_id(game_id) else None

    async def own(self, game_id: str) -> Table:
        """Return the table of a game to which this node may write.

        Raises:
            Refusal: ``not_found``, or ``unavailable`` while another node owns it.
        """
        table = await self.get(game_id)
        if table is not None and table.epoch is None:
            table = await self.get_adopted(game_id)
        if table is None:
            raise NotFound(f"there is no game {game_id!r}")
        if table.epoch is None:
            table = await self._loading.take_over(table)
        if table.epoch is None:
            raise Unavailable("another node owns this game; try again")
        return table

    async def get_adopted(self, game_id: str) -> Table | None:
        """Return the table as ``get`` does. If the game was just taken over, wait first until this node may write to
        it. Raises the errors of a query."""
        await self._loading.wait_until_adopted(game_id)
        return await self.get(game_id)

    async def adopt_all(self, game_ids: Sequence[str]) -> None:
        """Rebuild the tables of games that were just taken over. Raises the errors of a query."""
        await self._loading.adopt_all(game_ids)

    def rename(self, user: User) -> None:
        """Set the new name or status of ``user`` and tell the spectators of their games."""
        for game_id in self._seated.games_of(user.id):
            table = self._tables[game_id]
            for color in table.seats.rename(user):
                send_player(table, color)

    def show_presence(self, user: str) -> None:
        """Send the presence at the games of ``user`` soon: it may have changed whether they are shown online."""
        for game_id in self._seated.games_of(user):
            self._tables[game_id].topic.crowd_dirty = True

    # -- starting games -----------------------------------------------------------------------------------

    async def start(self, new: NewGame, connection: DatabaseConnection, owner: str | None = None) -> NewGame:
        """Write the row of a new game in the lobby's transaction. It belongs to ``owner`` or to this node from the
        start."""
        (new,) = await with_countries(connection, [await with_ratings(connection, new)])
        await insert_game(connection, new, owner=owner or self._node.id, epoch=1)
        return new

    def opened(self, new: NewGame, owner: str | None = None) -> None:
        """Open the table, here or at ``owner``: the row is committed, and the time for the first move begins."""
        now_ms, setup = self._time.now_ms(), setup_of(new)
        known = self._tables.get(new.id)
        if known is None or known.game.status != "over":
            game = begun_game(new, setup, self._time.wall_ms(now_ms))
            self.live_games.begin(new.id, game)
            if self.others is not None:
                self.others.begun(new.id, game)
        if owner not in (None, self._node.id) and self.others is not None:
            self.others.opened(new.id, owner)
            return
        if known is not None:
            return  # already loaded by a retry after a commit whose outcome was unknown
        table = self._maker.begun(new, setup, now_ms)
        self.enter(table)
        table.chances.follow()
        self.timers.arm(table)

    # -- start and end of the server ----------------------------------------------------------------------

    async def note_live_games(self) -> list[str]:
        """Read which games are not over, before clients are served. Return the ids of those whose tables have to be in
        memory, newest first."""
        games = await live_games(self._pool)
        for game_id, game in reversed(games):
            self.live_games.begin(game_id, game)
        return [game_id for game_id, game in games if not game.is_correspondence]

    async def load_all(self, ids: list[str]) -> None:
        """Take over the games ``ids`` and rebuild their tables, in the background.

        A game whose last owner may still be alive is retried until that owner's lease has ended.
        """
        await revive(self.own, ids if self.others is None else await self.others.of_nobody_else(ids))

    async def close(self) -> None:
        """Wait for loads that are under way. Retries after a database failure are abandoned."""
        for task in self._work:
            task.cancel()
        await asyncio.gather(self._loading.close(), *self._work, return_exceptions=True)

    # -- listeners ----------------------------------------------------------------------------------------

    def join(self, table: Table, connection: Connection, subscription: Subscription) -> None:
        """Subscribe a socket to a game."""
        table.join(connection, subscription)
        if table.source is not None and subscription.player:
            table.source.attend_soon()
        if not subscription.player and table.game.status != "over":
            self.live_games.watched.add(table.id)

    def leave(self, game_id: str, connection: Connection) -> None:
        """Unsubscribe a socket from a game, whether its table is in memory or being loaded."""
        table = self._tables.get(game_id)
        if table is not None:
            table.leave(connection)
            if table.source is not None:
                table.source.attend_soon()
        topic = self._topics.get(game_id)
        if topic is not None:
            topic.remove(connection)
            if not len(topic) and not self._loading.is_under_way(game_id):
                del self._topics[game_id]

    # -- leaving memory -----------------------------------------------------------------------------------

    def evict(self, table: Table) -> None:
        """Drop a table that is not needed from memory; it can be rebuilt from its events. Its subscribers stay
        subscribed."""
        if self._tables.get(table.id) is not table:
            return  # already replaced by another one
        del self._tables[table.id]
        self._seated.remove(table.id, table.seats)
        self.finished.forget(table)
        if len(table.topic):
            self._topics[table.id] = table.topic
        self._slots[_slot(table.id)].pop(table.id, None)
        self.timers.forget(table)
        if table.delayed is not None:
            self.timers.forget(table.delayed)
        if table.source is not None:
            table.source.detach()
        for observer in self._observers:
            observer.forget(table)

    def topic_of(self, game_id: str) -> Topic | None:
        """Remove and return the topic of a game whose table is not in memory; the table takes it over."""
        return self._topics.pop(game_id, None)

    def enter(self, table: Table) -> None:
        """Enter ``table``, which is in memory from now on."""
        self._tables[table.id] = table
        self._services.solver.get_ready()
        self._seated.add(table.id, table.seats)
        self._slots[_slot(table.id)][table.id] = table
        self._note(table)
        if table.game.status == "over":
            self._keep_finished(table)
            # Its end was still being written when the live games were read, or another node has written it.
            self.live_games.end(table.id)
        if self.others is not None and table.epoch is not None:
            self.others.owned.enter(table)
        if table.topic.watchers and table.game.status != "over":
            self.live_games.watched.add(table.id)
        for topic in (table.topic, table.topic.delayed):
            if topic is not None and topic.minis is not None:
                topic.minis.changed()

    def _on_change(self, table: Table, status_changed: bool, events: tuple[AnyEvent, ...]) -> None:  # noqa: FBT001
        if status_changed:
            self._note(table)
        if status_changed and table.game.status == "over":
            self.live_games.end(table.id)
            if self.others is not None:
                self.others.over(table.id)
            for observer in self._observers:
                observer.over()
            self._keep_finished(table)
        for observer in self._observers:
            observer.published(table, events)

    def heard(self, table: Table, *, status_changed: bool) -> None:
        """Handle an event that a replica has published."""
        if status_changed:
            self._note(table)
            if table.game.status == "over":
                self.live_games.end(table.id)
                self._keep_finished(table)

    def _note(self, table: Table) -> None:
        for observer in self._observers:
            observer.note(table)

    def crowd(self, table: Table) -> None:
        """Handle a changed number of spectators of ``table``."""
        for observer in self._observers:
            observer.crowd(table)

    def _keep_finished(self, table: Table) -> None:
        table.topic.crowd_dirty = True  # the players no longer see each other if they are invisible
        self.finished.want(table)
        for old in self.finished.surplus():
            self.evict(old)

    def _on_lost(self, table: Table) -> None:
        """Drop a table whose game another node owns, keep its subscribers, and read what has happened."""
        log.warning("a game was taken over by another node", extra={"game": table.id})
        if self.others is not None and self.peek(table.id) is table:
            self.others.owned.release(table.id)
        self.evict(table)
        task = asyncio.create_task(self._reload(table.id), name=f"reload {table.id}")
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def _on_hold(self, table: LiveTable, since_ms: int) -> None:
        if not self._held:
            task = asyncio.create_task(self._note_held(), name="note held clocks")
            self._work.add(task)
            task.add_done_callback(self._work.discard)
        self._held[table.id] = table.game.seq, since_ms

    async def _note_held(self) -> None:
        await asyncio.sleep(0)  # a failed node leaves many games whose clocks are held
        held, self._held, now_ms = self._held, {}, self.now_ms()
        try:
            await self._node.note_held([(game, seq, now_ms - since_ms) for game, (seq, since_ms) in held.items()])
        except FAILURES as error:
            log.warning("the database is in trouble (%r); after a crash now held clocks would be charged", error)

    async def _reload(self, game_id: str) -> None:
        try:
            while True:
                try:
                    await self.get(game_id)
                except FAILURES as error:
                    log.warning("the database is in trouble (%r); a game waits to be reloaded", error)
                    await asyncio.sleep(RETRY_INTERVAL_S)
                else:
                    return
        except Exception:
            log.exception("a game could not be reloaded", extra={"game": game_id})


def _slot(game_id: str) -> int:
    return hash(game_id) % SLOTS
