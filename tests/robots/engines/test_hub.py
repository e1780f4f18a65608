"""A Hub engine as one of ours, against a script."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from game_core.registry import rules_for
from robots.engines.available import Engines
from robots.engines.hub import HubEngine, format_hub, format_move
from robots.jobs import EngineFailed, Job
from robots.levels import level_of
from tests.robots.programs import write_program

if TYPE_CHECKING:
    from pathlib import Path

RULES = rules_for("draughts", "international")

START = "W" + "b" * 20 + "e" * 10 + "w" * 20

TWO_CAPTURED = "W:W32:B28,19,K5"
"""32x23x14 captures 28 and 19."""


def job(*moves: str, fen: str | None = None, level: int = 8) -> Job:
    return Job(game_id="g", game="draughts", variant="international", fen=fen, moves=moves, level=level, deadline=0)


@pytest.fixture
def answer(tmp_path: Path) -> Path:
    """The file with the move that the engine plays."""
    file = tmp_path / "answer"
    file.write_text("32-28")
    return file


@pytest.fixture
def program(tmp_path: Path, answer: Path) -> Path:
    return write_program(tmp_path / "hub", "fake_hub.py", str(answer))


def test_positions_and_moves_have_the_form_of_the_protocol() -> None:
    position = RULES.start(None)
    assert format_hub(position.board, position.men) == START
    captures = RULES.start(TWO_CAPTURED)
    assert format_hub(captures.board, captures.men) == "W" + "".join(
        {5: "B", 19: "b", 28: "b", 32: "w"}.get(square, "e") for square in range(1, 51)
    )
    assert {format_move(captures.board, move) for move in captures.legal.values()} == {"32x14x19x28"}
    assert format_move(position.board, position.legal["32-28"]) == "32-28"


async def test_asks_for_a_move(program: Path, answer: Path) -> None:
    engine = await HubEngine.start((str(program), "hub"))
    assert engine.name == "Fake"
    found = await engine.search(job(), 8, level_of("draughts", 8))
    await engine.close()
    assert [(one.move, one.score) for one in found.candidates] == [("32-28", -25)]
    assert (found.choices, found.nodes, found.depth) == (9, 1234, 7)
    assert answer.with_suffix(".told").read_text().splitlines() == [
        "hub",
        "set-param name=variant value=normal",
        "init",
        "new-game",
        f"pos pos={START}",
        "level depth=15",
        "go think",
        "quit",
    ]


async def test_captured_squares_come_in_any_order(program: Path, answer: Path) -> None:
    await asyncio.to_thread(answer.write_text, "32x14x28x19")
    engine = await HubEngine.start((str(program), "hub"))
    found = await engine.search(job(fen=TWO_CAPTURED), 7, level_of("draughts", 7))
    await engine.close()
    assert found.candidates[0].move == "32x14"


async def test_an_illegal_move_is_a_failure(program: Path, answer: Path) -> None:
    await asyncio.to_thread(answer.write_text, "1-2")
    engine = await HubEngine.start((str(program), "hub"))
    with pytest.raises(EngineFailed, match="not legal"):
        await engine.search(job(), 8, level_of("draughts", 8))
    await engine.close()


async def test_upper_levels_use_it(program: Path) -> None:
    engines = Engines(None, program)
    await engines.probe()
    assert engines.kind_for("draughts", "international", 8) == "hub"
    assert engines.kind_for("draughts", "international", 3) == "search"
    assert engines.kind_for("draughts", "russian", 8) == "search"
    assert engines.lines()[-1] == "International draughts from level 6: Fake"


async def test_one_that_does_not_run_is_not_used(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    engines = Engines(None, broken)
    await engines.probe()
    assert engines.kind_for("draughts", "international", 8) == "search"
    assert "not used" in engines.lines()[-1]
