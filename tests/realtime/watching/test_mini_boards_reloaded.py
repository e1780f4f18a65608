"""Mini boards of a table that is evicted and loaded again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from game_core.events import Ended
from realtime.clock.loop_time import running_time
from realtime.fanout.session import Session
from realtime.journal.appends import Append, Committed
from realtime.protocol.requests import Sub
from realtime.watching.mini_boards import MiniBoards
from tests.realtime.games.test_tables import new_game, tables
from tests.realtime.journal_harness import outcome_of
from tests.realtime.mini_harness import Socket
from tests.realtime.until import until

if TYPE_CHECKING:
    from realtime.games.tables import Tables
    from realtime.postgres.database import Pool

__all__ = ["tables"]


async def test_subscriber_gets_missed_changes_after_reload_of_table(pool: Pool, tables: Tables) -> None:
    await new_game(pool, tables, "reloaded1")
    table = await tables.get("reloaded1")
    assert table is not None
    socket = Socket()
    session: Any = Session(socket)  # type: ignore[arg-type]  # a socket as far as a session needs one
    MiniBoards(tables, running_time()).sub(session, Sub(topic="game:reloaded1", position=True), table)
    assert [mini["status"] for mini in socket.minis()] == ["created"]
    tables.evict(table)
    event = Ended(result="0-1", reason="resignation")
    append = Append(game="reloaded1", epoch=1, first_seq=1, events=(event,), cause=None, done=lambda _: None)
    journal: Any = tables._services.journal
    assert await outcome_of(journal, append) == Committed()
    again = await tables.get("reloaded1")
    assert again is not None
    assert again is not table
    await until(lambda: [mini["status"] for mini in socket.minis()] == ["created", "over"])
    session.close()
    assert not len(again.topic)
    assert again.topic.minis is None
