"""Services of the server that every simul needs."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lobby.ids import new_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.pairing import NewGame
    from realtime.clock.loop_time import ServerTime
    from realtime.clock.timers import Timers
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.people.presence import Presence
    from realtime.simuls.store.store import SimulStore
    from simul.ports import Chance


class Randomness:
    """Randomness of the server (``simul.ports.Chance``)."""

    def randbelow(self, n: int, /) -> int:
        """Return a random integer from 0 to n - 1."""
        return secrets.randbelow(n)

    def new_id(self) -> str:
        """Return a new game id."""
        return new_id()


@dataclass(frozen=True, slots=True)
class SimulServices:
    """Services of the server that every simul needs."""

    store: SimulStore
    tables: Tables
    people: Presence
    time: ServerTime
    timers: Timers
    chance: Chance
    may_decide: Callable[[], bool]
    """Returns whether this node's lease is valid."""
    open_board: Callable[[NewGame], Table]
    """Opens the table of a board whose row is stored, and tells its player."""
    on_change: Callable[[Any], None]
    """Called with a ``SimulActor`` after a decision."""
    on_lost: Callable[[Any], None]
    """Called with a ``SimulActor`` whose simul another node leads now."""

    def wall_ms(self) -> int:
        """Return the present in Unix ms."""
        return self.time.wall_ms(self.time.now_ms())
