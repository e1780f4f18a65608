"""Dependencies point one way, between packages, subpackages of ``realtime``, and files. The core is pure.

Imports under ``TYPE_CHECKING`` count like all others.
"""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent

LAYERS = ("game_core", "lobby", "simul", "realtime")
"""Each may import itself and those before it."""

BESIDE = {
    "harness": {"game_core", "realtime", "robots"},
    "robots": {"game_core"},
    "codegen": {*LAYERS, "robots", "bench"},
}
"""Packages beside the server, with the packages that they may import. ``harness`` imports from ``realtime`` what a node
is started with and what reads its database, and from ``robots`` only the client; ``codegen`` imports from ``bench``
what reads its results."""

SUBPACKAGES = (
    "protocol", "ops", "clock", "postgres", "net", "fanout", "journal", "people", "games", "watching", "cluster",
    "imports", "simuls", "dispatch", "http",
)  # fmt: skip
"""Each subpackage of ``realtime`` may import itself and those before it. ``app.py``, ``wiring`` and ``commands`` put
them together and may import all."""

PARTS_OF_ROBOTS = {"engines": {"pool", "playing"}, "pool": {"playing"}, "playing": {"engines", "pool"}}
"""What each subpackage of ``robots`` may not import: a robot knows moves only as answers. ``process.py`` puts them
together."""

IMPURE = {"asyncio", "datetime", "logging", "os", "random", "secrets", "socket", "threading", "time"}
"""What the core has no use for: time and chance are arguments."""

OF_THE_MACHINE = {"ctypes", "importlib", "pathlib", "subprocess", "sys"}
"""Neither has it a use for these, but for one module: it looks whether a part of the core was compiled."""

LOOKS_AT_THE_MACHINE = Path("game_core/draughts/speedups.py")

MOST_LINES = 400

MOST_WIRING_LINES = 60
"""Lines of a function that puts parts together."""

MOST_MODULES = 26
"""Modules side by side in one folder."""


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def imported(path: Path) -> tuple[tuple[str, int], ...]:
    """Full names of all that ``path`` imports, with the lines; ``from a import b`` is ``a.b``."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            for name in node.names:
                yield f"{node.module}.{name.name}", node.lineno


def package_of(name: str) -> str:
    return name.partition(".")[0]


def subpackage_of(name: str) -> str:
    """The subpackage of a module of ``realtime``; empty for those beside the subpackages."""
    parts = name.split(".")
    return parts[1] if len(parts) > 2 and parts[0] == "realtime" else ""


@pytest.mark.parametrize("layer", LAYERS)
def test_no_package_imports_from_a_higher_layer(layer: str) -> None:
    above = set(LAYERS[LAYERS.index(layer) + 1 :]) | {"tests", "bench", "codegen"}
    if layer != "realtime":
        above |= {"harness", "robots"}  # which only the command ``zeitnot`` runs
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(layer)
        for name, line in imported(path)
        if package_of(name) in above
    ]
    assert found == []


@pytest.mark.parametrize("package", BESIDE)
def test_packages_beside_the_server_import_only_what_they_may(package: str) -> None:
    others = {*LAYERS, *BESIDE, "bench", "tests"} - {package, *BESIDE[package]}
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(package)
        for name, line in imported(path)
        if package_of(name) in others
    ]
    assert modules(package)
    assert found == []


def test_harness_imports_only_the_client_of_robots() -> None:
    found = {name for path in modules("harness") for name, _ in imported(path) if package_of(name) == "robots"}
    assert found
    assert {name for name in found if not name.startswith("robots.client.")} == set()


@pytest.mark.parametrize("part", PARTS_OF_ROBOTS)
def test_robots_know_engines_only_through_the_pool(part: str) -> None:
    others = tuple(f"robots.{name}" for name in (*PARTS_OF_ROBOTS[part], "process"))
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(f"robots/{part}")
        for name, line in imported(path)
        if name.startswith(others)
    ]
    assert modules(f"robots/{part}")
    assert found == []


@pytest.mark.parametrize("subpackage", SUBPACKAGES)
def test_no_folder_of_realtime_imports_from_a_later_one(subpackage: str) -> None:
    below = {*SUBPACKAGES[SUBPACKAGES.index(subpackage) + 1 :], "commands", "wiring"}
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(f"realtime/{subpackage}")
        for name, line in imported(path)
        if subpackage_of(name) in below or name.startswith(("realtime.app", "harness", "robots"))
    ]
    assert modules(f"realtime/{subpackage}")
    assert found == []


def test_every_folder_of_realtime_is_listed() -> None:
    folders = {path.name for path in (ROOT / "realtime").iterdir() if path.is_dir()}
    assert folders - {"__pycache__", "static"} == {*SUBPACKAGES, "commands", "wiring"}


@pytest.mark.parametrize("package", [*LAYERS, *BESIDE, "bench", "tests"])
def test_modules_have_no_import_cycle(package: str) -> None:
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules(package)}
    graph = {
        name: {target for found, _ in imported(path) for target in (found, found.rpartition(".")[0]) if target in files}
        for name, path in files.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


@pytest.mark.parametrize("package", ["game_core", "simul"])
def test_pure_packages_import_no_clock_randomness_or_io(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(package)
        for name, line in imported(path)
        if package_of(name) in IMPURE
        or (package_of(name) in OF_THE_MACHINE and path.relative_to(ROOT) != LOOKS_AT_THE_MACHINE)
    ]
    assert modules(package)
    assert found == []


@pytest.mark.parametrize("package", [*LAYERS, *BESIDE, "tests", "bench"])
def test_modules_are_short(package: str) -> None:
    long = {}
    for path in modules(package):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            long[str(path.relative_to(ROOT))] = lines
    assert long == {}


@pytest.mark.parametrize("package", [*LAYERS, *BESIDE])
def test_folders_are_small_packages(package: str) -> None:
    folders = {path.parent for path in modules(package)}
    sizes = {str(folder.relative_to(ROOT)): len(list(folder.glob("*.py"))) - 1 for folder in folders}
    assert {folder: size for folder, size in sizes.items() if size > MOST_MODULES} == {}
    assert [str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").exists()] == []


WIRING = [ROOT / "realtime" / "app.py", *sorted((ROOT / "realtime" / "wiring").glob("*.py"))]


@pytest.mark.parametrize("path", WIRING, ids=lambda path: path.stem)
def test_wiring_only_constructs_parts(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert {node.name for node in functions if (node.end_lineno or 0) - node.lineno >= MOST_WIRING_LINES} == set()
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    assert [ast.unparse(node) for node in assigned] == [], "objects get what they need from their constructors"
