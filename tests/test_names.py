"""A name means one thing: no class of two modules has the same name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent

PACKAGES = ("game_core", "lobby", "simul", "realtime", "harness", "robots", "bench", "codegen")

REQUESTS = "realtime/protocol/requests.py"
"""A request of a socket may be named as the command that it becomes, or as what it creates."""

GAMES = ("game_core/chess/", "game_core/draughts/", "game_core/chinese_checkers/")
"""Parallel modules: one of the same name in several of them may have the same class."""

SAME_NAME = {"Adjudicate"}  # the host's command to a simul becomes the command to its game
"""Names that several modules may still use, with the reason."""


def classes() -> dict[str, list[str]]:
    """The modules of each top-level class."""
    found: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            module = path.relative_to(ROOT).as_posix()
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(module)
    return found


def are_parallel(modules: list[str]) -> bool:
    files = {module.removeprefix(game) for module in modules for game in GAMES if module.startswith(game)}
    return len(files) == 1 and all(module.startswith(GAMES) for module in modules)


def shared_names() -> set[str]:
    """Names of classes in two or more modules, without those that may be the same by rule."""
    found = set()
    for name, modules in classes().items():
        others = [module for module in modules if module != REQUESTS]
        if len(others) > 1 and not are_parallel(others):
            found.add(name)
    return found


def test_class_names_are_unique() -> None:
    known = classes()
    new = {name: known[name] for name in shared_names() - SAME_NAME}
    assert not new, f"a name means one thing; rename all but one of these: {new}"


def test_every_exception_is_needed() -> None:
    unneeded = SAME_NAME - shared_names()
    assert not unneeded, f"these names are unique now, remove them from SAME_NAME: {unneeded}"
