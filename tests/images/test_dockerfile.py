"""The Dockerfile: existing paths, pinned downloads, no build tools in the result."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from typing import TYPE_CHECKING

import pytest

from realtime.commands.options import DATABASE_OPTIONS, SERVE_OPTIONS
from tests.images.dockerfile import ROOT, context, is_ignored, read_copy, read_stages
from tests.k8s.manifests import containers, server, workloads

if TYPE_CHECKING:
    from pathlib import Path

DEBIAN = "fairy-stockfish"
"""The only package that is installed from Debian."""

STAGES = read_stages((ROOT / "Dockerfile").read_text())
*BUILDERS, FINAL = STAGES
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RUNS = [(stage.name, step.rest) for stage in STAGES for step in stage.steps if step.name == "RUN"]
ENV = dict(pair.split("=", 1) for step in FINAL.steps if step.name == "ENV" for pair in step.rest.split())


def test_base_image_has_the_python_of_the_tests() -> None:
    for stage in STAGES:
        version = re.fullmatch(r"python:(3\.\d+)\.\d+-slim-[a-z]+", FINAL.image)
        assert version is not None, f"{FINAL.image}: not an exact version"
        # What is compiled needs more than the slim image has, of the same Python and the same C library.
        assert stage.image in (FINAL.image, FINAL.image.replace("-slim", "")), stage.image
        assert version[1] == PROJECT["tool"]["mypy"]["python_version"]
        assert PROJECT["project"]["requires-python"] == f">={version[1]}"


def test_what_is_copied_is_there() -> None:
    files = context()
    before: set[str] = set()
    for stage in STAGES:
        for step in stage.steps:
            if step.name != "COPY":
                continue
            copy = read_copy(step)
            if copy.stage is not None:
                assert copy.stage in before
                continue
            for name in copy.names:
                assert any(path == name or path.startswith(name + "/") for path in files), name
        before.add(stage.name)


def test_every_package_is_copied() -> None:
    copied = {
        name for stage in BUILDERS for step in stage.steps if step.name == "COPY" for name in read_copy(step).names
    }
    wanted = {pattern.rstrip("*") for pattern in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert wanted <= copied
    assert {PROJECT["project"]["readme"], *PROJECT["project"]["license-files"]} <= copied, "asked for by pyproject.toml"


def test_what_commands_name_was_copied_before() -> None:
    for stage in BUILDERS:
        seen: set[str] = set()
        for step in stage.steps:
            if step.name == "COPY":
                seen.update(name.rstrip("/") for name in read_copy(step).names)
            elif step.name == "RUN":
                for name in re.findall(r"requirements/\S+\.txt", step.rest):
                    assert name in seen
                    assert (ROOT / name).is_file()
                if "npm ci" in step.rest:
                    assert {"web/package.json", "web/package-lock.json"} <= seen
                for script in re.findall(r"npm run (\S+)", step.rest):
                    assert script in json.loads((ROOT / "web" / "package.json").read_text())["scripts"]


@pytest.mark.parametrize(("stage", "command"), RUNS)
def test_all_downloads_are_pinned(stage: str, command: str) -> None:
    for part in re.split(r"&&|;", command):
        if re.search(r"\bpip\b.*\b(install|wheel|download)\b", part) and "uninstall" not in part:
            assert "--require-hashes -r requirements/" in re.sub(r"(--no-\S+ )", "", part) or "--no-index" in part
        assert not re.search(r"\bnpm (install|i|add)\b|\bnpx\b|curl|wget|git clone", part), stage
        if "apt-get" in part:  # verified by Debian's key
            assert part.split()[1:] in (["update"], ["install", "--yes", "--no-install-recommends", DEBIAN]), stage


def test_page_packages_have_checksums() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    assert all(package.get("link") or "integrity" in package for name, package in packages.items() if name)


def test_image_has_no_build_tools() -> None:
    commands = " ".join(step.rest for step in FINAL.steps if step.name == "RUN")
    assert re.search(r"pip uninstall \S+ \S+ (?:\S+ )*pip\b", commands)
    copies = [read_copy(step) for step in FINAL.steps if step.name == "COPY"]
    assert [(copy.names, copy.stage) for copy in copies] == [(["/opt/zeitnot"], "packages")]
    (made,) = (rest for stage, rest in RUNS if "venv" in rest and "/opt/zeitnot" in rest)
    assert "--without-pip /opt/zeitnot" in made
    for copy in copies:
        # The environment's scripts name its Python by this path.
        assert copy.target == "/opt/zeitnot"
    assert ENV["PATH"].startswith("/opt/zeitnot/bin:")


def test_image_runs_as_the_user_of_the_manifests() -> None:
    (user,) = (step.rest for step in FINAL.steps if step.name == "USER")
    for variant in ("production", "migrate"):
        ours = [workload for workload, container in containers(variant) if "zeitnot" in container["image"]]
        assert ours
        for workload in ours:
            context_ = workload["spec"]["template"]["spec"]["securityContext"]
            assert f"{context_['runAsUser']}:{context_['runAsGroup']}" == user
    assert user.split(":")[0] in " ".join(rest for stage, rest in RUNS if stage == "")


def test_image_starts_the_installed_command() -> None:
    said = {step.name: step.rest for step in FINAL.steps}
    (program,) = json.loads(said["ENTRYPOINT"])
    assert program in PROJECT["project"]["scripts"]
    assert json.loads(said["CMD"]) == server("production")["args"]
    assert [container["args"] for _, container in containers("migrate")] == [["migrate"]]
    port = server("production")["ports"][0]
    assert said["EXPOSE"] == ENV["ZEITNOT_PORT"] == str(port["containerPort"])
    assert "/healthz" in said["HEALTHCHECK"]
    assert len(workloads("migrate")) == 1


def test_image_variables_are_settings() -> None:
    settings = {option.variable for option in SERVE_OPTIONS + DATABASE_OPTIONS}
    assert {name for name in ENV if name.startswith("ZEITNOT_")} <= settings


def test_build_context_has_exactly_what_the_image_needs() -> None:
    files = context()
    assert {path.split("/")[0] for path in files} == {
        *("game_core", "harness", "lobby", "robots", "simul", "realtime", "requirements", "web"),
        *("pyproject.toml", "setup.py", "README.md", "LICENSE"),
    }
    assert not any(path.startswith("web/tests/") for path in files)


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("zeitnot-data/cluster/PG_VERSION", True),
        (".env", True),
        (".git/config", True),
        ("realtime/app.py", False),
        ("realtime/http/app.py", False),
        ("realtime/static/index.html", True),
        ("realtime/http/__pycache__/app.cpython-311.pyc", True),
        ("web/node_modules/vite/package.json", True),
        ("web/src/main.ts", False),
    ],
)
def test_what_is_ignored(path: str, ignored: bool) -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    assert is_ignored(path, rules) == ignored


def test_wheel_builds_offline(tmp_path: Path) -> None:
    """The step that downloads nothing, with the page as `make` has built it."""
    (command,) = (rest for _, rest in RUNS if rest.endswith(" -w /wheels ."))
    source = tmp_path / "src"
    for path in context():
        if not path.startswith("web/"):
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, source / path)
    shutil.copytree(ROOT / "realtime" / "static", source / "realtime" / "static")
    options = command.removeprefix("/tools/bin/pip ").replace("/wheels", str(tmp_path / "wheels")).split()
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *options],
        check=False,
        cwd=source,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "wheels").iterdir()
    names = set(zipfile.ZipFile(wheel).namelist())
    for package in ("game_core", "harness", "lobby", "robots", "simul", "realtime"):
        wanted = {path for path in context() if path.startswith(package + "/") and not path.endswith(".md")}
        assert wanted <= names
    page = {str(path.relative_to(ROOT)) for path in (ROOT / "realtime" / "static").rglob("*") if path.is_file()}
    assert "realtime/static/index.html" in page
    assert page <= names
