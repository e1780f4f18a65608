"""game_core ← lobby ← simul ← realtime: dependencies point one way, and the core is pure."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent

LAYERS = ("game_core", "lobby", "simul", "realtime")
"""Each may import itself and those before it."""

IMPURE = {"asyncio", "datetime", "logging", "os", "random", "secrets", "socket", "threading", "time"}
"""What the core has no use for: time and chance are arguments."""

OF_THE_MACHINE = {"ctypes", "importlib", "pathlib", "subprocess", "sys"}
"""Neither has it a use for these, but for one module: it looks whether a part of the core was compiled."""

LOOKS_AT_THE_MACHINE = Path("game_core/draughts/speedups.py")

MOST_LINES = 400


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """Top-level names of all that ``path`` imports, under ``TYPE_CHECKING`` too, with the lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name.partition(".")[0], node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            yield node.module.partition(".")[0], node.lineno


@pytest.mark.parametrize("layer", LAYERS)
def test_nobody_imports_from_above(layer: str) -> None:
    above = set(LAYERS[LAYERS.index(layer) + 1 :]) | {"tests", "bench"}
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(layer)
        for name, line in imported(path)
        if name in above
    ]
    assert found == []


@pytest.mark.parametrize("package", ["game_core", "simul"])
def test_core_reads_no_clock_and_draws_no_lots(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(package)
        for name, line in imported(path)
        if name in IMPURE or (name in OF_THE_MACHINE and path.relative_to(ROOT) != LOOKS_AT_THE_MACHINE)
    ]
    assert modules(package)
    assert found == []


@pytest.mark.parametrize("package", [*LAYERS, "tests", "bench"])
def test_modules_can_be_read_in_one_sitting(package: str) -> None:
    long = {}
    for path in modules(package):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            long[str(path.relative_to(ROOT))] = lines
    assert long == {}
