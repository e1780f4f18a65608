"""Generated notation tables of the client, up to date."""

from __future__ import annotations

import json
import re

from codegen import notation_tables
from game_core.chess.notation.letters import PIECE_LETTERS

TEXT = notation_tables.FILE.read_text(encoding="utf-8")


def test_generated_notation_tables_are_up_to_date() -> None:
    assert notation_tables.generate() == TEXT, "run `make docs`"


def test_piece_letters_are_in_the_order_of_the_client() -> None:
    for language, letters in PIECE_LETTERS.items():
        line = re.search(rf'^  "{language}": (.*),$', TEXT, re.MULTILINE)
        assert line is not None
        assert json.loads(line[1]) == [letters[piece] for piece in (6, 5, 4, 3, 2, 1)]


def test_client_has_a_name_for_every_language() -> None:
    words = (notation_tables.FILE.parents[1] / "words" / "en" / "settings.ts").read_text(encoding="utf-8")
    assert set(re.findall(r"^  'letters\.(\w+)'", words, re.MULTILINE)) == set(PIECE_LETTERS)
