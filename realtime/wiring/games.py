"""Tables, their link to other nodes, and the views of many games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from realtime.cluster.games.games import ClusterGames
from realtime.cluster.games.watching import ClusterWatching
from realtime.games.chances.solver_pool import SolverPool
from realtime.games.tables import Tables
from realtime.people.presence import Presence
from realtime.watching.feeds import Feeds

if TYPE_CHECKING:
    from realtime.wiring.base import Base


@dataclass(frozen=True, slots=True)
class GameServices:
    """The games of this node and what it shows of all others, and the connected users."""

    people: Presence
    tables: Tables
    sharing: ClusterGames
    watching: ClusterWatching
    feeds: Feeds


def build_games(base: Base) -> GameServices:
    """Build the parts. ``sharing`` is closed by the caller, before everything that it uses."""
    solver = SolverPool(base.metrics)
    base.stack.push_async_callback(solver.close)
    people = Presence()
    tables = Tables(
        pool=base.pool,
        node=base.node,
        storage=base.storage,
        time=base.time,
        timers=base.timers,
        metrics=base.metrics,
        solver=solver,
        fan_out=base.fan_out,
        is_shown=people.is_shown,
    )
    people.on_shown.append(tables.show_presence)
    base.stack.push_async_callback(tables.close)
    watching = ClusterWatching(
        cluster=base.cluster, tables=tables, time=base.time, fan_out=base.fan_out, pool=base.pool
    )
    base.stack.callback(watching.close)
    feeds = Feeds(tables, base.time, watching.director)
    base.stack.push_async_callback(feeds.close_all)
    sharing = ClusterGames(base.cluster, tables, base.node, base.pool, base.time)
    return GameServices(people, tables, sharing, watching, feeds)
