"""The archive of games: profiles, lists and files."""

from __future__ import annotations

import io
import urllib.request
from urllib.parse import quote

import chess.pgn

from tests.integration.lobby.test_people import ask
from tests.integration.match import match
from tests.wire_client import member

OFFERED = [False, False, True, False]


def first_score(url: str, name: str) -> chess.pgn.Game:
    """The newest game in the file of a person's games."""
    return score_at(f"{url}/api/v1/users/{name}/pgn")


def score_at(address: str) -> chess.pgn.Game:
    """The first game in a file."""
    with urllib.request.urlopen(address, timeout=20) as response:
        score = chess.pgn.read_game(io.StringIO(response.read().decode()))
    assert score is not None
    return score


async def test_profile_lists_the_players_games(url: str) -> None:
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


async def test_only_a_socket_makes_a_player_online(url: str) -> None:
    _, user = member(url)
    profile = ask(url, "GET", f"users/{user['name']}")[1]
    assert (profile["online"], profile["playing"]) == (False, None)


async def test_score_has_clock_times_and_draw_offers(url: str) -> None:
    async with match(url, "e2e4", "e7e5", "g1f3") as m:
        await m.white.request("draw", g=m.g, do="offer")
        await m.play("b8c6")
        assert [
            move.comment.startswith("(=)") for move in score_at(f"{url}/api/v1/games/{m.g}/pgn").mainline()
        ] == OFFERED
        await m.black.request("resign", g=m.g)
        await m.white.wait(lambda message: message["t"] == "end")
        heard = [event["clock"] for event in m.white.events(m.g) if event["t"] == "move"]
        name = m.white.welcome["user"]["name"]
    moves = list(first_score(url, name).mainline())
    assert [move.comment.startswith("(=)") for move in moves] == OFFERED
    assert [move.emt() is None for move in moves] == [True, True, False, False]  # the first ones are charged to nobody
    for move, clock, side in zip(moves, heard, "wbwb", strict=True):
        left_s = move.clock()
        assert left_s is not None
        assert round(left_s * 1000) == clock[side]
