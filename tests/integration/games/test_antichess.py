"""Antichess over real sockets: forced captures, wins, seeks, ratings, TV, scores."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from typing import TYPE_CHECKING, Any

from game_core.registry import rules_for
from tests.integration.match import begin, match
from tests.integration.running_simul import ANNOUNCED, RunningSimul, listen
from tests.wire_client import WAIT_S, Client, member

if TYPE_CHECKING:
    from tests.wire_client import Message

KING_FIRST = ("a7b8k", "h1h8", "b8c8", "h8c8")

START = "1n6/P7/8/8/8/8/8/7r w - - 0 1"

RULES = rules_for("chess", "antichess")


async def got(url: str, path: str) -> Any:
    def load() -> Any:
        with urllib.request.urlopen(f"{url}/api/v1/{path}", timeout=WAIT_S) as response:
            return json.load(response)

    return await asyncio.to_thread(load)


async def text_of(url: str, path: str) -> str:
    def load() -> str:
        with urllib.request.urlopen(f"{url}/api/v1/{path}", timeout=WAIT_S) as response:
            text: str = response.read().decode()
            return text

    return await asyncio.to_thread(load)


async def test_side_without_pieces_wins(url: str) -> None:
    async with match(url, variant="antichess", fen=START) as m:
        await m.white.sub(m.g, ticks=False, legal=True)
        shown = [message for message in m.white.messages if message["t"] == "game"][-1]
        assert sorted(shown["legal"]) == sorted(f"a7b8{piece}" for piece in "qrbnk")
        assert await m.white.refused("move", g=m.g, move="a7a8k", ply=0) == "illegal_move"
        await m.play(*KING_FIRST[:1])
        assert await m.black.refused("move", g=m.g, move="h1b1", ply=0) != ""
        await m.play(*KING_FIRST[1:])
        end = await m.black.wait(lambda message: message["t"] == "end")
        assert (end["result"], end["reason"]) == ("1-0", "all_captured")
        moves = [event for event in m.black.events(m.g) if event["t"] == "move"]
        assert [event["san"] for event in moves] == ["axb8=K", "Rh8", "Kc8", "Rxc8"]
        assert not any(event["check"] for event in moves)
        score = await text_of(m.white.url, f"games/{m.g}/pgn")
        assert '[Variant "Antichess"]' in score
        assert f'[FEN "{START}"]' in score


async def test_antichess_has_seeks_ratings_and_tv(url: str) -> None:
    wanted = {"variant": "antichess", "tc": {"base_s": 240, "inc_s": 7}, "rated": True}
    async with (
        Client(url, member(url)[0]) as one,
        Client(url, member(url)[0]) as other,
        Client(url) as viewer,
    ):
        await viewer.request("sub", topic="tv")
        seek = (await one.request("seek", **wanted))["seek"]
        assert seek
        g = (await other.request("seek", **wanted))["g"]
        shown: Message = await one.sub(g, ticks=False)
        await other.sub(g, ticks=False)
        assert (shown["variant"], shown["fen"], shown["position"]) == ("antichess", None, RULES.start(None).fen)
        white, black = (one, other) if shown["you"] == "w" else (other, one)
        for ply, move in enumerate(("e2e3", "b7b5", "f1b5", "c8a6", "b5a6", "b8a6")):
            await (white, black)[ply % 2].request("move", g=g, move=move, ply=ply)
        await viewer.wait(lambda m: m["t"] == "tv.game" and (m["channel"], m["g"]) == ("antichess", g))
        assert [card["g"] for card in (await got(url, "live?variant=antichess"))["games"]] == [g]
        await black.request("resign", g=g)
        end = await white.wait(lambda m: m["t"] == "end")
        assert end["ratings"]["w"] > 1500 > end["ratings"]["b"]
        score = await text_of(url, f"games/{g}/pgn")
        assert '[Variant "Antichess"]' in score
        assert "FEN" not in score
        ranks = await got(url, "leaderboards/antichess-blitz")
        assert ranks["perf"] == "antichess-blitz"


async def test_antichess_simul_is_played(url: str) -> None:
    async with Client(url, member(url)[0]) as host, Client(url, member(url)[0]) as player:
        offers = [{"game": "chess", "variant": "antichess"}]
        x = RunningSimul(
            url, (await host.request("simul.create", **{**ANNOUNCED, "variants": offers}))["simul"], host, [player]
        )
        await listen(host, x.id)
        await x.ask("join", player)
        await x.start()
        game = await player.sub(x.boards[1])
        assert (game["variant"], game["simul"]) == ("antichess", x.id)


async def test_start_position_with_castling_rights_is_refused(url: str) -> None:
    async with Client(url, member(url)[0]) as somebody, Client(url, member(url)[0]) as other:
        fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
        assert await somebody.refused("challenge", variant="antichess", tc=None, fen=fen) == "bad_message"
        assert await begin(somebody, other, variant="antichess")
