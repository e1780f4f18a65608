"""Ratings by HTTP: on profiles, over time, and the leaderboards."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from lobby.ratings.ratings import perfs
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web


@pytest.fixture
async def anna(web: Web) -> str:
    """Who has played one rated game of blitz; the id."""
    now = datetime.now(UTC)
    await web.pool.execute("INSERT INTO person (id, name, kind) VALUES ('anna', 'Anna', 'member')")
    await web.pool.execute("INSERT INTO rating VALUES ('anna', 'blitz', 1712.6, 61.2, 0.06, 80, $1, true)", now)
    await web.pool.execute(
        "INSERT INTO game (id, game, variant, profile, rated, speed) "
        "VALUES ('game1', 'chess', 'standard', 'online', true, 'blitz')"
    )
    await web.pool.execute(
        "INSERT INTO rated_game VALUES ('game1', 'anna', 'blitz', $1, 1700, 60, 0.06, 1712.6, 61.2, 0.06)", now
    )
    return "anna"


async def test_profile_has_ratings(program: httpx.AsyncClient, anna: str) -> None:
    ratings = (await program.get("/api/v1/users/ANNA")).json()["ratings"]
    assert list(ratings) == ["blitz"]
    assert set(ratings["blitz"]) == {"rating", "deviation", "provisional", "games", "last"}
    assert (ratings["blitz"]["rating"], ratings["blitz"]["deviation"]) == (1713, 61)


async def test_own_account_has_ratings(web: Web, program: httpx.AsyncClient, anna: str) -> None:
    token = (await program.post("/api/v1/guest")).json()["token"]
    await web.pool.execute("UPDATE rating SET person = (SELECT id FROM person WHERE kind = 'guest')")
    me = await program.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert list(me.json()["ratings"]) == ["blitz"]


async def test_rating_graph_has_points(program: httpx.AsyncClient, anna: str) -> None:
    response = await program.get("/api/v1/users/anna/ratings/blitz")
    assert response.status_code == 200
    body = response.json()
    assert body["perf"] == "blitz"
    ((at, rating),) = body["points"]
    assert (abs(at - datetime.now(UTC).timestamp() * 1000) < 60_000, rating) == (True, 1713)
    assert (await program.get("/api/v1/users/anna/ratings/rapid")).json() == {"perf": "rapid", "points": []}


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/users/nobody/ratings/blitz",
        "/api/v1/users/a%00/ratings/blitz",
        "/api/v1/users/anna/ratings/lightning",
        "/api/v1/users/anna/ratings/BLITZ",
        "/api/v1/leaderboards/lightning",
        "/api/v1/leaderboards/a%00",
    ],
)
async def test_unknown_rating_or_leaderboard_is_not_found(program: httpx.AsyncClient, anna: str, path: str) -> None:
    assert error_of(await program.get(path)) == (404, "not_found")


async def test_leaderboard_lists_rated_members(program: httpx.AsyncClient, anna: str) -> None:
    board = (await program.get("/api/v1/leaderboards/blitz")).json()
    assert board == {
        "perf": "blitz",
        "people": [
            {
                "rank": 1,
                "user": {"id": "anna", "name": "Anna", "kind": "member", "title": None},
                "rating": 1713,
                "games": 80,
                "country": None,
            }
        ],
    }
    boards = (await program.get("/api/v1/leaderboards")).json()["boards"]
    assert list(boards) == list(perfs())
    assert boards["blitz"] == board["people"]
    assert boards["chess960-blitz"] == []
