"""An exhibition from the database, and the tables of its boards, which become this node's with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from realtime.errors import WireError
from realtime.simuls import archive
from realtime.simuls.elsewhere import Elsewhere
from simul.board import facts_of
from simul.evolve import observe

if TYPE_CHECKING:
    from lobby.needs import Pool
    from realtime.loop_time import ServerTime
    from realtime.table import Table
    from realtime.tables import Tables
    from simul.board import Facts
    from simul.state import Exhibition

TRIES = 3
"""How often the leader is looked up: another node may take an exhibition between the look and our hand."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read; how the games stand has still to be looked at."""

    state: Exhibition
    owned: archive.Owned
    tables: dict[str, Table]
    over: dict[str, tuple[Facts, int]]
    spent_ms: dict[str, int]

    def look(self, time: ServerTime) -> None:
        """Look at the boards. From here on nothing else may run until the hall is there: no event may be missed."""
        now_ms = time.now_ms()
        for board in self.state.boards:
            if board.game in self.over:
                facts, spent_ms = self.over[board.game]
            else:
                facts = facts_of(self.tables[board.game].game, now_ms, time.wall_ms(now_ms))
                spent_ms = self.spent_ms.get(board.game, 0)
            observe(self.state, board.number, facts, spent_ms)


async def load(pool: Pool, node: str, tables: Tables, simul_id: str, *, may_take: bool) -> Loaded | None:
    """Take an exhibition that is announced or runs, with its boards, and read it; one that is over is only read.

    Args:
        may_take: this node is about to stop where it may not.

    Raises:
        Elsewhere: another node leads it.
        WireError: ``unavailable``, it cannot be led here now.
    """
    for _ in range(TRIES):
        place = await archive.place_of(pool, node, simul_id)
        if place is None:
            return None
        is_on = place.status in ("created", "running")
        if is_on and place.leader is not None:
            raise Elsewhere(place.leader)
        if is_on and not may_take:
            raise WireError("unavailable", "the exhibition is moving to another node; ask again")
        owned = await archive.take_over(pool, node, simul_id)
        if owned is not None or not is_on:
            break
    else:
        raise WireError("unavailable", "another node has this exhibition, or we are none; ask again")
    owned = owned or archive.Owned(0, 0)  # it is only to be looked at
    state = await archive.read_state(pool, simul_id)
    over = await archive.finished_boards(pool, simul_id) if state.boards else {}
    spent_ms = await archive.host_times(pool, simul_id) if state.boards else {}
    games = [board.game for board in state.boards if board.game not in over]
    if games:
        await archive.take_boards(pool, node, simul_id)
    return Loaded(state, owned, await _own(tables, games), over, spent_ms)


async def _own(tables: Tables, games: list[str]) -> dict[str, Table]:
    """The tables of these games, which are ours."""
    await tables.adopt_all([game for game in games if not tables.has(game)])
    return {game: await tables.own(game) for game in games}
