"""Well-formed requests at the wrong time: out of turn, stale, repeated, after the end, for closed offers. Other games
continue.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.match import BLITZ, Match, begin, match, without_time
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from tests.wire_client import Message

pytestmark = pytest.mark.usefixtures("bystanders")

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")

MANY = 200
"""More commands than may wait for one game."""


async def pipelined(client: Client, *requests: Message) -> list[Message]:
    """Send all of ``requests`` before hearing of any; the answers in the order of the requests."""
    start = len(client.messages)
    for number, request in enumerate(requests):
        await client.send({**request, "id": -1 - number})
    return [
        await client.wait(lambda m, number=number: m.get("id") == -1 - number, start)  # type: ignore[misc]  # its default
        for number in range(len(requests))
    ]


def said(answer: Message) -> Message:
    """What an answer says, whatever request it is for."""
    return {name: value for name, value in answer.items() if name != "id"}


@pytest.mark.parametrize(
    ("who", "move", "ply", "code"),
    [
        ("b", "e7e5", 0, "not_your_turn"),
        ("b", "e2e4", 0, "not_your_turn"),
        ("b", "e7e5", 1, "stale_ply"),
        ("w", "e2e4", 1, "stale_ply"),
        ("w", "e2e4", 5000, "stale_ply"),
        ("w", "e7e5", 0, "illegal_move"),
        ("w", "e2e5", 0, "illegal_move"),
    ],
)
async def test_invalid_moves_before_the_first_move_are_refused(
    url: str, who: str, move: str, ply: int, code: str
) -> None:
    async with match(url) as m:
        player = m.white if who == "w" else m.black
        assert await player.refused("move", g=m.g, move=move, ply=ply) == code
        assert (await m.play("e2e4"))["seq"] == 1


@pytest.mark.parametrize(
    ("who", "move", "ply", "code"),
    [
        ("w", "d2d4", 0, "stale_ply"),
        ("w", "e7e5", 1, "stale_ply"),
        ("w", "f1c4", 3, "stale_ply"),
        ("b", "d7d5", 1, "stale_ply"),
        ("b", "g1f3", 2, "not_your_turn"),
        ("b", "b8c6", 2, "not_your_turn"),
        ("b", "b8c6", 3, "stale_ply"),
        ("w", "e1g1", 2, "illegal_move"),
        ("w", "e4e5", 2, "illegal_move"),
    ],
)
async def test_invalid_moves_during_a_game_are_refused(url: str, who: str, move: str, ply: int, code: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        player = m.white if who == "w" else m.black
        before = without_time(m.snapshot())
        assert await player.refused("move", g=m.g, move=move, ply=ply) == code
        assert without_time(m.snapshot()) == before


async def test_move_that_crosses_a_takeback_is_stale(url: str) -> None:
    async with match(url, "e2e4", "e7e5", "g1f3") as m:
        await m.white.request("takeback", g=m.g, do="offer")
        await m.black.request("takeback", g=m.g, do="accept")
        taken_back = await m.white.wait(lambda message: message["t"] == "takeback")
        again = {"g": m.g, "move": "g1f3", "ply": 2}
        assert await m.white.refused("move", **again, seen=3) == "stale_ply"
        assert await m.white.refused("move", **again, seen=taken_back["seq"] - 1) == "stale_ply"
        assert await m.black.refused("move", g=m.g, move="b8c6", ply=3, seen=3) == "stale_ply"
        # What has been seen lets the same move be a new one.
        answer = await m.white.request("move", **again, seen=taken_back["seq"])
        assert answer["seq"] == taken_back["seq"] + 1


async def test_repeated_move_is_acknowledged_without_effect(url: str) -> None:
    async with match(url, "e2e4", "e7e5", "g1f3") as m:
        before = without_time(m.snapshot())
        for player, move, ply, seq in ((m.white, "e2e4", 0, 1), (m.black, "e7e5", 1, 2), (m.white, "g1f3", 2, 3)):
            assert (await player.request("move", g=m.g, move=move, ply=ply))["seq"] == seq
            # Whatever else the repeat says: neither an old ``seen`` nor a draw offer makes it another move.
            assert (await player.request("move", g=m.g, move=move, ply=ply, seen=0, draw=True))["seq"] == seq
        assert without_time(m.snapshot()) == before


async def test_both_spellings_of_castling_are_one_move(url: str) -> None:
    async with match(url, "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1") as m:
        assert (await m.white.request("move", g=m.g, move="e1h1", ply=6))["seq"] == 7


async def test_concurrent_equal_moves_are_one_move(url: str) -> None:
    async with match(url) as m:
        move = {"t": "move", "g": m.g, "move": "e2e4", "ply": 0}
        answers = await pipelined(m.white, *[move] * 10)
        assert [said(answer) for answer in answers] == [{"t": "ok", "seq": 1}] * 10
        assert m.snapshot()["moves"] == ["e2e4"]
        assert [event["seq"] for event in m.white.events(m.g)] == [1]


async def test_concurrent_different_moves_make_one_move(url: str) -> None:
    async with match(url) as m, Client(url, m.white.token) as tab:
        answers = await asyncio.gather(
            pipelined(m.white, {"t": "move", "g": m.g, "move": "e2e4", "ply": 0}),
            pipelined(tab, {"t": "move", "g": m.g, "move": "d2d4", "ply": 0}),
        )
        assert sorted(answer.get("code", "ok") for (answer,) in answers) == ["ok", "stale_ply"]
        assert m.snapshot()["moves"] in (["e2e4"], ["d2d4"])


async def test_moves_of_both_sides_sent_at_once_are_played_in_turn(url: str) -> None:
    async with Client(url, guest(url)[0]) as player:
        g = (await player.request("challenge", tc=BLITZ, to="self"))["g"]
        moves = [{"t": "move", "g": g, "move": move, "ply": ply} for ply, move in enumerate(FOOLS_MATE)]
        answers = await pipelined(player, *moves)
        assert [said(answer) for answer in answers] == [{"t": "ok", "seq": seq} for seq in (1, 2, 3, 4)]


async def test_full_command_queue_does_not_stop_the_game(url: str) -> None:
    async with match(url, "e2e4") as m:
        answers = await pipelined(m.white, *[{"t": "draw", "g": m.g, "do": "offer"}] * MANY)
        codes = {answer.get("code", "ok") for answer in answers}
        assert codes <= {"ok", "conflict", "unavailable"}
        assert sum(answer["t"] == "ok" for answer in answers) == 1
        await m.play("e7e5", "g1f3")
        assert (await m.heard(4))["move"] == "g1f3"


async def test_each_request_beyond_the_queue_is_answered(url: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        challenges = [{"t": "challenge", "tc": BLITZ}] * MANY
        codes = [answer.get("code", "ok") for answer in await pipelined(client, *challenges)]
        assert set(codes) == {"ok", "rate_limited"}
        assert codes[0] == "ok"
        await client.request("challenge", tc=BLITZ, to="self")


async def test_finished_game_refuses_requests(url: str) -> None:
    async with match(url, *FOOLS_MATE) as m:
        end = await m.heard(5)
        assert (end["t"], end["result"], end["reason"]) == ("end", "0-1", "checkmate")
        before = m.snapshot()
        assert await m.white.refused("move", g=m.g, move="e2e4", ply=4) == "game_over"
        assert await m.black.refused("move", g=m.g, move="h4e1", ply=4) == "game_over"
        # Over comes before stale, and a repeat before either.
        assert await m.white.refused("move", g=m.g, move="a2a3", ply=0) == "game_over"
        assert (await m.black.request("move", g=m.g, move="d8h4", ply=3))["seq"] == 4
        after = m.snapshot()
        assert without_time(after) == without_time(before)
        assert (after["clock"]["w"], after["clock"]["b"]) == (before["clock"]["w"], before["clock"]["b"])


KEYED: dict[str, dict[str, Any]] = {
    "move": {"move": "g1f3", "ply": 2},
    "resign": {},
    "draw": {"do": "offer"},
    "takeback": {"do": "offer"},
    "moretime": {"seconds": 15},
    "seek": {"tc": {"days": 3}, "min_rating": 1600},
    "challenge": {"tc": BLITZ},
}
OF_THE_LOBBY = ("seek", "challenge")


def keyed(kind: str, m: Match) -> Message:
    at = {} if kind in OF_THE_LOBBY else {"g": m.g}
    return {"t": kind, "key": "the same", **at, **KEYED[kind]}


@pytest.mark.parametrize("kind", KEYED)
async def test_repeated_key_gets_the_same_reply(url: str, kind: str) -> None:
    async with match(url, "e2e4", "e7e5") as m, Client(url, m.white.token) as tab:
        request = keyed(kind, m)
        (first,) = await pipelined(m.white, request)
        assert first["t"] == "ok"
        before = without_time(m.snapshot())
        again = [*await pipelined(m.white, request), *await pipelined(tab, request)]
        assert [said(answer) for answer in again] == [said(first)] * 2
        assert without_time(m.snapshot()) == before


@pytest.mark.parametrize("kind", KEYED)
async def test_concurrent_requests_with_one_key_get_the_same_reply(url: str, kind: str) -> None:
    async with match(url, "e2e4", "e7e5") as m, Client(url, m.white.token) as tab:
        request = keyed(kind, m)
        answers = await asyncio.gather(pipelined(m.white, *[request] * 4), pipelined(tab, *[request] * 4))
        replies = [said(answer) for part in answers for answer in part]
        assert replies[0]["t"] == "ok"
        assert replies == replies[:1] * 8


async def test_two_players_may_use_the_same_key(url: str) -> None:
    async with match(url) as m:
        assert (await m.play("e2e4", "e7e5", key="k"))["seq"] == 2
        seeks = [await player.request("seek", tc={"days": 3}, color="w", key="k") for player in (m.white, m.black)]
        assert seeks[0]["seek"] != seeks[1]["seek"]


async def test_refused_request_does_not_use_up_its_key(url: str) -> None:
    async with match(url, "e2e4") as m:
        assert await m.black.refused("move", g=m.g, move="e7e4", ply=1, key="k") == "illegal_move"
        await m.play("e7e5", key="k")
        assert await m.white.refused("seek", tc={"base_s": 0}, key="k") == "bad_message"
        await m.white.request("seek", tc={"days": 3}, key="k")


@pytest.mark.parametrize("what", ["draw", "takeback"])
async def test_answer_to_a_closed_offer_is_refused(url: str, what: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        for do in ("accept", "decline"):
            assert await m.black.refused(what, g=m.g, do=do) == "conflict"
        await m.white.request(what, g=m.g, do="offer")
        # One's own offer is for the other to answer, and stands only once. Only a takeback can be withdrawn.
        for do in ("accept", "decline", "offer") if what == "draw" else ("accept", "offer"):
            assert await m.white.refused(what, g=m.g, do=do) == "conflict"
        await m.black.request(what, g=m.g, do="decline")
        for do in ("accept", "decline"):
            assert await m.black.refused(what, g=m.g, do=do) == "conflict"


@pytest.mark.parametrize("what", ["draw", "takeback"])
async def test_answer_to_a_lapsed_offer_is_refused(url: str, what: str) -> None:
    async with match(url, "e2e4", "e7e5", "g1f3") as m:
        await m.white.request(what, g=m.g, do="offer")
        await m.play("b8c6")
        assert m.snapshot()["offers"][what] is None
        assert await m.black.refused(what, g=m.g, do="accept") == "conflict"


async def test_rematch_without_an_offer_cannot_be_accepted(url: str) -> None:
    async with match(url, *FOOLS_MATE) as m:
        for do in ("accept", "decline"):
            assert await m.white.refused("rematch", g=m.g, do=do) == "conflict"
        await m.white.request("rematch", g=m.g, do="offer")
        assert await m.white.refused("rematch", g=m.g, do="accept") == "conflict"
        await m.black.request("rematch", g=m.g, do="decline")
        assert await m.black.refused("rematch", g=m.g, do="accept") == "conflict"


async def test_answer_to_a_closed_challenge_is_refused(url: str) -> None:
    async with Client(url, guest(url)[0]) as one, Client(url, guest(url)[0]) as two:
        to = two.welcome["user"]["name"]
        for who, kind in ((one, "challenge.cancel"), (two, "challenge.decline"), (two, "challenge.accept")):
            challenge = (await one.request("challenge", tc=BLITZ, to=to))["challenge"]
            await who.request(kind, challenge=challenge)
            for again, delayed in ((two, "challenge.accept"), (two, "challenge.decline"), (one, "challenge.cancel")):
                assert await again.refused(delayed, challenge=challenge) == "conflict", (kind, delayed)


async def test_closed_seek_cannot_be_accepted(url: str) -> None:
    async with Client(url, guest(url)[0]) as one, Client(url, guest(url)[0]) as two:
        seek = (await one.request("seek", tc=BLITZ, color="w"))["seek"]
        await one.request("unseek", seek=seek)
        assert await one.refused("unseek", seek=seek) == "conflict"
        assert await two.refused("accept", seek=seek) == "conflict"
        # A game that begins takes one's other seeks with it.
        seek = (await one.request("seek", tc=BLITZ, color="w"))["seek"]
        await begin(one, two)
        assert await two.refused("accept", seek=seek) == "conflict"
