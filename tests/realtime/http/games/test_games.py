"""Games by HTTP: a game, its score, and the list in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.user import user_wire
from lobby.proposals import Proposal
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from lobby.accounts.user import User
    from tests.realtime.http.conftest import Web

GAMES = "/api/v1/games"


async def play(web: Web, white: User, black: User, tc: Any = None) -> str:
    """A new game; its id."""
    challenge = await web.lobby.challenge(white, Proposal(tc=tc, color="w"))
    game: str = (await web.lobby.challenge_accept(black, challenge["challenge"]))["g"]
    return game


async def test_game_is_shown_as_its_viewer_may_see_it(web: Web, program: httpx.AsyncClient) -> None:
    web.server.snapshots["game1"] = {"t": "game", "g": "game1"}
    assert (await program.get(f"{GAMES}/game1")).json() == {"t": "game", "g": "game1"}
    user, token = await web.identities.create_guest()
    await program.get(f"{GAMES}/game1", headers={"authorization": f"Bearer {token}"})
    assert web.server.viewers == [None, user]
    bad = await program.get(f"{GAMES}/game1", headers={"authorization": "Bearer no"})
    assert error_of(bad) == (401, "unauthenticated")


@pytest.mark.parametrize("path", ["game2", "game2/pgn", "nul%00", "nul%00/pgn", "a" * 100, "game1/pdn"])
async def test_unknown_games_are_not_found(web: Web, program: httpx.AsyncClient, path: str) -> None:
    web.server.snapshots["game1"] = {}
    assert error_of(await program.get(f"{GAMES}/{path}")) == (404, "not_found")


async def test_score_is_plain_text_and_names_its_site(web: Web, program: httpx.AsyncClient) -> None:
    web.server.snapshots["game1"] = {}
    response = await program.get(f"{GAMES}/game1/pgn")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.text == '[Site "http://zeitnot.test/game/game1"]\n'


async def test_list_shows_the_fields_of_each_game(web: Web, program: httpx.AsyncClient) -> None:
    (anna, _), (bert, _) = [await web.identities.create_guest() for _ in range(2)]
    game = await play(web, anna, bert, {"base_s": 180, "inc_s": 2})
    await web.pool.execute(
        "UPDATE game SET status = 'over', result = '0-1', reason = 'resignation', plies = 31,"
        " created_at = to_timestamp(1700000000.123), ended_at = to_timestamp(1700000400) WHERE id = $1",
        game,
    )
    response = await program.get(GAMES)
    assert response.json() == {
        "games": [
            {
                "g": game,
                "game": "chess",
                "variant": "standard",
                "rated": False,
                "rules": "online",
                "speed": "blitz",
                "tc": {"base_s": 180, "inc_s": 2},
                "players": {
                    "w": {"user": user_wire(anna), "rating": None, "provisional": None},
                    "b": {"user": user_wire(bert), "rating": None, "provisional": None},
                },
                "status": "over",
                "result": "0-1",
                "reason": "resignation",
                "plies": 31,
                "created": 1_700_000_000_123,
                "ended": 1_700_000_400_000,
                "ratings": None,
            }
        ],
        "next": None,
    }


async def test_list_shows_new_ratings_of_a_rated_game(web: Web, program: httpx.AsyncClient) -> None:
    (anna, _), (bert, _) = [await web.identities.create_guest() for _ in range(2)]
    game = await play(web, anna, bert)
    await web.pool.execute("UPDATE game SET rated = true, status = 'over', result = '0-1' WHERE id = $1", game)
    # It has ended, and is not yet counted.
    assert (await program.get(GAMES)).json()["games"][0]["ratings"] is None
    await web.pool.executemany(
        "INSERT INTO rated_game VALUES ($1, $2, 'blitz', now(), 1500, 350, 0.06, $3, 300, 0.06)",
        [(game, anna.id, 1337.8), (game, bert.id, 1662.2)],
    )
    assert (await program.get(GAMES)).json()["games"][0]["ratings"] == {"w": 1338, "b": 1662}


async def test_pages_have_no_gap_or_repetition(web: Web, program: httpx.AsyncClient) -> None:
    (anna, _), (bert, _) = [await web.identities.create_guest() for _ in range(2)]
    made = [await play(web, anna, bert) for _ in range(7)]
    seen: list[str] = []
    query: dict[str, str] = {"limit": "3", "user": anna.name.lower()}
    while True:
        page = (await program.get(GAMES, params=query)).json()
        seen += [game["g"] for game in page["games"]]
        if page["next"] is None:
            break
        query["before"] = page["next"]
    assert seen == made[::-1]


async def test_list_shows_games_of_one_person(web: Web, program: httpx.AsyncClient) -> None:
    (anna, _), (bert, _), (carl, _) = [await web.identities.create_guest() for _ in range(3)]
    first, second = await play(web, anna, bert), await play(web, carl, anna)
    for user, games in ((anna, [second, first]), (bert, [first]), (carl, [second])):
        response = await program.get(GAMES, params={"user": user.name})
        assert [game["g"] for game in response.json()["games"]] == games
    assert error_of(await program.get(GAMES, params={"user": "nobody"})) == (404, "not_found")


async def test_list_filters_games(web: Web, program: httpx.AsyncClient) -> None:
    (anna, _), (bert, _), (carl, _) = [await web.identities.create_guest() for _ in range(3)]
    first = await play(web, anna, bert, {"base_s": 60})
    second = await play(web, bert, anna, {"base_s": 1800})
    third = await play(web, carl, anna, {"base_s": 60})
    await web.pool.execute("UPDATE game SET status = 'over', result = '1-0' WHERE id <> $1", third)
    await web.pool.execute("UPDATE game SET created_at = to_timestamp(1700000000) WHERE id = $1", first)
    for query, games in (
        ({"speed": "bullet"}, [third, first]),
        ({"rated": "1"}, []),
        ({"variant": "standard", "until": "1700000001000"}, [first]),
        ({"since": "1700000000000"}, [third, second, first]),
        ({"since": "1700000000001"}, [third, second]),
        ({"user": anna.name, "opponent": bert.name.lower()}, [second, first]),
        ({"user": anna.name, "color": "b"}, [third, second]),
        ({"user": anna.name, "result": "lost"}, [second]),
        ({"user": anna.name, "result": "won", "speed": "classical"}, []),
    ):
        page = (await program.get(GAMES, params=query)).json()
        assert [game["g"] for game in page["games"]] == games, query
    unknown = await program.get(GAMES, params={"user": anna.name, "opponent": "nobody"})
    assert error_of(unknown) == (404, "not_found")


async def test_parameter_before_may_be_an_instant(web: Web, program: httpx.AsyncClient) -> None:
    (anna, _), (bert, _) = [await web.identities.create_guest() for _ in range(2)]
    early, delayed = await play(web, anna, bert), await play(web, anna, bert)
    await web.pool.execute("UPDATE game SET created_at = to_timestamp(1700000000) WHERE id = $1", early)
    await web.pool.execute("UPDATE game SET created_at = to_timestamp(1700000001) WHERE id = $1", delayed)
    response = await program.get(GAMES, params={"before": "1700000000500"})
    assert [game["g"] for game in response.json()["games"]] == [early]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "0"},
        {"limit": "101"},
        {"limit": "-1"},
        {"limit": "x"},
        {"limit": "٣"},
        {"limit": ""},
        {"before": "nosuchid"},
        {"before": ""},
        {"before": "nul\0"},
        {"before": "9" * 14},
        {"opponent": "anna"},
        {"color": "w"},
        {"result": "won"},
        {"variant": "checkers"},
        {"variant": "checkers", "live": "1"},
        {"speed": "slow"},
        {"rated": "true"},
        {"since": "-1"},
        {"until": "tomorrow"},
    ],
)
async def test_invalid_queries_are_refused(program: httpx.AsyncClient, query: dict[str, str]) -> None:
    assert error_of(await program.get(GAMES, params=query)) == (400, "bad_message")


async def test_challenge_card_is_shown(web: Web, program: httpx.AsyncClient) -> None:
    (anna, _), (bert, _) = [await web.identities.create_guest() for _ in range(2)]
    challenge = (await web.lobby.challenge(anna, Proposal(tc=None)))["challenge"]
    card = (await program.get(f"/api/v1/challenges/{challenge}")).json()
    assert (card["challenge"], card["from"], card["status"], card["g"]) == (challenge, user_wire(anna), "open", None)
    game = (await web.lobby.challenge_accept(bert, challenge))["g"]
    card = (await program.get(f"/api/v1/challenges/{challenge}")).json()
    assert (card["status"], card["g"]) == ("accepted", game)
    for unknown in ("nosuchid", "nul%00"):
        assert error_of(await program.get(f"/api/v1/challenges/{unknown}")) == (404, "not_found")


async def test_live_list_shows_games_in_progress(web: Web, program: httpx.AsyncClient) -> None:
    web.server.live_games = [{"g": f"g{number}"} for number in range(30)]
    assert (await program.get(GAMES, params={"live": 1, "limit": 2})).json() == {
        "games": [{"g": "g0"}, {"g": "g1"}],
        "next": None,
    }
    assert len((await program.get(f"{GAMES}?live=1")).json()["games"]) == 20
    for query in ("live=0", "live=", "live=1&limit=0", "live=1&limit=101"):
        assert error_of(await program.get(f"{GAMES}?{query}")) == (400, "bad_message")
