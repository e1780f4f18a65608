"""Generator of the client's notation tables, ``web/src/notation/notation.gen.ts``, from the core's tables.

    python -m codegen.notation_tables

regenerates it; ``tests/codegen/test_notation_tables.py`` fails while the file differs. So both sides write, read and
say moves by the same letters and words.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess

from game_core.chess.notation.announcements import CASTLINGS, FILES, LANGUAGES, MAX_WORDS, SYMBOLS, UMLAUTS
from game_core.chess.notation.letters import PIECE_LETTERS
from game_core.chess.notation.move_text import MAX_TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = Path(__file__).parents[1] / "web" / "src" / "notation" / "notation.gen.ts"

HEAD = "/** Written by `python -m codegen.notation_tables` from the core's tables. Not by hand. */\n"

ROLES = "kqrbnp"
"""The pieces as the wire writes them, in the client's order."""


def generate() -> str:
    """Return the text of the generated file."""
    letters = {
        language: [own[chess.PIECE_SYMBOLS.index(role)] for role in ROLES] for language, own in PIECE_LETTERS.items()
    }
    announced = {
        language: {
            "sides": words.sides,
            "pieces": {role: words.pieces[role.upper()] for role in ROLES},
            "ranks": words.ranks,
            "castling": words.castling,
            "takes": words.takes,
            "marks": words.marks,
        }
        for language, words in LANGUAGES.items()
    }
    parts = [
        HEAD,
        _constant("King, queen, rook, bishop, knight, pawn: the letters of each language.", "PIECE_LETTERS", letters),
        "export type Letters = keyof typeof PIECE_LETTERS;\n",
        _constant("Names of the files in announcements.", "FILE_NAMES", FILES),
        _constant("Other words of announcements, by language.", "ANNOUNCED", announced),
        "export type Announced = keyof typeof ANNOUNCED;\n",
        _constant("Spoken words and their symbols.", "SPOKEN", SYMBOLS),
        _constant("Castling by spoken symbol.", "SPOKEN_CASTLING", CASTLINGS),
        _constant("Replacements applied after lower-casing.", "WRITTEN_OUT", UMLAUTS | {"ß": "ss"}),
        f"/** Maximum text length. */\nexport const MOST_SIGNS = {MAX_TEXT};\n",
        f"/** Maximum number of words. */\nexport const MOST_WORDS = {MAX_WORDS};\n",
    ]
    return "\n".join(parts)


def _constant(about: str, name: str, value: Mapping[str, Any]) -> str:
    return f"/** {about} */\nexport const {name} = {_literal(value, '')} as const;\n"


def _literal(value: Any, indent: str) -> str:
    """Return a mapping with one line a member; other values are JSON."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    lines = (f"{inner}{json.dumps(key, ensure_ascii=False)}: {_literal(item, inner)},\n" for key, item in value.items())
    return f"{{\n{''.join(lines)}{indent}}}"


if __name__ == "__main__":
    FILE.write_text(generate(), encoding="utf-8")
