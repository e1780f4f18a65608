"""Moves made on the board and completed by the clock: Articles 4.6, 5.1, 6.7a, 7.4a."""

from __future__ import annotations

import pytest

from game_core import commands as c
from game_core.decide import find_repeat
from game_core.events import Made, Moved
from tests.game_core.over_the_board import BLITZ, FIDE, OFFICIAL, PERIODS, SUDDEN, a_game, act, command, laws


def test_move_is_complete_only_when_the_clock_is_pressed() -> None:
    """6.7a: "His move is not considered to have been completed until he has done so"."""
    scene = a_game(steps="e2e4")
    made = scene.log[-1]
    assert isinstance(made, Made)
    assert (made.san, made.touched, made.irregular) == ("e4", ("e2",), False)
    assert made.position == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert (scene.game.ply, scene.game.turn) == (0, "w")
    act(scene, "10s; press")
    assert isinstance(scene.log[-1], Moved)
    assert (scene.game.ply, scene.game.turn, laws(scene).made, laws(scene).touched) == (1, "b", None, ())


def test_clock_runs_until_it_is_pressed() -> None:
    """6.7a, with the increment of the first move, which is there from the start."""
    scene = a_game(tc=BLITZ, steps="5s; e2e4; 10s; press; 7s")
    assert scene.left("w") == 300_000 + 3_000 - 15_000 + 3_000
    assert scene.left("b") == 300_000 + 3_000 - 7_000


def test_flag_falls_on_a_move_that_is_made_and_not_completed() -> None:
    """6.7a with 6.9."""
    scene = a_game(tc=SUDDEN, steps="e2e4; 300s")
    scene.refused(command(scene, "press"), "game_over")
    assert scene.end == ("0-1", "timeout")


def test_mate_needs_no_clock() -> None:
    """6.7a: "unless the move that was made ends the game", 5.1a: mate "immediately ends the game"."""
    scene = a_game(steps="f2f3! e7e5! g2g4!; d8h4")
    assert scene.end == ("0-1", "checkmate")
    assert scene.game.moves[-1] == "d8h4"


def test_legal_move_stands_once_it_is_made() -> None:
    """4.6: a piece that "has been released on a square" cannot "then be moved to another square"."""
    scene = a_game(steps="e2e4")
    scene.refused(command(scene, "e2e3"), "conflict")
    scene.refused(command(scene, "touch d2"), "conflict")


def test_illegal_move_may_be_put_back_before_the_clock_is_pressed() -> None:
    """7.4a: an illegal move that is not completed is not ruled on."""
    scene = a_game(steps="e2e5; 5s; e2e4; press")
    assert scene.game.moves == ("e2e4",)
    assert laws(scene).illegal == (0, 0)
    assert scene.left("w") == 303_000 - 5_000 + 3_000


def test_moves_and_presses_are_recognised_when_sent_again() -> None:
    scene = a_game(steps="e2e4")
    move = command(scene, "e2e4")
    assert isinstance(move, c.PlayMove)
    assert find_repeat(scene.game, move) == scene.game.seq
    assert find_repeat(scene.game, c.PlayMove("w", "e2e3", 0)) is None
    act(scene, "press")
    assert find_repeat(scene.game, move) == scene.game.seq
    assert find_repeat(scene.game, c.Press("w", 0)) == scene.game.seq
    assert find_repeat(scene.game, c.Press("w", 0, "e2e4")) == scene.game.seq
    assert find_repeat(scene.game, c.Press("w", 0, "d2d4")) is None
    assert find_repeat(scene.game, c.Press("b", 1)) is None
    assert find_repeat(scene.game, c.Press("b", 0)) is None
    assert find_repeat(scene.game, c.PlayMove("b", "e7e5", 1)) is None


def test_turn_and_ply_are_checked() -> None:
    scene = a_game(steps="e2e4!")
    scene.refused(c.PlayMove("w", "d2d4", 1), "not_your_turn")
    scene.refused(c.Press("w", 1), "not_your_turn")
    scene.refused(c.Press("b", 0), "stale_ply")
    scene.refused(c.PlayMove("b", "e7e5", 0), "stale_ply")


# What hands cannot do at all. Columns: rules, start position, move.
NO_MOVES: dict[str, tuple[str, str | None, str]] = {
    "no text of a move": (FIDE, None, "hello"),
    "a square twice": (FIDE, None, "e2e2"),
    "no piece there": (FIDE, None, "e4e5"),
    "the opponent's piece": (FIDE, None, "e7e5"),
    "onto one's own piece": (FIDE, None, "a1a2"),
    "a king that becomes a queen": (FIDE, None, "e1e2q"),
    "a pawn that becomes a queen in the middle": (FIDE, None, "e2e4q"),
    "draughts: no text of a move": (OFFICIAL, None, "hello"),
    "draughts: no piece there": (OFFICIAL, None, "28-23"),
    "draughts: onto another piece": (OFFICIAL, None, "31-36"),
    "draughts: the opponent's last piece": (OFFICIAL, "W:W31,50:B27", "31x18"),
}


@pytest.mark.parametrize(("rules", "fen", "move"), NO_MOVES.values(), ids=NO_MOVES)
def test_what_hands_cannot_do_is_refused(rules: str, fen: str | None, move: str) -> None:
    scene = a_game(rules, fen=fen)
    scene.refused(command(scene, move), "illegal_move")


def test_periods_and_moves_are_counted_by_the_clock() -> None:
    """6.3: the moves made are checked when the flag falls; here they are counted as they are completed."""
    scene = a_game(tc=PERIODS, steps="e2e4! e7e5! g1f3! b8c6!")
    assert scene.game.clock is not None
    assert (scene.game.clock.period, scene.game.clock.moves) == ((1, 1), (2, 2))


def test_without_a_clock_the_button_completes_the_move() -> None:
    scene = a_game(tc=None, steps="e2e4!; e7e4; press; e7e5!")
    assert scene.game.moves == ("e2e4", "e7e5")
    assert laws(scene).illegal == (0, 1)


def test_draughts_are_completed_by_the_clock() -> None:
    """35, with the clock of Article 6.7a."""
    scene = a_game(OFFICIAL, steps="32-28")
    assert scene.game.ply == 0
    act(scene, "press")
    assert (scene.game.moves, scene.game.turn) == (("32-28",), "b")
    scene.refused(command(scene, "press"), "conflict")


def test_press_of_a_move_that_is_not_made_is_not_punished() -> None:
    """A page sends move and press together. If the move is refused, the clock was pressed for nothing."""
    scene = a_game(steps="touch e2")
    scene.refused(command(scene, "d2d4"), "conflict")
    scene.refused(c.Press("w", 0, "d2d4"), "conflict")
    act(scene, "e2e4")
    scene.refused(c.Press("w", 0, "e2e3"), "conflict")
    scene.do(c.Press("w", 0, "e2e4"))
    assert (scene.game.moves, laws(scene).illegal) == (("e2e4",), (0, 0))


def test_castling_may_be_written_as_king_takes_rook() -> None:
    scene = a_game(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", steps="e1g1")
    again = command(scene, "e1h1")
    assert isinstance(again, c.PlayMove)
    assert find_repeat(scene.game, again) == scene.game.seq
    scene.do(c.Press("w", 0, "e1h1"))
    assert scene.game.notation == ("O-O",)


def test_requests_from_before_a_ruling_are_stale() -> None:
    """A press that is sent twice, because its answer was lost, is no second illegal move."""
    scene = a_game(steps="e2e5")
    seen = scene.game.seq
    scene.do(c.Press("w", 0, seen=seen))
    scene.refused(c.Press("w", 0, seen=seen), "stale_ply")
    scene.refused(c.PlayMove("w", "e2e5", 0, seen=seen), "stale_ply")
    assert laws(scene).illegal == (1, 0)
    scene.do(c.PlayMove("w", "e2e4", 0, seen=scene.game.seq))


def test_turn_has_an_end_for_those_who_only_put_pieces_back() -> None:
    """Each piece put down is an event that is stored. A legal move is always possible."""
    scene = a_game(steps="; ".join(["e2e5", "e2e6"] * 20))
    scene.refused(command(scene, "e2e5"), "conflict")
    act(scene, "e2e4!")
    act(scene, "; ".join(["adjust", "adjusted"] * 20))
    scene.refused(command(scene, "adjust"), "conflict")
    act(scene, "e7e5!")


def test_rulings_on_one_turn_have_an_end() -> None:
    scene = a_game("uscf", steps="; ".join(["press"] * 40))
    scene.refused(command(scene, "press"), "conflict")
    scene.refused(command(scene, "claim"), "conflict")
    assert laws(scene).illegal == (40, 0)
    act(scene, "e2e4!")
