"""The state of a table has one writer: ``TableState``."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

WRITER = "realtime/games/table_state.py"

OF_THEIR_OWN = {"realtime/games/delay/delayed_view.py"}
"""These show an earlier state of a game, which is theirs."""


def assigned(path: Path) -> list[str]:
    """What ``path`` assigns that is called ``game``: the object it is an attribute of."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        ast.unparse(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "game" and isinstance(node.ctx, ast.Store)
    ]


def is_of_a_table(owner: str, file: str) -> bool:
    is_here = file.startswith("realtime/games/") and file not in OF_THEIR_OWN
    return owner.endswith("table") or (owner == "self" and is_here)


def test_only_the_state_of_a_table_assigns_its_game() -> None:
    writers = {
        file
        for path in sorted((ROOT / "realtime").rglob("*.py"))
        if any(is_of_a_table(owner, file := path.relative_to(ROOT).as_posix()) for owner in assigned(path))
    }
    assert writers == {WRITER}
