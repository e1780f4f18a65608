"""Metrics that are read from other objects at a scrape."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.clock.garbage_collection import GarbageCollection
    from realtime.cluster.bus.cluster import Cluster
    from realtime.games.tables import Tables
    from realtime.journal.last_backup import LastBackup
    from realtime.journal.storage import Storage
    from realtime.ops.metrics import Metrics
    from realtime.people.presence import Presence
    from realtime.simuls.live.simuls import Simuls
    from realtime.watching.feeds import Feeds


def add_gauges(
    metrics: Metrics,
    tables: Tables,
    people: Presence,
    storage: Storage,
    simuls: Simuls,
    feeds: Feeds,
    garbage: GarbageCollection,
    cluster: Cluster,
    last_backup: LastBackup,
) -> None:
    """Register what ``metrics`` reads at a scrape."""
    metrics.counters["garbage"] = "Objects that garbage collections have freed.", lambda: garbage.found
    metrics.gauges.update(
        {
            "games_live": (
                "Games in progress on this node, without delayed ones.",
                lambda: _games_live(tables, cluster),
            ),
            "simuls_running": (
                "Running simuls, as the public sees them.",
                lambda: sum(shown.status == "running" for shown in simuls.shown()),
            ),
            "simul_boards_live": (
                "Simul boards in progress, as the public sees them.",
                lambda: sum(shown.score.live for shown in simuls.shown()),
            ),
            "tables": ("Tables in memory.", lambda: len(tables)),
            "feeds": ("Open game streams.", lambda: len(feeds)),
            "people_online": ("Users and anonymous clients with a socket.", lambda: people.online_here),
            "objects_grown": ("Objects created since the last garbage collection.", lambda: garbage.grown),
            "nodes": ("Live nodes according to the database, including this one.", lambda: 1 + len(cluster.others)),
            "nodes_reached": (
                "Live nodes recently heard over NATS, including this one.",
                lambda: 1 + sum(map(cluster.is_reached, cluster.others)),
            ),
            "nats_connected": ("1: NATS is connected or not configured.", lambda: cluster.is_lone or cluster.is_up),
            "backup_at_seconds": (
                "Unix time of the last `zeitnot backup`; 0: never.",
                lambda: last_backup.at_s,
            ),
            "journal_queue": ("Journal appends waiting for the database.", lambda: storage.depth),
            "journal_wait_seconds": ("Age of the oldest waiting append.", lambda: storage.oldest_wait_ms() / 1000),
        }
    )


def _games_live(tables: Tables, cluster: Cluster) -> int:
    """Return the number of live games that this node owns, so that the sum over all nodes is right. A lone node also
    counts games that are not in memory."""
    if cluster.is_alone:
        return tables.live_games.known
    return sum(
        table.epoch is not None and table.game.status != "over" and not table.game.setup.delay_s
        for table in tables.all()
    )
