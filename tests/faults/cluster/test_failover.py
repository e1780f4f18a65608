"""Failover: PostgreSQL's machine and data are lost, and its replica is promoted."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.chaos.league import League
from harness.chaos.local_cluster import LocalCluster
from realtime.postgres.account import account_for
from tests.faults.cluster.conftest import tell_logs
from tests.faults.cluster.invariants import go_on, played_out
from tests.faults.cluster.replica import SETTINGS, replicated

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow("a replica is made and promoted")

GAMES = 24


@pytest.fixture
def home() -> Iterator[Path]:
    """A directory with a short name, for sockets, which PostgreSQL's account may use."""
    with tempfile.TemporaryDirectory(prefix="zeitnot-") as name:
        path = Path(name)
        path.chmod(0o755)
        account = account_for(path)
        for part in ("replica", "standby"):
            (path / part).mkdir(mode=0o700)
            if account is not None:
                os.chown(path / part, account.uid, account.gid)
        yield path


@pytest.mark.parametrize("is_silent", [False, True], ids=["it refuses connections", "it swallows whatever comes"])
async def test_acknowledged_moves_are_on_the_replica(home: Path, *, is_silent: bool) -> None:
    """As ``synchronous_standby_names`` guarantees: the nodes find the new primary and every game goes on there, even if
    the old machine vanished without closing a connection."""
    async with LocalCluster(nodes=3, chance=random.Random(1), standby=home / "standby", settings=SETTINGS) as cluster:
        async with (
            replicated(cluster, home / "replica", synchronous=True) as replica,
            League(cluster.url, games=GAMES, seed=43, plies=40, think_s=(0.1, 0.4)) as league,
        ):
            await league.moves(GAMES * 3)
            if is_silent:
                for node in cluster.nodes:
                    node.database.stall()
            data = cluster.postgres.data
            data.rename(data.with_name("lost"))  # first: nobody starts it again
            os.kill(cluster.postgres.pid, signal.SIGKILL)
            shutil.rmtree(data.with_name("lost"))
            if not is_silent:
                for node in cluster.nodes:
                    node.database.remove()
            await replica.promote()
            promoted_s = time.monotonic()
            await go_on(league, league.matches)
            print(f"every game went on {time.monotonic() - promoted_s:.1f} s after the promotion")  # noqa: T201  pytest shows it
            await played_out(cluster, league, database=replica.url)
        tell_logs(cluster)
