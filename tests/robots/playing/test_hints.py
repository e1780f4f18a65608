"""Hints of a robot for its opponent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from game_core.registry import registered
from robots.engines.search.solving import FAMILIES, solve
from robots.jobs import EngineFailed, Job
from robots.levels import HIGHEST, WIN, level_of
from robots.playing import hints
from robots.playing.hints import judge
from tests.realtime.until import until
from tests.robots.playing.test_player import moved, scene, snapshot

if TYPE_CHECKING:
    from robots.client import Message
    from robots.jobs import JobAnswer
    from tests.robots.playing.test_player import Scene

__all__ = ["scene"]

CHESS = ("chess", "standard")

ASKED: dict[str, Any] = {"t": "hint.asked", "g": "g1", "ply": 0}


@pytest.mark.parametrize(
    ("kind", "score", "mover", "judgement"),
    [
        (CHESS, 0, "w", ("equal", False)),
        (CHESS, -119, "w", ("equal", False)),
        (CHESS, 120, "w", ("w", False)),
        (CHESS, 120, "b", ("b", False)),
        (CHESS, -299, "b", ("w", False)),
        (CHESS, -300, "b", ("w", True)),
        (CHESS, -WIN, "w", ("b", True)),
        (("chess", "antichess"), 249, "w", ("equal", False)),
        (("draughts", "russian"), 150, "b", ("b", True)),
        (("draughts", "losing-russian"), 149, "b", ("equal", False)),
        (("chinese-checkers", "ten"), 449, "w", ("equal", False)),
    ],
)
def test_side_that_is_better_is_judged_by_the_score(
    kind: tuple[str, str], score: int, mover: Any, judgement: tuple[str, bool]
) -> None:
    assert judge(kind, score, mover) == judgement


@pytest.mark.parametrize("nodes", [500, None])
@pytest.mark.parametrize(
    "variant", [known for known in registered() if known[0] in FAMILIES and known[1] != "losing-turkish"], ids="-".join
)
def test_start_is_equal_by_our_own_search(variant: tuple[str, str], nodes: int | None) -> None:
    game, name = variant
    level = level_of(game, HIGHEST)
    job = Job(game_id="g", game=game, variant=name, deadline=0)
    found = solve(job, level.with_nodes(nodes or level.nodes), longest_s=None)
    assert judge(variant, found.candidates[0].score, "w") == ("equal", False)


async def test_hint_is_given_for_the_opponents_move(scene: Scene) -> None:
    scene.moves.score = 400
    scene.player.handle(snapshot(you="b"))
    scene.player.handle(ASKED)
    hint = await scene.request("hint.give")
    (job,) = scene.moves.jobs
    assert (job.is_hint, job.level, job.moves) == (True, HIGHEST, ())
    assert (hint["g"], hint["ply"], hint["better"], hint["winning"]) == ("g1", 0, "w", True)


async def test_no_hint_for_another_position_or_the_robots_own_move(scene: Scene) -> None:
    scene.player.handle(ASKED)  # before the first snapshot
    scene.player.handle(snapshot(you="b"))
    scene.player.handle({**ASKED, "ply": 2})
    scene.player.handle(moved(2, "w", "e2e4"))
    scene.player.handle({**ASKED, "ply": 1})
    scene.player.handle({"t": "end", "g": "g1", "seq": 3, "result": "1-0", "reason": "resignation"})
    scene.player.handle({**ASKED, "ply": 1})
    await asyncio.sleep(0)
    assert scene.requests("hint.give") == []
    assert not any(job.is_hint for job in scene.moves.jobs)


async def test_hint_that_was_begun_does_not_delay_the_robots_move(scene: Scene) -> None:
    scene.moves.gate.clear()
    scene.player.handle(snapshot(you="b"))
    scene.player.handle(ASKED)
    await until(lambda: len(scene.moves.jobs) == 1)
    scene.player.handle(moved(2, "w", "e2e4"))
    await until(lambda: len(scene.moves.jobs) == 2)
    scene.moves.gate.set()
    assert (await scene.request("move"))["ply"] == 1


@pytest.mark.parametrize(
    "event",
    [
        moved(2, "w", "d2d4"),
        {"t": "takeback", "g": "g1", "seq": 2, "plies": 2, "position": "", "clock": None},
        {"t": "end", "g": "g1", "seq": 2, "result": "0-1", "reason": "resignation"},
        snapshot(you="b", seq=4, moves=[], notation=[]),
    ],
    ids=lambda event: event["t"],
)
async def test_no_engine_looks_for_a_hint_once_the_position_has_changed(scene: Scene, event: Message) -> None:
    scene.moves.gate.clear()
    scene.player.handle(snapshot(you="b", moves=["e2e4", "e7e5"], notation=["e4", "e5"]))
    scene.player.handle({**ASKED, "ply": 2})
    await until(lambda: len(scene.moves.jobs) == 1)
    search = scene.player._hinting
    assert search is not None
    scene.player.handle(event)
    await asyncio.wait([search], timeout=1.0)
    assert search.done()
    assert scene.requests("hint.give") == []


async def test_hint_is_still_given_after_the_same_snapshot(scene: Scene) -> None:
    scene.moves.gate.clear()
    scene.player.handle(snapshot(you="b"))
    scene.player.handle(ASKED)
    await until(lambda: len(scene.moves.jobs) == 1)
    scene.player.handle(snapshot(you="b"))
    scene.moves.gate.set()
    assert (await scene.request("hint.give"))["ply"] == 0


async def test_busy_or_broken_engines_give_no_hint(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "HINT_S", 0.01)
    scene.moves.gate.clear()
    scene.player.handle(snapshot(you="b"))
    scene.player.handle(ASKED)
    await until(lambda: scene.player._hinting is not None and scene.player._hinting.done())

    async def fail(job: Job) -> JobAnswer:
        raise EngineFailed("out of memory")

    monkeypatch.setattr(scene.moves, "answer", fail)
    scene.player.handle(ASKED)
    await until(lambda: scene.player._hinting is not None and scene.player._hinting.done())
    assert scene.requests("hint.give") == []
