"""Search: people by prefix of their names, games by id or address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lobby.proposals import Proposal
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web

SEARCH = "/api/v1/search"


async def people(web: Web, *names: str, kind: str = "member") -> None:
    rows = [(f"{kind}{number}", name, kind) for number, name in enumerate(names)]
    await web.pool.executemany("INSERT INTO person (id, name, kind) VALUES ($1, $2, $3)", rows)


async def names(program: httpx.AsyncClient, text: str) -> list[str]:
    response = await program.get(SEARCH, params={"q": text})
    assert response.status_code == 200
    body = response.json()
    assert set(body) == {"users", "game"}
    return [user["name"] for user in body["users"]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("an", ["ana", "Andy", "Anna", "ANNABEL"]),
        ("ANN", ["Anna", "ANNABEL"]),
        (" anna ", ["Anna", "ANNABEL"]),
        ("annabelle", []),
        ("b", ["Ben"]),
        ("_", ["_x"]),
        ("%", []),
        ("é", ["Émile"]),
        ("nul\0", []),
        ("guest-", ["Guest-AAAAA"]),
        ("g", ["Gerd", "Guest-AAAAA"]),
    ],
)
async def test_people_are_found_by_prefix(web: Web, program: httpx.AsyncClient, text: str, found: list[str]) -> None:
    await people(web, "Anna", "ANNABEL", "ana", "Andy", "Ben", "_x", "Émile", "Gerd")
    await people(web, "Guest-AAAAA", kind="guest")
    assert await names(program, text) == found


async def test_search_finds_ten_people_and_members_first(web: Web, program: httpx.AsyncClient) -> None:
    await people(web, *(f"x{number}" for number in range(4)))
    await people(web, *(f"X-{number:02}" for number in range(20)), kind="guest")
    assert await names(program, "x") == [f"x{n}" for n in range(4)] + [f"X-{n:02}" for n in range(6)]
    await people(web, *(f"x-{number + 50}" for number in range(20)), kind="bot")
    assert len(await names(program, "x")) == 10


async def test_games_are_found_by_id_and_address(web: Web, program: httpx.AsyncClient) -> None:
    (white, _), (black, _) = [await web.identities.create_guest() for _ in range(2)]
    challenge = await web.lobby.challenge(white, Proposal(tc=None, color="w"))
    game = (await web.lobby.challenge_accept(black, challenge["challenge"]))["g"]
    for text in (game, f" {game}", f"https://zeitnot.test/game/{game}", f"/game/{game}?x=1", f"/game/{game}#12"):
        assert (await program.get(SEARCH, params={"q": text})).json() == {"users": [], "game": game}
    for text in ("nothing1", "/game/nothing1", game[:-1], "/game/"):
        assert (await program.get(SEARCH, params={"q": text})).json()["game"] is None


@pytest.mark.parametrize("query", ["", "?q=", "?q=%20%20", "?q=" + "x" * 201])
async def test_invalid_query_is_refused(program: httpx.AsyncClient, query: str) -> None:
    assert error_of(await program.get(SEARCH + query)) == (400, "bad_message")
