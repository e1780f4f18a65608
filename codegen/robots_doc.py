"""The table of docs/robots.md that lists the levels, from ``robots/levels.py``.

    python -m codegen.robots_doc

writes it anew; ``tests/codegen/test_robots_doc.py`` fails while the document says something else.
"""

from __future__ import annotations

from pathlib import Path

from codegen.markdown import format_table, rewrite
from robots.levels import LEVELS

DOCUMENT = Path(__file__).parents[1] / "docs" / "robots.md"

HEAD = ("game", "level", "nodes", "half-moves", "moves to choose from", "temperature")


def sections() -> dict[str, str]:
    """Return the generated sections of the document."""
    rows = (
        (game, str(number), f"{one.nodes:,}", str(one.depth), str(one.breadth), f"{one.temperature:g}")
        for game, levels in LEVELS.items()
        for number, one in enumerate(levels, 1)
    )
    return {"levels": format_table(HEAD, rows)}


if __name__ == "__main__":
    rewrite(DOCUMENT, sections())
