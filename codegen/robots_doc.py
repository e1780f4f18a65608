"""The tables of docs/robots.md: the levels, from ``robots/levels.py``, and how they played, from docs/robots.json.

    python -m codegen.robots_doc

writes them anew; ``tests/codegen/test_robots_doc.py`` fails while the document says something else. The results are
those of ``python -m bench.robots --save docs/robots.json``.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from bench.tournament.saved import SavedMatches
from codegen.markdown import format_table, rewrite
from robots.levels import HIGHEST, LEVELS, level_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.tournament.match import LevelMatch
    from bench.tournament.players import MatchSide

DOCUMENT = Path(__file__).parents[1] / "docs" / "robots.md"

RESULTS = DOCUMENT.with_suffix(".json")

HEAD = ("game", "level", "nodes", "half-moves", "moves to choose from", "temperature")

MEASURED = (
    ("chess", "chess", "standard"),
    ("international draughts", "draughts", "international"),
    ("English draughts", "draughts", "english"),
    ("Russian draughts", "draughts", "russian"),
    ("Chinese checkers, fifteen", "chinese-checkers", "fifteen"),
)
"""Columns of the table of steps: head, family, variant."""


def sections() -> dict[str, str]:
    """Return the generated sections of the document."""
    rows = (
        (game, str(number), f"{one.nodes:,}", str(one.depth), str(one.breadth), f"{one.temperature:g}")
        for game, levels in LEVELS.items()
        for number, one in enumerate(levels, 1)
    )
    matches = SavedMatches(RESULTS).matches
    return {"levels": format_table(HEAD, rows), "steps": steps(matches), "anchors": anchors(matches)}


def steps(matches: Sequence[LevelMatch]) -> str:
    """Return the table of the leads of each level over the one below. A level that was changed has none."""
    leads = {
        (one.variant, int(one.first.name), int(one.second.name)): _lead(one)
        for one in matches
        if one.second.level is not None and _is_current(one.variant, one.first, one.second)
    }
    rows = (
        (f"{higher} to {lower}", *(leads.get((variant, higher, lower), "not measured") for *_, variant in MEASURED))
        for lower, higher in pairwise(range(1, HIGHEST + 1))
    )
    return format_table(("levels", *(head for head, *_ in MEASURED)), rows)


def anchors(matches: Sequence[LevelMatch]) -> str:
    """Return the table of the matches against engines of known strength."""
    rows = (
        (one.first.name, f"{one.second.engine}, {one.second.name}", _lead(one), _strength(one))
        for one in sorted(matches, key=lambda one: (one.first.name, one.second.name))
        if one.second.level is None and _is_current(one.variant, one.first)
    )
    return format_table(("level", "opponent", "lead", "Elo points"), rows)


def _is_current(variant: str, *sides: MatchSide) -> bool:
    """Return whether the levels of ``sides`` still have the numbers that they were measured with."""
    game = next((game for _, game, name in MEASURED if name == variant), None)
    return game is not None and all(one.level == level_of(game, int(one.name)) for one in sides)


def _lead(match: LevelMatch) -> str:
    elo, error = match.elo()
    return f"{elo:+.0f} ± {error:.0f} ({len(match.points)})"


def _strength(match: LevelMatch) -> str:
    known = int(match.second.name.split()[-1])
    return f"{round(known + match.elo()[0], -1):.0f}"


if __name__ == "__main__":
    rewrite(DOCUMENT, sections())
