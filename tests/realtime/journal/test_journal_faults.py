"""Journal faults: lost connections, stalls, shutdown."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import asyncpg
import pytest

from realtime.journal import journal_sql
from realtime.journal.appends import Committed, Failed, Fenced, Outcome
from realtime.journal.journal import Journal
from realtime.postgres import database
from realtime.protocol.errors import Overloaded
from tests.realtime.journal_harness import Observed, Outcomes, ignore, journal, observed, outcome_of, waits_for_lock
from tests.realtime.stored_games import NODE, append_of, make_games, moved, stored_log

if TYPE_CHECKING:
    from realtime.postgres.database import Pool


__all__ = ["journal", "observed"]  # fixtures of the tests below


# Lost connections and stalls


async def kill_connections(pool: Pool) -> int:
    """Terminate the journal's backends; how many there were."""
    count: int = await pool.fetchval(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1",
        f"zeitnot journal {NODE}",
    )
    return count


async def test_repeated_connection_loss_loses_and_doubles_nothing(
    journal: Journal, pool: Pool, observed: Observed
) -> None:
    games = await make_games(pool, 60)
    kills, moves = 10, 40
    wrong: list[Outcome] = []
    finished = asyncio.Semaphore(0)

    def play(game: str, seq: int, last: int, outcome: Outcome) -> None:
        if not isinstance(outcome, Committed):
            wrong.append(outcome)
        if seq > last or wrong:
            finished.release()
        else:
            journal.append(append_of(game, seq, lambda outcome: play(game, seq + 1, last, outcome)))

    for played in range(0, moves, moves // kills):
        observed.stored.clear()
        for game in games:
            play(game, played + 1, played + moves // kills, Committed())
        await observed.stored.wait()
        await kill_connections(pool)
        for _ in games:
            await finished.acquire()
    assert wrong == []
    assert observed.troubles.count("gone") >= kills - 1  # the last may come when all is stored
    for game in games:
        log = await stored_log(pool, game)
        assert [(seq, event) for seq, event, _ in log] == [(seq, moved(seq)) for seq in range(1, moves + 1)]


async def test_batch_committed_before_connection_loss_is_confirmed(
    journal: Journal, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The statement commits, but its result never arrives."""
    stored, taken_over, fresh = await make_games(pool, 3)
    assert journal._statement is not None
    real = journal._statement.fetch
    calls = 0

    class Deaf:
        async def fetch(self, *arguments: object) -> list[asyncpg.Record]:
            nonlocal calls
            calls += 1
            await real(*arguments)
            await pool.execute("UPDATE game SET owner = 'node-b', epoch = 2 WHERE id = $1", taken_over)
            raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    monkeypatch.setattr(journal, "_statement", Deaf())
    outcomes = Outcomes()
    for game, seq in ((stored, 1), (taken_over, 1), (fresh, 2)):
        journal.append(append_of(game, seq, outcomes.of(game)))
    await journal.flush()
    assert calls == 1
    assert outcomes == {stored: Committed(), taken_over: Committed(), fresh: Fenced()}
    assert len(await stored_log(pool, stored)) == 1


async def test_event_of_another_owner_is_not_taken_as_own(
    journal: Journal, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game,) = await make_games(pool, 1)

    class Cut:
        async def fetch(self, *_: object) -> list[asyncpg.Record]:
            await pool.execute("UPDATE game SET owner = 'node-b', epoch = 2, last_seq = 1 WHERE id = $1", game)
            await pool.execute("INSERT INTO event VALUES ($1, 1, 'move', $2)", game, {"ply": 1})
            await pool.execute(
                "UPDATE event SET payload = $2, cause = $3 WHERE game = $1",
                game,
                {"ply": 1, "by": "b", "move": "e2e4", "san": "e4", "position": ""},
                {"user": "anna", "key": f"{game}-1", "request": "move"},
            )
            raise ConnectionResetError

    monkeypatch.setattr(journal, "_statement", Cut())
    assert await outcome_of(journal, append_of(game, 1, ignore)) == Fenced()


async def test_abandoned_statement_that_commits_counts_once(
    journal: Journal, pool: Pool, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.journal.journal.WRITE_TIMEOUT_S", 0.05)
    (game,) = await make_games(pool, 1)
    outcomes: list[Outcome] = []
    blocker = await database.connect(database_url, name="blocker")
    try:
        async with blocker.transaction():
            await blocker.execute("SELECT FROM game WHERE id = $1 FOR UPDATE", game)
            journal.append(append_of(game, 1, outcomes.append))
            await waits_for_lock(pool, backends=3)
            assert journal.oldest_wait_ms() >= 100
            assert journal.stuck_ms() >= 100
        await journal.flush()
    finally:
        await blocker.close()
    assert outcomes == [Committed()]
    assert [seq for seq, _, _ in await stored_log(pool, game)] == [1]


async def test_lock_is_logged_as_stall_and_not_as_lost_database(
    journal: Journal,
    pool: Pool,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("realtime.journal.journal.WRITE_TIMEOUT_S", 0.05)
    (game,) = await make_games(pool, 1)
    blocker = await database.connect(database_url, name="blocker")
    try:
        async with blocker.transaction():
            await blocker.execute("SELECT FROM game WHERE id = $1 FOR UPDATE", game)
            journal.append(append_of(game, 1, ignore))
            await waits_for_lock(pool, backends=2)
    finally:
        await blocker.close()
    await journal.flush()
    told = [record.getMessage() for record in caplog.records if record.name == "realtime.journal.journal"]
    assert told[0] == "the database is stalled (no answer for 0.05 s); 1 appends wait"


async def test_append_waits_while_disk_is_full(
    journal: Journal, pool: Pool, monkeypatch: pytest.MonkeyPatch, observed: Observed
) -> None:
    (game,) = await make_games(pool, 1)
    assert journal._statement is not None
    real = journal._statement.fetch
    tries = 0

    class Full:
        async def fetch(self, *arguments: object) -> list[asyncpg.Record]:
            nonlocal tries
            tries += 1
            if tries < 3:
                raise asyncpg.DiskFullError("could not extend file: No space left on device")
            return await real(*arguments)

    monkeypatch.setattr(journal, "_statement", Full())
    assert await outcome_of(journal, append_of(game, 1, ignore)) == Committed()
    assert observed.troubles == ["stalled", "stalled"]


async def test_close_stores_waiting_appends(database_url: str, pool: Pool) -> None:
    journal = Journal(database_url, NODE)
    await journal.start()
    games = await make_games(pool, 5)
    outcomes: list[Outcome] = []
    for game in games:
        journal.append(append_of(game, 1, outcomes.append))
    await journal.close()
    assert outcomes == [Committed()] * 5
    with pytest.raises(Overloaded):
        journal.append(append_of(games[0], 2, outcomes.append))


async def test_close_fails_appends_after_its_deadline(database_url: str, pool: Pool) -> None:
    journal = Journal(database_url, NODE)
    await journal.start()
    one, two = await make_games(pool, 2)
    outcomes: list[Outcome] = []
    blocker = await database.connect(database_url, name="blocker")
    try:
        async with blocker.transaction():
            await blocker.execute("SELECT FROM game WHERE id = $1 FOR UPDATE", one)
            journal.append(append_of(one, 1, outcomes.append))
            await waits_for_lock(pool)
            journal.append(append_of(two, 1, outcomes.append))
            await journal.close(deadline_s=0.02)
    finally:
        await blocker.close()
    assert [type(outcome) for outcome in outcomes] == [Failed, Failed]
    assert journal.depth == 0


async def test_append_statement_uses_index_lookups(pool: Pool) -> None:
    async with pool.acquire() as connection:
        for name, value in journal_sql.SETTINGS.items():
            await connection.execute("SELECT set_config($1, $2, false)", name, value)
        plan = await connection.fetch("EXPLAIN " + journal_sql.STORE.replace("$1", "'me'").replace("$2", "'[]'"))
        await connection.execute("RESET ALL")
    text = "\n".join(row[0] for row in plan)
    assert "Seq Scan" not in text
    assert "Index Cond: (id = ANY" in text
