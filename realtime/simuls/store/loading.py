"""Loading of a simul from the database, with the tables of its boards, which this node takes over with it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from game_core.events import Moved
from lobby.errors import Unavailable
from realtime.simuls.replica.led_remotely import LedRemotely
from realtime.simuls.store import archive, leadership
from simul.board import facts_of
from simul.evolve import observe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.events import AnyEvent
    from lobby.ports import Pool
    from realtime.clock.loop_time import ServerTime
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from simul.board import Facts
    from simul.state import Simul

TRIES = 3
"""Attempts to take over: another node may take a simul between the query for its leader and our takeover."""


class SimulBeingRead:
    """A simul that is being loaded: its host's thinking time at tables that are already in memory.

    Attributes:
        stand_in_acting: the id of the stand-in who plays for the host; None if the host plays, or before ``is_read``.
        is_read: that is known, which is before all tables are in memory.
        is_done: set once it is read, or cannot be.
    """

    def __init__(self) -> None:
        self.stand_in_acting: str | None = None
        self.is_read = False
        self.is_done = asyncio.Event()
        self._moves: dict[str, list[tuple[int, int]]] = {}

    def note(self, table: Table, events: Sequence[AnyEvent]) -> None:
        """Record ``events`` of a board, the last it has published."""
        simul_board = table.game.setup.simul_board
        for seq, event in enumerate(events, table.game.seq - len(events) + 1):
            if isinstance(event, Moved) and simul_board is not None and event.by == simul_board.host:
                self._moves.setdefault(table.id, []).append((seq, event.spent_ms))

    def ms_after(self, game: str, seq: int) -> int:
        """Return the thinking time after event ``seq``."""
        return sum(spent_ms for at, spent_ms in self._moves.get(game, ()) if at > seq)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read; the state of the games is still to be added."""

    state: Simul
    owned: leadership.OwnedSimul
    tables: dict[str, Table]
    over: dict[str, tuple[Facts, int]]
    spent: dict[str, archive.HostTime]
    moves: SimulBeingRead

    def look(self, time: ServerTime) -> None:
        """Read the state of the boards. Do not yield to the loop until the actor exists, or events are missed."""
        now_ms = time.now_ms()
        for board in self.state.boards:
            table = self.tables.get(board.game)
            if table is None:
                facts, spent_ms = self.over[board.game]
            else:
                facts = facts_of(table.game, now_ms, time.wall_ms(now_ms))
                spent = self.spent.get(board.game, archive.NO_TIME)
                spent_ms = spent.ms + self.moves.ms_after(board.game, spent.seq)
            observe(self.state, board.number, facts, spent_ms)


async def load(
    pool: Pool, node: str, tables: Tables, simul_id: str, moves: SimulBeingRead, *, may_take: bool
) -> Loaded | None:
    """Take over an announced or running simul with its boards, and read it; a finished simul is only read.

    Args:
        moves: records the events at its boards from now on.
        may_take: false if this node is about to stop.

    Raises:
        LedRemotely: another node leads it.
        Refusal: ``unavailable``, it cannot be led here now.
    """
    for _ in range(TRIES):
        place = await leadership.place_of(pool, node, simul_id)
        if place is None:
            return None
        is_on = place.status in ("created", "running")
        if is_on and place.leader is not None:
            raise LedRemotely(place.leader)
        if is_on and not may_take:
            raise Unavailable("the simul is moving to another node; try again")
        owned = await leadership.take_over(pool, node, simul_id)
        if owned is not None or not is_on:
            break
    else:
        raise Unavailable("another node owns this simul, or this node has lost its lease; try again")
    owned = owned or leadership.OwnedSimul(0, 0)  # read-only
    if is_on:
        await leadership.take_boards(pool, node, simul_id)
    games = await archive.live_boards(pool, simul_id)
    owning = asyncio.create_task(_own(tables, games), name=f"own the boards of {simul_id}")
    try:
        # One simul is decoded while the database reads the other part.
        state = await archive.read_state(pool, simul_id)
        moves.stand_in_acting = state.acting_host.id if state.is_stand_in_acting else None
        moves.is_read = True
        moves.is_done.set()
        over = await archive.finished_boards(pool, simul_id) if state.boards else {}
        spent = await archive.host_times(pool, games) if games else {}
        return Loaded(state, owned, await owning, over, spent, moves)
    finally:
        owning.cancel()
        await asyncio.gather(owning, return_exceptions=True)


async def _own(tables: Tables, games: Sequence[str]) -> dict[str, Table]:
    """Return the tables of these games, which this node owns. Those that users here wait for are loaded first."""
    games = sorted(games, key=lambda game: _urgency(tables.peek(game)))
    await tables.adopt_all([game for game in games if not tables.has(game)])
    return {game: await tables.own(game) for game in games}


def _urgency(table: Table | None) -> int:
    """Return the loading priority, the smallest first: a request waits; a player listens; neither."""
    if table is None:
        return 2
    return 0 if table.source is not None and table.source.is_waited_for else 1 if table.topic.players else 2
