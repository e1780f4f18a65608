"""Simuls over sockets, to their ends: both modes, breaks, late joiners, views."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.nodes import told_by_any
from tests.integration.running_simul import ANNOUNCED, GAME, MATE, RunningSimul, announced, fetch, listen, running
from tests.server_process import is_several
from tests.wire_client import Client, Message, guest, member

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server_process import ServerProcess

MOST_ON_THE_WAY_MS = 1000
"""What a message between two nodes takes at most beside a busy suite."""


async def test_clock_mode_simul_is_played_to_the_end(url: str) -> None:
    async with running(url, 3, late_join=None) as x:
        if is_several(url):
            await x.player(2).wait(lambda m: m["t"] == "paired")
        assert [m["g"] for m in x.player(2).messages if m["t"] == "paired"] == [x.boards[2]]
        assert not [m for m in x.host.messages if m["t"] == "paired"]
        await x.move(1, 0)
        event = await x.event("board", x.player(3), board=1, last="e2e4")
        assert (event["ply"], event["turn"]) == (1, "player")
        await x.move(1, 1)
        await x.ask("at", board=2)
        await x.at(2)
        for ply, move in enumerate(MATE):
            await x.move(2, ply, move)
        over = await x.event("board", board=2, status="over")
        assert (over["result"], over["reason"]) == ("0-1", "checkmate")
        assert over["score"] == {"wins": 0, "draws": 0, "losses": 1, "live": 2, "aborted": 0}
        await x.player(1).request("resign", g=x.boards[1])
        await x.ask("adjudicate", g=x.boards[3], result="1/2-1/2")
        finished = await x.event("finished", x.player(1))
        score = finished["score"]
        assert (score["wins"], score["draws"], score["losses"], score["percent"]) == (1, 1, 1, 50.0)
        shown = x.shown()
        assert shown["status"] == "finished"
        assert shown["score"] == score
        assert [board["result"] for board in shown["boards"]] == ["1-0", "0-1", "1/2-1/2"]


async def test_round_mode_simul_is_played_to_the_end(url: str) -> None:
    async with running(url, 3, mode="round", countdown_s=300) as x:
        await x.at(1)
        assert await x.player(2).refused("move", g=x.boards[2], move="e2e4", ply=0) == "not_your_turn"
        for board in (1, 2, 3):
            await x.at(board)
            await x.move(board, 0)
            if board == 1:
                await x.ask("prepare", x.player(1), g=x.boards[1], ply=1, move="e7e5")
                own = await x.event("you", x.player(1), prepared={"ply": 1, "move": "e7e5"})
                assert own["your_board"] == 1
        # The host comes back to board 1: what is ready there is played; at board 2 they have to wait.
        assert (await x.event("board", board=1, ply=2))["last"] == "e7e5"
        await x.move(1, 2)
        assert (await x.event("countdown", board=2))["until"] > 0
        await x.ask("pass", x.player(2), g=x.boards[2])
        assert (await x.event("passed", board=2))["passes"] == 2
        await x.event("countdown", board=3)
        await x.move(3, 1)
        await x.move(3, 2)
        for board in (1, 2, 3):
            await x.player(board).request("resign", g=x.boards[board])
        finished = await x.event("finished")
        assert finished["score"]["wins"] == 3
        assert finished["score"]["moves"] == 5
        for who in (x.host, x.player(2), x.player(3)):
            assert not [m for m in who.messages if (m.get("prepared") or {}).get("move")]


async def test_notes_and_roles_are_shown_by_viewer(url: str) -> None:
    async with announced(url, 1, auto_accept=False) as x, Client(url, codec="json") as stranger:
        user = x.player(1).welcome["user"]
        await x.ask("edit", user=user["id"], note="plays the Dutch", player_extra_s=60)
        assert (await x.event("you", notes={user["id"]: "plays the Dutch"}))["you"] == "host"
        await x.ask("edit", user=user["id"], color="b")
        await x.event("edited", person={**user, "rating": None, "player_extra_s": 60, "color": "b"})
        await x.ask("edit", user=user["id"], note="plays the Dutch")
        assert x.shown()["applicants"][0]["color"] == "b"
        await x.ask("edit", user=user["id"], color=None)
        shown = await listen(stranger, x.id)
        assert shown["applicants"] == [{**user, "rating": None, "player_extra_s": 60}]
        assert (shown["you"], "notes" in shown) == (None, False)
        assert x.shown(x.host)["notes"] == {user["id"]: "plays the Dutch"}
        assert x.shown(x.player(1))["you"] == "applicant"
        await x.ask("accept", user=user["name"].lower())
        await x.event("accepted", stranger)
        await x.event("you", x.player(1), you="player")
        await x.start()
        again = await listen(stranger, x.id)
        assert again["boards"][0]["player_extra_s"] == 60
        assert again["boards"][0]["clock"]["b"] == 660_000
        await stranger.close()
        await x.move(1, 0)
        await x.event("board", board=1, ply=1)
        async with Client(url, codec="json") as back:
            await back.request("sub", topic=f"simul:{x.id}", **{"from": again["seq"]})
            assert (await x.event("board", back, board=1))["last"] == GAME[0]
            assert not [m for m in back.messages if m["t"] == "simul"]


async def test_simul_starts_by_itself(url: str) -> None:
    async with announced(url, 1) as x:
        now = (await x.host.request("ping"))["now"]
        await x.ask("edit", start_at=now + 1000)
        started = await x.event("started", x.player(1))
        assert started["started"] >= now + 1000
        await x.player(1).wait(lambda m: m["t"] == "paired")


async def test_host_gives_time_at_one_board(url: str) -> None:
    async with running(url, 2) as x:
        await x.host.sub(x.boards[2])
        await x.ask("edit", board=2, host_extra_s=90, player_extra_s=30, note="slow today")
        event = await x.host.wait(lambda m: m["t"] == "clock" and m["g"] == x.boards[2])
        assert (event["why"], event["by"], event["clock"]["b"]) == ("moretime", "w", 630_000)
        assert 600_000 < event["clock"]["w"] <= 690_000
        await x.ask("edit", board=2, host_extra_s=100)
        await x.host.wait(lambda m: m["t"] == "clock" and m["why"] == "owntime")
        await x.event("board", x.player(1), board=2, host_extra_s=100)
        assert await x.refused("edit", board=2, host_extra_s=10) == "conflict"
        assert await x.refused("edit", board=2, color="b") == "conflict"
        assert await x.refused("edit", board=9, host_extra_s=10) == "not_found"
        assert await x.refused("edit", x.player(2), board=2, host_extra_s=200) == "forbidden"
        boards = x.shown()["boards"]
        assert [board.get("host_extra_s") for board in boards] == [None, 100]
        await x.player(2).request("resign", g=x.boards[2])
        assert await x.refused("edit", board=2, host_extra_s=200) == "game_over"
    async with running(url, 1, mode="round") as x:
        await x.at(1)
        assert await x.refused("edit", board=1, host_extra_s=10) == "conflict"
        await x.ask("edit", board=1, player_extra_s=10)
        await x.event("board", board=1, player_extra_s=10)


@pytest.mark.parametrize("mode", ["clock", "round"])
async def test_break_stops_the_clocks_and_ends(url: str, mode: str) -> None:
    async with running(url, 2, mode=mode) as x:
        await x.at(1) if mode == "round" else None
        now = (await x.host.request("ping"))["now"]
        await x.ask("break", until=now + 60_000)
        # Nodes tell each other how long it lasts, for each has a clock of its own.
        until = (await x.event("break", x.player(2)))["until"]
        assert abs(until - (now + 60_000)) <= (MOST_ON_THE_WAY_MS if is_several(url) else 0)
        await x.event("board", board=1)
        assert await x.host.refused("move", g=x.boards[1], move="e2e4", ply=0) == "conflict"
        await x.ask("break", until=None)
        await x.event("break", until=None)
        await x.move(1, 0)


async def test_late_joiners_get_boards(url: str) -> None:
    async with running(url, 1, late_join={"minutes": 5}) as x, Client(url, guest(url)[0]) as delayed:
        await x.ask("join", delayed)
        board = await x.event("board", board=2)
        assert board["user"]["id"] == delayed.welcome["user"]["id"]
        paired = await delayed.wait(lambda m: m["t"] == "paired")
        assert (paired["g"], paired["color"]) == (board["g"], "b")
        await x.host.request("move", g=board["g"], move="e2e4", ply=0)
        await delayed.request("move", g=board["g"], move="e7e5", ply=1)


async def test_round_without_clocks_shows_the_host_and_countdowns(url: str) -> None:
    """Subscribers see the board of the host and the countdowns, as with clocks."""
    async with running(url, 2, mode="round", tc=None, countdown_s=1) as x:
        one = x.player(1)
        shown = await one.sub(x.boards[1])
        assert shown["clock"] is None
        await x.at(1)
        here = await x.event("board", one, board=1)
        assert here["clock"]["held"] == "untimed"
        await x.move(1, 0)
        assert (await x.event("board", one, board=1, ply=1))["clock"]["held"] == "round"
        await x.event("at", one, board=2)
        heard = len(one.messages)
        await x.move(2, 0)
        back = await one.wait(lambda m: m["t"] == "simul.at" and m["board"] == 1, heard)
        waits = await one.wait(lambda m: m["t"] == "simul.countdown" and m["board"] == 1 and m["until"], heard)
        board = await one.wait(lambda m: m["t"] == "simul.board" and m["board"] == 1, heard)
        assert board["clock"]["held"] == "countdown"
        assert waits["seq"] > board["seq"] > back["seq"]
        arrived = await one.wait(lambda m: m["t"] == "clock" and m["g"] == x.boards[1], heard)
        assert (arrived["why"], arrived["clock"]) == ("arrived", None)
        over = await one.wait(lambda m: m["t"] == "simul.countdown" and m["until"] is None, heard)
        # The host waits all the same: no clock runs.
        still = await one.wait(lambda m: m["t"] == "simul.board" and m["seq"] > over["seq"])
        assert (still["board"], still["clock"]["held"]) == (1, "untimed")
        await x.move(1, 1)
        assert (await x.event("board", board=1, ply=2))["turn"] == "host"


def gone(seek: str) -> Callable[[Message], bool]:
    return lambda m: m["t"] == "lobby.gone" and m["seek"] == seek


async def test_seated_player_leaves_seeks_and_pools(url: str) -> None:
    blitz, rapid, slow = ({"tc": tc} for tc in ({"base_s": 180}, {"base_s": 900}, {"days": 3}))
    async with announced(url, 2) as x, Client(url) as stranger, Client(url, guest(url)[0]) as delayed:
        await stranger.request("sub", topic="lobby")
        seeks = [(await x.host.request("seek", **blitz))["seek"], (await x.player(1).request("seek", **rapid))["seek"]]
        kept = (await x.player(1).request("seek", **slow))["seek"]
        await x.player(2).request("pool.join", pool="3+2")
        await x.ask("edit", late_join={"minutes": 5})
        await x.start()
        for seek in seeks:
            await stranger.wait(gone(seek))
        assert (await x.player(2).wait(lambda m: m["t"] == "pool.gone"))["why"] == "paired"
        seek = (await delayed.request("seek", **blitz))["seek"]
        await x.ask("join", delayed)
        await stranger.wait(gone(seek))
        assert not any(map(gone(kept), stranger.messages))


async def test_host_ends_the_simul(url: str) -> None:
    async with running(url, 3) as x:
        await x.ask("end", rest="resign", boards={"2": "draw", "3": "abort"})
        finished = await x.event("finished")
        score: dict[str, Any] = finished["score"]
        assert (score["losses"], score["draws"], score["aborted"]) == (1, 1, 1)


async def test_simul_lists_follow_the_status(url: str) -> None:
    async with announced(url, 1) as x:
        (line,) = [line for line in fetch(url, "simuls?status=open")["simuls"] if line["simul"] == x.id]
        assert (line["players"], line["applicants"], line["status"]) == (1, 0, "created")
        assert [line["simul"] for line in fetch(url, "simuls?status=mine", x.player(1))["simuls"]] == [x.id]
        await x.start()
        assert [line["simul"] for line in fetch(url, "simuls?status=running&limit=1")["simuls"]] == [x.id]
        await x.ask("end")
        await x.event("finished")
        page = fetch(url, "simuls?status=finished&limit=1")
        assert page["simuls"][0]["score"]["draws"] == 1
        assert page["simuls"][0]["boards"] == 1


async def test_lobby_lists_joinable_simuls(url: str) -> None:
    async with Client(url) as anybody:
        await anybody.request("sub", topic="lobby")
        async with announced(url, 1, join=False, max_boards=1) as x:
            event = await anybody.wait(lambda m: m["t"] == "lobby.simul" and m["card"]["simul"] == x.id)
            assert event["card"]["status"] == "created"
            await x.ask("join", x.player(1))
            gone = await anybody.wait(lambda m: m["t"] == "lobby.simul_gone" and m["simul"] == x.id)
            assert gone["seq"] > event["seq"]
            await x.ask("cancel")


async def test_rated_boards_of_two_variants_count(server: ServerProcess) -> None:
    url = server.url
    (host_token, _), (one_token, one), (two_token, two) = member(url), member(url), member(url)
    offers = [{"game": "chess", "variant": "standard"}, {"game": "chess", "variant": "chess960"}]
    async with Client(url, host_token) as host, Client(url, one_token) as first, Client(url, two_token) as second:
        assert await host.refused("simul.create", **{**ANNOUNCED, "rated": True, "host_extra_s": 5}) == "forbidden"
        terms = {**ANNOUNCED, "rated": True, "variants": offers, "host_color": "alternating"}
        x = RunningSimul(url, (await host.request("simul.create", **terms))["simul"], host, [first, second])
        await listen(host, x.id)
        await x.ask("join", first)
        await x.ask("join", second, variant="chess960")
        await x.start()
        boards = {board["board"]: board for board in x.shown()["boards"]}
        assert [boards[n]["color"] for n in (1, 2)] == ["w", "b"]
        assert (boards[2]["variant"], "variant" in boards[1]) == ("chess960", False)
        games = [await first.sub(x.boards[1]), await second.sub(x.boards[2])]
        assert [(game["variant"], game["rated"], game["simul"]) for game in games] == [
            ("standard", True, x.id),
            ("chess960", True, x.id),
        ]
        assert games[1]["fen"] is not None
        for ply in range(4):
            await x.move(1, ply)
        await host.request("resign", g=x.boards[1])
        end = await first.wait(lambda m: m["t"] == "end" and m["g"] == x.boards[1])
        assert end["ratings"]["b"] > 1500 > end["ratings"]["w"]
        assert await x.refused("end", rest="win") == "bad_message"
        await x.ask("end", rest="abort")
        assert (await x.event("finished"))["score"]["aborted"] == 1
        assert [one["name"], two["name"]] == [board["user"]["name"] for board in boards.values()]


async def test_spectators_receive_every_event(url: str) -> None:
    """For a subscriber who joins at any time the numbers have no gaps, and the changes add up to the snapshot."""
    async with running(url, 3, mode="round", countdown_s=300) as x, Client(url) as delayed:
        await x.at(1)
        shown = await listen(delayed, x.id)
        for board in (1, 2, 3):
            await x.at(board)
            await x.move(board, 0)
        for board in (1, 2, 3):
            await x.event("countdown", board=board)
            await x.move(board, 1)
            await x.move(board, 2)
        await x.ask("end", rest="draw")
        await x.event("finished", delayed)
        boards = {board["board"]: board for board in shown["boards"]}
        seq = shown["seq"]
        for event in delayed.messages:
            if event["t"].startswith("simul.") and "seq" in event:
                assert event["seq"] == seq + 1
                seq += 1
            if event["t"] == "simul.board":
                changes = {name: value for name, value in event.items() if name in boards[1] or name == "reason"}
                boards[event["board"]].update(changes)
        after = x.shown()
        assert after["seq"] == seq
        assert [told_by_any(url, boards[n]) for n in (1, 2, 3)] == [told_by_any(url, one) for one in after["boards"]]
