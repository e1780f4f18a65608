"""Servers with deliberate bugs: ``zeitnot chaos`` detects each of them."""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import dataclass

import pytest

from harness.chaos.command import FOUND_WRONG, run_chaos
from harness.chaos.options import ChaosOptions
from tests.server_process import ROOT

pytestmark = pytest.mark.timeout(400)


@dataclass(frozen=True)
class Sabotage:
    """Python that makes a server do something wrong, the fault by which it shows, and what has to be found."""

    code: str
    found: str
    fault: str = "kill-node"
    minutes: float = 0.5


PRELUDE = """
def replaced(text, old, new):
    assert old in text, f"{old!r} is not in {text!r}"
    return text.replace(old, new)
"""

SABOTAGES = {
    "it acknowledges before it has stored": Sabotage(
        """
import asyncio, msgspec
from realtime.journal import journal
def append(self, item, stored=journal.Journal.append):
    stored(self, msgspec.structs.replace(item, done=lambda outcome: None))
    asyncio.get_running_loop().call_soon(item.done, journal.COMMITTED)
async def store(self, *args, stored=journal.Journal._store, **kwargs):
    await asyncio.sleep(0.2)
    return await stored(self, *args, **kwargs)
journal.Journal.append = append
journal.Journal._store = store
""",
        "not stored|went back|logged a trace|after event",
    ),
    "it drops an event": Sabotage(
        """
import random
from realtime.fanout import topics
def publish(self, message, to_all=topics.Topic.publish):
    if random.random() < 0.01:
        self._ring.append(message)
        self.seq = message.seq
        self.snapshot = None
    else:
        to_all(self, message)
topics.Topic.publish = publish
""",
        "after event [0-9]+ came",
    ),
    "it charges whole outages": Sabotage(
        """
from realtime.journal import nodes
for name in ("_TAKE_OVER", "_TAKE_OVER_GAME"):
    setattr(nodes, name, replaced(getattr(nodes, name), "least(now(), ran_until)", "now()"))
""",
        "cost [0-9]+ ms: too much",
        minutes=1.0,
    ),
    "it gives back what was thought": Sabotage(
        """
from realtime.journal import game_rows
game_rows.GameRow.charged = lambda self, clock: clock
""",
        "cost -?[0-9]+ ms: too little",
        minutes=2.0,
    ),
    "it stores no seeks": Sabotage(
        """
from lobby import store
async def insert_seek(connection, seek):
    pass
store.insert_seek = insert_seek
""",
        "seek: seek .* is not stored",
    ),
    "it stores nobody who waits in a pool": Sabotage(
        """
from lobby.pools import pool_store
async def begin_waiting(connection, waiter, *, moves, stored=pool_store.begin_waiting):
    done = await stored(connection, waiter, moves=moves)
    await connection.execute("DELETE FROM waiting WHERE person = $1", waiter.user.id)
    return done
pool_store.begin_waiting = begin_waiting
""",
        "pool: .* that is not stored",
    ),
    "it stores no challenges": Sabotage(
        """
from lobby import store
async def insert_challenge(connection, challenge):
    pass
store.insert_challenge = insert_challenge
""",
        "challenge: challenge .* is not stored",
    ),
    "it drops lines of chat": Sabotage(
        """
from realtime.games import chat_rooms
chat_rooms.ChatRooms.show = lambda self, name, line: None
""",
        "chat: .* has not heard it",
        minutes=1.0,
    ),
    "it forgets who was rejected at a simul": Sabotage(
        """
from realtime.simuls.store import store
store._APPEND = replaced(store._APPEND, "payload ->> 'kind',", "replace(payload ->> 'kind', 'rejected', 'noted'),")
""",
        "simul: simul .* was acknowledged",
    ),
    "it never rates delayed games": Sabotage(
        """
from realtime.games.ratings.delayed_ratings import DelayedRatings
async def look(self):
    pass
DelayedRatings.look = look
""",
        "delayed: game .* was to count",
        minutes=1.5,
    ),
    "it rates delayed games at their end": Sabotage(
        """
from realtime.games.ratings import delayed_ratings
from realtime.journal import rated_transaction
delayed_ratings._DUE = replaced(delayed_ratings._DUE, "due_at <= now()", "true")
rated_transaction._TAKE_LATER = replaced(rated_transaction._TAKE_LATER, "due_at <= now()", "true")
""",
        "delayed: game .* has counted .* before the public",
    ),
    "it rates twice": Sabotage(
        """
from realtime.journal import rated_transaction
rated_transaction._STORE_RATINGS = replaced(rated_transaction._STORE_RATINGS, "rating = change.rating,", "rating = change.rating + 5,")
""",  # noqa: E501
        "ratings are not what the games make of them",
    ),
}


async def test_every_sabotage_can_be_applied() -> None:
    changes = [f"exec({PRELUDE + sabotage.code!r}, {{}})" for sabotage in SABOTAGES.values()]
    python = await asyncio.create_subprocess_exec(sys.executable, "-c", "\n".join(changes), cwd=ROOT)
    assert await python.wait() == 0


@pytest.mark.slow("minutes of chaos")
@pytest.mark.parametrize("sabotage", SABOTAGES.values(), ids=SABOTAGES)
async def test_chaos_detects_every_sabotage(sabotage: Sabotage) -> None:
    told: list[str] = []
    plan = ChaosOptions(
        minutes=sabotage.minutes, seed=11, games=12, boards=0, faults=(sabotage.fault,), prepare=PRELUDE + sabotage.code
    )
    assert await run_chaos(plan, told.append) == FOUND_WRONG
    assert re.search(sabotage.found, "\n".join(told)), "\n".join(told)
