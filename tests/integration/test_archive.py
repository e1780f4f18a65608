"""A game from its first move to the archive: profiles say who plays what, lists and files have it when it is over."""

from __future__ import annotations

import io
import urllib.request
from urllib.parse import quote

import chess.pgn

from tests.integration.match import match
from tests.integration.test_people import ask
from tests.wire_client import member


def first_score(url: str, name: str) -> chess.pgn.Game:
    """The newest game in the file of somebody's games."""
    with urllib.request.urlopen(f"{url}/api/v1/users/{name}/pgn", timeout=20) as response:
        score = chess.pgn.read_game(io.StringIO(response.read().decode()))
    assert score is not None
    return score


async def test_a_game_is_found_by_its_players(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        names = [player.welcome["user"]["name"] for player in (m.white, m.black)]
        for name in names:
            profile = ask(url, "GET", f"users/{quote(name)}")[1]
            assert (profile["online"], profile["playing"], profile["closed"]) == (True, m.g, False)
        await m.black.request("resign", g=m.g)
        await m.white.wait(lambda message: message["t"] == "end")
        profile = ask(url, "GET", f"users/{quote(names[0])}")[1]
        assert (profile["playing"], profile["games"]["won"]) == (None, 1)
    white, black = names
    assert ask(url, "GET", f"users/{black}/versus/{white}")[1]["games"] == {"won": 0, "drawn": 0, "lost": 1, "total": 1}
    for query, games in ((f"user={white}&opponent={black}&result=won", [m.g]), (f"user={white}&color=b", [])):
        assert [game["g"] for game in ask(url, "GET", f"games?{query}")[1]["games"]] == games
    score = first_score(url, white)
    assert [move.uci() for move in score.mainline_moves()] == ["e2e4", "e7e5"]
    assert (score.headers["Site"], score.headers["Result"]) == (f"{url}/game/{m.g}", "1-0")


async def test_nobody_is_online_without_a_socket(url: str) -> None:
    _, user = member(url)
    profile = ask(url, "GET", f"users/{user['name']}")[1]
    assert (profile["online"], profile["playing"]) == (False, None)
