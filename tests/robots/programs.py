"""Engines for tests: executable files that run a script of this folder."""

from __future__ import annotations

import sys
from pathlib import Path

from robots.engines.available import Engines
from robots.engines.chess.discovery import ChessCommand

HERE = Path(__file__).parent


def write_program(path: Path, script: str, *arguments: str) -> Path:
    """Write an executable file that runs ``script`` of this folder with ``arguments`` and its own."""
    words = " ".join(f"'{word}'" for word in (sys.executable, str(HERE / script), *arguments))
    path.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    path.chmod(0o755)
    return path


def fake_chess(*arguments: str) -> ChessCommand:
    """Return the command of ``fake_engine.py``."""
    return ChessCommand((sys.executable, str(HERE / "fake_engine.py"), *arguments), "the fake engine")


def fake_engines(*arguments: str) -> Engines:
    """Return engines with the fake one for chess."""
    return Engines(fake_chess(*arguments), None)
