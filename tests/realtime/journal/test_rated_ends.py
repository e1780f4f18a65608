"""End of a rated game: stored with the new ratings, exactly once, under faults."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from game_core.events import Ended
from lobby.ratings.rating_store import leaders
from lobby.ratings.ratings import NEW, SCORES, play
from realtime.journal import rated_ends, rated_transaction
from realtime.journal.appends import Failed, Fenced, Outcome
from realtime.journal.rated_ends import RatedEnds
from realtime.journal.rated_transaction import Rated
from realtime.journal.recomputation import check
from realtime.postgres import database
from realtime.protocol.errors import Overloaded
from tests.realtime.rated_harness import end_of, ended, make_member, make_rated_game, rating_of
from tests.realtime.stored_games import NODE, stored_log
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from game_core.events import Result
    from realtime.postgres.database import Pool, Trouble

BACKENDS = f"zeitnot rated ends {NODE}"


class Observed:
    def __init__(self) -> None:
        self.stored = 0
        self.troubles: list[Trouble | None] = []

    def rated_end_stored(self, *, took_s: float) -> None:
        assert took_s >= 0
        self.stored += 1

    def batch_failed(self, trouble: Trouble | None) -> None:
        self.troubles.append(trouble)


@pytest.fixture
def observed() -> Observed:
    return Observed()


@pytest.fixture
async def ends(database_url: str, observed: Observed) -> AsyncIterator[RatedEnds]:
    ends = RatedEnds(database_url, NODE, observed)
    ends.start()
    yield ends
    await ends.close()


async def counted(pool: Pool, game: str) -> int:
    count: int = await pool.fetchval("SELECT count(*) FROM rated_game WHERE game = $1", game)
    return count


async def test_end_is_stored_with_new_ratings(ends: RatedEnds, pool: Pool, observed: Observed) -> None:
    white, black = await make_member(pool), await make_member(pool)
    game = await make_rated_game(pool, white, black)
    outcome = await ended(ends, partial(end_of, game, "1-0", mate=True))
    assert isinstance(outcome, Rated)
    end = outcome.events[-1]
    assert isinstance(end, Ended)
    assert end.ratings == {"w": 1662, "b": 1338}

    log = await stored_log(pool, game)
    assert [(seq, event) for seq, event, _ in log] == list(enumerate(outcome.events, 1))
    assert [cause and cause.key for _, _, cause in log] == [f"{game}-end", None]
    row: Any = await pool.fetchrow("SELECT * FROM game WHERE id = $1", game)
    assert (row["status"], row["result"], row["reason"], row["plies"], row["last_seq"]) == (
        "over", "1-0", "checkmate", 20, 2
    )  # fmt: skip
    first, second = play(NEW, NEW, 1.0, row["ended_at"])
    assert (await rating_of(pool, white), await rating_of(pool, black)) == (first, second)
    marks = await pool.fetch("SELECT * FROM rated_game WHERE game = $1 ORDER BY rating DESC", game)
    assert [(mark["person"], mark["perf"], mark["at"]) for mark in marks] == [
        (white, "blitz", row["ended_at"]),
        (black, "blitz", row["ended_at"]),
    ]
    assert [(m["rating_before"], m["deviation_before"], m["volatility_before"]) for m in marks] == [
        (1500, 350, 0.06)
    ] * 2
    assert [m["rating"] for m in marks] == [first.rating, second.rating]
    assert observed.stored == 1
    assert (ends.depth, ends.oldest_wait_ms(), ends.stuck_ms()) == (0, 0, 0)


async def test_each_perf_has_its_own_rating(ends: RatedEnds, pool: Pool) -> None:
    white, black = await make_member(pool), await make_member(pool)
    for variant, tc, perf in (
        ("standard", {"base_s": 60, "inc_s": 0}, "bullet"),
        ("chess960", {"days": 2}, "chess960-correspondence"),
    ):
        game = await make_rated_game(pool, white, black, variant=variant, tc=tc)
        await ended(ends, partial(end_of, game, "0-1"))
        rating = await rating_of(pool, white, perf)
        assert rating is not None
        assert rating.games == 1


@pytest.mark.parametrize("host", ["w", "b"])
async def test_simul_board_is_rated_by_time_of_participant(
    ends: RatedEnds, pool: Pool, database_url: str, host: str
) -> None:
    white, black = await make_member(pool), await make_member(pool)
    game = await make_rated_game(pool, white, black)
    await pool.execute("INSERT INTO simul (id, host, name, setup) VALUES ($1, $2, 'Friday', '{}')", game, white)
    minute, hour = {"base_s": 60, "inc_s": 0}, {"base_s": 3600, "inc_s": 0}
    await pool.execute(
        "UPDATE game SET tc = $2, black_tc = $3, simul = id, board = 1, exhibition = $4 WHERE id = $1",
        game,
        *((hour, minute) if host == "w" else (minute, hour)),
        {"host": host},
    )
    await ended(ends, partial(end_of, game, "0-1"))
    assert await rating_of(pool, white, "bullet") is not None
    assert await rating_of(pool, white, "classical") is None
    connection = await database.connect(database_url, name="test")
    report = await check(connection)
    await connection.close()
    assert not [line for line in report.lines(written=False) if game in line]


async def test_rated_game_updates_the_leaderboard(ends: RatedEnds, pool: Pool) -> None:
    member, bot, closed = await make_member(pool), await make_member(pool, kind="bot"), await make_member(pool)
    unsure = await make_member(pool)
    await pool.execute("UPDATE person SET closed_at = now() WHERE id = $1", closed)
    for person in (member, bot, closed):
        await pool.execute("INSERT INTO rating VALUES ($1, 'blitz', 1800, 70, 0.06, 40, now(), false)", person)
    for white, black in ((member, bot), (closed, unsure)):
        await ended(ends, partial(end_of, await make_rated_game(pool, white, black), "1/2-1/2"))
    listed = await pool.fetch(
        "SELECT person FROM rating WHERE listed AND person = ANY ($1)", [member, bot, closed, unsure]
    )
    assert [row["person"] for row in listed] == [member]
    assert member in [line["user"]["id"] for line in await leaders(pool, "blitz")]


async def test_games_of_one_player_are_rated_in_order(ends: RatedEnds, pool: Pool) -> None:
    """All games end at the same time: the ratings are as if they had been played in the order of their ends."""
    people = [await make_member(pool) for _ in range(6)]
    pairs = [(white, black) for white in people for black in people if white != black]
    chance = random.Random(3)
    results: tuple[Result, ...] = ("1-0", "0-1", "1/2-1/2")
    games = {await make_rated_game(pool, *pair): (*pair, chance.choice(results)) for pair in pairs}
    outcomes = await asyncio.gather(*(ended(ends, partial(end_of, game, facts[2])) for game, facts in games.items()))
    assert all(isinstance(outcome, Rated) for outcome in outcomes)

    rows = await pool.fetch("SELECT id, ended_at FROM game WHERE id = ANY ($1) ORDER BY ended_at, id", list(games))
    ratings = dict.fromkeys(people, NEW)
    last: dict[str, Any] = {}
    for row in rows:
        white, black, result = games[row["id"]]
        for person in (white, black):
            assert last.get(person) != row["ended_at"], "two games of one person ended at the same instant"
            last[person] = row["ended_at"]
        ratings[white], ratings[black] = play(ratings[white], ratings[black], SCORES[result], row["ended_at"])
    for person in people:
        assert await rating_of(pool, person) == ratings[person]


async def test_rating_instants_increase_after_clock_was_set_back(ends: RatedEnds, pool: Pool) -> None:
    white, black = await make_member(pool), await make_member(pool)
    await ended(ends, partial(end_of, await make_rated_game(pool, white, black), "1-0"))
    await pool.execute("UPDATE rating SET last_at = now() + interval '1 hour' WHERE person = $1", black)
    ahead = await pool.fetchval("SELECT last_at FROM rating WHERE person = $1", black)
    game = await make_rated_game(pool, white, black)
    await ended(ends, partial(end_of, game, "1-0"))
    assert (await pool.fetchval("SELECT ended_at FROM game WHERE id = $1", game) - ahead).microseconds == 1


async def test_game_of_another_node_is_fenced_and_not_rated(ends: RatedEnds, pool: Pool) -> None:
    white, black = await make_member(pool), await make_member(pool)
    foreign = await make_rated_game(pool, white, black, owner="node-b")
    ours = await make_rated_game(pool, white, black)
    assert await ended(ends, partial(end_of, foreign, "1-0")) == Fenced()
    assert await ended(ends, partial(end_of, ours, "1-0", epoch=2)) == Fenced()
    assert await ended(ends, partial(end_of, ours, "1-0", first_seq=2)) == Fenced()
    assert await rating_of(pool, white) is None
    assert await stored_log(pool, ours) == []


async def test_repeated_end_counts_once(ends: RatedEnds, pool: Pool) -> None:
    white, black = await make_member(pool), await make_member(pool)
    game = await make_rated_game(pool, white, black)
    both = await asyncio.gather(*(ended(ends, partial(end_of, game, "1-0")) for _ in range(2)))
    assert sorted(type(outcome).__name__ for outcome in both) == ["Fenced", "Rated"]
    rating = await rating_of(pool, white)
    assert rating is not None
    assert rating.games == 1


@pytest.mark.usefixtures("no_pair_limit")
async def test_every_end_counts_once_under_connection_losses(ends: RatedEnds, pool: Pool, observed: Observed) -> None:
    people = [await make_member(pool) for _ in range(8)]
    chance = random.Random(7)
    games = [await make_rated_game(pool, *chance.sample(people, 2)) for _ in range(300)]

    async def kill() -> None:
        while True:
            await pool.fetchval(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1", BACKENDS
            )
            seen = observed.stored + chance.randint(1, 12)
            await until(lambda seen=seen: observed.stored >= seen)

    killing = asyncio.create_task(kill())
    outcomes = await asyncio.gather(*(ended(ends, partial(end_of, game, "1-0", mate=True)) for game in games))
    killing.cancel()
    assert all(isinstance(outcome, Rated) for outcome in outcomes)
    assert "gone" in observed.troubles
    told = {
        game: outcome.events[-1] for game, outcome in zip(games, outcomes, strict=True) if isinstance(outcome, Rated)
    }
    for game in games:
        assert await counted(pool, game) == 2
        assert [event for _, event, _ in await stored_log(pool, game)][-1] == told[game]
    total = await pool.fetchval("SELECT sum(games) FROM rating WHERE person = ANY ($1)", people)
    assert total == 2 * len(games)


async def test_end_with_commit_in_doubt_is_published_as_stored(
    ends: RatedEnds, pool: Pool, observed: Observed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit: tried again, it must not count twice, nor be called fenced."""
    white, black = await make_member(pool), await make_member(pool)
    game = await make_rated_game(pool, white, black)
    real = rated_transaction.end_rated
    tries = 0

    async def commit_and_break(connection: Any, *arguments: Any) -> Outcome:
        nonlocal tries
        tries += 1
        outcome = await real(connection, *arguments)
        if tries == 1:
            connection.terminate()
            raise ConnectionResetError("after the commit")
        return outcome

    monkeypatch.setattr(rated_ends, "end_rated", commit_and_break)
    outcome = await ended(ends, partial(end_of, game, "1-0", mate=True))
    assert tries == 2
    assert isinstance(outcome, Rated)
    assert [event for _, event, _ in await stored_log(pool, game)] == list(outcome.events)
    rating = await rating_of(pool, white)
    assert rating is not None
    assert rating.games == 1


async def test_deadlock_is_retried(ends: RatedEnds, pool: Pool, observed: Observed) -> None:
    """The server always locks ratings in the same order; a session in psql may not."""
    one, two = sorted([await make_member(pool), await make_member(pool)])
    await ended(ends, partial(end_of, await make_rated_game(pool, one, two), "1-0"))
    game = await make_rated_game(pool, one, two)
    lock = "SELECT FROM rating WHERE person = $1 FOR UPDATE"
    async with pool.acquire() as stranger:
        transaction = stranger.transaction()
        await transaction.start()
        await stranger.execute("SET LOCAL deadlock_timeout = '30s'")  # the other session gets the error
        await stranger.execute(lock, two)
        ending = asyncio.create_task(ended(ends, partial(end_of, game, "1-0")))
        await waits_for_lock(pool)
        await stranger.execute(lock, one)
        await transaction.rollback()
    assert isinstance(await ending, Rated)
    assert observed.troubles == ["stalled"]
    assert await counted(pool, game) == 2


async def waits_for_lock(pool: Pool) -> None:
    query = "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'"
    await until(lambda: pool.fetchval(query, BACKENDS))


async def test_stall_is_detected_and_ends_by_itself(ends: RatedEnds, pool: Pool) -> None:
    white, black = await make_member(pool), await make_member(pool)
    await ended(ends, partial(end_of, await make_rated_game(pool, white, black), "1-0"))
    game = await make_rated_game(pool, white, black)
    async with pool.acquire() as stranger, stranger.transaction():
        await stranger.execute("SELECT FROM rating WHERE person = $1 FOR UPDATE", white)
        ending = asyncio.create_task(ended(ends, partial(end_of, game, "1-0")))
        await waits_for_lock(pool)
        await until(lambda: ends.stuck_ms() > 20)
        assert ends.oldest_wait_ms() >= ends.stuck_ms()
        assert ends.depth == 1
        assert await counted(pool, game) == 0
    assert isinstance(await ending, Rated)


async def test_end_waiting_for_a_lock_does_not_block_others(ends: RatedEnds, pool: Pool) -> None:
    people = [await make_member(pool) for _ in range(4)]
    await ended(ends, partial(end_of, await make_rated_game(pool, *people[:2]), "1-0"))
    game = await make_rated_game(pool, *people[:2])
    async with pool.acquire() as stranger, stranger.transaction():
        await stranger.execute("SELECT FROM rating WHERE person = $1 FOR UPDATE", people[0])
        ending = asyncio.create_task(ended(ends, partial(end_of, game, "1-0")))
        await waits_for_lock(pool)
        assert isinstance(await ended(ends, partial(end_of, await make_rated_game(pool, *people[2:]), "1-0")), Rated)
    await ending


async def test_unstorable_end_fails_alone(ends: RatedEnds, pool: Pool, observed: Observed) -> None:
    white, black = await make_member(pool), await make_member(pool)
    broken, sound = [await make_rated_game(pool, white, black) for _ in range(2)]
    await pool.execute("INSERT INTO event (game, seq, kind, payload) VALUES ($1, 1, 'move', '{}')", broken)
    outcome = await ended(ends, partial(end_of, broken, "1-0"))
    assert isinstance(outcome, Failed)
    assert observed.troubles == [None]
    assert isinstance(await ended(ends, partial(end_of, sound, "1-0")), Rated)
    rating = await rating_of(pool, white)
    assert rating is not None
    assert rating.games == 1


async def test_close_stores_waiting_ends_and_refuses_new_ones(
    database_url: str, pool: Pool, observed: Observed
) -> None:
    ends = RatedEnds(database_url, NODE, observed)
    ends.start()
    white, black = await make_member(pool), await make_member(pool)
    games = [await make_rated_game(pool, white, black) for _ in range(10)]
    waiting = [asyncio.create_task(ended(ends, partial(end_of, game, "1-0"))) for game in games]
    await until(lambda: ends.depth == len(games))
    await ends.close()
    assert all(isinstance(outcome, Rated) for outcome in await asyncio.gather(*waiting))
    with pytest.raises(Overloaded):
        ends.append(end_of(games[0], "1-0", lambda _: None))


async def test_close_does_not_wait_for_hanging_database(database_url: str, pool: Pool, observed: Observed) -> None:
    ends = RatedEnds(database_url, NODE, observed)
    ends.start()
    white, black = await make_member(pool), await make_member(pool)
    await ended(ends, partial(end_of, await make_rated_game(pool, white, black), "1-0"))
    game = await make_rated_game(pool, white, black)
    async with pool.acquire() as stranger, stranger.transaction():
        await stranger.execute("SELECT FROM rating WHERE person = $1 FOR UPDATE", white)
        ending = asyncio.create_task(ended(ends, partial(end_of, game, "1-0")))
        await waits_for_lock(pool)
        await ends.close(deadline_s=0.05)
        assert isinstance(await ending, Failed)
    await until(
        lambda: pool.fetchval("SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = $1", BACKENDS)
    )
    assert await counted(pool, game) == 0
