"""Parser of our Dockerfile and .dockerignore, with only the syntax that they use."""

from __future__ import annotations

import fnmatch
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Step(NamedTuple):
    """One instruction, its lines joined."""

    name: str
    rest: str


class Stage(NamedTuple):
    """The steps from one FROM to the next."""

    image: str
    name: str
    steps: list[Step]


class Copy(NamedTuple):
    """Sources, target and stage of a COPY."""

    names: list[str]
    target: str
    stage: str | None


def read_steps(text: str) -> list[Step]:
    """Return all instructions in order."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [Step(*line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def read_stages(text: str) -> list[Stage]:
    """Return the stages, with the values of ARG in the names of their images."""
    given: dict[str, str] = {}
    found: list[Stage] = []
    for step in read_steps(text):
        if step.name == "ARG" and not found:
            name, _, value = step.rest.partition("=")
            given[name] = value
        elif step.name == "FROM":
            image, _, name = re.sub(r"^--platform=\S+ ", "", step.rest).partition(" AS ")
            found.append(Stage(re.sub(r"\$\{(\w+)\}", lambda match: given[match[1]], image), name, []))
        else:
            found[-1].steps.append(step)
    return found


def read_copy(step: Step) -> Copy:
    """Parse a COPY."""
    words = step.rest.split()
    stage = words.pop(0).removeprefix("--from=") if words[0].startswith("--from=") else None
    return Copy(words[:-1], words[-1], stage)


def context(root: Path = ROOT) -> set[str]:
    """Return the files known to git and not excluded by .dockerignore: what a clean checkout sends to the builder."""
    told = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True).stdout
    rules = [line for line in (root / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    return {path for path in told.splitlines() if not is_ignored(path, rules)}


def is_ignored(path: str, rules: list[str]) -> bool:
    """Return whether the last rule that matches the file, or a directory above it, excludes it.

    A rule is a path from the root, in which ``*`` stands for any name, or with ``**/`` a name anywhere. Ours need
    nothing else.
    """
    names = [path, *(str(parent) for parent in Path(path).parents if str(parent) != ".")]
    ignored = False
    for rule in rules:
        pattern = rule.removeprefix("!")
        if pattern.startswith("**/"):
            fits = any(fnmatch.fnmatch(Path(name).name, pattern.removeprefix("**/")) for name in names)
        else:
            fits = any(name.count("/") == pattern.count("/") and fnmatch.fnmatch(name, pattern) for name in names)
        if fits:
            ignored = not rule.startswith("!")
    return ignored
