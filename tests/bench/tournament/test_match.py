"""Matches: the same games whatever is played beside them, and going on where they ended."""

from __future__ import annotations

import asyncio
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from bench.tournament.match import LevelMatch, PairOfGames, openings, play_match
from bench.tournament.players import AnchorEntrant, LevelEntrant, MatchSide
from bench.tournament.saved import SavedMatches, row
from game_core.registry import rules_for
from robots.engines.available import Engines
from robots.engines.search import process
from robots.jobs import EngineFailed, NoEngine
from tests.robots.programs import fake_engines, write_program

if TYPE_CHECKING:
    from robots.jobs import Job

RULES = rules_for("draughts", "english")


class RandomEntrant:
    """Moves at random, seeded by game and ply; ``broken_at`` is a game at which it fails."""

    def __init__(self, name: str, broken_at: str = "") -> None:
        self.side = MatchSide(name=name, engine="random")
        self.games: list[str] = []
        self.playing = self.most_playing = 0
        self._broken_at = broken_at

    async def start(self) -> RandomEntrant:
        self.playing += 1
        self.most_playing = max(self.most_playing, self.playing)
        return self

    async def move(self, job: Job) -> str:
        await asyncio.sleep(0)
        if job.game_id == self._broken_at:
            raise EngineFailed("the engine process has ended")
        if job.game_id not in self.games:
            self.games.append(job.game_id)
        position = RULES.start(None)
        for move in job.moves:
            position = RULES.play(position, move).position
        chance = Random(f"{job.game_id}{len(job.moves)}{self.side.name}")
        return chance.choice(list(RULES.legal_moves(position)))

    async def close(self) -> None:
        self.playing -= 1


def new_match() -> LevelMatch:
    return LevelMatch("english", 1, MatchSide(name="2", engine="random"), MatchSide(name="1", engine="random"), [])


async def played(match: LevelMatch, games: int, jobs: int = 1) -> tuple[list[PairOfGames], list[RandomEntrant]]:
    first, second = RandomEntrant("2"), RandomEntrant("1")
    await play_match(RULES, first, second, match, games, jobs, lambda: None)
    return sorted(match.pairs), [first, second]


async def test_games_at_the_same_time_are_the_same_games() -> None:
    one, entrants = await played(new_match(), 10)
    assert [entrant.most_playing for entrant in entrants] == [1, 1]
    three, entrants = await played(new_match(), 10, jobs=3)
    assert [entrant.most_playing for entrant in entrants] == [3, 3]
    assert [entrant.playing for entrant in entrants] == [0, 0]
    assert one == three
    assert [pair.number for pair in one] == [0, 1, 2, 3, 4]


async def test_only_missing_games_are_played(tmp_path: Path) -> None:
    whole, _ = await played(new_match(), 8)
    path = tmp_path / "matches.json"
    saved = SavedMatches(path)
    match = saved.match("english", 1, MatchSide(name="2", engine="random"), MatchSide(name="1", engine="random"))
    broken = RandomEntrant("2", broken_at="1-2-b")
    with pytest.raises(ExceptionGroup) as error:
        await play_match(RULES, broken, RandomEntrant("1"), match, 8, 1, saved.save)
    assert [str(one) for one in error.value.exceptions] == ["the engine process has ended"]
    assert broken.playing == 0

    (again,) = SavedMatches(path).matches
    assert again.pairs == whole[:2]
    pairs, entrants = await played(again, 8)
    assert pairs == whole
    assert entrants[0].games == ["1-2-a", "1-2-b", "1-3-a", "1-3-b"]
    _, entrants = await played(again, 8)
    assert entrants[0].games == []


def test_changed_levels_make_another_match(tmp_path: Path) -> None:
    engines = Engines(None, None)
    first, second = (LevelEntrant(engines, ("draughts", "english"), number).side for number in (2, 1))
    saved = SavedMatches(tmp_path / "matches.json")
    match = saved.match("english", 1, first, second)
    match.pairs.append(PairOfGames(0, 1.0, 0.5, 90))
    saved.save()
    again = SavedMatches(tmp_path / "matches.json")
    assert again.match("english", 1, first, second) == match
    assert second.level is not None
    changed = MatchSide(name="1", engine=second.engine, level=second.level.with_nodes(30))
    assert again.match("english", 1, first, changed).pairs == []
    assert again.match("russian", 1, first, second).pairs == []
    assert again.match("english", 2, first, second).pairs == []


def test_openings_are_the_same_however_many_are_taken() -> None:
    few, many = (list(islice(openings(RULES, 1), number)) for number in (2, 5))
    assert few == many[:2]
    assert {len(opening) for opening in many} == {6}


@pytest.mark.parametrize(
    ("pairs", "elo", "error"),
    [
        ([(1.0, 0.0)] * 20, 0, 8),
        ([(1.0, 0.5), (1.0, 1.0), (0.5, 0.5), (1.0, 0.0)] * 10, 135, 52),
        ([(1.0, 1.0)] * 20, 763, 158),
    ],
)
def test_lead_has_an_interval(pairs: list[tuple[float, float]], elo: int, error: int) -> None:
    match = new_match()
    match.pairs.extend(PairOfGames(number, *points, 80) for number, points in enumerate(pairs))
    assert [round(one) for one in match.elo()] == [elo, error]
    assert f"| {elo:+} ± {error} | 40 |" in row(match)


async def test_own_search_plays_without_a_limit_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []
    start = process.SearchProcess.start

    async def watched(*, longest_s: float | None) -> process.SearchProcess:
        asked.append(longest_s)
        return await start(longest_s=longest_s)

    monkeypatch.setattr(process.SearchProcess, "start", watched)
    engines = Engines(None, None)
    first, second = (LevelEntrant(engines, ("draughts", "english"), number) for number in (2, 1))
    match = LevelMatch("english", 1, first.side, second.side, [])
    await play_match(RULES, first, second, match, 2, 1, lambda: None)
    assert asked == [None, None]
    assert len(match.pairs) == 1


async def test_no_engine_and_no_anchor_are_named(tmp_path: Path) -> None:
    with pytest.raises(NoEngine, match="no engine plays standard"):
        LevelEntrant(Engines(None, None), ("chess", "standard"), 1)
    with pytest.raises(EngineFailed, match=r"/no/such/program cannot be the anchor"):
        await AnchorEntrant.find(Path("/no/such/program"), 1500)
    weak = write_program(tmp_path / "engine", "fake_engine.py")
    with pytest.raises(EngineFailed, match=r"cannot be the anchor: .*UCI_LimitStrength"):
        await AnchorEntrant.find(weak, 1500)


async def test_engine_that_dies_is_not_asked_again(tmp_path: Path) -> None:
    engines = fake_engines("dies", str(tmp_path / "dead"))
    await engines.probe()
    first, second = (LevelEntrant(engines, ("chess", "standard"), number) for number in (2, 1))
    match = LevelMatch("standard", 1, first.side, second.side, [])
    with pytest.raises(ExceptionGroup) as error:
        await play_match(rules_for("chess", "standard"), first, second, match, 2, 1, lambda: None)
    (only,) = error.value.exceptions
    assert isinstance(only, EngineFailed)
    assert "Fake 1.0" in str(only)
