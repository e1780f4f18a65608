"""Lists of games: contents, order, and the number of rows read."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from realtime.watching.game_lists import (
    ANONYMOUS,
    RESULTS,
    VARIANTS,
    GameFilter,
    Viewer,
    count_versus,
    list_games,
    list_query,
)
from tests.empty_tables import clear

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.journal.game_rows import GameRow
    from realtime.postgres.database import Pool

START = datetime(2026, 1, 1, tzinfo=UTC)
PEOPLE = ("anna", "bert", "carl", "dora")

INSERT = """
    INSERT INTO game (id, game, variant, profile, rated, speed, white, black, status, result, created_at)
    VALUES ($1, CASE $2 WHEN 'russian' THEN 'draughts' ELSE 'chess' END, $2, 'online', $3, $4, $5, $6, 'over', $7, $8)
"""


def some_games(count: int, people: tuple[str, ...] = PEOPLE) -> list[tuple[Any, ...]]:
    """Rows for ``INSERT``. Several games share each instant, as those of a simul do."""
    chance = random.Random(1)
    ids = [f"{chance.getrandbits(48):012x}" for _ in range(count)]
    return [
        (
            game_id,
            chance.choice(("standard", "standard", "chess960", "russian")),
            chance.random() < 0.5,
            chance.choice(("bullet", "blitz", "blitz", "rapid")),
            chance.choice(people),
            chance.choice(people),
            chance.choice(("1-0", "0-1", "1/2-1/2", "*")),
            START + timedelta(minutes=number // 3),
        )
        for number, game_id in enumerate(ids)
    ]


async def fill(pool: Pool, games: list[tuple[Any, ...]], people: tuple[str, ...] = PEOPLE) -> None:
    await clear(pool, "person", "game")
    await pool.executemany("INSERT INTO person (id, name, kind) VALUES ($1, $1, 'guest')", [(name,) for name in people])
    await pool.executemany(INSERT, games, timeout=60)


def filters() -> Iterator[GameFilter]:
    """Every way to combine what may be asked for."""
    kinds = itertools.product((None, "chess960"), (None, "blitz", "classical"), (None, True, False))
    spans = ((None, None), (START + timedelta(minutes=10), START + timedelta(minutes=40)))
    sides = [{}, *({"user": "anna", **side} for side in _sides())]
    for (variant, speed, rated), (since, until), side in itertools.product(kinds, spans, sides):
        kind = {"variant": variant, "speed": speed, "rated": rated, "since": since, "until": until, **side}
        yield msgspec.convert(kind, GameFilter)
        yield msgspec.convert({**kind, "games": ("draughts",) if variant is None else ("chess",)}, GameFilter)


def _sides() -> Iterator[dict[str, str | None]]:
    for opponent, color, result in itertools.product((None, "bert"), (None, "w", "b"), (None, "won", "drawn", "lost")):
        yield {"opponent": opponent, "color": color, "result": result}


def fits(game: tuple[Any, ...], wanted: GameFilter) -> bool:
    """The same as the query asks, said in another way."""
    _, variant, rated, speed, white, black, result, created = game
    plain = (
        wanted.variant in (None, variant)
        and (wanted.games is None or ("draughts" if variant == "russian" else "chess") in wanted.games)
        and wanted.speed in (None, speed)
        and wanted.rated in (None, rated)
        and (wanted.since is None or wanted.since <= created)
        and (wanted.until is None or created < wanted.until)
    )
    if not plain or wanted.user is None:
        return plain
    if white == black:
        return white == wanted.user and (wanted.opponent, wanted.color, wanted.result) == (None, None, None)
    for color, own, other in (("w", white, black), ("b", black, white)):
        if own == wanted.user:
            return (
                wanted.opponent in (None, other)
                and wanted.color in (None, color)
                and (wanted.result is None or RESULTS[wanted.result, "w" if color == "w" else "b"] == result)
            )
    return False


async def all_pages(pool: Pool, wanted: GameFilter, limit: int) -> list[str]:
    before, found = None, []
    while True:
        rows: list[GameRow] = await list_games(pool, wanted, before=before, limit=limit)
        found += [row.setup.id for row in rows]
        if len(rows) < limit:
            return found
        before = rows[-1].created_at, rows[-1].setup.id


async def test_lists_have_matching_games_newest_first(pool: Pool) -> None:
    games = some_games(150)
    await fill(pool, games)
    newest = sorted(games, key=lambda game: (game[7], game[0]), reverse=True)
    for wanted in filters():
        assert await all_pages(pool, wanted, 100) == [game[0] for game in newest if fits(game, wanted)], wanted


@pytest.mark.parametrize(
    "wanted", [GameFilter(), GameFilter(user="anna"), GameFilter(rated=True), GameFilter(user="anna", opponent="bert")]
)
@pytest.mark.parametrize("limit", [1, 2, 7])
async def test_pages_handle_games_of_one_instant(pool: Pool, wanted: GameFilter, limit: int) -> None:
    games = some_games(60)
    await fill(pool, games)
    newest = sorted(games, key=lambda game: (game[7], game[0]), reverse=True)
    assert await all_pages(pool, wanted, limit) == [game[0] for game in newest if fits(game, wanted)]


async def test_results_of_two_people_are_counted(pool: Pool) -> None:
    games = some_games(200)
    await fill(pool, games)
    for user, other in itertools.permutations(PEOPLE, 2):
        counts = {
            outcome: sum(fits(game, GameFilter(user=user, opponent=other, result=outcome)) for game in games)
            for outcome in ("won", "drawn", "lost")
        }
        assert await count_versus(pool, user, other) == {**counts, "total": sum(counts.values())}
    assert await count_versus(pool, "anna", "anna") == {"won": 0, "drawn": 0, "lost": 0, "total": 0}


# --- what is read ------------------------------------------------------------------------------------

MANY = tuple(f"p{number}" for number in range(300))
LIMIT = 21
FEW = 100
"""Rows: whoever has no more games may have them read at once, and sorted."""


def scans(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The nodes of a plan that read games."""
    if plan.get("Relation Name") == "game" or plan["Node Type"] == "Bitmap Index Scan":
        yield plan
    for part in plan.get("Plans", ()):
        yield from scans(part)


@pytest.fixture(scope="module")
def many_games() -> list[tuple[Any, ...]]:
    """More than anybody has a page of; ``p0`` has a tenth of them, and nobody has played ``correspondence``."""
    games = some_games(20_000, MANY)
    return [(*game[:4], "p0", *game[5:]) if number % 10 == 0 else game for number, game in enumerate(games)]


async def test_list_reads_only_its_own_rows(pool: Pool, many_games: list[tuple[Any, ...]]) -> None:
    await fill(pool, many_games, MANY)
    await pool.execute("VACUUM ANALYZE game, person")
    after = many_games[10_000][7], many_games[10_000][0]
    sides: list[dict[str, Any]] = [
        {},
        {"user": "p0"},
        {"user": "p0", "opponent": "p1"},
        {"user": "p7", "result": "won"},
    ]
    kinds: list[dict[str, Any]] = [
        {},
        {"speed": "bullet"},
        {"speed": "correspondence"},
        {"variant": "chess960", "rated": True},
        {"games": ("draughts",)},
        {"since": START, "until": START + timedelta(days=2)},
    ]
    async with pool.acquire() as connection:
        for mode, side, kind, before, viewer in itertools.product(
            ("force_custom_plan", "force_generic_plan"), sides, kinds, (None, after), (None, ANONYMOUS, Viewer("p7"))
        ):
            if side and "games" in kind:
                continue  # those of a person are exported, all of them
            wanted = msgspec.convert({**side, **kind}, GameFilter)
            query, arguments = list_query(wanted, before, LIMIT, viewer)
            async with connection.transaction():
                await connection.execute(f"SET LOCAL plan_cache_mode = {mode}")
                text = await connection.fetchval(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT json) {query}", *arguments)
            plan = (msgspec.json.decode(text) if isinstance(text, str) else text)[0]["Plan"]
            for node in scans(plan):
                told = f"{mode}: {wanted}: {node}"
                assert node["Node Type"] != "Seq Scan", told
                assert node["Actual Rows"] <= FEW, told
                # Games against oneself are among those of either colour, and are left out of one.
                assert node.get("Rows Removed by Filter", 0) <= LIMIT, told
                assert node["Actual Loops"] <= len(VARIANTS) * 6 * 2 or node["Index Name"] == "game_pkey", told
