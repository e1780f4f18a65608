"""Games of all variants on one server: television, lists, streams, ratings, simuls, delayed games."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from game_core.registry import registered, rules_for
from lobby.ratings.ratings import perf_of, perfs
from tests.integration.games.test_rated_games import members, sat_down
from tests.integration.match import match, without_time
from tests.integration.running_simul import fetch, running
from tests.integration.selfplay import KINDS, self_played
from tests.integration.watching.test_watching import followed
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.integration.match import Match
    from tests.wire_client import Message

RUSSIAN = ("draughts", "russian")


async def asked(url: str, path: str) -> Any:
    """What ``path`` of the API answers."""
    return await asyncio.to_thread(fetch, url, path)


@contextlib.asynccontextmanager
async def one_of_each(url: str) -> AsyncIterator[dict[str, Match]]:
    """A game of every variant but those of chess that has begun; by variant."""
    async with contextlib.AsyncExitStack() as stack:
        games = {}
        for kind in KINDS:
            script = self_played(*kind)
            games[kind[1]] = await stack.enter_async_context(match(url, *script.moves[:4], **script.terms))
        yield games


async def shown_on(viewer: Client, channel: str, g: str) -> None:
    """Wait until ``channel`` shows the game."""
    await viewer.wait(lambda x: x["t"] == "tv.game" and (x["channel"], x["g"]) == (channel, g))


async def test_each_variant_has_its_own_channel_and_list(url: str) -> None:
    async with Client(url) as viewer, match(url, "e2e4", "e7e5") as chess:
        await viewer.request("sub", topic="tv")
        async with one_of_each(url) as games:
            for variant, m in games.items():
                await shown_on(viewer, variant, m.g)
            await shown_on(viewer, "blitz", chess.g)
            channels = (await asked(url, "tv"))["channels"]
            assert {name: channels[name]["g"] for name in games} == {name: m.g for name, m in games.items()}
            for variant, m in games.items():
                (card,) = (await asked(url, f"live?variant={variant}"))["games"]
                assert (card["g"], card["variant"]) == (m.g, variant)
                assert card["last"] == self_played(card["game"], variant).moves[3]
                (line,) = (await asked(url, f"games?variant={variant}&limit=1"))["games"]
                assert line["g"] == m.g
            listed = {card["g"] for card in (await asked(url, "games?live=1&limit=100"))["games"]}
            assert {m.g for m in games.values()} <= listed
            top = len(channels)
            assert top == len(games) + 5  # "best", the families, and "blitz"


async def test_game_stream_shows_capture_paths_and_the_end(url: str) -> None:
    script = self_played(*RUSSIAN)
    half = len(script.moves) // 2
    async with match(url, *script.moves[:half], **script.terms) as m, followed(url, f"games/{m.g}") as stream:
        snapshot = await stream.next()
        assert snapshot["leaps"] == script.leaps[:half]
        await m.play(*script.moves[half:])
        for leaps in script.leaps[half:]:
            assert (await stream.next()).get("leaps") == leaps
        assert (await stream.next())["t"] == "end"


@pytest.mark.parametrize("how", [{"delay_moves": 2}, {"delay_s": 900}], ids=["moves", "seconds"])
async def test_games_of_every_variant_can_be_delayed(url: str, how: Message) -> None:
    script = self_played(*RUSSIAN)
    async with match(url, *script.moves[:12], **script.terms, **how) as m, Client(url) as spectator:
        shown = await spectator.sub(m.g, ticks=False)
        plies = 8 if "delay_moves" in how else 0
        assert shown["moves"] == list(script.moves[:plies])
        assert shown.get("leaps", [None] * plies) == script.leaps[:plies]
        rules = rules_for(*RUSSIAN)
        before = script.played[plies - 1].position if plies else rules.start(None)
        assert shown["position"] == rules.fen(before)
        if plies:
            await m.play(*script.moves[12:])
            end = await spectator.wait(lambda x: x["t"] == "end" and x["g"] == m.g)
            await m.heard(end["seq"])
            assert [without_time(e) for e in spectator.events(m.g)] == [
                without_time(e) for e in m.white.events(m.g)[8:]
            ]


async def test_every_variant_and_speed_has_its_own_rating(url: str) -> None:
    async with members(url) as (white, black):
        name, tc = white.welcome["user"]["name"], {"base_s": 60, "inc_s": 0}
        for game, variant in (RUSSIAN, ("draughts", "losing-english"), KINDS[-1]):
            script = self_played(game, variant)
            m = await sat_down(white, black, rated=True, tc=tc, **script.terms)
            assert m.snapshot()["players"]["w"]["rating"] == 1500
            m.first = m.snapshot()["turn"]
            await m.play(*script.moves[:4])
            await black.request("resign", g=m.g)
            end = await m.heard(5)
            assert (end["result"], end["ratings"]) == ("1-0", {"w": 1662, "b": 1338})
            perf = f"{variant}-bullet"
            profile = await asked(url, f"users/{name}")
            assert profile["ratings"][perf]["games"] == 1
            assert [point[1] for point in (await asked(url, f"users/{name}/ratings/{perf}"))["points"]] == [1662]
            assert (await asked(url, f"leaderboards/{perf}"))["people"] == []
            (line,) = (await asked(url, f"games?user={name}&variant={variant}&result=won&rated=1"))["games"]
            assert (line["g"], line["plies"]) == (m.g, 4)
        assert set((await asked(url, f"users/{name}"))["ratings"]) == {
            "russian-bullet", "losing-english-bullet", f"{KINDS[-1][1]}-bullet",
        }  # fmt: skip


def test_each_variant_has_its_own_perf() -> None:
    assert len(set(perfs())) == len(perfs()) == len(registered()) * 5
    assert perf_of("draughts", "turkish", None) == "turkish-correspondence"


# -- simuls --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "variant"), KINDS, ids=[variant for _, variant in KINDS])
async def test_simul_host_plays_either_colour(url: str, game: str, variant: str) -> None:
    script, rules = self_played(game, variant), rules_for(game, variant)
    first = rules.turn(rules.start(None))
    most = next(ply for ply, leaps in enumerate(script.leaps) if leaps is not None) + 2
    async with running(url, 2, host_color="alternating", **script.terms) as x, Client(url) as spectator:
        await spectator.request("sub", topic=f"simul:{x.id}")
        for board, host in ((1, "w"), (2, "b")):
            for ply, (move, leaps) in enumerate(zip(script.moves[:most], script.leaps, strict=False)):
                mover = x.host if (ply % 2 == 0) == (host == first) else x.player(board)
                await x.move(board, ply, move, mover)
                told = await x.event("board", who=spectator, board=board, ply=ply + 1)
                assert (told["last"], told.get("leaps")) == (move, leaps)
                assert told["position"] == rules.fen(script.played[ply].position)
        shown = await asyncio.to_thread(x.shown)
        assert [(one["color"], one["ply"]) for one in shown["boards"]] == [("w", most), ("b", most)]
        assert [one.get("leaps") for one in shown["boards"]] == [script.leaps[most - 1]] * 2


async def test_draughts_simul_plays_prepared_moves(url: str) -> None:
    terms = {"game": "draughts", "variant": "english", "mode": "round", "host_color": "w"}
    async with running(url, 2, **terms) as x:
        # Black begins: where the host comes first it is the player's turn, and their move is ready.
        await x.ask("prepare", x.player(2), g=x.boards[2], ply=0, move="11-15")
        await x.at(1)
        await x.move(1, 0, "9-14", x.player(1))
        await x.move(1, 1, "22-18", x.host)
        await x.at(2)
        ready = await x.event("board", board=2, ply=1)
        assert ready["last"] == "11-15"
        await x.move(2, 1, "23-18", x.host)


async def test_one_simul_offers_all_variants(url: str) -> None:
    offers = [{"game": game, "variant": variant} for game, variant in registered()]
    async with Client(url, guest(url)[0]) as host, contextlib.AsyncExitStack() as stack:
        simul = (await host.request(
            "simul.create", name="All of them", tc={"base_s": 600}, variants=offers, auto_accept=True
        ))["simul"]  # fmt: skip
        await host.request("sub", topic=f"simul:{simul}")
        for offer in offers:
            player = await stack.enter_async_context(Client(url, guest(url)[0]))
            await player.request("simul.join", simul=simul, **offer)
        await host.request("simul.start", simul=simul)
        started = await host.wait(lambda m: m["t"] == "simul.started")
        of = {"game": offers[0]["game"], "variant": offers[0]["variant"]}
        for board, offer in zip(started["boards"], offers, strict=True):
            assert {**of, **{name: board[name] for name in of if name in board}} == offer
            rules = rules_for(**offer)
            begins = rules.turn(rules.start(None))
            assert board["turn"] == ("host" if board["color"] == begins else "player")
