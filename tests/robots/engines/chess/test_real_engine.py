"""The chess engine of this machine: Debian's, or the npm package under Node."""

from __future__ import annotations

import os
import shutil
import signal
from itertools import product
from typing import TYPE_CHECKING

import pytest

from game_core.registry import rules_for, variants_of
from robots.engines.chess.discovery import FOLDERS, PACKAGE, PLACES, PROGRAMS, ChessCommand, find_chess
from robots.engines.chess.uci import UciEngine
from robots.jobs import EngineFailed, Job
from robots.levels import HIGHEST, level_of
from robots.playing.hints import judge
from tests.missing_requirement import skip_or_fail
from tests.tiers import tiered

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

OPENINGS = {
    "standard": ("e2e4", "e7e5", "g1f3"),
    "chess960": (),
    "antichess": ("e2e3", "b7b5"),
}


def command_of(program: str) -> ChessCommand:
    """The command of an engine that is found by itself."""
    if program == PACKAGE:
        if not any((place / "stockfish.js").is_file() for place in PLACES):
            skip_or_fail(f"{PACKAGE} is not installed: npm ci in web/")
        return find_chess(None, os.devnull)  # nothing on PATH
    found = shutil.which(program, path=os.pathsep.join(FOLDERS))
    if found is None:
        skip_or_fail(f"{program} is not installed in {' or '.join(FOLDERS)}")
    return ChessCommand((found,), found)


@pytest.fixture
async def engine() -> AsyncIterator[UciEngine]:
    found = command_of(PACKAGE)
    made = await UciEngine.start(found.command, found.memory_mb)
    yield made
    await made.close()


@pytest.fixture(params=tiered([PACKAGE, *PROGRAMS], quick=[PACKAGE], why="Debian's own programs"))
async def any_engine(request: pytest.FixtureRequest) -> AsyncIterator[UciEngine]:
    found = command_of(request.param)
    made = await UciEngine.start(found.command, found.memory_mb)
    yield made
    await made.close()


def job(variant: str, game_id: str = "g") -> Job:
    return Job(game_id=game_id, game="chess", variant=variant, moves=OPENINGS[variant], deadline=0)


async def test_the_package_plays_every_variant(engine: UciEngine) -> None:
    assert set(engine.variants) == set(variants_of("chess"))
    for variant in engine.variants:
        rules = rules_for("chess", variant)
        position = rules.start(None)
        for move in OPENINGS[variant]:
            position = rules.play(position, move).position
        for number in (1, 5, 8):
            level = level_of("chess", number).with_nodes(500)
            found = await engine.search(job(variant), number, level)
            legal = set(rules.legal_moves(position))
            assert {one.move for one in found.candidates} <= legal
            assert len(found.candidates) <= level.breadth
            assert found.choices == len(legal)


async def test_answers_do_not_depend_on_what_was_asked_before(engine: UciEngine) -> None:
    level = level_of("chess", 6).with_nodes(2000)
    first = await engine.search(job("standard"), 6, level)
    await engine.search(job("antichess"), 6, level)
    await engine.search(job("chess960"), 6, level)
    assert await engine.search(job("standard"), 6, level) == first


async def test_start_is_equal_in_a_hint(any_engine: UciEngine) -> None:
    level = level_of("chess", HIGHEST)
    for variant, nodes in product(any_engine.variants, (500, level.nodes)):
        start = Job(game_id="g", game="chess", variant=variant, deadline=0)
        found = await any_engine.search(start, HIGHEST, level.with_nodes(nodes))
        assert judge(("chess", variant), found.candidates[0].score, "w") == ("equal", False), (variant, nodes)


async def test_a_killed_process_is_a_failure_and_closes(engine: UciEngine) -> None:
    os.kill(engine.pid, signal.SIGKILL)
    with pytest.raises(EngineFailed):
        await engine.search(job("standard"), 3, level_of("chess", 3))
