"""Games by the Laws as played over a board: terms, clients that know them, draws, flags and coming."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from tests.integration.by_laws import BLITZ, SEATED, UNSUPERVISED, agree, by_laws
from tests.integration.match import begin, snapshot
from tests.realtime.until import until
from tests.wire_client import Client, Refusal, guest, member

FIDE: dict[str, Any] = {"tc": BLITZ, "rules": "fide", "laws": {}}

TERMS = {"supervised": True, "draw_from": 0, "default_s": 60, "score_sheet": False}

SECOND = {"base_s": 1, "inc_s": 0}

KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")


# -- terms ------------------------------------------------------------------------------------------------


async def test_terms_are_shown_wherever_the_game_is(url: str) -> None:
    async with Client(url, guest(url)[0]) as white, Client(url, guest(url)[0]) as black, Client(url) as stranger:
        await stranger.request("sub", topic="lobby")
        seek = await white.request("seek", **FIDE)
        shown = await stranger.wait(lambda m: m["t"] == "lobby.add" and m["seek"] == seek["seek"])
        assert (shown["rules"], shown["laws"]) == ("fide", TERMS)
        g = (await black.request("accept", seek=seek["seek"], laws=True))["g"]
        laws = snapshot(url, g)["laws"]
        assert {name: laws[name] for name in TERMS} == TERMS
        challenge = await white.request(
            "challenge", to=black.welcome["user"]["name"], **FIDE | {"laws": {"draw_from": None}}
        )
        told = await black.wait(lambda m: m["t"] == "challenge" and m["challenge"] == challenge["challenge"])
        assert told["laws"] == {**TERMS, "draw_from": None}


async def test_seeks_match_only_under_the_same_laws(url: str) -> None:
    async with Client(url, guest(url)[0]) as one, Client(url, guest(url)[0]) as two:
        await one.request("seek", tc={"base_s": 311}, rules="fide", laws={})
        for terms in ({}, {"rules": "uscf", "laws": {}}, {"rules": "fide", "laws": {"draw_from": 30}}):
            assert "g" not in await two.request("seek", tc={"base_s": 311}, **terms)
        assert "g" in await two.request("seek", tc={"base_s": 311}, rules="fide", laws={"default_s": 60})


async def test_official_draughts_is_by_the_laws_only_if_agreed(url: str) -> None:
    draughts = {"game": "draughts", "variant": "international", "rules": "official"}
    async with Client(url, guest(url)[0]) as white, Client(url, guest(url)[0]) as black:
        assert "laws" not in snapshot(url, await begin(white, black, **draughts))
        assert snapshot(url, await agree(white, black, **draughts, laws={}))["laws"]["rulings"] == "by_claim"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"rules": "online", "laws": {}}, "bad_message"),
        ({"rules": "fide", "tc": {"days": 3}}, "bad_message"),
        ({"rules": "fide", "laws": {}, "rated": True}, "forbidden"),
        ({"rules": "fide", "variant": "antichess"}, "bad_message"),
        ({"rules": "fide", "laws": {}, "to": "robot", "level": 3, "hints": True}, "bad_message"),
    ],
)
async def test_terms_that_do_not_go_together(url: str, fields: dict[str, object], code: str) -> None:
    async with Client(url, member(url)[0]) as client:
        assert await client.refused("challenge", **{"tc": BLITZ, **fields}) == code


async def test_rematch_is_by_the_same_laws(url: str) -> None:
    async with by_laws(url, laws={"draw_from": 12}) as m:
        await m.white.request("resign", g=m.g)
        await m.white.request("rematch", g=m.g, do="offer")
        await m.told("offer")
        g = (await m.black.request("rematch", g=m.g, do="accept"))["g"]
        assert snapshot(url, g)["laws"]["draw_from"] == 12


# -- clients ----------------------------------------------------------------------------------------------


async def test_client_that_does_not_know_the_laws_is_kept_out(url: str) -> None:
    async with Client(url, guest(url)[0]) as white, Client(url, guest(url)[0]) as old, Client(url) as stranger:
        for kind, fields in (("seek", {}), ("challenge", {}), ("challenge", {"to": "self"})):
            assert await old.refused(kind, tc=BLITZ, rules="fide", **fields) == "unsupported"
        seek = (await white.request("seek", **FIDE))["seek"]
        assert await old.refused("accept", seek=seek) == "unsupported"
        challenge = (await white.request("challenge", color="w", **FIDE))["challenge"]
        assert await old.refused("challenge.accept", challenge=challenge) == "unsupported"
        g = (await old.request("challenge.accept", challenge=challenge, laws=True))["g"]
        assert await old.refused("sub", topic=f"game:{g}") == "unsupported"
        assert (await stranger.sub(g))["rules"] == "fide"
        assert await white.refused("move", g=g, move="e2e4", ply=0) == "unsupported"
        await white.sub(g, laws=True)
        await white.request("move", g=g, move="e2e4", ply=0)
        await stranger.wait(lambda m: m["t"] == "made")


async def test_any_client_may_look_at_its_finished_game(url: str) -> None:
    async with by_laws(url) as m:
        await m.white.request("unsub", topic=m.topic)
        assert await m.white.refused("sub", topic=m.topic) == "unsupported"
        await m.white.request("resign", g=m.g)
        assert (await m.white.sub(m.g))["status"] == "over"


async def test_what_the_laws_do_not_have_is_refused(url: str) -> None:
    async with by_laws(url) as m:
        for kind, fields in (
            ("abort", {}),
            ("takeback", {"do": "offer"}),
            ("moretime", {"seconds": 15}),
            ("claim", {"what": "win"}),
            ("draw", {"do": "offer"}),
        ):
            assert await m.white.refused(kind, g=m.g, **fields) == "conflict"


async def test_game_on_one_screen_has_both_clocks(url: str) -> None:
    """Two people at one tablet: the side to move is meant, and a claim is the other side's."""
    async with Client(url, guest(url)[0]) as tablet:
        g = (await tablet.request("challenge", to="self", **FIDE | {"laws": UNSUPERVISED}))["g"]
        shown = await tablet.sub(g, laws=True)
        assert "pausable" not in shown
        await tablet.event(g, SEATED)
        for ply, move in enumerate(("e2e4", "e7e4")):
            await tablet.request("move", g=g, move=move, ply=ply)
            await tablet.request("press", g=g, ply=ply)
        await tablet.request("claim", g=g, what="illegal_move")
        end = await tablet.wait(lambda m: m["t"] == "end")
        assert (end["result"], end["reason"]) == ("1-0", "illegal_move")


# -- draws ------------------------------------------------------------------------------------------------


async def test_draw_is_offered_with_a_move(url: str) -> None:
    """9.1a."""
    async with by_laws(url) as m:
        await m.make("e2e4", draw=True)
        assert (await m.told("made"))["draw"] is True
        assert m.snapshot()["laws"]["made"]["draw"] is True
        await m.press()
        assert (await m.told("move"))["draw"] is True
        await m.black.request("draw", g=m.g, do="accept")
        assert (await m.told("end"))["reason"] == "agreement"


async def test_draw_is_offered_between_move_and_press(url: str) -> None:
    async with by_laws(url) as m:
        await m.make("e2e4")
        await m.white.request("draw", g=m.g, do="offer")
        assert await m.white.refused("draw", g=m.g, do="offer") == "conflict"
        await m.press()
        m.played.append("e2e4")
        assert m.snapshot()["offers"]["draw"] == "w"
        await m.black.request("touch", g=m.g, square="e7")
        await m.told("touch")
        assert m.snapshot()["offers"]["draw"] is None
        assert await m.black.refused("draw", g=m.g, do="accept") == "conflict"


async def test_draw_may_be_barred(url: str) -> None:
    async with by_laws(url, laws={"draw_from": 30}) as m:
        await m.make("e2e4", draw=True)
        assert (await m.told("made"))["draw"] is False
        assert await m.white.refused("draw", g=m.g, do="offer") == "conflict"


async def test_right_claim_draws(url: str) -> None:
    async with by_laws(url, *KNIGHTS, *KNIGHTS[:3]) as m:
        await m.black.request("draw", g=m.g, do="claim", move="f6g8")
        assert (await m.told("end"))["reason"] == "threefold"


async def test_wrong_claim_gives_time_once_and_its_move_has_to_be_made(url: str) -> None:
    """9.5b."""
    async with by_laws(url, "e2e4") as m:
        for _ in range(2):
            assert await m.black.refused("draw", g=m.g, do="claim", move="e7e5", key="c") == "conflict"
        ruling = await m.told("ruling")
        assert (ruling["by"], ruling["what"], ruling["move"], ruling["times"]) == ("b", "wrong_claim", "e7e5", 0)
        assert ruling["given_ms"] == 180_000
        assert (await m.told("made", 2))["move"] == "e7e5"
        await m.press()
        assert m.snapshot()["moves"] == ["e2e4", "e7e5"]
        assert [event["t"] for event in m.white.events(m.g)].count("ruling") == 1


async def test_touching_loses_the_claim(url: str) -> None:
    """9.4."""
    async with by_laws(url, *KNIGHTS, *KNIGHTS[:3]) as m:
        await m.black.request("touch", g=m.g, square="f6")
        assert await m.black.refused("draw", g=m.g, do="claim", move="f6g8") == "conflict"
        await m.told("touch")
        assert m.snapshot()["status"] == "live"


# -- time -------------------------------------------------------------------------------------------------


async def test_supervised_flag_falls_by_itself(url: str) -> None:
    async with by_laws(url, tc=SECOND) as m:
        end = await m.told("end")
        assert (end["result"], end["reason"]) == ("0-1", "timeout")


async def test_unsupervised_flag_is_claimed(url: str) -> None:
    async with by_laws(url, tc=SECOND, laws=UNSUPERVISED) as m:
        assert m.snapshot()["laws"]["flag"] == "claim"
        assert await m.black.refused("flag", g=m.g) == "conflict"

        async def is_claimed() -> bool:
            with contextlib.suppress(Refusal):
                return bool(await m.black.request("flag", g=m.g))
            return False

        await until(is_claimed)
        end = await m.told("end")
        assert (end["result"], end["reason"]) == ("0-1", "timeout")


async def test_both_flags_down_draw(url: str) -> None:
    """6.11b. White's flag falls and nobody claims; then Black's falls."""
    async with by_laws(url, tc=SECOND, laws=UNSUPERVISED) as m:
        await until(lambda: m.snapshot()["clock"]["w"] == 0)
        await m.play("e2e4")
        assert (await m.told("move"))["clock"]["w"] == 0
        end = await m.told("end")
        assert (end["result"], end["reason"]) == ("1/2-1/2", "both_flags")


async def test_who_does_not_come_loses(url: str) -> None:
    """6.6, and 6.6b for a game to which nobody comes."""
    async with Client(url, guest(url)[0]) as white, Client(url, guest(url)[0]) as black:
        one = await agree(white, black, laws={"default_s": 10})
        none = await agree(white, black, laws={"default_s": 10})
        await black.sub(one, laws=True)
        end = await black.wait(lambda m: m["t"] == "end" and m["g"] == one)
        assert (end["result"], end["reason"]) == ("0-1", "default_time")
        await until(lambda: snapshot(url, none)["status"] == "over")
        shown = snapshot(url, none)
        assert (shown["result"], shown["reason"], shown["no_show"]) == ("*", "aborted", True)


# -- score sheets, and games that are played anew -----------------------------------------------------------


async def test_players_write_the_score(url: str) -> None:
    """8.1 to 8.7."""
    async with by_laws(url, "e2e4", "e7e5", tc={"base_s": 1200}, laws={"score_sheet": True}) as m:
        assert await m.white.refused("move", g=m.g, move="g1f3", ply=2) == "conflict"
        await m.white.request("write", g=m.g, ply=0, text="e4")
        await m.white.request("write", g=m.g, ply=1, text="e6")
        wrong = await m.told("written", 2)
        assert (wrong["by"], wrong["ply"], wrong["text"], wrong["right"]) == ("w", 1, "e6", False)
        await m.white.request("write", g=m.g, ply=1, text="e5")
        await m.play("g1f3")
        await m.white.request("write", g=m.g, ply=2, text="Sf3", language="de")
        assert (await m.told("written", 4))["right"] is True
        assert await m.white.refused("write", g=m.g, ply=3, text="Nc6") == "conflict"
        assert await m.white.refused("sign", g=m.g) == "conflict"
        await m.black.request("resign", g=m.g)
        await m.black.request("sign", g=m.g)
        await m.told("signed")
        laws = m.snapshot()["laws"]
        assert [entry["text"] for entry in laws["sheets"]["w"]] == ["e4", "e5", "Sf3"]
        assert (laws["sheets"]["b"], laws["signed"]) == ([], {"w": False, "b": True})


@pytest.mark.parametrize("fields", [{"to": "self"}, {"to": "robot", "level": 3}])
async def test_score_sheets_are_for_two_people(url: str, fields: dict[str, object]) -> None:
    async with Client(url, guest(url)[0]) as client:
        assert await client.refused("challenge", **FIDE | {"laws": {"score_sheet": True}}, **fields) == "bad_message"


@pytest.mark.parametrize("what", ["position", "colors"])
async def test_game_ends_without_a_result_if_both_agree_to_play_anew(url: str, what: str) -> None:
    """7.1, 7.2."""
    async with by_laws(url, "e2e4", rules="uscf", laws={"draw_from": 20}) as m:
        await m.white.request("restart", g=m.g, do="offer", what=what)
        assert (await m.told("offer"))["what"] == what
        assert m.snapshot()["offers"][what] == "w"
        await m.black.request("restart", g=m.g, do="accept", what=what)
        end = await m.told("end")
        assert (end["result"], end["reason"]) == ("*", f"wrong_{what}")
        await m.white.request("rematch", g=m.g, do="offer")
        await m.told("offer", 3)
        new = snapshot(url, (await m.black.request("rematch", g=m.g, do="accept"))["g"])
        assert new["players"]["w"]["user"]["id"] == m.black.welcome["user"]["id"]


async def test_offer_to_play_anew_may_be_declined(url: str) -> None:
    async with by_laws(url, rules="uscf") as m:
        assert await m.black.refused("restart", g=m.g, do="accept", what="colors") == "conflict"
        await m.white.request("restart", g=m.g, do="offer", what="colors")
        await m.black.request("restart", g=m.g, do="decline", what="colors")
        await m.told("offer", 2)
        assert m.snapshot()["offers"]["colors"] is None


async def test_colors_are_never_wrong_by_fide(url: str) -> None:
    async with by_laws(url) as m:
        assert await m.white.refused("restart", g=m.g, do="offer", what="colors") == "conflict"
