"""Games by the Laws as played over a board: making, completing, touching, illegal moves and who rules on them."""

from __future__ import annotations

import urllib.request
from typing import TYPE_CHECKING

import pytest

from tests.integration.by_laws import BLITZ, RAPID, SEATED, UNSUPERVISED, by_laws
from tests.wire_client import WAIT_S, Refusal

if TYPE_CHECKING:
    from tests.integration.by_laws import LawsMatch

TWO_MINUTES_MS = 120_000

BLITZ_ALONE = {"tc": BLITZ, "laws": UNSUPERVISED}
"""Blitz without an arbiter (B3)."""

RAPID_ALONE = {"tc": RAPID, "laws": UNSUPERVISED}
"""Rapid chess without an arbiter (A4)."""

USCF_BLITZ = {"tc": BLITZ, "rules": "uscf"}

OFFICIAL = {"game": "draughts", "variant": "international", "rules": "official", "laws": {}}

BLACK_CANNOT_WIN = "K1k3b1/P1Pp1p2/3P1Pp1/6P1/8/8/1P6/8 w - - 0 1"
"""Nor after b2-b3 Bg8-h7, although Black has a bishop and pawns: that needs a search."""


def score_of(match: LawsMatch) -> str:
    """Return the game as PGN. Blocking."""
    with urllib.request.urlopen(f"{match.white.url}/api/v1/games/{match.g}/pgn", timeout=WAIT_S) as response:
        text: str = response.read().decode()
    return text


async def test_move_is_made_and_then_completed(url: str) -> None:
    async with by_laws(url) as m:
        assert {event["by"] for event in m.white.events(m.g)} == {"w", "b"}
        assert (await m.make("e2e4"))["seq"] == SEATED + 1
        made = await m.heard(SEATED + 1)
        assert made["position"].startswith("rnbqkbnr/pppppppp/8/8/4P3/")
        assert {**made, "position": ""} == {
            "t": "made", "g": m.g, "seq": 3, "ply": 0, "by": "w", "move": "e2e4", "san": "e4", "position": "",
            "touched": ["e2"], "draw": False,
        }  # fmt: skip
        shown = m.snapshot()
        assert (shown["moves"], shown["turn"], shown["clock"]["run"]) == ([], "w", "w")
        assert shown["laws"]["made"]["san"] == "e4"
        assert (await m.press())["seq"] == 4
        move = await m.heard(4)
        assert (move["t"], move["clock"]["run"]) == ("move", "b")
        assert m.snapshot()["laws"]["made"] is None


async def test_snapshot_tells_the_terms_and_the_state(url: str) -> None:
    async with by_laws(url, laws={"draw_from": 30}) as m:
        laws = m.snapshot()["laws"]
        assert laws == {
            "supervised": True, "draw_from": 30, "default_s": 60, "score_sheet": False, "kind": "blitz",
            "rulings": "at_once", "flag": "server", "seated": {"w": True, "b": True}, "adjusting": False, "touched": [],
            "bound": None, "made": None, "illegal": {"w": 0, "b": 0}, "may_claim": False, "positions": [],
            "sheets": None, "signed": {"w": False, "b": False},
        }  # fmt: skip


async def test_clock_of_white_runs_from_the_start(url: str) -> None:
    """6.5. The first increment is there before move 1."""
    async with by_laws(url) as m:
        clock = m.snapshot()["clock"]
        assert (clock["run"], clock["b"]) == ("w", 303_000)
        assert 290_000 < clock["w"] <= 303_000
        assert "first_move_by" not in clock


async def test_repeated_move_and_press_are_answered_again(url: str) -> None:
    async with by_laws(url) as m:
        assert (await m.make("e2e4"))["seq"] == (await m.make("e2e4"))["seq"] == 3
        assert (await m.press())["seq"] == (await m.press())["seq"] == 4
        assert (await m.make("e2e4"))["seq"] == 4
        await m.heard(4)
        assert len(m.white.events(m.g)) == 4


async def test_repeated_press_with_its_key_is_ruled_on_once(url: str) -> None:
    async with by_laws(url) as m:
        await m.make("e2e5")
        first = await m.press(key="p")
        assert (await m.press(key="p"))["seq"] == first["seq"]
        assert m.snapshot()["laws"]["illegal"] == {"w": 1, "b": 0}


async def test_illegal_move_is_taken_back_when_the_clock_is_pressed(url: str) -> None:
    """7.4: the move has to be replaced by one with the same piece; two minutes for the opponent."""
    async with by_laws(url) as m:
        await m.make("e2e5")
        assert "irregular" not in await m.told("made")
        await m.press()
        ruling = await m.told("ruling")
        assert (ruling["by"], ruling["what"], ruling["move"], ruling["times"]) == ("w", "illegal_move", "e2e5", 1)
        assert (ruling["given_ms"], ruling["touched"]) == (TWO_MINUTES_MS, ["e2"])
        assert (ruling["clock"]["run"], ruling["clock"]["b"]) == ("w", 303_000 + TWO_MINUTES_MS)
        with pytest.raises(Refusal, match="conflict"):
            await m.make("d2d4")
        await m.play("e2e4")
        assert m.snapshot()["laws"]["illegal"] == {"w": 1, "b": 0}


async def test_illegal_move_may_be_put_right_before_the_clock_is_pressed(url: str) -> None:
    async with by_laws(url) as m:
        await m.make("e2e5")
        await m.play("e2e3")
        assert [event["t"] for event in m.white.events(m.g)][SEATED:] == ["made", "made", "move"]


async def test_third_illegal_move_loses(url: str) -> None:
    async with by_laws(url) as m:
        for _ in range(3):
            await m.make("e2e5")
            await m.press()
        assert (await m.told("ruling", 3))["given_ms"] == 0
        end = await m.told("end")
        assert (end["result"], end["reason"]) == ("0-1", "illegal_move")


async def test_third_illegal_move_draws_if_the_opponent_cannot_mate(url: str) -> None:
    async with by_laws(url, "b2b3", "g8h7", fen=BLACK_CANNOT_WIN) as m:
        for _ in range(3):
            await m.make("b3b6")
            await m.press()
        end = await m.told("end")
        assert (end["result"], end["reason"]) == ("1/2-1/2", "illegal_move")


async def test_clock_pressed_without_a_move_is_an_illegal_move(url: str) -> None:
    async with by_laws(url) as m:
        await m.press()
        ruling = await m.told("ruling")
        assert (ruling["what"], ruling["move"], ruling["given_ms"]) == ("no_move", None, TWO_MINUTES_MS)


async def test_promotion_without_a_piece_is_an_illegal_move(url: str) -> None:
    async with by_laws(url, fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1") as m:
        await m.make("a7a8")
        await m.press()
        assert (await m.told("ruling"))["what"] == "promotion"
        await m.make("a7a8")
        await m.play("a7a8q")
        assert m.snapshot()["notation"] == ["a8=Q+"]


async def test_touched_piece_must_be_moved(url: str) -> None:
    """4.3."""
    async with by_laws(url) as m:
        await m.white.sub(m.g, legal=True, laws=True)
        await m.white.request("touch", g=m.g, square="g1")
        assert (await m.told("touch"))["square"] == "g1"
        legal = await m.white.wait(lambda message: message["t"] == "legal")
        assert sorted(legal["bound"]) == ["g1f3", "g1h3"]
        assert sorted((await m.white.sub(m.g, laws=True))["laws"]["bound"]) == ["g1f3", "g1h3"]
        assert (await m.black.sub(m.g, laws=True))["laws"]["bound"] is None
        with pytest.raises(Refusal, match="conflict"):
            await m.make("e2e4")
        assert await m.black.refused("touch", g=m.g, square="g8") == "not_your_turn"
        assert await m.white.refused("touch", g=m.g, square="e5") == "conflict"
        for kind, fields in (("touch", {"square": "a2"}), ("signal", {"on": True})):
            assert await m.white.refused(kind, g=m.g, ply=2, **fields) == "stale_ply"
        await m.play("g1f3")
        assert m.snapshot()["laws"]["touched"] == []


async def test_touched_piece_that_cannot_move_binds_to_nothing(url: str) -> None:
    """4.5."""
    async with by_laws(url) as m:
        await m.white.request("touch", g=m.g, square="a1")
        await m.play("e2e4")


async def test_adjusting_does_not_touch(url: str) -> None:
    """4.2."""
    async with by_laws(url) as m:
        await m.white.request("signal", g=m.g, on=True)
        assert (await m.told("signal"))["on"] is True
        seq = m.snapshot()["seq"]
        assert (await m.white.request("touch", g=m.g, square="g1"))["seq"] == seq
        await m.play("e2e4")
        assert await m.white.refused("signal", g=m.g, on=True) == "not_your_turn"
        await m.black.request("touch", g=m.g, square="e7")
        assert await m.black.refused("signal", g=m.g, on=True) == "conflict"


async def test_signals_on_one_turn_are_limited(url: str) -> None:
    async with by_laws(url) as m:
        for number in range(40):
            await m.white.request("signal", g=m.g, on=number % 2 == 0)
        assert await m.white.refused("signal", g=m.g, on=True) == "conflict"


@pytest.mark.parametrize(("rules", "answer"), [("fide", "conflict"), ("uscf", "ok")])
async def test_castling_by_touching_the_rook_first(url: str, rules: str, answer: str) -> None:
    """4.4b."""
    moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")
    async with by_laws(url, *moves, rules=rules, tc=RAPID) as m:
        await m.white.request("touch", g=m.g, square="h1")
        if answer == "ok":
            await m.make("e1g1")
        else:
            assert await m.white.refused("move", g=m.g, move="e1g1", ply=6) == answer


async def test_uscf_penalises_each_illegal_move(url: str) -> None:
    async with by_laws(url, rules="uscf", tc=RAPID) as m:
        for times in range(1, 5):
            await m.make("e2e5")
            await m.press()
            assert (await m.told("ruling", times))["times"] == times
        assert m.snapshot()["status"] == "created"


async def test_only_moves_of_hands_can_be_made(url: str) -> None:
    async with by_laws(url) as m:
        for move in ("e7e5", "e4e5", "d1d2", "nonsense"):
            assert await m.white.refused("move", g=m.g, move=move, ply=0) == "illegal_move"


async def test_unsupervised_blitz_is_won_by_the_claim(url: str) -> None:
    """B3c."""
    async with by_laws(url, "e2e4", "e7e5", **BLITZ_ALONE) as m:
        assert m.snapshot()["laws"]["rulings"] == "by_claim"
        await m.play("f1f7")
        event = await m.told("move", 3)
        assert event.keys() == {"t", "g", "seq", "ply", "by", "move", "san", "position", "check", "clock"}
        assert m.snapshot()["laws"]["may_claim"]
        await m.claim()
        assert (await m.told("takeback"))["plies"] == 1
        ruling = await m.told("ruling")
        assert (ruling["by"], ruling["what"], ruling["move"]) == ("w", "illegal_move", "f1f7")
        end = await m.told("end")
        assert (end["result"], end["reason"]) == ("0-1", "illegal_move")
        assert m.snapshot()["moves"] == ["e2e4", "e7e5"]


async def test_unsupervised_blitz_is_drawn_if_the_claimant_cannot_mate(url: str) -> None:
    """Asked about the position before the illegal move, which a solver knows."""
    async with by_laws(url, "b2b3", "g8h7", fen=BLACK_CANNOT_WIN, **BLITZ_ALONE) as m:
        await m.play("b3b6")
        await m.claim()
        end = await m.told("end")
        assert (end["result"], end["reason"]) == ("1/2-1/2", "illegal_move")


async def test_illegal_move_stands_after_the_next_move(url: str) -> None:
    async with by_laws(url, "e2e4", "e7e5", **BLITZ_ALONE) as m:
        await m.play("a1a5", "g8f6")
        assert await m.white.refused("claim", g=m.g, what="illegal_move") == "conflict"
        shown = m.snapshot()
        ((plies, position),) = shown["laws"]["positions"]
        assert plies == 3
        assert position.split()[0] == "rnbqkbnr/pppp1ppp/8/R3p3/4P3/8/PPPP1PPP/1NBQKBNR"
        assert shown["position"].split()[0] == "rnbqkb1r/pppp1ppp/5n2/R3p3/4P3/8/PPPP1PPP/1NBQKBNR"
        pgn = score_of(m)
        assert "1. e4" in pgn
        assert "{an illegal move was let stand: Ra5 Nf6}" in pgn.replace("\n", " ")


async def test_score_of_a_running_game_does_not_tell_that_a_move_is_illegal(url: str) -> None:
    async with by_laws(url, "e2e4", "e7e5", **BLITZ_ALONE) as m:
        await m.play("f1f7")
        assert "illegal" not in score_of(m)


@pytest.mark.parametrize("move", ["f1f7", "f1c4"])
async def test_snapshot_does_not_tell_whether_the_last_move_is_illegal(url: str, move: str) -> None:
    async with by_laws(url, "e2e4", "e7e5", **BLITZ_ALONE) as m:
        await m.play(move)
        await m.told("move", 3)
        assert m.snapshot()["laws"]["positions"] == []
        shown = await m.black.sub(m.g, laws=True)
        assert (shown["laws"]["positions"], shown["moves"][-1]) == ([], move)
        assert shown["laws"]["may_claim"]


async def test_position_of_a_last_illegal_move_is_told_after_the_game(url: str) -> None:
    async with by_laws(url, "e2e4", "e7e5", **BLITZ_ALONE) as m:
        await m.play("f1f7")
        await m.white.request("resign", g=m.g)
        await m.told("end")
        assert [plies for plies, _ in m.snapshot()["laws"]["positions"]] == [3]


async def test_unsupervised_rapid_is_claimed_and_goes_on(url: str) -> None:
    """A4c."""
    async with by_laws(url, "e2e4", **RAPID_ALONE) as m:
        assert await m.black.refused("claim", g=m.g, what="illegal_move") == "conflict"  # it was legal
        await m.play("e7e4")
        await m.claim()
        ruling = await m.told("ruling")
        assert (ruling["by"], ruling["given_ms"], ruling["touched"][0]) == ("b", TWO_MINUTES_MS, "e7")
        assert (ruling["clock"]["run"], m.snapshot()["turn"]) == ("b", "b")
        m.played.pop()
        await m.play("e7e5")


async def test_own_move_and_claim_are_too_late_together(url: str) -> None:
    async with by_laws(url, **RAPID_ALONE) as m:
        await m.play("e2e5")
        await m.make("d7d5")
        assert await m.black.refused("claim", g=m.g, what="illegal_move") == "conflict"


async def test_uscf_blitz_is_claimed_before_touching(url: str) -> None:
    async with by_laws(url, **USCF_BLITZ) as m:
        await m.play("e2e5")
        await m.claim()
        assert (await m.told("ruling"))["given_ms"] == TWO_MINUTES_MS
        m.played.pop()
        await m.play("e2e4", "e7e4")
        await m.white.request("touch", g=m.g, square="d2")
        assert await m.white.refused("claim", g=m.g, what="illegal_move") == "conflict"


async def test_draughts_opponent_has_an_irregular_move_corrected(url: str) -> None:
    """Article 35 of the draughts regulation."""
    async with by_laws(url, **OFFICIAL) as m:
        await m.play("32-27")
        assert m.snapshot()["laws"]["positions"] == []
        await m.play("20-25")
        await m.play("34-23")  # over two rows, nothing captured
        await m.claim()
        ruling = await m.told("ruling")
        assert (ruling["by"], ruling["what"], ruling["given_ms"]) == ("w", "correction", 0)
        m.played.pop()
        await m.play("34-29")
