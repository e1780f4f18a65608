"""Lists of simuls over HTTP: those of a person, by status and page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from lobby.accounts.identity import create_guest
from realtime.simuls.store.simul_lists import list_simuls
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from lobby.accounts.user import User
    from tests.realtime.http.conftest import Web


async def simul(web: Web, name: str, host: User, *players: User, boards: bool = True, delay_s: int = 0) -> None:
    """Store a running simul; each is newer than the one before."""
    age_s = 1000 - await web.pool.fetchval("SELECT count(*) FROM simul")
    await web.pool.execute(
        "INSERT INTO simul (id, host, name, setup, status, created_at)"
        " VALUES ($1, $2, $1, $3, 'running', now() - make_interval(secs => $4))",
        name,
        host.id,
        {"name": name, "delay_s": delay_s},
        float(age_s),
    )
    for board, player in enumerate(players, 1):
        await web.pool.execute("INSERT INTO simul_player (simul, person) VALUES ($1, $2)", name, player.id)
        if boards:
            await web.pool.execute(
                "INSERT INTO game (id, game, variant, profile, rated, speed, white, black, simul, board, exhibition)"
                " VALUES ($1, 'chess', 'standard', 'online', false, 'rapid', $2, $3, $4, $5, '{}')",
                f"{name}{board}",
                host.id,
                player.id,
                name,
                board,
            )


async def listed(client: httpx.AsyncClient, user: User, **query: Any) -> list[str]:
    """Return the names of the listed simuls."""
    response = await client.get("/api/v1/simuls", params={"user": user.name, **query})
    assert response.status_code == 200
    return [card["simul"] for card in response.json()["simuls"]]


async def test_a_person_has_the_simuls_that_they_host_or_play_in(web: Web, program: httpx.AsyncClient) -> None:
    anna, bert, carl, dora = [(await create_guest(web.pool))[0] for _ in range(4)]
    await simul(web, "first000", anna, bert, carl)
    await simul(web, "second00", bert, anna)
    await simul(web, "applied0", anna, dora, boards=False)
    await simul(web, "delayed0", anna, bert, delay_s=60)
    await web.pool.execute("UPDATE simul SET status = 'finished' WHERE id = 'second00'")
    assert await listed(program, anna) == ["delayed0", "applied0", "second00", "first000"]
    assert await listed(program, bert) == ["second00", "first000"]
    assert await listed(program, carl) == ["first000"]
    assert await listed(program, dora) == []
    assert await listed(program, bert, status="running") == ["first000"]
    assert await listed(program, bert, status="finished") == ["second00"]
    assert await listed(program, anna, limit=2) == ["delayed0", "applied0"]
    assert await listed(program, anna, limit=2, before="applied0") == ["second00", "first000"]


async def test_invalid_queries_are_refused(web: Web, program: httpx.AsyncClient) -> None:
    name = (await create_guest(web.pool))[0].name
    for query, error in (
        ({"user": "nobody"}, (404, "not_found")),
        ({"user": name, "status": "mine"}, (400, "bad_message")),
        ({"user": name, "before": "nosuch"}, (400, "bad_message")),
    ):
        assert error_of(await program.get("/api/v1/simuls", params=query)) == error


def scanned(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the nodes of a plan that read a whole table or index of simuls."""
    found = [node for below in plan.get("Plans", ()) for node in scanned(below)]
    is_whole = plan.get("Relation Name") == "simul" and "Index Cond" not in plan and "Recheck Cond" not in plan
    return [*found, plan] if is_whole and plan["Actual Loops"] else found


@pytest.mark.parametrize("status", [None, "mine"])
async def test_list_of_a_person_without_simuls_reads_no_others(web: Web, status: Any) -> None:
    anna, bert = (await create_guest(web.pool))[0], (await create_guest(web.pool))[0]
    await web.pool.execute(
        "INSERT INTO simul (id, host, name, setup, status, created_at)"
        " SELECT 's' || n, $1, 'Friday', '{}', 'running', now() - make_interval(secs => n)"
        " FROM generate_series(1, 5000) AS n",
        bert.id,
    )
    await web.pool.execute("ANALYZE simul, simul_player, game")

    class Explained:
        """A pool that returns plans instead of rows."""

        async def fetch(self, query: str, *arguments: Any) -> list[Any]:
            text = await web.pool.fetchval(f"EXPLAIN (ANALYZE, FORMAT json) {query}", *arguments)
            self.plan = (msgspec.json.decode(text) if isinstance(text, str) else text)[0]["Plan"]
            return []

    explained: Any = Explained()
    await list_simuls(explained, status, anna.id, None, 20)
    assert scanned(explained.plan) == []
