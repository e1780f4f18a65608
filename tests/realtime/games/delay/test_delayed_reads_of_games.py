"""Delayed reads of games outside simuls, by seconds and by moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg
import pytest

from game_core.events import ClockReading, ClockSet, Ended, Offered, TakenBack
from game_core.public_delay import PublicDelay
from lobby.accounts.user import User
from lobby.pairing import NewGame
from realtime.games.delay.delayed_reads import as_public, past_of
from realtime.games.delay.exemptions import DelayExemptions
from realtime.games.scores.stored_score import stored_score
from realtime.journal.game_rows import facts_of, find_game, insert_game, live_games
from realtime.people.result_counts import count_results
from realtime.watching.game_lists import GameFilter, list_games
from tests.empty_tables import clear
from tests.realtime.games.delay.test_delayed_reads import DELAY_S, NOW_HIDDEN, NOW_KNOWN, add, ago, row_of, told
from tests.realtime.stored_games import moved

if TYPE_CHECKING:
    from game_core.events import AnyEvent
    from realtime.postgres.database import Pool

WHITE, BLACK, THIRD = (User(name * 8, name * 8, "member") for name in ("Whit", "Blac", "Thrd"))

BACK = TakenBack(1, "")
OFFER = Offered("draw", "offer", "w")
GIFT = ClockSet(ClockReading(1000, 1000), "moretime", "w")


@pytest.fixture(autouse=True)
async def _people(pool: Pool) -> None:
    await clear(pool, "person", "game", "simul")
    for user in (WHITE, BLACK, THIRD):
        await pool.execute("INSERT INTO person (id, name, kind) VALUES ($1, $2, $3)", user.id, user.name, user.kind)


async def a_game(pool: Pool, delay: PublicDelay, *events: AnyEvent, age_s: float = 999, is_over: bool = False) -> str:
    """Its id."""
    new = NewGame(
        id="delayed1", game="chess", variant="standard", profile="online", rated=False, tc=None, fen=None,
        pausable=False, white=WHITE, black=BLACK, delay=delay,
    )  # fmt: skip
    async with pool.acquire() as connection, connection.transaction():
        await insert_game(connection, new, owner="node", epoch=1)
    await pool.execute("UPDATE game SET created_at = $1, status = 'live', plies = 2", ago(9999))
    for number, event in enumerate(events, 1):
        await add(pool, new.id, number, event, age_s)
    if is_over:
        await add(pool, new.id, len(events) + 1, Ended(result="0-1", reason="resignation"), age_s)
        await pool.execute(
            "UPDATE game SET status = 'over', result = '0-1', reason = 'resignation', ended_at = $1, plies = $2",
            ago(age_s),
            len(events),
        )
    return new.id


def moves(count: int) -> list[AnyEvent]:
    return [moved(ply) for ply in range(count)]


@pytest.mark.parametrize("delay", [PublicDelay(), PublicDelay(900), PublicDelay(moves=30)])
async def test_agreed_delay_is_stored(pool: Pool, delay: PublicDelay) -> None:
    row = await row_of(pool, await a_game(pool, delay))
    assert row.setup.delay == delay
    assert row.setup.delay_s == delay.seconds
    assert row.is_hidden == (delay != PublicDelay())
    assert facts_of(row).delay == delay


@pytest.mark.parametrize("wrong", ["delay_s = 901", "delay_moves = 31", "delay_s = 1, delay_moves = 1", "delay_s = -1"])
async def test_invalid_delay_violates_constraint(pool: Pool, wrong: str) -> None:
    await a_game(pool, PublicDelay())
    with pytest.raises(asyncpg.CheckViolationError, match="violates check constraint"):
        await pool.execute(f"UPDATE game SET {wrong}")


class TestBySeconds:
    async def test_delayed_game_is_hidden_from_all_but_its_players(self, pool: Pool) -> None:
        game = await a_game(pool, PublicDelay(DELAY_S), *moves(3), age_s=NOW_HIDDEN, is_over=True)
        for viewer in (None, THIRD):
            assert await told(pool, game, viewer) == ("created", "*", 0, 0)
        for viewer in (WHITE, BLACK):
            assert await told(pool, game, viewer) == ("over", "0-1", 3, None)
        assert (await count_results(pool, WHITE.id))["total"] == 0
        assert await list_games(pool, GameFilter(user=WHITE.id, result="lost")) == []

    async def test_delayed_game_is_public_after_its_delay(self, pool: Pool) -> None:
        game = await a_game(pool, PublicDelay(DELAY_S), *moves(3), age_s=NOW_KNOWN, is_over=True)
        assert await told(pool, game) == ("over", "0-1", 3, None)
        assert (await count_results(pool, WHITE.id))["lost"] == 1


class TestByMoves:
    @pytest.mark.parametrize(
        ("events", "seen"),
        [
            ([], ("created", "*", 0, 0)),
            (moves(4), ("created", "*", 0, 0)),
            (moves(5), ("created", "*", 0, 1)),
            (moves(6), ("live", "*", 2, 2)),
            (moves(9), ("live", "*", 2, 5)),
            ([moved(0), OFFER, GIFT, *moves(5)[1:]], ("created", "*", 0, 3)),
            ([*moves(6), BACK, moved(5), BACK, moved(5)], ("live", "*", 2, 2)),
            ([*moves(6), BACK, moved(5), moved(6), moved(7)], ("live", "*", 2, 4)),
        ],
    )
    async def test_public_row_omits_last_moves(
        self, pool: Pool, events: list[AnyEvent], seen: tuple[str, str, int, int]
    ) -> None:
        game = await a_game(pool, PublicDelay(moves=2), *events, age_s=9999)
        assert await told(pool, game) == seen
        (shown,) = await as_public(pool, [await row_of(pool, game)], THIRD.id)
        score = await stored_score(pool, shown.row, "site", shown.last_seq)
        assert '[Result "*"]' in score
        assert await told(pool, game, BLACK) == ("live", "*", 2, None)

    async def test_finished_game_delayed_by_moves_is_public(self, pool: Pool) -> None:
        game = await a_game(pool, PublicDelay(moves=30), *moves(3), age_s=0, is_over=True)
        assert await told(pool, game) == ("over", "0-1", 3, None)
        assert (await count_results(pool, WHITE.id))["lost"] == 1

    async def test_end_stored_after_read_of_row_is_not_shown(self, pool: Pool) -> None:
        game = await a_game(pool, PublicDelay(moves=1), *moves(3))
        row = await find_game(pool, game)
        assert row is not None
        await add(pool, game, 4, Ended(result="0-1", reason="resignation"), 0)
        (shown,) = await as_public(pool, [row], None)
        assert (shown.row.result, shown.last_seq) == ("*", 1)

    async def test_live_game_delayed_by_moves_is_listed(self, pool: Pool) -> None:
        game = await a_game(pool, PublicDelay(moves=2))
        assert not dict(await live_games(pool))[game].has_delayed_end

    async def test_table_delayed_by_moves_loads_no_ages(self, pool: Pool) -> None:
        game = await a_game(pool, PublicDelay(moves=2), *moves(3))
        past = await past_of(pool, DelayExemptions(pool), (await row_of(pool, game)).setup)
        assert past is not None
        assert past.ages_ms == []


async def test_page_with_both_kinds_of_delay_is_read_at_once(pool: Pool) -> None:
    game = await a_game(pool, PublicDelay(moves=2), *moves(7), age_s=1)
    await pool.execute(
        """
        INSERT INTO game (id, game, variant, profile, rated, speed, status, white, black, delay_s, created_at)
        VALUES ('delayed2', 'chess', 'standard', 'online', false, 'unlimited', 'live', $1, $2, $3, $4)
        """,
        BLACK.id,
        THIRD.id,
        DELAY_S,
        ago(NOW_HIDDEN),
    )
    rows = await list_games(pool)
    assert len(rows) == 2
    assert [(one.row.setup.id, one.last_seq) for one in await as_public(pool, rows, None)] == [(game, 3)]
    assert [one.row.setup.id for one in await as_public(pool, rows, THIRD.id)] == ["delayed2", game]
