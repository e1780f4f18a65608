"""Run the steps of the Dockerfile without Docker, in a directory: the result of all stages but the last.

    python tests/images/build_here.py DIR

Absolute paths of the image are placed below DIR; `python` is the one that runs this. Downloads the packages of the
image. The last stage changes users and packages of a system and is not run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.images.dockerfile import ROOT, Copy, Stage, context, read_copy, read_stages

PLACES = ("/src", "/tools", "/wheels", "/opt/zeitnot")
"""All paths to which the steps write."""

OF_THE_REGISTRIES = ("PIP_", "NPM_CONFIG_", "npm_config_")
"""Variables that name the package registries of this machine."""


def build(directory: Path) -> Path:
    """Run all stages but the last; return the environment that the last would copy."""
    *found, _ = read_stages((ROOT / "Dockerfile").read_text())
    for stage in found:
        _run(stage, directory)
    return directory / found[-1].name / "opt" / "zeitnot"


def _run(stage: Stage, directory: Path) -> None:
    root = directory / stage.name
    (root / "src").mkdir(parents=True)
    (root / "opt").mkdir()
    environment = {name: value for name, value in os.environ.items() if name.startswith(OF_THE_REGISTRIES)}
    environment["HOME"] = str(Path.home())
    environment["PATH"] = f"{Path(sys.executable).resolve().parent}:/usr/bin:/bin"
    for step in stage.steps:
        print(f"[{stage.name}] {step.name} {step.rest}", flush=True)  # noqa: T201  a script
        if step.name == "ENV":
            environment |= dict(pair.split("=", 1) for pair in step.rest.split())
        elif step.name == "COPY":
            _copy(read_copy(step), directory, root)
        elif step.name == "RUN":
            command = re.sub(rf"(?<![\w/])({'|'.join(PLACES)})(?=[/ ]|$)", rf"{root}\1", step.rest)
            subprocess.run(["sh", "-e", "-c", command], cwd=root / "src", env=environment, check=True)
        else:
            assert (step.name, step.rest) == ("WORKDIR", "/src"), step


def _copy(copy: Copy, directory: Path, root: Path) -> None:
    goal = root / "src" / copy.target
    for name in copy.names:
        if copy.stage is not None:
            shutil.copytree(f"{directory / copy.stage}{name}", goal, dirs_exist_ok=True)
            continue
        below = [path for path in context() if path == name or path.startswith(name + "/")]
        assert below, f"{name} is not in the context"
        for path in below:
            if path != name:  # the contents of a directory are copied
                whereto = goal / Path(path).relative_to(name)
            else:
                whereto = goal / Path(name).name if copy.target.endswith("/") else goal
            whereto.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, whereto)


if __name__ == "__main__":
    made = build(Path(sys.argv[1]).resolve())
    subprocess.run([made / "bin" / "zeitnot", "version"], check=True, cwd="/")
    print(made)  # noqa: T201  a script
