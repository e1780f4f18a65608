"""Our search in draughts: it wins what is won, plays legal moves only, and the same ones every time."""

from __future__ import annotations

from itertools import count
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_core.draughts.board import Board
from game_core.draughts.laws import Laws, backwards
from game_core.draughts.rules import Draughts
from game_core.draughts.variants import VARIANTS
from game_core.registry import rules_for, variants_of
from robots.engines.search.draughts_score import DraughtsScore
from robots.engines.search.solving import solve
from robots.jobs import BadJob, Job
from robots.levels import HIGHEST, Level, level_of

STRONG = level_of("draughts", HIGHEST).with_nodes(2000)

LOSING = {laws.name: Draughts(laws) for laws in map(backwards, VARIANTS)}

FAST = Level(nodes=150, depth=8, breadth=4, temperature=10.0)


def best(variant: str, fen: str, level: Level = STRONG, *moves: str) -> tuple[str, int | None]:
    job = Job(game_id="g", game="draughts", variant=variant, fen=fen, moves=moves, deadline=0)
    first = solve(job, level).candidates[0]
    return first.move, first.ends_in


@pytest.mark.parametrize(
    ("variant", "fen", "move", "ends_in"),
    [
        ("international", "W:W28,32,K48:B22", "28x17", 1),  # the last piece is captured
        ("english", "W:W14,18:B5", "18-15", 3),  # 5-9 is forced then
        ("international", "W:W35,40,44:B24,25", "40-34", 7),  # a man is given: 25-30 34x25
        ("international", "W:W45:B35,24", "45-40", -2),  # the only move loses
    ],
)
def test_finds_forced_ends(variant: str, fen: str, move: str, ends_in: int) -> None:
    assert best(variant, fen) == (move, ends_in)


KINGS = (
    "W:WK5,K7,K10,K16,K19,K22,K23,K25,K27,K30,K34,K35,K36,K40,K50"
    ":BK1,K2,K8,K9,K12,K13,K15,K18,K21,K31,K32,K37,K41,K44,K48"
)


@pytest.mark.parametrize("level", [1, HIGHEST])
def test_many_kings_take_no_longer_than_is_allowed(level: int) -> None:
    began_s = process_time()
    job = Job(game_id="g", game="draughts", variant="international", fen=KINGS, deadline=0)
    found = solve(job, level_of("draughts", level), longest_s=0.5)
    assert found.candidates[0].move in rules_for("draughts", "international").legal_moves(
        rules_for("draughts", "international").start(KINGS)
    )
    assert process_time() - began_s < 2.5


@pytest.mark.parametrize(("longest_s", "is_whole"), [(3.0, False), (None, True)])
def test_without_a_limit_on_time_a_slow_machine_finds_the_same(
    longest_s: float | None, is_whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job(game_id="g", game="draughts", variant="international", deadline=0)
    found = solve(job, STRONG)
    clock = count(step=4)
    monkeypatch.setattr("robots.engines.search.draughts_tree.process_time", lambda: next(clock))
    assert (solve(job, STRONG, longest_s=longest_s) == found) == is_whole


@pytest.mark.parametrize("level", range(4, HIGHEST + 1))
def test_sees_a_win_in_one_move_from_level_4(level: int) -> None:
    _, ends_in = best("international", "W:W28,32,K48:B22", level_of("draughts", level))
    assert ends_in == 1


def test_the_losing_form_wants_to_lose_its_pieces() -> None:
    few, more = (LOSING["losing-international"].start(fen) for fen in ("W:W38,42:B10,12", "W:W38,42,47:B10,12"))
    evaluation = DraughtsScore(few.board)
    assert evaluation.score(more.men) < evaluation.score(few.men)


def test_the_losing_form_gives_its_last_man_away() -> None:
    # 27-21 16x27 ends the game at once; any other move keeps the man.
    move, ends_in = best("losing-international", "W:W27:B16,3")
    assert move == "27-21"
    assert ends_in == 2


def test_a_repetition_counts_as_a_draw() -> None:
    # Neither side wins with kings on the board, and coming back is worth 0.
    fen = "W:WK46,45:BK5,6"
    job = Job(game_id="g", game="draughts", variant="international", fen=fen, deadline=0)
    assert abs(solve(job, STRONG).candidates[0].score) < 300


@pytest.mark.parametrize("variant", variants_of("draughts"))
@settings(max_examples=4)
@given(choices=st.lists(st.integers(0, 999), min_size=0, max_size=40), level=st.integers(1, HIGHEST))
def test_every_candidate_is_legal_and_the_same_again(variant: str, choices: list[int], level: int) -> None:
    rules = rules_for("draughts", variant)
    position, moves = rules.start(None), []
    for choice in choices:
        legal = rules.legal_moves(position)
        played = rules.play(position, legal[choice % len(legal)])
        if rules.outcome(played.position) is not None:
            break
        position = played.position
        moves.append(played.move)
    job = Job(game_id="g", game="draughts", variant=variant, moves=tuple(moves), level=level, deadline=0)
    limited = level_of("draughts", level).with_nodes(min(200, level_of("draughts", level).nodes))
    found = solve(job, limited)
    legal = rules.legal_moves(position)
    assert found.candidates
    assert {one.move for one in found.candidates} <= set(legal)
    assert found.choices == len(legal)
    scores = [one.score for one in found.candidates]
    assert scores == sorted(scores, reverse=True)
    assert solve(job, limited) == found


@pytest.mark.parametrize("variant", variants_of("draughts"))
def test_deeper_search_stays_within_its_nodes(variant: str) -> None:
    job = Job(game_id="g", game="draughts", variant=variant, deadline=0)
    assert solve(job, FAST).nodes <= FAST.nodes + 1


@pytest.mark.parametrize("laws", VARIANTS, ids=lambda laws: laws.name)
def test_an_evaluation_is_the_same_for_both_sides(laws: Laws) -> None:
    board = Board(laws)
    men = board.start
    assert DraughtsScore(board).score(men) == DraughtsScore(board).score(
        men._replace(turn="b" if men.turn == "w" else "w")
    )


@pytest.mark.parametrize(
    "job",
    [
        Job(game_id="g", game="draughts", variant="international", moves=("32-27",), fen="no position", deadline=0),
        Job(game_id="g", game="draughts", variant="international", moves=("1-2",), deadline=0),
        Job(game_id="g", game="draughts", variant="unknown", deadline=0),
        Job(
            game_id="g", game="draughts", variant="international", fen="W:W28,32,K48:B22", moves=("28x17",), deadline=0
        ),
        Job(game_id="g", game="chess", variant="standard", deadline=0),
    ],
)
def test_jobs_that_cannot_be_done_are_refused(job: Job) -> None:
    with pytest.raises(BadJob):
        solve(job, FAST)
