"""Rows of games: the stored game equals what was agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lobby.accounts.identity import create_guest
from lobby.pairing import NewGame
from lobby.pairing import rematch as rematch_of
from realtime.journal.game_rows import facts_of, find_game, insert_game, setup_of
from tests.empty_tables import clear

if TYPE_CHECKING:
    from realtime.postgres.database import Pool


@pytest.mark.parametrize("hints", [True, False])
async def test_hints_are_stored_and_a_rematch_has_them_too(pool: Pool, *, hints: bool) -> None:
    await clear(pool, "person", "game")
    white, black = (await create_guest(pool))[0], (await create_guest(pool))[0]
    new = NewGame(
        id="hinted", game="chess", variant="standard", profile="online", rated=False, tc=None, fen=None,
        pausable=True, white=white, black=black, hints=hints,
    )  # fmt: skip
    async with pool.acquire() as connection, connection.transaction():
        await insert_game(connection, new, owner="node", epoch=1)
    row = await find_game(pool, new.id)
    assert row is not None
    assert row.setup == setup_of(new)
    assert row.setup.hints is hints
    assert rematch_of(facts_of(row), "next", lambda _: 0).hints is hints
