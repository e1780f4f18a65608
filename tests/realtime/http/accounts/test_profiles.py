"""Public profile of a person, and results of two people against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.user import user_wire
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web

NO_GAMES = {"won": 0, "drawn": 0, "lost": 0, "total": 0}
COUNTED = ("won", "drawn", "lost", "total")


async def test_profile_is_found_by_name(web: Web, program: httpx.AsyncClient) -> None:
    user = (await program.post("/api/v1/guest")).json()["user"]
    await web.pool.execute("UPDATE person SET created_at = to_timestamp(1700000000.5)")
    profile = {"user": user, "created": 1_700_000_000_500, "ratings": {}, "games": NO_GAMES}
    profile |= {"about": "", "country": None, "followed": False}
    for name in (user["name"], user["name"].lower()):
        shown = (await program.get(f"/api/v1/users/{name}")).json()
        assert shown == {**profile, "closed": False, "online": False, "playing": None}
    for name in ("nobody", "nul%00", "%ff", "a" * 300):
        assert error_of(await program.get(f"/api/v1/users/{name}")) == (404, "not_found")


async def test_profile_shows_presence_game_and_closure(web: Web, program: httpx.AsyncClient) -> None:
    anna, ben, carl = [(await web.identities.create_guest())[0] for _ in range(3)]
    web.server.online = {anna.id: "game1", ben.id: None}
    await web.pool.execute("UPDATE person SET closed_at = now() WHERE id = $1", carl.id)
    shown = [(await program.get(f"/api/v1/users/{user.name}")).json() for user in (anna, ben, carl)]
    assert [(one["online"], one["playing"], one["closed"]) for one in shown] == [
        (True, "game1", False),
        (True, None, False),
        (False, None, True),
    ]


async def test_profile_counts_games_with_a_result_against_others(web: Web, program: httpx.AsyncClient) -> None:
    anna, ben, carl = [(await web.identities.create_guest())[0] for _ in range(3)]
    games = [
        (anna, ben, "over", "1-0"),
        (anna, ben, "over", "0-1"),
        (ben, anna, "over", "0-1"),
        (ben, anna, "over", "1/2-1/2"),
        (ben, anna, "over", "*"),
        (ben, anna, "live", "*"),
        (anna, anna, "over", "1-0"),
        (carl, anna, "over", "1-0"),
    ]
    await web.pool.executemany(
        "INSERT INTO game (id, game, variant, profile, rated, speed, white, black, status, result) "
        "VALUES ($1, 'chess', 'standard', 'online', false, 'blitz', $2, $3, $4, $5)",
        [(f"g{number}", white.id, black.id, *rest) for number, (white, black, *rest) in enumerate(games)],
    )
    for user, counts in ((anna, (2, 1, 2, 5)), (ben, (1, 1, 2, 4)), (carl, (1, 0, 0, 1))):
        body = (await program.get(f"/api/v1/users/{user.name}")).json()
        assert body["games"] == dict(zip(COUNTED, counts, strict=True))
    for user, other, counts in ((anna, ben, (2, 1, 1, 4)), (ben, anna, (1, 1, 2, 4)), (anna, anna, (0, 0, 0, 0))):
        body = (await program.get(f"/api/v1/users/{user.name.lower()}/versus/{other.name}")).json()
        games_of_two = dict(zip(COUNTED, counts, strict=True))
        assert body == {"user": user_wire(user), "other": user_wire(other), "games": games_of_two}


async def test_versus_of_unknown_name_is_not_found(web: Web, program: httpx.AsyncClient) -> None:
    anna = (await web.identities.create_guest())[0]
    for path in (f"{anna.name}/versus/nobody", f"nobody/versus/{anna.name}", f"{anna.name}/versus/nul%00"):
        assert error_of(await program.get(f"/api/v1/users/{path}")) == (404, "not_found")
