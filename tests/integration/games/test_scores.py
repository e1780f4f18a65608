"""Scores by HTTP: PGN for chess, PDN for all other games."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from game_core.draughts.notation.pdn_game import PdnGame
from game_core.draughts.notation.pdn_reader import read_games
from tests.integration.match import match
from tests.integration.running_simul import announced, running
from tests.integration.selfplay import KINDS, self_played
from tests.integration.simuls.test_simul_feeds import followed, got

if TYPE_CHECKING:
    import httpx

PLIES = 12
"""Of each game: some captures among them."""

PDN = "application/x-draughts-pdn"


def read(response: httpx.Response) -> list[PdnGame]:
    """The games of a file."""
    assert response.status_code == 200
    games = list(read_games([response.text]))
    good = [game for game in games if isinstance(game, PdnGame)]
    assert good == games
    return good


async def told(response: httpx.Response) -> str:
    """Why something is not there."""
    assert response.status_code == 404
    error = response.json()["error"]
    assert error["code"] == "not_found"
    message: str = error["message"]
    return message


async def test_pdn_export_of_every_variant_equals_the_game(url: str) -> None:
    async def play(game: str, variant: str) -> None:
        script = self_played(game, variant)
        async with match(url, *script.moves[:PLIES], **script.terms) as m:
            await m.mover.request("resign", g=m.g)
            end = await m.white.wait(lambda message: message["t"] == "end")
            response = await got(url, f"games/{m.g}/pdn")
            assert response.headers["content-type"] == "text/plain; charset=utf-8"
            (score,) = read(response)
            assert (score.game, score.variant, score.fen, score.result) == (game, variant, None, end["result"])
            assert [(ply.move, ply.san) for ply in score.line.plies] == [
                (one.move, one.notation) for one in script.played[:PLIES]
            ]
            assert all(ply.clock_ms is not None for ply in score.line.plies)
            assert score.tags["Site"] == f"{url}/game/{m.g}"
            assert score.tags["Termination"] == "normal"
            why = await told(await got(url, f"games/{m.g}/pgn"))
            assert why == f"this is a game of {game}: its score is pdn, at /api/v1/games/{m.g}/pdn"

    await asyncio.gather(*(play(*kind) for kind in KINDS))


async def test_chess_has_no_pdn(url: str) -> None:
    async with match(url, "e2e4") as m:
        why = await told(await got(url, f"games/{m.g}/pdn"))
        assert why == f"this is a game of chess: its score is pgn, at /api/v1/games/{m.g}/pgn"
    for path in ("games/abcdefgh/pdn", "games/x/pdn", "users/Nobody-there/pdn"):
        assert (await got(url, path)).status_code == 404


async def test_score_names_its_start_position(url: str) -> None:
    fen = "B:W32,K5:B3,12"
    async with match(url, game="draughts", variant="english", fen=fen) as m:
        await m.play("12-16")
        (score,) = read(await got(url, f"games/{m.g}/pdn"))
        assert (score.fen, score.result, score.tags["Termination"]) == (fen, "*", "unterminated")


async def test_score_files_of_a_player_hold_one_kind_of_game(url: str) -> None:
    async with match(url, "e2e4") as m:
        name = m.white.welcome["user"]["name"]
        other = m.black.welcome["user"]["name"]
        for variant, move in (("russian", "c3-d4"), ("losing-international", "32-28")):
            challenge = await m.white.request(
                "challenge", tc={"base_s": 300}, color="w", game="draughts", variant=variant
            )
            g = (await m.black.request("challenge.accept", challenge=challenge["challenge"]))["g"]
            await m.white.sub(g, ticks=False)
            await m.white.request("move", g=g, move=move, ply=0)
        response = await got(url, f"users/{name}/pdn")
        assert response.headers["content-type"] == PDN
        assert response.headers["content-disposition"] == f'attachment; filename="zeitnot-{name}.pdn"'
        assert [(score.variant, len(score.line.plies)) for score in read(response)] == [
            ("losing-international", 1),
            ("russian", 1),
        ]
        assert [score.variant for score in read(await got(url, f"users/{other}/pdn?variant=russian"))] == ["russian"]
        assert (await got(url, f"users/{name}/pdn?variant=standard")).text == ""
        chess = await got(url, f"users/{name}/pgn")
        assert chess.headers["content-type"] == "application/vnd.chess-pgn"
        assert (chess.text.count("[Event "), chess.text.count(m.g)) == (1, 1)


async def test_draughts_simul_is_exported_as_pdn(url: str) -> None:
    terms = {"game": "draughts", "variant": "brazilian", "name": "Damas"}
    async with running(url, 2, **terms) as x:
        await x.move(2, 0, "c3-d4")
        await x.player(1).request("resign", g=x.boards[1])
        response = await got(url, f"simuls/{x.id}/pdn")
        assert response.headers["content-type"] == PDN
        games = read(response)
        assert [(game.tags["Event"], game.tags["Board"], game.result) for game in games] == [
            ("Damas", "1", "1-0"),
            ("Damas", "2", "*"),
        ]
        assert [len(game.line.plies) for game in games] == [0, 1]
        why = await told(await got(url, f"simuls/{x.id}/pgn"))
        assert why == f"no game of this simul is written as pgn; all are at /api/v1/simuls/{x.id}/pdn"


async def test_mixed_simul_has_a_stream_per_notation(url: str) -> None:
    variants = [{"game": "chess", "variant": "standard"}, {"game": "draughts", "variant": "italian"}]
    async with announced(url, 2, join=False, variants=variants) as x:
        for player, offer in zip(x.players, variants, strict=True):
            await x.ask("join", player, **offer)
        await x.start()
        chess, draughts = (next(b for b in x.boards if x.player(b) is player) for player in x.players)
        async with followed(url, x.id, form="pdn") as pdn, followed(url, x.id) as pgn:
            await pdn.until(f'[Board "{draughts}"]', '[GameType "22,W,8,8,N2,1"]', "*\n")
            await pgn.until(f'[Board "{chess}"]', "*\n")
            await x.move(chess, 0, "e2e4")
            await x.move(draughts, 0, "21-17")
            await pdn.until("1. 21-17", "*\n")
            await pgn.until("1. e4", "*\n")
            await x.player(draughts).request("resign", g=x.boards[draughts])
            await x.player(chess).request("resign", g=x.boards[chess])
            await pdn.rest()
            await pgn.rest()
        games = [game for game in read_games([pdn.text]) if isinstance(game, PdnGame)]
        assert {game.variant for game in games} == {"italian"}
        assert (games[-1].result, len(games[-1].line.plies)) == ("1-0", 1)
        assert ("GameType" in pgn.text, "[Variant" in pgn.text, "1-0" in pgn.text) == (False, False, True)
        (file,) = read(await got(url, f"simuls/{x.id}/pdn"))
        assert file.tags["Board"] == str(draughts)
        assert (await got(url, f"simuls/{x.id}/pgn")).text.count("[Event ") == 1


async def test_files_omit_moves_under_delay(url: str) -> None:
    terms = {"game": "draughts", "variant": "international", "delay_s": 900}
    async with running(url, 1, **terms) as x, followed(url, x.id, form="pdn") as outside:
        await x.move(1, 0, "32-28")
        (score,) = read(await got(url, f"simuls/{x.id}/pdn", x.host))
        assert [ply.move for ply in score.line.plies] == ["32-28"]
        name = x.host.welcome["user"]["name"]
        for path in (f"simuls/{x.id}/pdn", f"games/{x.boards[1]}/pdn", f"users/{name}/pdn"):
            assert "32-28" not in (await got(url, path)).text, path
            assert "32-28" in (await got(url, path, x.host)).text, path
        assert await outside.has_no_game()
