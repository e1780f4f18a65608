"""The journal on a real PostgreSQL: durable, in order and fenced."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from game_core.events import ClockReading, ClockSet, Ended, Moved, Offered, TakenBack
from realtime.journal.appends import Committed, Failed, Fenced, GameSummary, Outcome
from realtime.postgres import database
from realtime.protocol.errors import Overloaded
from tests.realtime.journal_harness import Observed, Outcomes, ignore, journal, observed, outcome_of, waits_for_lock
from tests.realtime.stored_games import NODE, append_of, make_games, moved, stored_log

if TYPE_CHECKING:
    import asyncpg

    from realtime.journal.journal import Journal
    from realtime.postgres.database import Pool


__all__ = ["journal", "observed"]  # fixtures of the tests below


# What is stored


async def test_events_round_trip(journal: Journal, pool: Pool, observed: Observed) -> None:
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


async def test_game_row_is_updated_from_the_summary(journal: Journal, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, status="created")
    query = "SELECT status, plies, result, reason, ended_at IS NOT NULL AS ended, last_seq FROM game WHERE id = $1"
    await outcome_of(journal, append_of(game, 1, ignore, summary=GameSummary(status="live", plies=1)))
    assert tuple(await pool.fetchrow(query, game) or ()) == ("live", 1, "*", None, False, 1)
    over = GameSummary(status="over", plies=2, result="0-1", reason="timeout")
    await outcome_of(journal, append_of(game, 2, ignore, moved(2), Ended("0-1", "timeout"), summary=over))
    assert tuple(await pool.fetchrow(query, game) or ()) == ("over", 2, "0-1", "timeout", True, 3)
    await outcome_of(journal, append_of(game, 4, ignore))
    assert tuple(await pool.fetchrow(query, game) or ()) == ("over", 2, "0-1", "timeout", True, 4)


async def test_idle_journal_holds_no_transaction(journal: Journal, pool: Pool) -> None:
    query = "SELECT state, xact_start FROM pg_stat_activity WHERE application_name = $1"
    assert [tuple(row) for row in await pool.fetch(query, f"zeitnot journal {NODE}")] == [("idle", None)]


async def test_gathered_appends_form_one_batch_answered_in_order(
    journal: Journal, pool: Pool, observed: Observed
) -> None:
    games = await make_games(pool, 40)
    outcomes = Outcomes()
    for game in reversed(games):
        journal.append(append_of(game, 1, outcomes.of(game)))
    assert journal.depth == 40
    await journal.flush()
    assert list(outcomes) == games[::-1]
    assert observed.rows == [40]
    assert journal.depth == 0


async def test_batch_has_at_most_500_rows(journal: Journal, pool: Pool, observed: Observed) -> None:
    games = await make_games(pool, 501)
    for game in games:
        journal.append(append_of(game, 1, ignore))
    await journal.flush()
    assert observed.rows == [500, 1]


async def test_long_queue_is_not_a_stall(journal: Journal, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realtime.journal.journal.MAX_BATCH_ROWS", 1)
    games = await make_games(pool, 3)
    told: list[tuple[int, int]] = []
    assert journal._statement is not None
    real = journal._statement.fetch

    class Slow:
        """Takes five seconds a batch, by the clock of the test."""

        now_s = 0.0
        call_later = journal._loop.call_later

        def time(self) -> float:
            return self.now_s

        async def fetch(self, *args: Any) -> list[asyncpg.Record]:
            told.append((journal.oldest_wait_ms(), journal.stuck_ms()))
            self.now_s += 5.0
            return await real(*args)

    slow = Slow()
    monkeypatch.setattr(journal, "_loop", slow)
    monkeypatch.setattr(journal, "_statement", slow)
    for game in games:
        journal.append(append_of(game, 1, ignore))
    await journal.flush()
    assert told == [(0, 0), (5000, 0), (10000, 0)]


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
async def test_append_with_wrong_seq_epoch_or_owner_is_fenced(
    journal: Journal, pool: Pool, seq: int, epoch: int, owner: str | None
) -> None:
    (game,) = await make_games(pool, 1, owner=owner)
    assert await outcome_of(journal, append_of(game, seq, ignore, epoch=epoch)) == Fenced()
    assert await stored_log(pool, game) == []


async def test_same_seq_is_stored_once(journal: Journal, pool: Pool) -> None:
    (game,) = await make_games(pool, 1)
    assert await outcome_of(journal, append_of(game, 1, ignore)) == Committed()
    assert await outcome_of(journal, append_of(game, 1, ignore, moved(9))) == Fenced()
    assert [event for _, event, _ in await stored_log(pool, game)] == [moved(1)]


async def test_append_to_unknown_game_is_fenced(journal: Journal) -> None:
    assert await outcome_of(journal, append_of("nowhere", 1, ignore)) == Fenced()


async def test_fenced_append_does_not_block_others(journal: Journal, pool: Pool) -> None:
    ours, theirs = await make_games(pool, 1), await make_games(pool, 1, owner="node-b")
    outcomes = Outcomes()
    for game in (*ours, *theirs):
        journal.append(append_of(game, 1, outcomes.of(game)))
    await journal.flush()
    assert outcomes == {ours[0]: Committed(), theirs[0]: Fenced()}


async def test_takeover_during_waiting_append_fences_it(journal: Journal, pool: Pool, database_url: str) -> None:
    """A plain INSERT … SELECT … WHERE epoch = … would read the old epoch and write."""
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


# Faults of the data and of the callers


@pytest.mark.parametrize("count", [1, 2, 7])
async def test_data_refused_by_database_fails_its_own_game_only(
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


async def test_unencodable_data_fails_its_own_game_only(journal: Journal, pool: Pool) -> None:
    good, bad = await make_games(pool, 2)
    answer = asyncio.get_running_loop().create_future()
    journal.append(append_of(bad, 1, answer.set_result, Offered(what="draw", do="offer", by="w", next="\ud800")))
    assert await outcome_of(journal, append_of(good, 1, ignore)) == Committed()
    assert isinstance(await answer, Failed)


async def test_failing_callback_does_not_affect_others(
    journal: Journal, pool: Pool, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = await make_games(pool, 2)

    def broken(_: Outcome) -> None:
        raise ZeroDivisionError

    journal.append(append_of(one, 1, broken))
    assert await outcome_of(journal, append_of(two, 1, ignore)) == Committed()
    assert await outcome_of(journal, append_of(one, 2, ignore)) == Committed()
    assert "a callback after an append failed" in caplog.text


async def test_callback_may_append(journal: Journal, pool: Pool) -> None:
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


async def test_full_queue_refuses_appends(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realtime.journal.journal.MAX_WAITING", 2)
    outcomes: list[Outcome] = []
    journal.append(append_of("a", 1, outcomes.append))
    journal.append(append_of("b", 1, outcomes.append))
    with pytest.raises(Overloaded):
        journal.append(append_of("c", 1, outcomes.append))
    await journal.flush()
    assert outcomes == [Fenced(), Fenced()]
