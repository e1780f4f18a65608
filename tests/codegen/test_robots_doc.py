"""docs/robots.md against the code: its generated tables."""

from __future__ import annotations

from bench.tournament.match import LevelMatch, PairOfGames
from bench.tournament.players import MatchSide
from codegen.markdown import splice
from codegen.robots_doc import DOCUMENT, anchors, sections, steps
from robots.levels import Level, level_of


def side(number: int, level: Level | None = None) -> MatchSide:
    return MatchSide(name=str(number), engine="an engine", level=level or level_of("draughts", number))


def match(first: MatchSide, second: MatchSide, variant: str = "english") -> LevelMatch:
    return LevelMatch(variant, 1, first, second, [PairOfGames(0, 1.0, 0.5, 80), PairOfGames(1, 0.5, 0.5, 80)])


def test_generated_sections_are_up_to_date() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert splice(text, sections()) == text, "run `make docs`"


def test_steps_of_changed_levels_are_not_measured() -> None:
    changed = side(4, level_of("draughts", 4).with_nodes(1))
    table = steps([match(side(2), side(1)), match(changed, side(3))])
    assert "| 2 to 1 | not measured | not measured | +70 ± 251 (4) |" in table
    assert "| 4 to 3 | not measured | not measured | not measured |" in table


def test_anchors_tell_the_strength_of_a_level() -> None:
    anchor = MatchSide(name="UCI_Elo 1500", engine="Stockfish")
    level = MatchSide(name="3", engine="an engine", level=level_of("chess", 3))
    changed = MatchSide(name="4", engine="an engine", level=level_of("chess", 3))
    table = anchors([match(level, anchor, "standard"), match(changed, anchor, "standard")])
    assert table.splitlines()[2:] == ["| 3 | Stockfish, UCI_Elo 1500 | +70 ± 251 (4) | 1570 |"]
