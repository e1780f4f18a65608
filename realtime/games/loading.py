"""Loading of tables: rebuilt from stored events on request, or when this node takes over their games."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from realtime.clock.shared_tasks import SharedTasks
from realtime.games.delay.delayed_reads import ages_of, past_of, past_with
from realtime.journal.game_rows import find_game, find_games, read_log
from realtime.journal.nodes import LEASE_S
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from realtime.fanout.topics import Topic
    from realtime.games.delay.delayed_reads import RecordedDelay
    from realtime.games.delay.exemptions import DelayExemptions
    from realtime.games.other_nodes import OtherNodes
    from realtime.games.table import Table
    from realtime.games.table_factory import TableFactory
    from realtime.journal.game_rows import GameRow, Log
    from realtime.journal.nodes import Node
    from realtime.postgres.database import Pool

ATTACHED_S = 0.5
"""How long a request for a table of another node waits for the state of the game there."""

ADOPTED_AT_ONCE = 20
"""Games read with one query: few enough that the event loop is never blocked for more than some milliseconds."""

PORTIONS_AT_ONCE = 2
"""Batches at the same time: the database reads the next one while the tables of another are rebuilt."""


log = logging.getLogger(__name__)


class TablesInMemory(Protocol):
    """The part of ``Tables`` that loading needs."""

    others: OtherNodes | None

    def peek(self, game_id: str) -> Table | None:
        """Return the table if it is in memory."""

    def enter(self, table: Table) -> None:
        """Enter ``table``, which is in memory from now on."""

    def evict(self, table: Table) -> None:
        """Drop a table from memory."""

    def topic_of(self, game_id: str) -> Topic | None:
        """Return the topic of a game whose table is not in memory; None if it has no subscribers."""


class Loading:
    """Loads and takeovers that are under way."""

    def __init__(
        self, tables: TablesInMemory, pool: Pool, node: Node, exemptions: DelayExemptions, maker: TableFactory
    ) -> None:
        self._tables = tables
        self._pool = pool
        self._node = node
        self._exemptions = exemptions
        self._maker = maker
        self._loads: SharedTasks[Table | None] = SharedTasks(_log_unexpected)
        self._takeovers = SharedTasks[None](_log_unexpected)
        self._adopts: dict[str, asyncio.Task[None]] = {}
        self._adopting = asyncio.Semaphore(PORTIONS_AT_ONCE)

    def is_under_way(self, game_id: str) -> bool:
        """Return whether the table of a game is being loaded."""
        return game_id in self._loads

    async def close(self) -> None:
        """Wait for everything that is under way."""
        await asyncio.gather(self._loads.close(), self._takeovers.close())
        await asyncio.gather(*self._adopts.values(), return_exceptions=True)

    async def load(self, game_id: str) -> Table | None:
        """Return the table of a game, loaded once for all callers; None if there is no such game."""
        return await self._loads.run(game_id, partial(self._load, game_id), f"load {game_id}")

    async def take_over(self, table: Table) -> Table:
        """Take over the game of ``table`` unless a living node owns it, and return its table after that.

        Done once for all callers.
        """
        game_id = table.id
        await self._takeovers.run(game_id, partial(self._take_over, table), f"take over {game_id}")
        return self._tables.peek(game_id) or table

    async def _take_over(self, table: Table) -> None:
        others = self._tables.others
        if others is not None and others.is_stopping:
            return
        epoch = await self._node.take_over_game(table.id)
        if epoch is not None:
            await self.adopt(table.id)
        elif others is not None and table.source is None and self._tables.peek(table.id) is table:
            others.replicas.enter(table, None)

    async def _load(self, game_id: str) -> Table | None:
        row = await find_game(self._pool, game_id)
        if row is None:
            return None
        others = self._tables.others
        epoch = row.epoch if row.owner == self._node.id else None
        owner = row.owner
        if row.status != "over" and epoch is None and (others is None or not _is_out_of_reach(others, owner)):
            epoch = await self._node.take_over_game(game_id)
            row = await find_game(self._pool, game_id) or row  # with the clock time that the takeover stored
        # After the takeover: everything that the former owner wrote is in the journal by now.
        past = await past_of(self._pool, self._exemptions, row.setup)
        events = await read_log(self._pool, game_id)
        known = self._tables.peek(game_id)
        if known is not None:
            return known
        table = self._maker.rebuilt(row, events, epoch, past, self._tables.topic_of(game_id))
        self._tables.enter(table)
        if epoch is not None:
            # The former owner is gone while other nodes live: the other player may still be connected there.
            is_moved = others is not None and not others.is_alone and owner not in (None, self._node.id)
            table.hold_for_restart(is_moved=is_moved)
        if epoch is None and others is not None and (row.status != "over" or others.lives(owner)):
            await others.replicas.enter(table, owner).wait_attached(ATTACHED_S)
        return table

    async def adopt(self, game_id: str) -> None:
        """Replace the table of a game that this node has taken over; until now it showed another node's.

        Subscribers stay and are sent what they have not seen. Raises the errors of a query.
        """
        await self.adopt_all((game_id,))

    async def adopt_all(self, game_ids: Sequence[str]) -> None:
        """Do the same as ``adopt`` for many games with few queries, and tell other nodes. Games that this node does not
        own stay as they are."""
        new = [game_id for game_id in game_ids if game_id not in self._adopts]
        for place in range(0, len(new), ADOPTED_AT_ONCE):
            self._begin_to_adopt(new[place : place + ADOPTED_AT_ONCE])
        tasks = {self._adopts[game_id] for game_id in game_ids}
        await asyncio.gather(*(asyncio.shield(task) for task in tasks))

    def _begin_to_adopt(self, game_ids: Sequence[str]) -> None:
        task = asyncio.create_task(self._adopt(game_ids), name=f"adopt {game_ids[0]} and others")
        self._adopts.update(dict.fromkeys(game_ids, task))
        task.add_done_callback(partial(_forget, self._adopts, game_ids))

    async def wait_until_adopted(self, game_id: str) -> None:
        """Wait until a game is adopted, if it is being adopted. Raises the errors of a query."""
        task = self._adopts.get(game_id)
        if task is not None:
            await asyncio.shield(task)

    async def _adopt(self, game_ids: Sequence[str]) -> None:
        ours: list[str] = []
        try:
            async with self._adopting:
                await self._rebuild(game_ids, ours)
        finally:  # also if a batch fails halfway: the games rebuilt so far are played here
            if self._tables.others is not None:
                self._tables.others.announce_adopted(ours)

    async def _rebuild(self, game_ids: Sequence[str], ours: list[str]) -> None:
        """Rebuild the tables of the games that this node owns. Each id is added to ``ours`` when its table is ready."""
        clock = asyncio.get_running_loop()
        began = clock.time()
        ages_ms = await ages_of(self._pool, game_ids)
        for row, events in (await find_games(self._pool, game_ids)).values():
            if row.owner != self._node.id:
                continue
            past = await past_with(self._exemptions, row.setup, ages_ms)
            if not self._node.is_leased() or clock.time() - began > LEASE_S:
                log.info("other nodes may own some of %d games by now; reading this node's again", len(game_ids))
                break
            self._put(row, events, past)
            ours.append(row.setup.id)
            await asyncio.sleep(0)  # a move at another table waits for one rebuild at most

    def _put(self, row: GameRow, events: Log, past: RecordedDelay | None) -> None:
        game_id = row.setup.id
        old = self._tables.peek(game_id)
        if old is not None:
            if old.epoch is not None and old.epoch >= row.epoch:
                return
            old.lost = True  # in case an append of it is still answered
            self._tables.evict(old)
        table = self._maker.rebuilt(row, events, row.epoch, past, self._tables.topic_of(game_id))
        if old is not None:
            _keep_chat(old, table)
        self._tables.enter(table)
        # Epoch 1: a game that has just begun had no former owner, so no player was lost with one.
        table.hold_for_restart(is_moved=row.epoch > 1)
        if table.seats[table.game.turn].is_here:
            table.go_on_for_player()


def _is_out_of_reach(others: OtherNodes, owner: str | None) -> bool:
    """Return whether this node cannot take the game: it is stopping, or the owner is alive as far as is known."""
    return others.is_stopping or others.lives(owner)


def _forget(tasks: dict[str, asyncio.Task[Any]], game_ids: Sequence[str], task: asyncio.Task[Any]) -> None:
    """Remove a finished ``task``. Callers that wait get its outcome; an unexpected error is logged in any case."""
    for game_id in game_ids:
        tasks.pop(game_id, None)
    error = None if task.cancelled() else task.exception()
    if error is not None:
        _log_unexpected(", ".join(game_ids), error)


def _log_unexpected(games: Hashable, error: BaseException) -> None:
    if not isinstance(error, FAILURES):
        log.error("games could not be loaded: %s", games, exc_info=error)


def _keep_chat(old: Table, table: Table) -> None:
    if old.chat is not None:
        table.chat = old.chat.joined(table.topic, None)
    if old.delayed is not None and old.delayed.chat is not None and table.delayed is not None:
        table.delayed.chat = old.delayed.chat.joined(table.delayed.topic, None)
