"""Generated draughts boards of the client, up to date."""

from __future__ import annotations

from codegen import draughts_boards
from game_core.draughts.variants import VARIANTS

TEXT = draughts_boards.FILE.read_text(encoding="utf-8")


def test_generated_draughts_boards_are_up_to_date() -> None:
    assert draughts_boards.generate() == TEXT, "run `make docs`"


def test_every_variant_has_a_board() -> None:
    assert [line.split(":")[0].strip() for line in TEXT.splitlines() if "size:" in line] == [
        laws.name for laws in VARIANTS
    ]
