"""Draw claims: threefold repetition and fifty moves, on the board or with the move intended (Articles 9.2, 9.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core import commands as c
from game_core.decide.claims import was_refused
from game_core.events import ClockReading, Ended, Moved, Offered, Result
from game_core.evolve import evolve
from tests.game_core.scene import BLITZ, BULLET, Scene

if TYPE_CHECKING:
    from game_core.color import Color

CYCLE = "g1f3 g8f6 f3g1 f6g8 "
FIFTY_TO_COME = "3k4/8/8/8/8/8/R7/K7 w - - 99 80"
FIFTY = "3k4/8/8/8/8/8/R7/K7 w - - 100 80"
DRAW: Result = "1/2-1/2"

# Columns: start position, moves played; who claims with which intended move; then the reason of the draw.
RIGHT: dict[str, tuple[str | None, str, Color, str | None, str]] = {
    "9.2b: it has appeared for the third time": (None, CYCLE * 2, "w", None, "threefold"),
    "9.2a: it is about to appear": (None, CYCLE + "g1f3 g8f6 f3g1", "b", "f6g8", "threefold"),
    "a fourth time": (None, CYCLE * 3, "w", None, "threefold"),
    "it has appeared: the move written with the claim does not matter": (None, CYCLE * 2, "w", "e2e4", "threefold"),
    "nor whether it is one": (None, CYCLE * 2, "w", "e2e5", "threefold"),
    "9.3b: fifty moves have been made": (FIFTY, "", "w", None, "fifty_moves"),
    "9.3a: the fiftieth is to be made": (FIFTY_TO_COME, "", "w", "a2b2", "fifty_moves"),
    "9.3b, by Black": (FIFTY_TO_COME, "a2b2", "b", None, "fifty_moves"),
}


@pytest.mark.parametrize(("fen", "moves", "by", "move", "reason"), RIGHT.values(), ids=RIGHT)
def test_valid_claim_draws_at_once(fen: str | None, moves: str, by: Color, move: str | None, reason: str) -> None:
    scene = Scene(fen=fen, moves=moves)
    ply = scene.game.ply
    (end,) = scene.do(c.Draw(by=by, do="claim", move=move))
    assert isinstance(end, Ended)
    assert (scene.end, scene.game.ply) == ((DRAW, reason), ply)
    scene.refused(c.Draw(by=by, do="claim"), "game_over")


# Columns: start position, moves played; who claims with which intended move; then the code.
WRONG: dict[str, tuple[str | None, str, Color, str | None, str]] = {
    "it has appeared twice": (None, CYCLE, "w", None, "conflict"),
    "three times, but it is not there now": (None, CYCLE * 2 + "e2e4", "b", None, "conflict"),
    "it is the opponent's move: they may claim, not you": (None, CYCLE * 2, "b", None, "not_your_turn"),
    "with a move of yours": (None, CYCLE * 2, "b", "g8f6", "not_your_turn"),
    "with no move of this position": (None, CYCLE, "w", "e2e5", "illegal_move"),
    "forty-nine moves and a half": (FIFTY_TO_COME, "", "w", None, "conflict"),
    "nothing has happened yet": (None, "", "w", None, "conflict"),
}


@pytest.mark.parametrize(("fen", "moves", "by", "move", "code"), WRONG.values(), ids=WRONG)
def test_wrong_claim_without_a_move_is_at_most_an_offer(
    fen: str | None, moves: str, by: Color, move: str | None, code: str
) -> None:
    scene = Scene(fen=fen, moves=moves)
    before = scene.game
    error = scene.refused(c.Draw(by=by, do="claim", move=move), code, 5_000)
    offers = (Offered(what="draw", do="offer", by=by),)
    assert error.events == (offers if code == "conflict" else ())
    assert (scene.game.position, scene.game.clock) == (before.position, before.clock)


# "A claim of a draw ... shall be considered to be an offer of a draw" (9.1.2.3).
def test_wrong_claim_stands_as_one_draw_offer() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.refused(c.Draw(by="w", do="claim"), "conflict")
    assert scene.game.offers.draw == "w"
    assert not scene.refused(c.Draw(by="w", do="claim"), "conflict").events
    scene.do(c.Draw(by="b", do="accept"))
    assert scene.end == (DRAW, "agreement")


def test_wrong_claim_accepts_an_open_offer() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Draw(by="b", do="offer"))
    scene.do(c.Draw(by="w", do="claim"))
    assert scene.end == (DRAW, "agreement")


def test_wrong_claim_after_a_declined_offer_is_no_new_offer() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Draw(by="w", do="offer"))
    scene.do(c.Draw(by="b", do="decline"))
    assert not scene.refused(c.Draw(by="w", do="claim"), "conflict").events


# "wrong claim: ... the intended move must be played" (rules 4; Article 9.5).
def test_intended_move_of_a_wrong_claim_is_played_and_charged() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Draw(by="b", do="offer"))
    error = scene.refused(c.Draw(by="w", do="claim", move="g1f3"), "conflict", 5_000)
    assert str(error).startswith(
        "draw claim rejected, Nf3 was played: this position has occurred 1 of 3 times, and 1 of "
    )
    assert error.events == (
        Moved(
            ply=2,
            by="w",
            move="g1f3",
            san="Nf3",
            position="rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            clock=ClockReading(177_000, 180_000, "b"),
            draw=True,
            spent_ms=5_000,
        ),
    )
    assert scene.game.offers.draw == "w", "the opponent's offer is refused by moving, and this one stands"
    assert (scene.game.turn, scene.game.status) == ("b", "live")


@pytest.mark.parametrize("moves", ["", "e2e4"])
def test_intended_first_move_is_not_charged(moves: str) -> None:
    scene = Scene(moves=moves)
    scene.refused(c.Draw(by=scene.game.turn, do="claim", move="g1f3" if not moves else "g8f6"), "conflict", 15_000)
    assert (scene.left("w"), scene.left("b")) == (180_000, 180_000)
    assert scene.game.ply == (2 if moves else 1)


def test_intended_castling_is_read_in_both_spellings() -> None:
    scene = Scene(moves="g1f3 g8f6 g2g3 g7g6 f1g2 f8g7")
    (event,) = scene.refused(c.Draw(by="w", do="claim", move="e1h1"), "conflict").events
    assert isinstance(event, Moved)
    assert event.move == "e1g1"


# A move that ends the game by itself is played: nobody has to claim anything. The position of the fifth row appears
# for the fifth time without the one before it having appeared more than once.
OTHERWISE = "g1f3 g8f6 f3g1 f6g8 g1f3 g8h6 f3g1 h6g8 g1f3 b8c6 f3g1 c6b8 g1f3 b8a6 f3g1 "
ENDING: dict[str, tuple[str | None, str, Color, str, tuple[str, str]]] = {
    "mate": ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "", "w", "f7g7", ("1-0", "checkmate")),
    "mate, by Black": (None, "f2f3 e7e5 g2g4", "b", "d8h4", ("0-1", "checkmate")),
    "mate on the fiftieth move": ("7k/5Q2/6K1/8/8/8/8/8 w - - 99 90", "", "w", "f7g7", ("1-0", "checkmate")),
    "stalemate": ("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "", "w", "g5g6", (DRAW, "stalemate")),
    "the fifth time": (None, OTHERWISE, "b", "a6b8", (DRAW, "fivefold")),
}


@pytest.mark.parametrize(("fen", "moves", "by", "move", "end"), ENDING.values(), ids=ENDING)
def test_intended_move_that_ends_the_game_is_played(
    fen: str | None, moves: str, by: Color, move: str, end: tuple[str, str]
) -> None:
    scene = Scene(fen=fen, moves=moves)
    moved, ended = scene.do(c.Draw(by=by, do="claim", move=move), 1_000)
    assert isinstance(moved, Moved)
    assert isinstance(ended, Ended)
    assert (scene.end, moved.move, ended.clock) == (end, move, moved.clock)


# A claim has to be made before the flag falls, like a move; lag excuses it like a move. Columns: when it comes, in ms
# after zero, the ceiling of the connection, the intended move; then whether the flag was first.
TIMES: dict[str, tuple[int, int, str | None, bool]] = {
    "in the last millisecond": (-1, 0, None, False),
    "in the same millisecond": (0, 0, None, True),
    "late, but for the lag": (99, 100, None, False),
    "late with it": (100, 100, None, True),
    "a move with it, in time": (-1, 0, "e2e4", False),
    "a move with it, late": (0, 0, "e2e4", True),
    "hours late": (10**7, 0, None, True),
}


@pytest.mark.parametrize(("late_ms", "ceiling_ms", "move", "flagged"), TIMES.values(), ids=TIMES)
def test_claim_counts_only_before_the_flag_falls(
    late_ms: int, ceiling_ms: int, move: str | None, flagged: bool
) -> None:
    scene = Scene(BULLET, moves=CYCLE * 2)
    command = c.Draw(by="w", do="claim", move=move, ceiling_ms=ceiling_ms)
    after_ms = scene.flag_in_ms + late_ms
    if flagged:
        scene.refused(command, "game_over", after_ms)
        assert scene.end == ("0-1", "timeout")
    else:
        scene.do(command, after_ms)
        assert scene.end == (DRAW, "threefold")


def test_wrong_claim_at_the_last_moment_does_not_lose_on_time() -> None:
    scene = Scene(BLITZ, moves="e2e4 e7e5")
    (event,) = scene.refused(
        c.Draw(by="w", do="claim", move="g1f3", ceiling_ms=300), "conflict", scene.flag_in_ms + 299
    ).events
    assert isinstance(event, Moved)
    assert event.lag_ms == 300
    assert event.clock == ClockReading(2_001, 180_000, "b")
    assert scene.game.quota == (3_000 + 1_000 - 300, 3_000)


def test_claim_is_refused_in_a_paused_game() -> None:
    scene = Scene(pausable=True, moves=CYCLE * 2)
    scene.do(c.Pause(by="w", on=True))
    scene.refused(c.Draw(by="w", do="claim"), "conflict")
    scene.refused(c.Draw(by="w", do="claim", move="e2e4"), "conflict")
    scene.do(c.Pause(by="w", on=False))
    scene.do(c.Draw(by="w", do="claim"))
    assert scene.end == (DRAW, "threefold")


def test_draw_can_be_claimed_in_an_untimed_game() -> None:
    scene = Scene(None, moves=CYCLE * 2)
    scene.do(c.Draw(by="w", do="claim"))
    assert scene.log[-1] == Ended(result=DRAW, reason="threefold")


def test_repeated_wrong_claim_gets_the_same_refusal() -> None:
    scene = Scene(moves="e2e4 e7e5")
    refusal = scene.refused(c.Draw(by="w", do="claim", move="g1f3"), "conflict")
    assert was_refused(scene.game) == str(refusal)


def test_claim_with_a_mating_move_is_not_refused() -> None:
    scene = Scene(moves="f2f3 e7e5 g2g4")
    move, _ = scene.do(c.Draw(by="b", do="claim", move="d8h4"))
    before = Scene(moves="f2f3 e7e5 g2g4")
    assert was_refused(evolve(before.game, move, before.now_ms)) is None
