"""Rows of simul boards: the stored game equals what was agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg
import pytest

from game_core.host_control import move_control
from game_core.simul_board import SimulBoard
from game_core.time_control import Period, TimeControl
from lobby.accounts.identity import create_guest
from lobby.pairing import NewGame
from realtime.journal.game_rows import facts_of, find_game, insert_game, setup_of
from tests.empty_tables import clear

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.postgres.database import Pool

BLITZ = TimeControl((Period(None, 180_000, 2_000),))
HOUR = TimeControl((Period(None, 3_600_000),))

BOARDS: dict[str, tuple[TimeControl | None, TimeControl | None, SimulBoard, str]] = {
    "clock mode": (BLITZ, None, SimulBoard("simul1", 1, "w"), "blitz"),
    "more time for the host": (HOUR, BLITZ, SimulBoard("simul1", 1, "w", draw_from=None), "blitz"),
    "the host is Black": (BLITZ, HOUR, SimulBoard("simul1", 1000, "b", "round", draw_from=30), "blitz"),
    "seconds for each of their moves": (BLITZ, move_control(20_000), SimulBoard("simul1", 1, "b", "round"), "blitz"),
    "no clock for them": (BLITZ, None, SimulBoard("simul1", 2, "w", "round", host_timed=False), "blitz"),
    "said of the participant alone": (None, BLITZ, SimulBoard("simul1", 2, "w", "round", host_timed=False), "blitz"),
    "shown later": (BLITZ, None, SimulBoard("simul1", 1, "w", delay_s=900), "blitz"),
    "no clock": (None, None, SimulBoard("simul1", 3, "w", "round", 0, host_timed=False, countdown_ms=5), "unlimited"),
}


@pytest.fixture
async def board(pool: Pool) -> Callable[[TimeControl | None, TimeControl | None, SimulBoard | None], NewGame]:
    await clear(pool, "person", "game", "simul")
    host, player = (await create_guest(pool))[0], (await create_guest(pool))[0]
    await pool.execute("INSERT INTO simul (id, host, name, setup) VALUES ('simul1', $1, 'Friday', '{}')", host.id)

    def new(tc: TimeControl | None, black_tc: TimeControl | None, simul_board: SimulBoard | None) -> NewGame:
        is_white = simul_board is None or simul_board.host == "w"
        return NewGame(
            id="boardgame",
            game="chess",
            variant="standard",
            profile="online",
            rated=False,
            tc=tc,
            black_tc=black_tc,
            fen=None,
            pausable=False,
            white=host if is_white else player,
            black=player if is_white else host,
            simul_board=simul_board,
        )

    return new


async def insert(pool: Pool, new: NewGame) -> None:
    async with pool.acquire() as connection, connection.transaction():
        await insert_game(connection, new, owner="node", epoch=1)


@pytest.mark.parametrize(("tc", "black_tc", "simul_board", "speed"), BOARDS.values(), ids=BOARDS)
async def test_board_round_trips(
    pool: Pool,
    board: Callable[..., NewGame],
    tc: TimeControl | None,
    black_tc: TimeControl | None,
    simul_board: SimulBoard,
    speed: str,
) -> None:
    new = board(tc, black_tc, simul_board)
    await insert(pool, new)
    row = await find_game(pool, new.id)
    assert row is not None
    assert row.setup == setup_of(new)
    assert facts_of(row) == new
    assert row.setup.pace == new.pace == (BLITZ if row.setup.has_clock else None)
    assert await pool.fetchval("SELECT speed FROM game WHERE id = $1", new.id) == speed


async def test_ordinary_game_is_no_board(pool: Pool, board: Callable[..., NewGame]) -> None:
    await insert(pool, board(HOUR, BLITZ, None))
    row = await find_game(pool, "boardgame")
    assert row is not None
    assert row.setup.simul_board is None
    assert row.setup.pace == HOUR


async def test_simul_boards_are_not_judged(pool: Pool, board: Callable[..., NewGame]) -> None:
    await insert(pool, board(BLITZ, None, SimulBoard("simul1", 1, "w")))
    await pool.execute("UPDATE game SET status = 'over', result = '1-0' WHERE id = 'boardgame'")
    assert await pool.fetchval("SELECT count(*) FROM unjudged") == 0


async def test_board_has_exactly_one_game(pool: Pool, board: Callable[..., NewGame]) -> None:
    await insert(pool, board(BLITZ, None, SimulBoard("simul1", 1, "w")))
    with pytest.raises(asyncpg.UniqueViolationError):
        await pool.execute(
            """
            INSERT INTO game (id, game, variant, profile, rated, speed, white, black, simul, board, exhibition)
            SELECT 'another', game, variant, profile, rated, speed, white, black, simul, board, exhibition FROM game
            """
        )
    with pytest.raises(asyncpg.CheckViolationError):
        await pool.execute("UPDATE game SET exhibition = NULL")
