"""docs/dependencies.md names every package we ask for, in the version that is pinned."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

TOLD = dict(
    re.findall(
        r"^\| `([^`]+)`[^|]*\| ([^ ,|]+), [^|]+\|", (ROOT / "docs" / "dependencies.md").read_text(), re.MULTILINE
    )
)
"""Package to version, as the page has it."""


def test_every_python_package_is_documented() -> None:
    pinned = dict(re.findall(r"^([\w.-]+)==([^ \\]+)", (ROOT / "requirements" / "dev.txt").read_text(), re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = (project["project"]["dependencies"], *project["dependency-groups"].values())
    names = {re.split(r"[<>=~!\[; ]", asked)[0] for group in groups for asked in group if isinstance(asked, str)}
    assert {name: TOLD.get(name) for name in names} == {name: pinned[name] for name in names}


def test_every_web_package_is_documented() -> None:
    package = json.loads((ROOT / "web" / "package.json").read_text())
    asked = package["dependencies"] | package["devDependencies"]
    assert {name: TOLD.get(name) for name in asked} == asked
