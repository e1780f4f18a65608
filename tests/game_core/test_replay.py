"""Replay: folding a log at once equals folding it event by event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core import commands as c
from game_core.chess.position import Position
from game_core.color import COLORS
from game_core.errors import CorruptLog, Refusal
from game_core.evolve import evolve
from game_core.registry import registered, rules_for
from game_core.replay import replay_events
from game_core.start import new_game
from tests.game_core import test_simul_invariants as of_boards
from tests.game_core.courses import Course, courses, run, setups, state
from tests.game_core.scene import BLITZ, Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.events import AnyEvent
    from game_core.game import Game, Setup
    from game_core.rules import Rules

AT_MS = 5


def one_by_one(game: Game, events: Sequence[AnyEvent]) -> Game:
    for event in events:
        game = evolve(game, event, AT_MS)
    return game


def told(position: Any) -> Any:
    """All that a position knows, and that another may be held against."""
    if not isinstance(position, Position):
        return position.fen, position.outcome
    board = position.board
    return (
        position.fen, position.keys, position.check, position.is_irreversible, position.outcome, position.repeats,
        board.turn, board.ep_square, board.castling_rights, board.chess960, position._squares, position._castling,
        [move.uci() for move in board.legal_moves],
    )  # fmt: skip


def assert_same(setup: Setup, log: Sequence[AnyEvent], split: int) -> None:
    """Whatever part of it was known before."""
    fresh = new_game(setup, 0)
    expected = one_by_one(fresh, log)
    for game in (
        replay_events(fresh, log, AT_MS),
        replay_events(one_by_one(fresh, log[:split]), log[split:], AT_MS),
        one_by_one(replay_events(fresh, log[:split], AT_MS), log[split:]),
    ):
        assert state(game) == state(expected)
        assert told(game.position) == told(expected.position)
        assert game.turn_since_ms == expected.turn_since_ms
        assert game.clock == expected.clock
        assert game.underlying_hold == expected.underlying_hold


def log_of(setup: Setup, course: Course) -> list[AnyEvent]:
    return [event for stage in run(setup, course) for event in stage.events]


@given(setups, courses(), st.integers(0, 60))
def test_replay_of_any_game(setup: Setup, course: Course, split: int) -> None:
    assert_same(setup, log_of(setup, course), split)


@given(of_boards.boards(), of_boards.courses(), st.integers(0, 60))
def test_replay_of_any_simul_board(setup: Setup, course: Course, split: int) -> None:
    assert_same(setup, log_of(setup, course), split)


AT_RANDOM = (
    ("standard", None),
    ("standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 12 1"),
    ("standard", "8/P6k/8/8/8/8/p6K/8 b - - 0 60"),
    ("chess960", "rk2r3/8/8/8/8/8/8/RK2R3 b EAea - 3 9"),
    ("chess960", "1rkr4/8/8/8/8/8/8/1RKR4 w KQkq - 0 1"),
)


@given(st.sampled_from(AT_RANDOM), st.lists(st.integers(0, 5_000), max_size=80), st.integers(0, 80))
def test_replay_of_long_chess_games(start: tuple[str, str | None], choices: list[int], split: int) -> None:
    variant, fen = start
    scene = Scene(None, variant=variant, fen=fen)
    for choice in choices:
        if scene.game.status == "over":
            break
        # Now and then the first of few: so that positions come again.
        legal = sorted(scene.game.legal_moves())
        scene.play(legal[choice % min(len(legal), 3 if choice % 2 else len(legal))])
    assert_same(scene.fresh.setup, scene.log, split)


REPEATED = "g1f3 g8f6 f3g1 f6g8"
CASES = {
    "the same position again and again": (None, f"{REPEATED} {REPEATED} g1f3 g8f6 f3g1"),
    "a right that is lost ends a series": ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1b1 a8b8 b1a1 b8a8 h1g1 h8g8"),
    "so does an en passant capture": (None, "e2e4 a7a6 e4e5 d7d5 g1f3 g8f6 f3g1 f6g8 g1f3"),
    "the first move after a pawn's": (None, "e2e4 g8f6"),
    "out of a check": ("4k3/8/8/8/8/8/3R4/K7 w - - 5 9", "d2e2 e8d8 e2d2 d8e8"),
}


@pytest.mark.parametrize(("fen", "moves"), CASES.values(), ids=CASES)
def test_replay_keeps_repetition_counts(fen: str | None, moves: str) -> None:
    scene = Scene(fen=fen, moves=moves)
    for split in range(len(scene.log) + 1):
        assert_same(scene.fresh.setup, scene.log, split)


def test_replay_of_a_reply_to_a_repeated_check() -> None:
    scene = Scene(fen="4k3/8/8/8/8/8/4R3/K7 b - - 5 9", moves="e8d8 e2d2 d8e8")
    for split in range(len(scene.log) + 1):
        assert_same(scene.fresh.setup, scene.log, split)


def test_replay_of_no_events_returns_the_game() -> None:
    scene = Scene(moves="e2e4")
    assert replay_events(scene.game, [], AT_MS) is scene.game


@pytest.mark.parametrize("name", registered())
def test_recalled_positions_equal_played_ones(name: tuple[str, str]) -> None:
    rules: Rules = rules_for(*name)
    start = rules.start(None)
    first = rules.play(start, rules.legal_moves(start)[0])
    second = rules.play(first.position, rules.legal_moves(first.position)[0])
    texts = [rules.fen(played.position) for played in (first, second)]
    assert (rules.recall is None) == (rules.game != "chess"), "elsewhere a text has not all that counts"
    if rules.recall is None:
        return
    assert rules.recall(start, texts, evaded=first.check) == second.position
    assert [rules.turn(played.position) for played in (first, second)] == [COLORS[1], COLORS[0]]
    assert first.before is second.before is None


def test_replay_of_moves_without_clock_readings() -> None:
    scene = Scene(BLITZ, moves="e2e4 e7e5 g1f3 b8c6")
    log = [msgspec.structs.replace(event, clock=None) if place % 2 else event for place, event in enumerate(scene.log)]
    for split in range(len(log) + 1):
        assert_same(scene.fresh.setup, log, split)


def test_replay_of_a_game_without_a_clock() -> None:
    scene = Scene(None, moves="e2e4 e7e5 g1f3")
    for split in range(len(scene.log) + 1):
        assert_same(scene.fresh.setup, scene.log, split)


def test_replay_of_a_draughts_game() -> None:
    scene = Scene(BLITZ, game="draughts", variant="russian", moves="c3-d4 b6-a5 d4-c5")
    for split in range(len(scene.log) + 1):
        assert_same(scene.fresh.setup, scene.log, split)


def test_replay_of_moves_after_takebacks() -> None:
    scene = Scene(moves="e2e4 e7e5 g1f3 b8c6")
    scene.do(c.Takeback(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="accept"))
    scene.play("f1c4 g8f6")
    for split in range(len(scene.log) + 1):
        assert_same(scene.fresh.setup, scene.log, split)


@pytest.mark.parametrize(
    ("variant", "move", "fold"),
    [
        ("standard", "e2e4", one_by_one),
        ("russian", "c3-d4", one_by_one),
        ("russian", "c3-d4", lambda game, log: replay_events(game, log, AT_MS)),
    ],
)
def test_illegal_stored_move_is_a_corrupt_log(variant: str, move: str, fold: Any) -> None:
    """It comes from the journal, not from a request: it is logged, and requests for the game get ``unavailable``."""
    scene = Scene(BLITZ, game="chess" if variant == "standard" else "draughts", variant=variant, moves=move)
    wrong = [msgspec.structs.replace(scene.log[0], move=move[:-1] + "5")]
    with pytest.raises(CorruptLog) as raised:
        fold(scene.fresh, wrong)
    assert not isinstance(raised.value, Refusal)
