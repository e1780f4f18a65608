"""Documents for developers: every ``Class.method`` and every file that they name in backticks exists."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

DOCUMENTS = (
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/cluster.md",
    "docs/laws.md",
    "docs/robots.md",
    "docs/simuls.md",
)

PACKAGES = ("game_core", "lobby", "simul", "realtime", "robots", "harness", "bench", "codegen", "web/src", "tests")

MEMBER = re.compile(r"`([A-Z]\w*[a-z]\w*)\.(\w+)")
FILE = re.compile(r"`([\w./-]+\.(?:py|c|ts))`")


def files() -> set[str]:
    """Paths of the source files of the repository."""
    return {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.suffix in (".py", ".c", ".ts")
    }


@cache
def classes() -> dict[str, tuple[set[str], set[str]]]:
    """Members and base classes of every class, by its name; classes of the same name are one here."""
    found: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for file in sorted(files()):
        if file.endswith(".py"):
            for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    members, bases = found[node.name]
                    members.update(_members(node))
                    bases.update(ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases)
    return found


def _members(node: ast.ClassDef) -> set[str]:
    inner = {item.name for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)}
    for item in ast.walk(node):
        if isinstance(item, ast.AnnAssign | ast.Assign):
            targets = [item.target] if isinstance(item, ast.AnnAssign) else item.targets
            inner.update(name.id for name in targets if isinstance(name, ast.Name))
            inner.update(name.attr for name in targets if isinstance(name, ast.Attribute))
    return inner


def has(name: str, member: str) -> bool:
    members, bases = classes().get(name, (set(), set()))
    return member in members or any(has(base, member) for base in bases)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_documented_member_and_file_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    members = set(MEMBER.findall(text))
    assert [f"{name}.{member}" for name, member in sorted(members) if not has(name, member)] == []
    # A name without a folder is that of any file; one with a folder may leave out the first folders.
    known = {"/" + file for file in files()}
    named = sorted(set(FILE.findall(text)))
    assert [name for name in named if not any(file.endswith("/" + name) for file in known)] == []
    assert named
