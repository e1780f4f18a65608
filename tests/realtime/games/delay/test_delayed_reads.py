"""Delayed reads: rows, counts and ratings by their instants."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest

from game_core.events import Ended
from game_core.simul_board import SimulBoard
from lobby.accounts.user import User
from lobby.pairing import NewGame
from realtime.games.delay.delayed_reads import DOUBT_MS, as_public, past_of
from realtime.games.delay.exemptions import DelayExemptions
from realtime.games.scores.stored_score import stored_score
from realtime.journal.game_rows import find_game, insert_game, live_games
from realtime.people.result_counts import count_results
from realtime.simuls.store.simul_lists import list_simuls
from realtime.watching.game_lists import ANONYMOUS, GameFilter, Viewer, count_versus, list_games
from simul.draft import DelayS
from tests.empty_tables import clear
from tests.realtime.stored_games import moved

if TYPE_CHECKING:
    from realtime.journal.game_rows import GameRow
    from realtime.postgres.database import Pool

DELAY_S = 60
DOUBT_S = DOUBT_MS // 1000
NOW_HIDDEN, NOW_KNOWN = DELAY_S + DOUBT_S - 5, DELAY_S + DOUBT_S + 5
"""Ages in seconds: on either side of when the public is told, further from it than a test takes."""

HOST, PLAYER, THIRD = (User(name * 8, name * 8, "member") for name in ("Host", "Play", "Thrd"))


@pytest.fixture(autouse=True)
async def _people(pool: Pool) -> None:
    await clear(pool, "person", "game", "simul")
    for user in (HOST, PLAYER, THIRD):
        await pool.execute("INSERT INTO person (id, name, kind) VALUES ($1, $2, $3)", user.id, user.name, user.kind)
    await pool.execute("INSERT INTO simul (id, host, name, setup) VALUES ('simul1', $1, 'Friday', '{}')", HOST.id)


def ago(seconds: float) -> datetime:
    return datetime.now(UTC) - timedelta(seconds=seconds)


async def a_board(
    pool: Pool, *ages_s: float, board: int = 1, over_s: float | None = None, delay_s: int = DELAY_S, made_s: float = 999
) -> str:
    """A game whose moves are so old, and its end, which Black has won; its id."""
    game = f"boardno{board}"
    host = SimulBoard("simul1", board, "w", delay_s=delay_s)
    black = PLAYER if board == 1 else THIRD
    new = NewGame(
        id=game, game="chess", variant="standard", profile="online", rated=True, tc=None, fen=None, pausable=False,
        white=HOST, black=black, simul_board=host,
    )  # fmt: skip
    async with pool.acquire() as connection, connection.transaction():
        await insert_game(connection, new, owner="node", epoch=1)
    await pool.execute("UPDATE game SET created_at = $2, speed = 'blitz' WHERE id = $1", game, ago(made_s))
    for ply, age_s in enumerate(ages_s):
        await add(pool, game, ply + 1, moved(ply), age_s)
    if over_s is not None:
        await add(pool, game, len(ages_s) + 1, Ended(result="0-1", reason="resignation"), over_s)
        await pool.execute(
            "UPDATE game SET status = 'over', result = '0-1', reason = 'resignation', plies = $3, ended_at = $2 "
            "WHERE id = $1",
            game,
            ago(over_s),
            len(ages_s),
        )
    return game


async def a_person(pool: Pool) -> User:
    user = User("Elsewher", "Elsewher", "member")
    await pool.execute("INSERT INTO person (id, name, kind) VALUES ($1, $2, $3)", user.id, user.name, user.kind)
    return user


async def add(pool: Pool, game: str, seq: int, event: Any, age_s: float) -> None:
    payload = msgspec.to_builtins(event)
    kind = payload.pop("kind")
    await pool.execute(
        "INSERT INTO event (game, seq, kind, payload, at) VALUES ($1, $2, $3, $4, $5)",
        game,
        seq,
        kind,
        payload,
        ago(age_s),
    )


async def row_of(pool: Pool, game: str) -> GameRow:
    row = await find_game(pool, game)
    assert row is not None
    return row


async def told(pool: Pool, game: str, viewer: User | None = None) -> tuple[str, str, int, int | None] | None:
    """Return status, result, half-moves and the last event that ``viewer`` may see; None if the game is secret to
    them."""
    found = await as_public(pool, [await row_of(pool, game)], None if viewer is None else viewer.id)
    return (found[0].row.status, found[0].row.result, found[0].row.plies, found[0].last_seq) if found else None


def test_longest_delay_equals_the_limit_in_the_database() -> None:
    (meta,) = get_args(DelayS)[1:]
    assert meta.le == 900, "hidden_for(900) in the migration and in the counts"


class TestRows:
    async def test_public_row_ends_at_the_last_released_event(self, pool: Pool) -> None:
        game = await a_board(pool, 300, 200, NOW_KNOWN, NOW_HIDDEN, 1, over_s=0)
        assert await told(pool, game) == ("live", "*", 2, 3)
        (shown,) = await as_public(pool, [await row_of(pool, game)], None)
        score = await stored_score(pool, shown.row, "site", shown.last_seq)
        assert score.count("e4") == 3
        assert '[Result "*"]' in score

    @pytest.mark.parametrize("viewer", [HOST, PLAYER, THIRD])
    async def test_simul_members_see_the_current_row(self, pool: Pool, viewer: User) -> None:
        game = await a_board(pool, 300, 200, 1, over_s=0)
        await a_board(pool, board=2)
        assert await told(pool, game, viewer) == ("over", "0-1", 3, None)

    async def test_player_of_no_board_sees_the_public_row(self, pool: Pool) -> None:
        game = await a_board(pool, 300, 200, 1, over_s=0)
        assert await told(pool, game, THIRD) == ("live", "*", 2, 2)

    async def test_long_finished_game_is_shown_as_it_is(self, pool: Pool) -> None:
        game = await a_board(pool, 300, over_s=NOW_KNOWN)
        assert not (await row_of(pool, game)).is_hidden
        assert await told(pool, game) == ("over", "0-1", 1, None)

    async def test_game_without_delay_is_shown_as_it_is(self, pool: Pool) -> None:
        game = await a_board(pool, 3, 2, over_s=1, delay_s=0)
        assert await told(pool, game) == ("over", "0-1", 2, None)

    async def test_just_created_game_is_hidden(self, pool: Pool) -> None:
        assert await told(pool, await a_board(pool, made_s=NOW_HIDDEN)) is None
        assert await told(pool, await a_board(pool, board=2, made_s=NOW_KNOWN)) == ("created", "*", 0, 0)

    async def test_event_with_late_instant_hides_all_after_it(self, pool: Pool) -> None:
        assert await told(pool, await a_board(pool, 300, 5, 299)) == ("created", "*", 0, 1)

    async def test_hidden_result_is_not_searchable(self, pool: Pool) -> None:
        hidden = await a_board(pool, over_s=NOW_HIDDEN)
        known = await a_board(pool, board=2, over_s=NOW_KNOWN)
        lost = await list_games(pool, GameFilter(user=HOST.id, result="lost"))
        assert [row.setup.id for row in lost] == [known]
        assert {row.setup.id for row in await list_games(pool, GameFilter(user=HOST.id))} == {hidden, known}

    async def test_live_delayed_games_are_marked_delayed(self, pool: Pool) -> None:
        await a_board(pool)
        await a_board(pool, board=2, delay_s=0)
        games = await live_games(pool)
        assert {game: live.has_delayed_end for game, live in games} == {"boardno1": True, "boardno2": False}


async def test_results_count_once_they_are_public(pool: Pool) -> None:
    await a_board(pool, over_s=NOW_HIDDEN)
    await a_board(pool, board=2, over_s=NOW_KNOWN)
    lost, won = ({"won": 0, "drawn": 0, "lost": 0, "total": 1, name: 1} for name in ("lost", "won"))
    nothing = {"won": 0, "drawn": 0, "lost": 0, "total": 0}
    assert await count_results(pool, HOST.id) == lost
    assert await count_results(pool, PLAYER.id) == await count_versus(pool, PLAYER.id, HOST.id) == nothing
    assert await count_results(pool, THIRD.id) == await count_versus(pool, THIRD.id, HOST.id) == won
    await pool.execute("UPDATE game SET ended_at = ended_at - interval '10 s'")
    assert (
        (await count_results(pool, HOST.id))["lost"] == (await count_versus(pool, HOST.id, PLAYER.id))["lost"] + 1 == 2
    )


async def test_lists_omit_hidden_games(pool: Pool) -> None:
    """They are omitted before the page is cut: its last line determines the start of the next page."""
    known = await a_board(pool, made_s=NOW_KNOWN)
    new = await a_board(pool, board=2, made_s=NOW_HIDDEN)
    await pool.execute("INSERT INTO simul_player (simul, person) VALUES ('simul1', $1)", PLAYER.id)
    outsider = await a_person(pool)
    for wanted in (GameFilter(), GameFilter(user=HOST.id), GameFilter(speed="blitz")):
        viewers: tuple[tuple[Viewer | None, list[str]], ...] = (
            (None, [new, known]),
            (ANONYMOUS, [known]),
            (Viewer(outsider.id), [known]),
            (Viewer(PLAYER.id), [new, known]),
            (Viewer(THIRD.id), [new, known]),
        )
        for viewer, seen in viewers:
            assert [row.setup.id for row in await list_games(pool, wanted, viewer=viewer)] == seen


async def test_table_gets_minimum_ages_of_its_events(pool: Pool) -> None:
    game = await a_board(pool, 300, 5)
    await a_board(pool, board=2)
    setup, exemptions = (await row_of(pool, game)).setup, DelayExemptions(pool)
    past = await past_of(pool, exemptions, setup)
    assert past is not None
    old_ms, new_ms = past.ages_ms
    assert 290_000 <= old_ms < 300_000
    assert new_ms == 0
    assert past.exempt.people == {HOST.id, PLAYER.id, THIRD.id}
    assert exemptions.of(setup) is past.exempt
    assert await exemptions.load(setup) is past.exempt
    assert "nobody" not in past.exempt
    plain = msgspec.structs.replace(setup, simul_board=None)
    assert await past_of(pool, exemptions, plain) is None
    assert (await exemptions.load(plain)).people == set()


async def test_lists_show_simul_as_running_until_its_end_is_public(pool: Pool) -> None:
    for seconds, listed in ((NOW_HIDDEN, "running"), (NOW_KNOWN, "finished")):
        for other in ("running", "finished"):
            await pool.execute(
                "UPDATE simul SET status = 'finished', setup = $1, ended_at = $2",
                {"name": "Friday", "delay_s": DELAY_S},
                ago(seconds),
            )
            found = await list_simuls(pool, other, None, None, 10)
            assert len(found) == (other == listed)
