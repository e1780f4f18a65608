"""Export of a person's own data: all of it, some rows at a time, without blocking others."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts import export
from lobby.accounts.export import PARTS, Exports, games_query
from lobby.errors import RateLimited
from lobby.moderation.reports import NewReport, add_report
from lobby.pools.pools import PoolKey
from tests.lobby.conftest import World, wanted

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from lobby.ports import Pool
    from lobby.wire.lobby import ChatLineWire

pytestmark = pytest.mark.timeout(60)


async def told(pool: Pool, person: str) -> dict[str, list[Any]]:
    exported: dict[str, list[Any]] = json.loads(b"".join([piece async for piece in Exports(pool).pieces(person)]))
    return exported


async def played(world: World, number: int, white: User, black: User) -> None:
    game = f"game{number:02}"
    await world.pool.execute(
        """
        INSERT INTO game (id, game, variant, profile, rated, speed, white, black, status, result, created_at)
        VALUES ($1, 'chess', 'standard', 'online', true, 'blitz', $2, $3, 'over', '1-0',
            '2025-05-05'::timestamptz + make_interval(mins => $4))
        """,
        game,
        white.id,
        black.id,
        number // 3,  # several of the same instant
    )
    await world.pool.execute(
        "INSERT INTO event (game, seq, kind, payload)"
        " VALUES ($1, 2, 'end', '{}'), ($1, 1, 'move', '{\"move\": \"e4\"}')",
        game,
    )
    for person in {white.id, black.id}:
        await world.pool.execute(
            "INSERT INTO deed (game, person, what, level, ended_at) VALUES ($1, $2, 'left', 1, now())", game, person
        )
        await world.pool.execute(
            "INSERT INTO rated_game VALUES ($1, $2, 'blitz', now(), 1500, 350, 0.06, 1600, 300, 0.06)", game, person
        )
        await world.pool.execute(
            "INSERT INTO ban (person, what, why, game, until) VALUES ($1, 'left', 'so', $2, '2025-06-06')", person, game
        )


async def test_export_does_not_tell_which_moves_are_illegal_before_the_end(world: World) -> None:
    """By the Laws the opponent has to see it themselves. Both players get the same export."""
    anna, bert = await world.member(), await world.member()
    await played(world, 0, anna, bert)
    await world.pool.execute("UPDATE event SET payload = '{\"irregular\": true}' WHERE kind = 'move'")
    for status, payload in (("live", {}), ("over", {"irregular": True})):
        await world.pool.execute("UPDATE game SET status = $1", status)
        assert (await told(world.pool, bert.id))["games"][0]["events"][0]["event"] == payload


@pytest.mark.parametrize("page", [1, 2, 100])
async def test_export_contains_every_row_once_and_in_order(
    world: World, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(export, "PAGE", page)
    monkeypatch.setattr(export, "GAMES_PAGE", page)
    anna, bert, carl = await world.member(1700), await world.member(), await world.member()
    for number in range(5):
        await played(world, number, *((anna, bert) if number % 2 else (bert, anna)))
    await played(world, 5, anna, anna)
    await played(world, 6, bert, carl)
    made = [(await world.lobby.challenge(anna, wanted(), key=f"key{n}"))["challenge"] for n in range(3)]
    got = (await world.lobby.challenge(bert, wanted(), to=anna.name))["challenge"]
    await world.lobby.challenge_decline(anna, got, "later")
    await world.lobby.pool_join(anna, PoolKey("3+2", rated=False))
    for other in (bert, carl):
        await world.pool.execute("INSERT INTO block (person, blocked) VALUES ($1, $2)", anna.id, other.id)
        await world.pool.execute("INSERT INTO follow (person, followed) VALUES ($1, $2)", anna.id, other.id)
    await world.pool.execute("INSERT INTO profile (person, about, country) VALUES ($1, 'about anna', 'NL')", anna.id)
    lines: list[ChatLineWire] = [
        {"user": {"id": user.id, "name": user.name, "kind": "member", "title": None}, "text": text, "at": at}
        for at, (user, text) in enumerate([(anna, "one"), (bert, "two"), (anna, "three")])
    ]
    await add_report(world.pool, bert, NewReport(anna, None, "chat", "what bert says of anna", lines))
    await add_report(world.pool, anna, NewReport(bert, None, "chat", "shouts", lines[:2]))
    for number, person in enumerate([anna, bert, anna, anna], 1):
        await world.pool.execute(
            "INSERT INTO import (id, person, name, finished_at) VALUES ($1, $2, 'Club', now())", f"i{number}", person.id
        )
        await world.pool.execute(
            "INSERT INTO imported_score SELECT $1, n, 'score ' || n, '{}' FROM generate_series(1, $2) AS n",
            f"i{number}",
            {1: 12, 2: 1, 3: 0, 4: 10}[number],
        )
    all_of_it = await told(world.pool, anna.id)
    assert [one["id"] for one in all_of_it["imports"]] == ["i1", "i3", "i4"]
    assert [(score["import"], score["n"]) for score in all_of_it["imported"]] == [
        *(("i1", n) for n in range(1, 13)),
        *(("i4", n) for n in range(1, 11)),
    ]
    assert all_of_it["imported"][11]["pgn"] == "score 12"
    assert [game["id"] for game in all_of_it["games"]] == [f"game{number:02}" for number in range(6)]
    for game in all_of_it["games"]:
        assert [(event["seq"], event["kind"]) for event in game["events"]] == [(1, "move"), (2, "end")]
        assert game["events"][0]["event"] == {"move": "e4"}
        assert (game["rating"]["rating"], game["conduct"]["what"]) == (1600, "left")
    assert [challenge["id"] for challenge in all_of_it["challenges"]] == sorted(made)
    assert [(one["id"], one["from"], one["reason"]) for one in all_of_it["challenged"]] == [(got, bert.name, "later")]
    assert {request["key"]: request["reply"]["challenge"] for request in all_of_it["requests"]} == {
        f"key{n}": made[n] for n in range(3)
    }
    assert {block["user"] for block in all_of_it["blocks"]} == {bert.name, carl.name}
    assert len(all_of_it["blocks"]) == 2
    assert {follow["user"] for follow in all_of_it["follows"]} == {bert.name, carl.name}
    assert len(all_of_it["follows"]) == 2
    assert [(one["about"], one["country"]) for one in all_of_it["profile"]] == [("about anna", "NL")]
    assert len(all_of_it["bans"]) == 6
    assert [(place["pool"], place["rated"]) for place in all_of_it["waiting"]] == [("3+2", False)]
    assert [rating["rating"] for rating in all_of_it["ratings"]] == [1700]
    assert [(report["user"], report["lines"]) for report in all_of_it["reports"]] == [(bert.name, lines[:2])]
    assert sorted(line["text"] for line in all_of_it["said"]) == ["one", "one", "three"]
    assert "what bert says" not in json.dumps(all_of_it)
    assert [person["name"] for person in all_of_it["person"]] == [anna.name]


async def test_export_of_a_new_guest_has_only_person_and_sessions(world: World) -> None:
    anna = await world.guest()
    all_of_it = await told(world.pool, anna.id)
    assert {name for name, rows in all_of_it.items() if rows} == {"person", "sessions"}


async def test_every_table_that_refers_to_people_is_exported(world: World) -> None:
    """A new table that refers to people is exported, or listed here with the reason why not."""
    rows = await world.pool.fetch(
        """
        SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
        WHERE contype = 'f' AND confrelid = 'person'::regclass
        """
    )
    queries = " ".join([*(part.query(is_first=True) for part in PARTS.values()), games_query(is_first=True)])
    untold = {row["name"] for row in rows if f"FROM {row['name']} " not in queries.replace(",", " ")}
    assert untold == {
        "reset",  # a hash of a code that is good for an hour
        "audit",  # what moderators did
    }


async def test_each_page_is_read_by_an_index(world: World) -> None:
    """Also with the generic plan, which PostgreSQL uses after five executions."""
    anna, bert = await world.member(), await world.member()
    await world.pool.execute(
        """
        INSERT INTO game (id, game, variant, profile, rated, speed, white, black, status, created_at)
        SELECT 'g' || n, 'chess', 'standard', 'online', false, 'blitz',
            CASE WHEN n % 2 = 0 THEN $1 ELSE $2 END, CASE WHEN n % 2 = 0 THEN $2 ELSE $1 END, 'over',
            now() - make_interval(mins => n)
        FROM generate_series(1, 3000) AS n
        """,
        anna.id,
        bert.id,
    )
    await world.pool.execute(
        """
        INSERT INTO challenge (id, person, recipient, spec, expires_at, closed)
        SELECT 'c' || n, CASE WHEN n % 100 = 0 THEN $1 ELSE $2 END, $1, '{}', now(), 'declined'
        FROM generate_series(1, 3000) AS n
        """,
        anna.id,
        bert.id,
    )
    await world.pool.execute("ANALYZE game, challenge")
    async with world.pool.acquire() as connection, connection.transaction():
        await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        for name, query, place in (
            ("games", games_query(is_first=False), "'2020-01-01', 'x'"),
            ("challenges", PARTS["challenges"].query(is_first=False), "'a'"),
            ("challenged", PARTS["challenged"].query(is_first=False), "'a'"),
        ):
            await connection.execute(f"PREPARE {name} AS {query}")
            rows = await connection.fetch(f"EXPLAIN EXECUTE {name} ('{anna.id}', {place})")
            plan = "\n".join(row[0] for row in rows)
            assert "Seq Scan on game" not in plan, plan
            assert "Seq Scan on challenge" not in plan, plan
            await connection.execute(f"DEALLOCATE {name}")


async def test_concurrent_reads_are_bounded_and_slow_readers_block_nobody(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [await world.guest() for _ in range(8)]
    exports = Exports(world.pool)
    at_once = most = 0

    class Counting:
        async def fetch(self, query: str, *arguments: Any) -> Any:
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            try:
                return await world.pool.fetch(query, *arguments)
            finally:
                at_once -= 1

    monkeypatch.setattr(exports, "_pool", Counting())
    slow = [exports.pieces(person.id) for person in people[:4]]
    for pieces in slow:
        for _ in range(3):
            await anext(pieces)

    async def whole(person: User) -> None:
        json.loads(b"".join([piece async for piece in exports.pieces(person.id)]))

    await asyncio.gather(*(whole(person) for person in people[4:]))
    assert most == export.READ_AT_ONCE
    with pytest.raises(RateLimited):
        await anext(exports.pieces(people[0].id))
    for pieces in slow:
        await pieces.aclose()
    await whole(people[0])
