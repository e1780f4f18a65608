"""The journal on a real PostgreSQL: durable, in order, fenced, and exact when its connection dies."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import asyncpg
import pytest

from game_core.events import ClockReading, ClockSet, Ended, Moved, Offered, TakenBack
from realtime import database, journal_sql
from realtime.appends import Committed, Failed, Fenced, Outcome, Summary
from realtime.errors import Overloaded
from realtime.journal import Journal
from tests.realtime.stored_games import NODE, append_of, make_games, moved, stored_log
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from realtime.appends import Append
    from realtime.database import Pool, Trouble


class Observed:
    """What the journal tells its observer."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.troubles: list[Trouble | None] = []
        self.stored = asyncio.Event()

    def batch_stored(self, *, rows: int, waited_s: float, took_s: float) -> None:
        assert took_s >= 0
        assert waited_s >= 0
        self.rows.append(rows)
        self.stored.set()

    def batch_failed(self, trouble: Trouble | None) -> None:
        self.troubles.append(trouble)


@pytest.fixture
def observed() -> Observed:
    return Observed()


@pytest.fixture
async def journal(database_url: str, observed: Observed) -> AsyncIterator[Journal]:
    journal = Journal(database_url, NODE, observed)
    await journal.start()
    yield journal
    await journal.close()


class Outcomes(dict[str, Outcome]):
    """Answers by game, in the order in which they came."""

    def of(self, game: str) -> Callable[[Outcome], None]:
        """The callback of ``game``'s append."""
        return lambda outcome: self.update({game: outcome})


async def outcome_of(journal: Journal, append: Append) -> Outcome:
    """The answer to ``append``, whose own callback is not used."""
    answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    journal.append(
        type(append)(
            append.game,
            append.epoch,
            append.first_seq,
            append.events,
            append.cause,
            answer.set_result,
            append.summary,
        )
    )
    return await answer


def ignore(_: Outcome) -> None:
    pass


# What is stored


async def test_events_are_stored_as_they_were_given(journal: Journal, pool: Pool, observed: Observed) -> None:
    (game,) = await make_games(pool, 1)
    clock = ClockReading(w=1, b=2, run="b", period=(0, 1), moves=(3, 4), held="why", spent=5)
    events = (
        Moved(ply=0, by="w", move="a", san="b", position="ü♟\"'\\", check=True, clock=clock, draw=True, spent_ms=7),
        Offered(what="rematch", do="accept", by="b", next="other"),
        TakenBack(plies=2, position="p"),
        ClockSet(clock=clock, why="moretime", by="w"),
        Ended(result="1/2-1/2", reason="agreement", ratings={"w": 1500, "b": 1498}),
    )
    append = append_of(game, 1, ignore, *events)
    assert await outcome_of(journal, append) == Committed()
    assert observed.rows == [5]
    stored = await stored_log(pool, game)
    assert stored == [(seq, event, append.cause if seq == 1 else None) for seq, event in enumerate(events, 1)]


async def test_the_row_of_the_game_follows_the_summary(journal: Journal, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, status="created")
    query = "SELECT status, plies, result, reason, ended_at IS NOT NULL AS ended, last_seq FROM game WHERE id = $1"
    await outcome_of(journal, append_of(game, 1, ignore, summary=Summary(status="live", plies=1)))
    assert tuple(await pool.fetchrow(query, game) or ()) == ("live", 1, "*", None, False, 1)
    over = Summary(status="over", plies=2, result="0-1", reason="timeout")
    await outcome_of(journal, append_of(game, 2, ignore, moved(2), Ended("0-1", "timeout"), summary=over))
    assert tuple(await pool.fetchrow(query, game) or ()) == ("over", 2, "0-1", "timeout", True, 3)
    await outcome_of(journal, append_of(game, 4, ignore))
    assert tuple(await pool.fetchrow(query, game) or ()) == ("over", 2, "0-1", "timeout", True, 4)


async def test_what_gathers_is_one_batch_answered_in_order(journal: Journal, pool: Pool, observed: Observed) -> None:
    games = await make_games(pool, 40)
    outcomes = Outcomes()
    for game in reversed(games):
        journal.append(append_of(game, 1, outcomes.of(game)))
    assert journal.depth == 40
    await journal.flush()
    assert list(outcomes) == games[::-1]
    assert observed.rows == [40]
    assert journal.depth == 0


async def test_a_batch_holds_at_most_500_rows(journal: Journal, pool: Pool, observed: Observed) -> None:
    games = await make_games(pool, 501)
    for game in games:
        journal.append(append_of(game, 1, ignore))
    await journal.flush()
    assert observed.rows == [500, 1]


async def test_appends_of_one_game_keep_their_order(journal: Journal, pool: Pool, observed: Observed) -> None:
    one, two = await make_games(pool, 2)
    for seq in (1, 2, 3):
        journal.append(append_of(one, seq, ignore))
    journal.append(append_of(two, 1, ignore))
    await journal.flush()
    assert [seq for seq, _, _ in await stored_log(pool, one)] == [1, 2, 3]
    assert observed.rows == [2, 1, 1]


# Who may append


@pytest.mark.parametrize(
    ("seq", "epoch", "owner"),
    [(2, 1, NODE), (1, 2, NODE), (1, 0, NODE), (1, 1, "node-b"), (1, 1, None)],
    ids=["gap", "later epoch", "earlier epoch", "owned by another", "owned by nobody"],
)
async def test_an_append_that_does_not_fit_is_fenced(
    journal: Journal, pool: Pool, seq: int, epoch: int, owner: str | None
) -> None:
    (game,) = await make_games(pool, 1, owner=owner)
    assert await outcome_of(journal, append_of(game, seq, ignore, epoch=epoch)) == Fenced()
    assert await stored_log(pool, game) == []


async def test_the_same_seq_is_stored_once(journal: Journal, pool: Pool) -> None:
    (game,) = await make_games(pool, 1)
    assert await outcome_of(journal, append_of(game, 1, ignore)) == Committed()
    assert await outcome_of(journal, append_of(game, 1, ignore, moved(9))) == Fenced()
    assert [event for _, event, _ in await stored_log(pool, game)] == [moved(1)]


async def test_an_unknown_game_is_fenced(journal: Journal) -> None:
    assert await outcome_of(journal, append_of("nowhere", 1, ignore)) == Fenced()


async def test_fenced_games_do_not_hold_up_the_others(journal: Journal, pool: Pool) -> None:
    ours, theirs = await make_games(pool, 1), await make_games(pool, 1, owner="node-b")
    outcomes = Outcomes()
    for game in (*ours, *theirs):
        journal.append(append_of(game, 1, outcomes.of(game)))
    await journal.flush()
    assert outcomes == {ours[0]: Committed(), theirs[0]: Fenced()}


async def test_a_takeover_that_commits_while_an_append_waits_fences_it(
    journal: Journal, pool: Pool, database_url: str
) -> None:
    """The leak of a plain INSERT … SELECT … WHERE epoch = …: it would have read the old epoch and written."""
    games = await make_games(pool, 3)
    outcomes = Outcomes()
    other = await database.connect(database_url, name="other node")
    try:
        async with other.transaction():
            await other.execute("UPDATE game SET owner = 'node-b', epoch = epoch + 1 WHERE id = $1", games[1])
            for game in games:
                journal.append(append_of(game, 1, outcomes.of(game)))
            await waits_for_lock(pool)
            assert outcomes == {}
        await journal.flush()
    finally:
        await other.close()
    assert outcomes == {games[0]: Committed(), games[1]: Fenced(), games[2]: Committed()}
    assert await stored_log(pool, games[1]) == []
    assert await pool.fetchval("SELECT last_seq FROM game WHERE id = $1", games[1]) == 0


async def waits_for_lock(pool: Pool, backends: int = 1) -> None:
    """Until as many of the journal's backends wait for somebody's lock."""
    query = "SELECT count(*) >= $2 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'"
    await until(lambda: pool.fetchval(query, f"zeitnot journal {NODE}", backends))


# Faults of the data and of the callers


@pytest.mark.parametrize("count", [1, 2, 7])
async def test_data_that_the_database_refuses_fails_its_own_game_alone(
    journal: Journal, pool: Pool, count: int, observed: Observed
) -> None:
    games = await make_games(pool, count)
    bad = games[count // 2]
    outcomes = Outcomes()
    for game in games:
        events = (Offered(what="draw", do="offer", by="w", next="\0"),) if game == bad else (moved(1),)
        journal.append(append_of(game, 1, outcomes.of(game), *events))
    await journal.flush()
    refused = outcomes.pop(bad)
    assert isinstance(refused, Failed)
    assert "Unicode" in refused.reason
    assert set(outcomes.values()) <= {Committed()}
    assert len(outcomes) == count - 1
    assert set(observed.troubles) == {None}
    assert await outcome_of(journal, append_of(bad, 1, ignore)) == Committed()


async def test_data_that_cannot_be_encoded_fails_its_own_game_alone(journal: Journal, pool: Pool) -> None:
    good, bad = await make_games(pool, 2)
    answer = asyncio.get_running_loop().create_future()
    journal.append(append_of(bad, 1, answer.set_result, Offered(what="draw", do="offer", by="w", next="\ud800")))
    assert await outcome_of(journal, append_of(good, 1, ignore)) == Committed()
    assert isinstance(await answer, Failed)


async def test_a_callback_that_raises_harms_nobody(
    journal: Journal, pool: Pool, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = await make_games(pool, 2)

    def broken(_: Outcome) -> None:
        raise ZeroDivisionError

    journal.append(append_of(one, 1, broken))
    assert await outcome_of(journal, append_of(two, 1, ignore)) == Committed()
    assert await outcome_of(journal, append_of(one, 2, ignore)) == Committed()
    assert "what follows an append failed" in caplog.text


async def test_a_callback_may_append(journal: Journal, pool: Pool) -> None:
    (game,) = await make_games(pool, 1)
    finished = asyncio.Event()

    def play(seq: int) -> None:
        if seq > 20:
            finished.set()
        else:
            journal.append(append_of(game, seq, lambda _: play(seq + 1)))

    play(1)
    await finished.wait()
    assert len(await stored_log(pool, game)) == 20


async def test_a_full_queue_refuses(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realtime.journal.MAX_WAITING", 2)
    outcomes: list[Outcome] = []
    journal.append(append_of("a", 1, outcomes.append))
    journal.append(append_of("b", 1, outcomes.append))
    with pytest.raises(Overloaded):
        journal.append(append_of("c", 1, outcomes.append))
    await journal.flush()
    assert outcomes == [Fenced(), Fenced()]


# Lost connections and stalls


async def kill_connections(pool: Pool) -> int:
    """Terminate the journal's backends; how many there were."""
    count: int = await pool.fetchval(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1",
        f"zeitnot journal {NODE}",
    )
    return count


async def test_nothing_is_lost_or_doubled_when_the_connection_dies_all_the_time(
    journal: Journal, pool: Pool, observed: Observed
) -> None:
    games = await make_games(pool, 60)
    moves = 40
    wrong: list[Outcome] = []
    finished = asyncio.Semaphore(0)

    def play(game: str, seq: int, outcome: Outcome) -> None:
        if not isinstance(outcome, Committed):
            wrong.append(outcome)
        if seq > moves or wrong:
            finished.release()
        else:
            journal.append(append_of(game, seq, lambda outcome: play(game, seq + 1, outcome)))

    for game in games:
        play(game, 1, Committed())

    async def kill() -> None:
        while True:
            await observed.stored.wait()
            observed.stored.clear()
            await kill_connections(pool)

    killer = asyncio.create_task(kill())
    for _ in games:
        await finished.acquire()
    killer.cancel()
    await asyncio.gather(killer, return_exceptions=True)
    assert wrong == []
    assert observed.troubles.count("gone") > 5
    for game in games:
        log = await stored_log(pool, game)
        assert [(seq, event) for seq, event, _ in log] == [(seq, moved(seq)) for seq in range(1, moves + 1)]


async def test_a_batch_that_was_committed_before_the_connection_died_is_answered_so(
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


async def test_another_owners_event_at_the_same_place_is_not_taken_for_ours(
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


async def test_a_statement_that_is_given_up_and_yet_commits_later_counts_once(
    journal: Journal, pool: Pool, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.journal.WRITE_TIMEOUT_S", 0.05)
    (game,) = await make_games(pool, 1)
    outcomes: list[Outcome] = []
    blocker = await database.connect(database_url, name="blocker")
    try:
        async with blocker.transaction():
            await blocker.execute("SELECT FROM game WHERE id = $1 FOR UPDATE", game)
            journal.append(append_of(game, 1, outcomes.append))
            await waits_for_lock(pool, backends=3)
            assert journal.oldest_wait_ms() >= 100
        await journal.flush()
    finally:
        await blocker.close()
    assert outcomes == [Committed()]
    assert [seq for seq, _, _ in await stored_log(pool, game)] == [1]


async def test_a_full_disk_is_waited_for(
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


async def test_closing_stores_what_waits(database_url: str, pool: Pool) -> None:
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


async def test_closing_fails_what_the_database_does_not_take_in_time(database_url: str, pool: Pool) -> None:
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


async def test_the_statement_looks_up_games_one_by_one_whatever_the_size_of_the_table(pool: Pool) -> None:
    async with pool.acquire() as connection:
        for name, value in journal_sql.SETTINGS.items():
            await connection.execute("SELECT set_config($1, $2, false)", name, value)
        plan = await connection.fetch("EXPLAIN " + journal_sql.STORE.replace("$1", "'me'").replace("$2", "'[]'"))
        await connection.execute("RESET ALL")
    text = "\n".join(row[0] for row in plan)
    assert "Seq Scan" not in text
    assert "Index Cond: (id = ANY" in text
