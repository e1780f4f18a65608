"""Offers between players: draws, takebacks, time, rematches. Games against oneself."""

from __future__ import annotations

import asyncio

import pytest

from tests.integration.match import BLITZ, Match, begin, match, without_time
from tests.integration.scores import ALL, TC
from tests.wire_client import Client, Message, Refusal, guest

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
ROUND_TRIP = ("g1f3", "g8f6", "f3g1", "f6g8")
"""Four half-moves that lead back to where they began."""

LONG = max(ALL, key=lambda score: len(score.moves) if score.fen is None else 0).moves


async def offered(m: Match, what: str, do: str, by: str) -> Message:
    """The offer event, once both have it."""
    event = await m.white.wait(lambda e: e["t"] == "offer" and (e["what"], e["do"], e["by"]) == (what, do, by))
    return await m.heard(event["seq"])


async def ended(m: Match) -> tuple[str, str]:
    """Result and reason, once both know."""
    end = await m.white.wait(lambda message: message["t"] == "end")
    await m.heard(end["seq"])
    shown = m.snapshot()
    assert (shown["status"], shown["result"], shown["reason"]) == ("over", end["result"], end["reason"])
    assert shown["offers"] == {"draw": None, "takeback": None, "rematch": None}
    return end["result"], end["reason"]


# -- draws --------------------------------------------------------------------------------------------------


async def test_draw_is_agreed(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        await m.black.request("draw", g=m.g, do="offer")
        assert m.snapshot()["offers"]["draw"] == "b"
        await m.white.request("draw", g=m.g, do="accept")
        assert (await offered(m, "draw", "accept", "w"))["seq"] == 4
        assert await ended(m) == ("1/2-1/2", "agreement")


async def test_mutual_draw_offers_are_an_agreement(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        await m.black.request("draw", g=m.g, do="offer")
        await m.white.request("draw", g=m.g, do="offer")
        assert await ended(m) == ("1/2-1/2", "agreement")


async def test_draw_is_offered_with_a_move(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        await m.play("g1f3", draw=True)
        assert (await m.heard(3))["draw"] is True
        assert m.snapshot()["offers"]["draw"] == "w"
        await m.black.request("draw", g=m.g, do="accept")
        assert await ended(m) == ("1/2-1/2", "agreement")


@pytest.mark.parametrize("refused_by", ["word", "move"])
async def test_declined_draw_may_be_offered_again_after_ten_moves(url: str, refused_by: str) -> None:
    async with match(url, *LONG[:3], tc=TC) as m:
        await m.white.request("draw", g=m.g, do="offer")
        if refused_by == "word":
            await m.black.request("draw", g=m.g, do="decline")
            await offered(m, "draw", "decline", "b")
        await m.play(LONG[3])
        assert m.snapshot()["offers"]["draw"] is None
        for ply in range(4, 22):
            assert await m.white.refused("draw", g=m.g, do="offer") == "conflict"
            # With a move it is simply not offered.
            await m.play(LONG[ply], **({"draw": True} if ply % 2 == 0 else {}))
        assert m.snapshot()["offers"]["draw"] is None
        # Black, who has refused, may offer all the while; White may again with their tenth move.
        await m.play(LONG[22], draw=True)
        assert m.snapshot()["offers"]["draw"] == "w"


async def test_threefold_repetition_is_claimed(url: str) -> None:
    async with match(url, *ROUND_TRIP, *ROUND_TRIP[:3]) as m:
        assert await m.white.refused("draw", g=m.g, do="claim") == "not_your_turn"
        assert await m.black.refused("draw", g=m.g, do="claim") == "conflict"
        await m.play(ROUND_TRIP[3])
        assert await m.black.refused("draw", g=m.g, do="claim") == "not_your_turn"
        await m.white.request("draw", g=m.g, do="claim")
        assert await ended(m) == ("1/2-1/2", "threefold")


async def test_draw_is_claimed_with_the_intended_move(url: str) -> None:
    async with match(url, *ROUND_TRIP, *ROUND_TRIP[:3]) as m:
        await m.black.request("draw", g=m.g, do="claim", move="f6g8")
        assert await ended(m) == ("1/2-1/2", "threefold")
        assert m.snapshot()["moves"] == [*ROUND_TRIP, *ROUND_TRIP[:3]]


async def test_wrong_claim_with_a_move_plays_the_move(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        assert await m.white.refused("draw", g=m.g, do="claim", move="g1f3") == "conflict"
        move = await m.heard(3)
        assert (move["t"], move["move"]) == ("move", "g1f3")


async def test_fivefold_repetition_needs_no_claim(url: str) -> None:
    async with match(url, *ROUND_TRIP * 4) as m:
        assert await ended(m) == ("1/2-1/2", "fivefold")


# -- takebacks ----------------------------------------------------------------------------------------------


async def test_takeback_after_own_move_removes_one_move(url: str) -> None:
    async with match(url, "e2e4", "e7e5", "g1f3") as m:
        before = (await m.white.event(m.g, 2))["position"]
        await m.white.request("takeback", g=m.g, do="offer")
        assert m.snapshot()["offers"]["takeback"] == "w"
        assert (await m.black.request("takeback", g=m.g, do="accept"))["seq"] == 5
        event = await m.heard(6)
        assert event.keys() == {"t", "g", "seq", "plies", "position", "clock"}
        assert (event["t"], event["plies"], event["position"]) == ("takeback", 1, before)
        shown = m.snapshot()
        assert (shown["moves"], shown["notation"], shown["turn"]) == (["e2e4", "e7e5"], ["e4", "e5"], "w")
        assert shown["offers"]["takeback"] is None
        m.played.pop()
        await m.play("f1c4")


async def test_takeback_on_own_turn_removes_two_moves(url: str) -> None:
    async with match(url, "e2e4", "e7e5", "g1f3", "b8c6") as m:
        await m.white.request("takeback", g=m.g, do="offer")
        # The same request by the opponent is an agreement.
        await m.black.request("takeback", g=m.g, do="offer")
        event = await m.heard(7)
        assert (event["t"], event["plies"]) == ("takeback", 2)
        del m.played[2:]
        await m.play("f1c4", "f8c5")
        assert m.snapshot()["moves"] == ["e2e4", "e7e5", "f1c4", "f8c5"]


async def test_takeback_is_declined(url: str) -> None:
    async with match(url, "e2e4") as m:
        assert await m.black.refused("takeback", g=m.g, do="offer") == "conflict"
        await m.white.request("takeback", g=m.g, do="offer")
        await m.black.request("takeback", g=m.g, do="decline")
        await offered(m, "takeback", "decline", "b")
        assert m.snapshot()["moves"] == ["e2e4"]


# -- time and the end ---------------------------------------------------------------------------------------


async def test_time_is_given_to_the_opponent(url: str) -> None:
    async with match(url, "e2e4", "e7e5", tc={"base_s": 300, "inc_s": 0}) as m:
        await m.white.request("moretime", g=m.g, seconds=15)
        event = await m.heard(3)
        assert event.keys() == {"t", "g", "seq", "clock", "why", "by"}
        assert (event["t"], event["why"], event["by"]) == ("clock", "moretime", "w")
        assert event["clock"]["b"] == 315_000
        assert event["clock"]["run"] == "w"


async def test_given_time_is_limited_to_one_day(url: str) -> None:
    async with match(url, "e2e4", "e7e5", tc={"base_s": 10_800, "inc_s": 0}) as m:
        for _ in range(21):
            await m.white.request("moretime", g=m.g, seconds=3600)
        assert await m.white.refused("moretime", g=m.g, seconds=3600) == "conflict"
        assert m.snapshot()["clock"]["b"] == 86_400_000


async def test_flag_falls_without_a_request(url: str) -> None:
    async with match(url, "e2e4", "e7e5", tc={"base_s": 1, "inc_s": 0}) as m, Client(url) as spectator:
        await spectator.sub(m.g)
        assert await ended(m) == ("0-1", "timeout")
        end = await spectator.wait(lambda message: message["t"] == "end")
        assert (end["clock"]["w"], end["clock"]["b"], end["clock"]["run"]) == (0, 1000, None)
        assert await m.white.refused("move", g=m.g, move="g1f3", ply=2) == "game_over"


async def test_flag_fall_draws_against_bare_king(url: str) -> None:
    kings_and_a_queen = "4k3/8/8/8/8/8/8/1Q2K3 w - - 0 1"
    async with match(url, "b1b7", "e8f8", tc={"base_s": 1, "inc_s": 0}, fen=kings_and_a_queen) as m:
        assert await ended(m) == ("1/2-1/2", "timeout_draw")


async def test_game_can_be_aborted_until_both_have_moved(url: str) -> None:
    async with match(url, "e2e4") as m:
        await m.white.request("abort", g=m.g)
        assert await ended(m) == ("*", "aborted")


@pytest.mark.parametrize("who", ["w", "b"])
async def test_player_can_resign_on_either_turn(url: str, who: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        await (m.white if who == "w" else m.black).request("resign", g=m.g)
        assert await ended(m) == ("0-1" if who == "w" else "1-0", "resignation")


async def test_absence_cannot_be_claimed_at_once(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        for what in ("win", "draw"):
            assert await m.white.refused("claim", g=m.g, what=what) == "conflict"
        await m.black.close()
        for what in ("win", "draw"):
            assert await m.white.refused("claim", g=m.g, what=what) == "conflict"


# -- rematches ----------------------------------------------------------------------------------------------


async def assert_rematch(m: Match, next_id: str) -> None:
    """Both are told of the new game, in which the colours are reversed."""
    for player, color, opponent in ((m.white, "b", m.black), (m.black, "w", m.white)):
        paired = await player.wait(lambda message: message["t"] == "paired" and message["g"] == next_id)
        assert paired == {"t": "paired", "g": next_id, "color": color, "opponent": opponent.welcome["user"]}
    shown = await m.white.sub(next_id)
    assert shown["you"] == "b"
    assert (shown["players"]["w"]["user"], shown["moves"]) == (m.black.welcome["user"], [])
    assert m.snapshot()["next"] == next_id
    assert await m.white.refused("rematch", g=m.g, do="offer") == "conflict"
    await m.black.request("move", g=next_id, move="e2e4", ply=0)


@pytest.mark.parametrize("first", ["w", "b"])
@pytest.mark.parametrize("answer", ["accept", "offer"])
async def test_rematch_reverses_the_colours(url: str, first: str, answer: str) -> None:
    async with match(url, *FOOLS_MATE) as m:
        one, two = (m.white, m.black) if first == "w" else (m.black, m.white)
        await one.request("rematch", g=m.g, do="offer")
        assert m.snapshot()["offers"]["rematch"] == first
        reply = await two.request("rematch", g=m.g, do=answer)
        event = await offered(m, "rematch", "accept", "b" if first == "w" else "w")
        assert reply["seq"] == event["seq"] == 7
        assert reply["g"] == event["next"]
        await assert_rematch(m, event["next"])


async def test_declined_rematch_can_be_offered_again(url: str) -> None:
    async with match(url, *FOOLS_MATE) as m:
        await m.white.request("rematch", g=m.g, do="offer")
        await m.black.request("rematch", g=m.g, do="decline")
        await offered(m, "rematch", "decline", "b")
        await m.black.request("rematch", g=m.g, do="offer")
        reply = await m.white.request("rematch", g=m.g, do="accept")
        await assert_rematch(m, reply["g"])


async def test_repeated_rematch_offer_does_not_accept(url: str) -> None:
    async with match(url, *FOOLS_MATE) as m:
        first = await m.white.request("rematch", g=m.g, do="offer", key="once")
        await m.black.request("rematch", g=m.g, do="decline")
        await m.black.request("rematch", g=m.g, do="offer")
        assert (await m.white.request("rematch", g=m.g, do="offer", key="once"))["seq"] == first["seq"]
        assert m.snapshot()["next"] is None


async def test_simultaneous_rematch_offers_start_one_game(url: str) -> None:
    async with match(url, *FOOLS_MATE) as m:
        await asyncio.gather(*(player.request("rematch", g=m.g, do="offer") for player in (m.white, m.black)))
        event = await m.white.wait(lambda message: message.get("next") is not None)
        await assert_rematch(m, event["next"])
        assert [message["t"] for message in m.white.messages].count("paired") == 2


async def test_repeated_rematch_acceptances_start_one_game(url: str) -> None:
    async with match(url, *FOOLS_MATE) as m, Client(url, m.black.token) as tab:
        await m.white.request("rematch", g=m.g, do="offer")
        answers = await asyncio.gather(
            *(client.request("rematch", g=m.g, do="accept") for client in [m.black, tab] * 5), return_exceptions=True
        )
        games = {answer["g"] for answer in answers if isinstance(answer, dict)}
        assert len(games) == 1
        assert {answer.code for answer in answers if isinstance(answer, Refusal)} <= {"conflict"}
        await assert_rematch(m, games.pop())


# -- against oneself ----------------------------------------------------------------------------------------


async def test_one_socket_plays_both_sides_to_mate(url: str) -> None:
    async with Client(url, guest(url)[0]) as player:
        g = (await player.request("challenge", tc=BLITZ, to="self"))["g"]
        assert (await player.sub(g))["players"]["w"]["user"] == player.welcome["user"]
        await Match(g, player, player).play(*FOOLS_MATE)
        assert (await player.event(g, 5))["result"] == "0-1"
        assert not [message for message in player.messages if message["t"] == "paired"]


async def test_offers_against_oneself_are_agreed_at_once(url: str) -> None:
    async with Client(url, guest(url)[0]) as player:
        g = (await player.request("challenge", tc=BLITZ, to="self"))["g"]
        await player.sub(g)
        await Match(g, player, player).play("e2e4", "e7e5")
        for do in ("offer", "accept"):
            await player.request("takeback", g=g, do=do)
        assert (await player.event(g, 5))["plies"] == 1
        for do in ("offer", "accept"):
            await player.request("draw", g=g, do=do)
        assert (await player.event(g, 8))["reason"] == "agreement"
        await player.request("rematch", g=g, do="offer")
        assert (await player.request("rematch", g=g, do="accept"))["g"] != g


async def test_game_against_oneself_can_be_paused(url: str) -> None:
    async with Client(url, guest(url)[0]) as player:
        g = (await player.request("challenge", tc=BLITZ, to="self"))["g"]
        await player.sub(g)
        m = Match(g, player, player)
        await m.play("e2e4", "e7e5")
        await player.request("pause", g=g, on=True)
        paused = await player.event(g, 3)
        assert (paused["t"], paused["why"], paused["clock"]["held"]) == ("clock", "pause", "pause")
        assert await player.refused("pause", g=g, on=True) == "conflict"
        assert await player.refused("move", g=g, move="g1f3", ply=2) == "conflict"
        first, second = m.snapshot(), m.snapshot()
        assert first["clock"]["w"] == second["clock"]["w"] == paused["clock"]["w"]
        await player.request("pause", g=g, on=False)
        resumed = await player.event(g, 4)
        assert (resumed["why"], resumed["clock"].get("held"), resumed["clock"]["run"]) == ("resumed", None, "w")
        assert await player.refused("pause", g=g, on=False) == "conflict"
        await m.play("g1f3")


async def test_untimed_game_has_no_clock(url: str) -> None:
    async with match(url, "e2e4", "e7e5", tc=None) as m:
        assert (await m.heard(2))["clock"] is None
        shown = m.snapshot()
        assert (shown["clock"], shown["times"], shown["tc"], shown["speed"]) == (None, [], None, "unlimited")
        assert await m.white.refused("moretime", g=m.g, seconds=15) == "conflict"
        assert await m.white.refused("flag", g=m.g) == "conflict"
        assert without_time(shown) == without_time(m.snapshot())


async def test_player_plays_several_games_at_once(url: str) -> None:
    async with match(url, "e2e4") as m:
        other = await begin(m.black, m.white)
        await m.black.request("move", g=other, move="d2d4", ply=0)
        await m.play("e7e5")
        await m.white.request("resign", g=other)
        assert m.snapshot()["status"] == "live"
