"""A UCI engine as one of ours, against a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
import pytest

from robots.engines.chess.uci import UciEngine
from robots.engines.engine import FoundMoves
from robots.jobs import BadJob, EngineFailed, Job
from robots.levels import MOST_PLIES, WIN, Level
from tests.robots.programs import fake_chess

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LEVEL = Level(nodes=500, depth=5, breadth=3, temperature=10.0)

NEARLY_MATE = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"


def job(variant: str = "standard", fen: str | None = None, *moves: str) -> Job:
    return Job(game_id="g", game="chess", variant=variant, fen=fen, moves=moves, deadline=0)


@pytest.fixture
async def engine() -> AsyncIterator[UciEngine]:
    made = await UciEngine.start(fake_chess("variants").command)
    yield made
    await made.close()


async def test_candidates_are_the_lines_of_the_engine(engine: UciEngine) -> None:
    found = await engine.search(job("standard", None, "e2e4"), 3, LEVEL)
    assert isinstance(found, FoundMoves)
    assert [(one.move, one.score) for one in found.candidates] == [("a7a5", 30), ("a7a6", 20), ("b7b5", 10)]
    assert (found.choices, found.nodes, found.depth) == (20, 300, 3)


async def test_variants_follow_the_options(engine: UciEngine) -> None:
    assert engine.name == "Fake 1.0"
    assert engine.variants == ("standard", "chess960", "antichess")
    plain = await UciEngine.start(fake_chess("plain").command)
    assert plain.variants == ("standard",)
    await plain.close()


async def test_antichess_has_its_own_moves(engine: UciEngine) -> None:
    found = await engine.search(job("antichess", None, "e2e3", "b7b5"), 3, LEVEL)
    assert [one.move for one in found.candidates] == ["f1b5"]  # captures are compulsory
    assert found.choices == 1


async def test_chess960_castles_king_takes_rook(engine: UciEngine) -> None:
    fen = "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1"
    found = await engine.search(job("chess960", fen, "c1b3", "c8b6"), 3, LEVEL)
    assert found.choices > 0


@pytest.mark.parametrize("number", [3, 4])
async def test_mate_in_one_is_seen_from_level_4(engine: UciEngine, number: int) -> None:
    found = await engine.search(job("standard", NEARLY_MATE), number, LEVEL)
    first = found.candidates[0]
    assert (first.ends_in == 1) == (number == 4)
    if number == 4:
        board = chess.Board(NEARLY_MATE)
        board.push_uci(first.move)
        assert board.is_checkmate()
        assert first.score == WIN + MOST_PLIES - 1


@pytest.mark.parametrize(
    "bad",
    [
        job("standard", "nothing"),
        job("standard", None, "e2e5"),
        job("standard", None, "f2f3", "e7e5", "g2g4", "d8h4"),
        job("unknown"),
    ],
)
async def test_jobs_that_cannot_be_done_are_refused(engine: UciEngine, bad: Job) -> None:
    with pytest.raises(BadJob):
        await engine.search(bad, 3, LEVEL)


async def test_a_program_that_speaks_no_uci_is_refused() -> None:
    with pytest.raises(EngineFailed):
        await UciEngine.start(("/bin/true",))
    with pytest.raises(EngineFailed):
        await UciEngine.start(("/no/such/program",))
