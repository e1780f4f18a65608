"""PGN imports by HTTP: accepted files, answers, and access."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game_core.chess.pgn_reader import read_games
from game_core.chess.pgn_writer import write_games
from realtime.imports import import_runner, import_store
from tests.game_core.chess.library import DATA
from tests.game_core.chess.test_pgn_round_trip import games
from tests.realtime.http.conftest import error_of
from tests.realtime.imports.test_import_worker import ANNA, BROKEN, game_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

    from game_core.chess.pgn_game import PgnGame
    from tests.realtime.http.conftest import Web

PATH = "/api/v1/imports"
SECRET = "correct horse"


async def member(web: Web, name: str, *scopes: str) -> httpx.AsyncClient:
    """A program of a member's; with ``scopes`` it has a token for these."""
    client = await web.client()
    token = (await client.post("/api/v1/signup", json={"name": name, "password": SECRET})).json()["token"]
    client.headers["Authorization"] = f"Bearer {token}"
    if scopes:
        asked = {"label": "x", "scopes": scopes, "days": 1, "password": SECRET}
        token = (await client.post("/api/v1/account/tokens", json=asked)).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
    client.cookies.clear()
    return client


@pytest.fixture
async def anna(web: Web) -> httpx.AsyncClient:
    return await member(web, "Anna")


async def bring(client: httpx.AsyncClient, text: bytes, name: str = "Club") -> Any:
    response = await client.post(PATH, params={"name": name}, content=text)
    assert response.status_code == 201, response.text
    return response.json()


async def left(web: Web) -> tuple[int, int, int]:
    """What the database has of imports."""
    return tuple([await web.pool.fetchval(f"SELECT count(*) FROM {table}") for table in TABLES])


TABLES = ("import", "imported_game", "imported_score")


async def test_games_are_imported_and_listed(anna: httpx.AsyncClient) -> None:
    made = await bring(anna, ANNA + BROKEN + ANNA)
    refused = made.pop("refused")
    assert made == {"import": made["import"], "name": "Club", "games": 2, "more_refused": 0}
    assert [(game["game"], game["line"], game["column"]) for game in refused] == [(2, 10, 13)]
    listed = (await anna.get(PATH)).json()
    (told,) = listed["imports"]
    assert (told["import"], told["name"], told["games"], told["public"]) == (made["import"], "Club", 2, False)
    assert told["owner"]["name"] == "Anna"
    assert listed["left"] == {"imports": 99, "games": 59_998, "bytes": import_store.MAX_BYTES - told["bytes"]}
    page = (await anna.get(f"{PATH}/{told['import']}")).json()
    row = {
        "players": {"w": {"name": "Anna", "elo": 1850}, "b": {"name": "Bert", "elo": None}},
        "result": "1-0",
        "date": "????.??.??",
        "event": "?",
        "plies": 3,
        "variant": "standard",
    }
    assert page == {"import": told, "games": [{"n": 1, **row}, {"n": 2, **row}], "next": None}


@pytest.mark.parametrize("name", ["kasparov-deep-blue-1997.pgn", "cutechess-fischerrandom.pgn"])
async def test_real_files_round_trip(anna: httpx.AsyncClient, name: str) -> None:
    text = (DATA / name).read_bytes()
    real = list(read_games([text.decode()]))
    made = await bring(anna, text)
    assert (made["games"], made["refused"]) == (len(real), [])
    path = f"{PATH}/{made['import']}"
    whole = await anna.get(f"{path}/pgn")
    assert whole.headers["content-type"] == "application/vnd.chess-pgn"
    assert list(read_games([whole.text])) == real
    for n, game in enumerate(real, 1):
        told = (await anna.get(f"{path}/games/{n}")).json()
        assert (told["import"], told["name"], told["n"], told["games"]) == (made["import"], "Club", n, len(real))
        assert game_of(told["game"]) == game
        one = await anna.get(f"{path}/games/{n}/pgn")
        assert one.headers["content-type"].startswith("text/plain")
        assert list(read_games([one.text])) == [game]
    assert (await bring(anna, whole.content))["games"] == len(real)


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(st.lists(games(), min_size=1, max_size=4))
async def test_any_games_round_trip(anna: httpx.AsyncClient, several: list[PgnGame]) -> None:
    made = await bring(anna, "".join(write_games(several)).encode())
    assert (made["games"], made["refused"]) == (len(several), [])
    path = f"{PATH}/{made['import']}"
    assert list(read_games([(await anna.get(f"{path}/pgn")).text])) == several
    told = [(await anna.get(f"{path}/games/{n}")).json()["game"] for n in range(1, len(several) + 1)]
    assert [game_of(game) for game in told] == several
    assert (await anna.delete(path)).status_code == 204


async def test_text_is_read_in_pieces_and_stored_in_batches(
    web: Web, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_runner, "BATCH_GAMES", 4)
    monkeypatch.setattr(import_store, "PIECE_GAMES", 3)
    text = b"".join(ANNA.replace(b"Anna", b"Anna %d" % n) for n in range(10))

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(text), 37):
            yield text[at : at + 37]

    made = (await anna.post(PATH, content=pieces())).json()
    assert (made["games"], made["name"]) == (10, "PGN")
    whole = (await anna.get(f"{PATH}/{made['import']}/pgn")).text
    assert [game.tags["White"] for game in read_games([whole])] == [f"Anna {n}" for n in range(10)]  # type: ignore[union-attr]  # none is refused
    sizes = await web.pool.fetchval("SELECT sum(octet_length(pgn) + octet_length(score)) FROM imported_score")
    assert sizes == (await anna.get(PATH)).json()["imports"][0]["bytes"]


async def test_long_piece_is_read_game_by_game(anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_store, "PIECE_BYTES", 1)
    made = await bring(anna, ANNA * 3)
    assert len(list(read_games([(await anna.get(f"{PATH}/{made['import']}/pgn")).text]))) == 3


async def test_list_has_pages_and_filters(anna: httpx.AsyncClient) -> None:
    text = b"".join(
        b'[White "Ann%d"]\n[Black "B_rt"]\n[Event "%s"]\n\n1. e4 %s\n' % (n, event, result)
        for n, (event, result) in enumerate([(b"Club", b"1-0"), ("Café".encode(), b"*"), (b"Club", b"*")] * 2)
    )
    path = f"{PATH}/{(await bring(anna, text))['import']}"

    async def numbers(**query: object) -> tuple[list[int], int | None]:
        page = (await anna.get(path, params=query)).json()  # type: ignore[arg-type]  # texts and numbers
        return [game["n"] for game in page["games"]], page["next"]

    assert await numbers(limit=4) == ([1, 2, 3, 4], 4)
    assert await numbers(limit=4, after=4) == ([5, 6], None)
    assert await numbers(limit=6) == ([1, 2, 3, 4, 5, 6], None)
    assert await numbers(q="CAFÉ") == ([2, 5], None)
    assert await numbers(q="ann3") == ([4], None)
    assert await numbers(q="_") == ([1, 2, 3, 4, 5, 6], None)
    assert await numbers(q="%") == ([], None)
    assert await numbers(q="") == ([1, 2, 3, 4, 5, 6], None)
    assert await numbers(result="1-0", limit=1) == ([1], 1)
    assert await numbers(result="*", q="club") == ([3, 6], None)
    for wrong in ({"limit": "0"}, {"limit": "101"}, {"after": "-1"}, {"result": "won"}, {"q": "\0"}, {"q": "x" * 81}):
        assert error_of(await anna.get(path, params=wrong)) == (400, "bad_message")


class TestWhoMayLook:
    async def test_import_is_private_until_published(self, web: Web, anna: httpx.AsyncClient) -> None:
        path = f"{PATH}/{(await bring(anna, ANNA))['import']}"
        bert, stranger = await member(web, "Bert"), await web.client()
        places = (path, f"{path}/pgn", f"{path}/games/1", f"{path}/games/1/pgn")
        for place in places:
            for other in (bert, stranger):
                assert error_of(await other.get(place)) == (404, "not_found")
        shown = await anna.put(path, json={"name": "  For\n all ", "public": True})
        assert (shown.status_code, shown.json()["name"], shown.json()["public"]) == (200, "For all", True)
        for place in places:
            for other in (bert, stranger, anna):
                assert (await other.get(place)).status_code == 200
        assert (await bert.get(PATH)).json()["imports"] == []
        assert error_of(await bert.put(path, json={"name": "mine", "public": True})) == (404, "not_found")
        assert error_of(await bert.delete(path)) == (404, "not_found")
        assert error_of(await stranger.delete(path)) == (401, "unauthenticated")
        assert (await anna.put(path, json={"name": "Mine", "public": False})).status_code == 200
        assert error_of(await stranger.get(path)) == (404, "not_found")
        assert (await anna.delete(path)).status_code == 204
        assert error_of(await anna.get(path)) == (404, "not_found")
        assert await left(web) == (0, 0, 0)

    async def test_imports_of_closed_account_are_hidden(self, web: Web, anna: httpx.AsyncClient) -> None:
        path = f"{PATH}/{(await bring(anna, ANNA))['import']}"
        await anna.put(path, json={"name": "For all", "public": True})
        stranger = await web.client()
        for closed, status in (("now()", 404), ("NULL", 200)):
            await web.pool.execute(f"UPDATE person SET closed_at = {closed} WHERE name = 'Anna'")
            for place in (path, f"{path}/pgn", f"{path}/games/1", f"{path}/games/1/pgn"):
                assert (await stranger.get(place)).status_code == status

    async def test_incomplete_form_is_refused(self, anna: httpx.AsyncClient) -> None:
        path = f"{PATH}/{(await bring(anna, ANNA))['import']}"
        long = {"name": "x" * 81, "public": True}
        for wrong in ({}, {"name": "x"}, {"public": True}, {"name": "x", "public": 1}, long):
            assert error_of(await anna.put(path, json=wrong)) == (400, "bad_message")
        assert (await anna.put(path, json={"name": " ", "public": False})).json()["name"] == "PGN"

    async def test_strangers_and_guests_cannot_import(self, web: Web) -> None:
        stranger, guest = await web.client(), await web.client()
        await guest.post("/api/v1/guest")
        assert error_of(await stranger.post(PATH, content=ANNA)) == (401, "unauthenticated")
        assert error_of(await guest.post(PATH, content=ANNA)) == (403, "forbidden")
        assert error_of(await guest.get(PATH)) == (403, "forbidden")

    async def test_token_scopes_apply_to_imports(self, web: Web) -> None:
        player, reader = await member(web, "Anna", "play"), await member(web, "Bert", "read")
        made = await bring(player, ANNA)
        assert error_of(await player.get(PATH)) == (403, "forbidden")
        assert error_of(await player.get(f"{PATH}/{made['import']}")) == (404, "not_found")
        assert (await player.delete(f"{PATH}/{made['import']}")).status_code == 204
        assert (await reader.get(PATH)).status_code == 200
        assert error_of(await reader.post(PATH, content=ANNA)) == (403, "forbidden")

    @pytest.mark.parametrize("number", ["0", "2", "-1", "1.0", "x", "²", "9" * 30, "999999999"])
    async def test_unknown_imported_game_is_not_found(self, anna: httpx.AsyncClient, number: str) -> None:
        path = f"{PATH}/{(await bring(anna, ANNA))['import']}/games/{number}"
        assert error_of(await anna.get(path)) == (404, "not_found")
        assert error_of(await anna.get(f"{path}/pgn")) == (404, "not_found")
        assert error_of(await anna.get(f"{PATH}/no%00such")) == (404, "not_found")

    async def test_imports_are_deleted_with_the_account(self, web: Web, anna: httpx.AsyncClient) -> None:
        await bring(anna, ANNA)
        assert (await anna.post("/api/v1/account/delete", json={"password": SECRET})).status_code == 204
        assert await left(web) == (0, 0, 0)
