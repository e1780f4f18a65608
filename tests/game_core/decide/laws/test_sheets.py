"""Score sheets: Articles 8.1 to 8.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core import commands as c
from game_core.color import COLORS
from game_core.events import Signed, WrittenDown
from game_core.time_control import Period, TimeControl
from tests.game_core.over_the_board import BLITZ, OFFICIAL, RAPID, SUDDEN, UNSUPERVISED, a_game, act, command, laws

if TYPE_CHECKING:
    from game_core.color import Color
    from tests.game_core.scene import Scene

LONG = TimeControl((Period(None, 900_000),))
HALF_MINUTE = TimeControl((Period(None, 60_000, 30_000),))


def a_sheet_game(
    tc: TimeControl | None = LONG, steps: str = "", *, rules: str = "fide", fen: str | None = None
) -> Scene:
    """Return a game whose players write their moves themselves."""
    return a_game(rules, tc, steps, fen=fen, score_sheet=True)


def write(scene: Scene, by: Color, *texts: str, language: str = "en") -> None:
    """Write on a sheet of which nothing is left out."""
    for text in texts:
        scene.do(c.Write(by, len(laws(scene).sheets[0 if by == "w" else 1]), text, language))


def test_players_write_their_own_moves_and_the_opponents() -> None:
    """8.1: "his own moves and those of his opponent in the correct manner, move after move"."""
    scene = a_sheet_game(steps="e2e4! e7e5!")
    write(scene, "w", "e4", "e5")
    write(scene, "b", "e2-e4", "e6")
    assert scene.log[-1] == WrittenDown("b", 1, "e6", right=False)
    white, black = laws(scene).sheets
    assert [(entry.text, entry.right) for entry in white] == [("e4", True), ("e5", True)]
    assert [(entry.text, entry.right) for entry in black] == [("e2-e4", True), ("e6", False)]
    scene.do(c.Write("b", 1, "e5"))
    assert all(entry.right for entry in laws(scene).sheets[1])


# White has played this, and writes that. Columns: rules, start position, moves, ply, text, language, whether it is
# right.
TEXTS: dict[str, tuple[str, str | None, str, int, str, str, bool]] = {
    "C.2 standard notation": ("fide", None, "g1f3!", 0, "Nf3", "en", True),
    "C.3 letters of one's own language": ("fide", None, "g1f3!", 0, "Sf3", "de", True),
    "C.13 marks are optional": ("fide", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5!", 0, "ed5", "en", True),
    "C.12 castling with zeros": ("fide", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1!", 0, "0-0", "en", True),
    "another move": ("fide", None, "g1f3!", 0, "Nc3", "en", False),
    "no move": ("fide", None, "g1f3!", 0, "???", "en", False),
    "8.1 the offer of a draw": ("fide", None, "e2e4(=)!", 0, "e4 (=)", "en", True),
    "8.1 the offer was declined": ("fide", None, "e2e4(=); b decline; press", 0, "e4(=)", "en", True),
    "8.1 the offer is missing": ("fide", None, "e2e4(=)!", 0, "e4", "en", False),
    "8.1 there was no offer": ("fide", None, "e2e4!", 0, "e4(=)", "en", False),
    "an illegal move that stands": (UNSUPERVISED, None, "e2e5!", 0, "e5", "en", True),
    "an illegal move, written wrongly": (UNSUPERVISED, None, "e2e5!", 0, "e4", "en", False),
    "draughts": (OFFICIAL, None, "32-28!", 0, "32-28", "en", True),
    "draughts, another move": (OFFICIAL, None, "32-28!", 0, "32-27", "en", False),
    "draughts, an irregular move": (OFFICIAL, "W:W28,37:B22,10", "37-31!", 0, "37-31", "en", True),
    "draughts, no move": (OFFICIAL, None, "32-28!", 0, "e4", "en", False),
}


@pytest.mark.parametrize(("rules", "fen", "moves", "ply", "text", "language", "right"), TEXTS.values(), ids=TEXTS)
def test_text_is_compared_with_the_move(
    rules: str, fen: str | None, moves: str, ply: int, text: str, language: str, right: bool
) -> None:
    """8.1, C.1 to C.13."""
    scene = a_sheet_game(steps=moves, rules=rules, fen=fen)
    write(scene, "w", *["?"] * ply)
    scene.do(c.Write("w", ply, text, language))
    assert laws(scene).sheets[0][ply].right == right


# Columns: ply, text, language. One move has been played, and White has written nothing.
REFUSED: dict[str, tuple[int, str, str]] = {
    "8.1 in advance": (1, "e5", "en"),
    "not move after move": (2, "e5", "en"),
    "no half-move": (-1, "e4", "en"),
    "no text": (0, "  ", "en"),
    "too long": (0, "e" * 21, "en"),
    "not printable": (0, "e4\x00", "en"),
    "an unknown language": (0, "e4", "xx"),
}


@pytest.mark.parametrize(("ply", "text", "language"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_written(ply: int, text: str, language: str) -> None:
    """8.1: "It is forbidden to write the moves in advance"."""
    scene = a_sheet_game(steps="e2e4!")
    scene.refused(c.Write("w", ply, text, language), "conflict")
    write(scene, "w", "e4")
    scene.refused(c.Write("w", 1, "e5"), "conflict")


def test_server_keeps_the_score_unless_agreed() -> None:
    scene = a_game(steps="e2e4!")
    scene.refused(c.Write("w", 0, "e4"), "conflict")


def test_previous_move_is_recorded_before_another_is_made() -> None:
    """8.1: "A player may reply to his opponent's move before recording it"; "He must record his previous move before
    making another"."""
    scene = a_sheet_game(steps="e2e4! e7e5!")
    scene.refused(command(scene, "g1f3"), "conflict")
    write(scene, "w", "e4")
    act(scene, "g1f3!")
    scene.refused(command(scene, "b8c6"), "conflict")
    write(scene, "b", "e4", "e5")
    act(scene, "b8c6!")


def test_previous_move_is_recorded_before_a_claim_with_another() -> None:
    """8.1 with 9.2a: no wrong claim evades it, and no right one. Not to have written costs nothing."""
    scene = a_sheet_game(steps="e2e4! e7e5!")
    assert scene.refused(command(scene, "claim g1f3"), "conflict").events == ()
    write(scene, "w", "e4")
    scene.refused(command(scene, "claim g1f3"), "conflict")
    assert laws(scene).made is not None


# Columns: control, whether White may make a second move without having written the first, after 10 s.
OBLIGED: dict[str, tuple[TimeControl | None, bool]] = {
    "8.4 more than five minutes": (LONG, False),
    "8.4 less than five minutes": (SUDDEN, True),
    "8.4 less, with a small increment": (BLITZ, True),
    "8.4 less, but 30 s with each move": (HALF_MINUTE, False),
    "8.4 less, but 30 s of delay for each move": (TimeControl((Period(None, 60_000),), delay_ms=30_000), False),
    "more, with an increment": (RAPID, False),
    "no clock": (None, False),
}


@pytest.mark.parametrize(("tc", "free"), OBLIGED.values(), ids=OBLIGED)
def test_who_is_short_of_time_need_not_write(tc: TimeControl | None, free: bool) -> None:
    """8.4: "less than five minutes left on his clock at some stage in a period" and no "additional time of 30 seconds
    or more added with each move"."""
    scene = a_sheet_game(tc, "10s; e2e4! e7e5!; 10s")
    if free:
        act(scene, "g1f3!")
    else:
        scene.refused(command(scene, "g1f3"), "conflict")


def test_sheet_is_completed_after_the_time_scramble() -> None:
    """8.5, 8.6: what was left out has to be written once the next period has given time."""
    tc = TimeControl((Period(2, 60_000), Period(None, 900_000)))
    scene = a_sheet_game(tc, "e2e4! e7e5! g1f3! b8c6!")
    scene.refused(command(scene, "f1c4"), "conflict")
    write(scene, "w", "e4", "e5")
    scene.refused(command(scene, "f1c4"), "conflict")
    write(scene, "w", "Nf3")
    act(scene, "f1c4!")


def test_sheets_lose_a_move_that_is_taken_back() -> None:
    """7.4a: the position is reinstated, and so are the sheets."""
    scene = a_sheet_game(rules=UNSUPERVISED, steps="e2e4! e7e4!")
    write(scene, "w", "e4", "e4")
    write(scene, "b", "e4")
    act(scene, "illegal")
    assert [len(sheet) for sheet in laws(scene).sheets] == [1, 1]


def test_both_sign_the_result() -> None:
    """8.7: "At the conclusion of the game both players shall sign both scoresheets, indicating the result"."""
    scene = a_sheet_game(steps="e2e4!")
    scene.refused(c.Sign("w"), "conflict")
    act(scene, "resign")
    write(scene, "w", "e4")
    scene.do(c.Sign("w"))
    assert scene.log[-1] == Signed("w")
    assert scene.do(c.Sign("w")) == ()
    scene.refused(c.Write("w", 0, "e5"), "conflict")
    write(scene, "b", "e4")
    scene.do(c.Sign("b"))
    assert laws(scene).signed == (True, True)


def test_result_is_signed_without_sheets_of_one_s_own_too() -> None:
    """Section 4: the score is kept by the server; both sign the result."""
    scene = a_game(steps="resign")
    scene.do(c.Sign("b"))
    assert laws(scene).signed == (False, True)


def test_flag_that_fell_is_seen_first() -> None:
    scene = a_sheet_game(steps="e2e4!; 901s")
    scene.refused(c.Write("w", 0, "e4"), "game_over")
    assert scene.game.reason == "timeout"
    scene = a_sheet_game(steps="e2e4!; 901s")
    scene.refused(c.Sign("w"), "game_over")


def test_corrections_have_an_end() -> None:
    scene = a_sheet_game(steps="e2e4!")
    write(scene, "w", "e3")
    for _ in range(40):
        scene.do(c.Write("w", 0, "e5"))
    scene.refused(c.Write("w", 0, "e4"), "conflict")
    write(scene, "b", "e5")
    scene.do(c.Write("b", 0, "e4"))
    act(scene, "e7e5!")
    scene.do(c.Write("w", 0, "e4"))


def test_corrections_take_no_claim_away() -> None:
    """9.2: the opponent's sheet has nothing to do with it."""
    scene = a_sheet_game()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]:
        act(scene, f"{move}!")
        for color in COLORS:
            write(scene, color, scene.game.notation[-1])
    for _ in range(40):
        scene.do(c.Write("w", 0, "e4"))
    act(scene, "claim f6g8")
    assert scene.end == ("1/2-1/2", "threefold")
