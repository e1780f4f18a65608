"""Generator of the client's draughts boards from the core's laws.

    python -m codegen.draughts_boards

regenerates ``web/src/board/draughts/variants.gen.ts``; ``tests/codegen/test_draughts_boards.py`` fails while the file
differs. The client draws boards and shows where a piece could go; only the server knows the rules.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from game_core.draughts.variants import VARIANTS

if TYPE_CHECKING:
    from game_core.draughts.laws import Laws

FILE = Path(__file__).parents[1] / "web" / "src" / "board" / "draughts" / "variants.gen.ts"

HEAD = "/** Written by `python -m codegen.draughts_boards` from the core's laws. Not by hand. */\n"


def generate() -> str:
    """Return the text of the generated file."""
    lines = (f"  {laws.name}: {_literal(_board_of(laws))},\n" for laws in VARIANTS)
    about = "/** Board of each variant. A losing form has the board of its counterpart. */\n"
    return f"{HEAD}\n{about}export const BOARDS = {{\n{''.join(lines)}}} as const;\n"


def _board_of(laws: Laws) -> dict[str, Any]:
    options: dict[str, Any] = {
        "mirrored": laws.mirrored,
        "orthogonal": laws.orthogonal,
        "crownsOnTheWay": laws.promotion == "goes_on",
        "kingMoves": laws.king_moves,
    }
    return {
        "size": laws.size,
        "men": laws.men_rows,
        "behind": laws.rows_behind,
        "first": laws.first,
        "naming": laws.naming,
        "flying": laws.flying,
        **{name: value for name, value in options.items() if value},
    }


def _literal(value: dict[str, Any]) -> str:
    fields = (f"{name}: {json.dumps(field)}".replace('"', "'") for name, field in value.items())
    return f"{{ {', '.join(fields)} }}"


if __name__ == "__main__":
    FILE.write_text(generate(), encoding="utf-8")
