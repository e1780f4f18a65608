"""Refused requests in simuls, and concurrent ones."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.lobby.test_people import ask, users
from tests.integration.running_simul import ANNOUNCED, announced, fetch, listen, running
from tests.wire_client import PASSWORD, Client, Refusal, guest, member

if TYPE_CHECKING:
    from tests.server_process import ServerProcess


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": ""}, "bad_message"),
        ({"name": " "}, "bad_message"),
        ({"tc": {"days": 1}}, "bad_message"),
        ({"tc": "fast"}, "bad_message"),
        ({"variant": "losers"}, "bad_message"),
        ({"mode": "walk"}, "bad_message"),
        ({"max_boards": 1001}, "bad_message"),
        ({"max_boards": 0}, "bad_message"),
        ({"start_at": 1}, "bad_message"),
        ({"late_join": {"move": 1, "minutes": 1}}, "bad_message"),
        ({"late_join": {}}, "bad_message"),
        ({"host_tc": {"move_s": 10}}, "bad_message"),
        ({"host_tc": {"move_s": 0}, "mode": "round"}, "bad_message"),
        ({"fen": "nonsense"}, "bad_message"),
        ({"draws": 0}, "bad_message"),
        ({"invited": ["no such user"]}, "not_found"),
        ({"invited": ["\0"]}, "not_found"),
        ({"rated": True}, "forbidden"),
        ({"delay_s": 901}, "bad_message"),
        ({"name": "\0"}, "bad_message"),
        ({"key": "\0"}, "bad_message"),
    ],
)
async def test_invalid_announcements_are_refused(url: str, fields: dict[str, Any], code: str) -> None:
    async with Client(url, guest(url)[0]) as host:
        assert await host.refused("simul.create", **{**ANNOUNCED, **fields}) == code


async def test_host_has_at_most_five_simuls(url: str) -> None:
    async with Client(url, guest(url)[0]) as host:
        answers = await asyncio.gather(
            *(host.request("simul.create", **ANNOUNCED) for _ in range(10)), return_exceptions=True
        )
    assert sum(isinstance(answer, dict) for answer in answers) == 5
    assert {answer.code for answer in answers if isinstance(answer, Refusal)} == {"conflict"}


async def test_invalid_requests_before_the_start_are_refused(url: str) -> None:
    async with announced(url, 2, join=False, max_boards=1, auto_accept=False) as x:
        one, two = x.players
        assert await x.refused("start") == "conflict"
        assert await x.refused("join") == "forbidden"
        await x.ask("join", one)
        seq = (await x.event("joined"))["seq"]
        await x.ask("join", one)
        assert await x.refused("join", two, variant="losers") == "conflict"
        assert await x.refused("accept", user="nobody") == "not_found"
        await x.ask("accept", user=one.welcome["user"]["id"])
        assert await x.refused("join", two) == "conflict"
        assert await x.refused("at", board=1) == "conflict"
        assert await x.refused("prepare", one, g="nogame", ply=0, move="e2e4") == "not_found"
        assert await x.refused("edit", max_boards=1, start_at=5) == "bad_message"
        assert x.shown()["seq"] == seq + 1
        await x.ask("kick", user=one.welcome["user"]["name"])
        assert await x.refused("join", one) == "forbidden"
        await x.ask("cancel")
        await x.ask("cancel")
        assert await x.refused("join", two) == "conflict"
        assert await x.refused("start") == "conflict"


async def test_conditions_for_joining_are_enforced(url: str) -> None:
    token, user = member(url)
    async with announced(url, 1, join=False, guests=False, min_rating=1600) as x, Client(url, token) as one:
        assert await x.refused("join", x.player(1)) == "forbidden"
        assert await x.refused("join", one) == "forbidden"
        await x.ask("edit", min_rating=None)
        await x.ask("edit", invited=[])
        assert await x.refused("join", one) == "forbidden"
        await x.ask("invite", user=user["name"].upper())
        await x.ask("join", one)
        assert (await x.event("joined"))["user"]["id"] == user["id"]


async def test_invalid_requests_at_the_boards_are_refused(url: str) -> None:
    async with running(url, 2, mode="round", passes=1, countdown_s=300) as x:
        await x.at(1)
        one, two = x.players
        assert await x.refused("prepare", one, g=x.boards[2], ply=0, move="e7e5") == "forbidden"
        assert await x.refused("prepare", one, g=x.boards[1], ply=0, move="e7e5") == "not_your_turn"
        assert await x.refused("prepare", two, g=x.boards[2], ply=1, move="e7e5") == "stale_ply"
        assert await x.refused("pass", one, g=x.boards[1]) == "not_your_turn"
        assert await x.refused("at", board=3) == "not_found"
        assert await x.refused("adjudicate", g=x.boards[1], result="1-0") == "forbidden"
        assert await x.refused("break", until=1) == "bad_message"
        await x.move(1, 0)
        await x.at(2)
        assert await x.refused("prepare", one, g=x.boards[1], ply=1, move="e7e4") == "illegal_move"
        assert await x.refused("prepare", one, g=x.boards[1], ply=1, move="e2e4") == "illegal_move"
        assert await two.refused("move", g=x.boards[1], move="e7e5", ply=1) == "forbidden"
        assert await one.refused("move", g=x.boards[1], move="e7e5", ply=1) == "conflict"
        await x.move(2, 0)
        await x.event("countdown", board=1)
        await x.ask("pass", one, g=x.boards[1])
        await x.event("countdown", board=2)
        seen = len(x.host.messages)
        await x.move(2, 1)
        await x.move(2, 2)
        await x.event("passed", board=1)
        await x.host.wait(lambda m: m["t"] == "simul.countdown" and m["board"] == 1 and m["until"], seen)
        assert await x.refused("pass", one, g=x.boards[1]) == "conflict"
        await one.request("resign", g=x.boards[1])
        assert await x.refused("prepare", one, g=x.boards[1], ply=1, move="e7e5") == "game_over"
        assert await x.refused("at", board=1) == "game_over"
        assert await x.refused("leave", two) == "conflict"
        await x.ask("end", rest="draw")
        await x.event("finished")
        assert await x.refused("end", rest="draw") == "conflict"


async def test_three_hundred_players_join_at_once(url: str) -> None:
    async with AsyncExitStack() as stack:
        x = await stack.enter_async_context(announced(url, 0, max_boards=290))
        tokens = await asyncio.gather(*(asyncio.to_thread(guest, url) for _ in range(300)))
        clients = [await stack.enter_async_context(Client(url, token)) for token, _ in tokens]

        async def join(client: Client) -> bool:
            answers = await asyncio.gather(
                *(client.request("simul.join", simul=x.id, key="once") for _ in range(2)), return_exceptions=True
            )
            assert isinstance(answers[0], dict) == isinstance(answers[1], dict)
            return isinstance(answers[0], dict)

        joined = await asyncio.gather(*map(join, clients))
        assert sum(joined) == 290
        shown = x.shown()
        assert len({player["id"] for player in shown["players"]}) == len(shown["players"]) == 290
        seqs = [m["seq"] for m in x.host.messages if m["t"] in ("simul.joined", "simul.accepted")]
        assert seqs == list(range(seqs[0], seqs[0] + 580))
        await x.start()
        paired = [
            (await client.wait(lambda m: m["t"] == "paired"))["g"]
            for client, is_in in zip(clients, joined, strict=True)
            if is_in
        ]
        assert sorted(paired) == sorted(x.boards.values())
        assert x.host.messages[-1]["t"] != "paired"


async def test_accepting_many_late_applicants_gives_each_one_board(url: str) -> None:
    """Applicants get one board each in order of application. The rest keep waiting."""
    async with AsyncExitStack() as stack:
        x = await stack.enter_async_context(
            running(url, 1, max_boards=61, auto_accept=False, late_join={"minutes": 60})
        )
        tokens = await asyncio.gather(*(asyncio.to_thread(guest, url) for _ in range(64)))
        delayed = [await stack.enter_async_context(Client(url, token)) for token, _ in tokens]
        for client in delayed:
            await x.ask("join", client)
        await asyncio.gather(x.ask("accept_all"), x.ask("accept_all"), x.move(1, 0))
        paired = [(await client.wait(lambda m: m["t"] == "paired"))["g"] for client in delayed[:60]]
        boards = [board["g"] for board in x.shown()["boards"]]
        assert boards[1:] == paired
        assert len(set(boards)) == 61
        assert len(x.shown()["applicants"]) == 4
        assert not any(m["t"] == "paired" for client in delayed[60:] for m in client.messages)
        assert await x.refused("accept", user=delayed[60].welcome["user"]["id"]) == "conflict"
        numbered = [m["seq"] for m in x.host.messages if m["t"] == "simul.board"]
        assert numbered == sorted(set(numbered))
        for board, client in ((2, delayed[0]), (61, delayed[59])):
            await x.host.request("move", g=boards[board - 1], move="e2e4", ply=0)
            await client.request("move", g=boards[board - 1], move="e7e5", ply=1)


async def test_host_continues_on_another_socket(url: str) -> None:
    async with running(url, 2, mode="round") as x, Client(url, x.host.token) as tab:
        await x.at(1)
        shown = await listen(tab, x.id)
        assert (shown["you"], shown["at"]) == ("host", 1)
        answers = await asyncio.gather(
            *(who.request("move", g=x.boards[1], move="e2e4", ply=0) for who in (x.host, tab))
        )
        assert answers[0]["seq"] == answers[1]["seq"]
        await x.at(2)
        # The socket is cut in the middle of a move: it counts once.
        await tab.send({"t": "move", "g": x.boards[2], "move": "d2d4", "ply": 0})
        tab.drop()
        await x.event("board", board=2, last="d2d4")
        again = await x.host.request("move", g=x.boards[2], move="d2d4", ply=0)
        assert (await x.host.sub(x.boards[2]))["moves"] == ["d2d4"]
        assert again["seq"] > 0
        await x.host.wait(lambda m: m["t"] == "simul.countdown" and m["board"] == 1)


async def test_board_event_precedes_the_reply_to_a_move(url: str) -> None:
    async with running(url, 3) as x:
        for ply in range(2):
            for board in x.boards:
                mover = x.host if ply == 0 else x.player(board)
                heard = len(mover.messages)
                answer = await x.move(board, ply)
                told = mover.messages[heard : mover.messages.index(answer)]
                assert any(m["t"] == "simul.board" and (m["board"], m["ply"]) == (board, ply + 1) for m in told)


async def test_board_events_precede_the_reply_to_an_end(url: str) -> None:
    async with running(url, 3) as x:
        await x.host.sub(x.boards[1])
        for board in x.boards:
            for ply in range(2):
                await x.move(board, ply)
        heard = len(x.host.messages)
        answer = await x.ask("adjudicate", g=x.boards[1], result="1/2-1/2")
        told = [m["t"] for m in x.host.messages[heard : x.host.messages.index(answer)]]
        assert {"end", "simul.board"} <= set(told)
        heard = len(x.host.messages)
        answer = await x.ask("end", rest="draw")
        told = [m["t"] for m in x.host.messages[heard : x.host.messages.index(answer)]]
        assert told.count("simul.board") == 2
        assert told[-1] == "simul.finished"
        assert x.shown()["status"] == "finished"


async def test_host_is_at_one_board_at_a_time(url: str) -> None:
    async with running(url, 4, mode="round", auto_next=False) as x:
        await x.at(1)
        await x.host.sub(x.boards[2])
        await x.move(1, 0)
        # The second before the first has come to its board.
        for board in (2, 3):
            await x.host.send({"t": "simul.at", "simul": x.id, "board": board})
        await x.at(3)
        await x.host.wait(lambda m: m["t"] == "clock" and m["g"] == x.boards[2] and m["why"] == "departed")
        await x.host.wait(lambda m: m["t"] == "simul.board" and m["board"] == 3 and "held" not in m["clock"])
        await x.move(3, 0)
        await x.host.wait(lambda m: m["t"] == "simul.board" and m["board"] == 3 and m.get("last") == "e2e4")
        assert all(board["clock"]["held"] == "round" for board in x.shown()["boards"])


async def test_absent_player_does_not_delay_the_round(url: str) -> None:
    async with running(url, 3) as x:
        for board in (1, 2, 3):
            await x.move(board, 0)
        x.player(1).drop()
        await x.player(2).request("resign", g=x.boards[2])
        await x.move(3, 1)
        await x.move(3, 2)
        assert (await x.event("board", board=3, ply=3))["turn"] == "player"
        async with Client(url, x.player(1).token) as back:
            shown = await listen(back, x.id)
            assert (shown["your_board"], shown["boards"][0]["status"]) == (1, "created")


async def test_unknown_simul_is_refused(url: str) -> None:
    async with Client(url, guest(url)[0]) as one:
        for name in ("nothere", "x" * 64, "\0", "a b"):
            assert await one.refused("sub", topic=f"simul:{name[:58]}") == "not_found"
            assert await one.refused("simul.join", simul=name) == "not_found"
        assert await one.refused("simul.join", simul=5) == "bad_message"
        assert await one.refused("simul.end", simul="x", boards={"0": "draw"}) == "bad_message"
        assert await one.refused("simul.end", simul="x", boards={"1": "win"}) == "bad_message"


async def test_blocked_player_cannot_join(server: ServerProcess) -> None:
    url = server.url
    (token, host), (other_token, other) = member(url), member(url)
    async with Client(url, token) as giver, Client(url, other_token) as blocked:
        simul = (await giver.request("simul.create", **ANNOUNCED))["simul"]
        await asyncio.to_thread(ask, url, "PUT", f"blocks/{other['name']}", None, token)
        assert await blocked.refused("simul.join", simul=simul) == "forbidden"
        assert await giver.refused("simul.invite", simul=simul, user=other["name"]) == "forbidden"
        assert await blocked.refused("simul.create", **ANNOUNCED, invited=[host["name"]]) == "forbidden"
        assert await giver.refused("simul.edit", simul=simul, invited=[other["name"]]) == "forbidden"
        await asyncio.to_thread(ask, url, "DELETE", f"blocks/{other['name']}", None, token)
        await listen(giver, simul)
        await blocked.request("simul.join", simul=simul)
        # A closed account does not play, and the host is told.
        await asyncio.to_thread(users, server, "close", other["name"])
        left = await giver.wait(lambda m: m["t"] == "simul.left")
        assert left["user"]["id"] == other["id"]
        await giver.request("simul.cancel", simul=simul)


async def test_block_by_an_invited_person_does_not_refuse_edits(url: str) -> None:
    (token, _), (other_token, other) = member(url), member(url)
    async with Client(url, token) as giver, Client(url, other_token) as invited:
        simul = (await giver.request("simul.create", **ANNOUNCED, invited=[other["name"]]))["simul"]
        host = giver.welcome["user"]["name"]
        await asyncio.to_thread(ask, url, "PUT", f"blocks/{host}", None, other_token)
        await giver.request("simul.edit", simul=simul, name="Later", invited=[other["name"]])
        assert await invited.refused("simul.join", simul=simul) == "forbidden"
        await giver.request("simul.cancel", simul=simul)


async def test_guest_keeps_their_place_after_signing_up(url: str) -> None:
    async with announced(url, 1) as x:
        body = {"name": "Schema-Simul", "password": PASSWORD}
        await asyncio.to_thread(ask, url, "POST", "signup", body, x.player(1).token)
        edited = await x.host.wait(lambda m: m["t"] == "simul.edited" and "person" in m)
        assert (edited["person"]["name"], edited["person"]["kind"]) == ("Schema-Simul", "member")
        await x.start()
        assert x.shown()["boards"][0]["user"]["name"] == "Schema-Simul"


async def test_running_simuls_are_found_by_their_people(url: str) -> None:
    async with running(url, 1) as x, Client(url, guest(url)[0]) as other:

        def found(who: Client) -> list[str]:
            page = fetch(url, f"simuls?status=running&user={who.welcome['user']['name']}")
            return [card["simul"] for card in page["simuls"]]

        for person, simuls in ((x.host, [x.id]), (x.player(1), [x.id]), (other, [])):
            assert await asyncio.to_thread(found, person) == simuls


async def test_host_finds_their_running_simul_on_every_new_socket(url: str) -> None:
    async with running(url, 1) as x:
        told = await x.host.wait(lambda m: m["t"] == "simul.hosting")
        assert told["simuls"] == [x.id]
        async with Client(url, x.host.token) as tab, Client(url, x.player(1).token) as player:
            assert tab.welcome["simuls"] == [x.id]
            assert "simuls" not in player.welcome
