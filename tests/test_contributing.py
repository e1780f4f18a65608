"""Reasons of slow tests: each is in the table of CONTRIBUTING.md."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent
TABLE = (HERE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")


def reasons() -> set[str]:
    """Arguments of the ``slow`` markers, and the ``why`` of ``tiered``."""
    found: set[str] = set()
    for path in HERE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            said = node.args if name == "pytest.mark.slow" else []
            if name == "tiered":
                said = [keyword.value for keyword in node.keywords if keyword.arg == "why"]
            found.update(str(word.value) for word in said if isinstance(word, ast.Constant))
    return found


def test_every_reason_of_a_slow_test_is_documented() -> None:
    assert {reason for reason in reasons() if f"| {reason} |" not in TABLE} == set()
    assert reasons(), "no test is marked slow"
