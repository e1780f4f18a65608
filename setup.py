"""The one compiled file: loops of Turkish draughts in C. All else about the project is in pyproject.toml.

It is built when the project is installed and a C compiler is there; Python's headers are not needed. If there is none,
or it fails, setuptools goes on without (``optional``): then Python does the same (game_core/draughts/speedups.py).
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from setuptools import Extension, setup

SOURCE = "game_core/draughts/sweep.c"

# What it was built from is written into it: beside any other source it counts as stale.
DIGEST = sha256((Path(__file__).parent / SOURCE).read_bytes()).hexdigest()

setup(
    ext_modules=[
        Extension(
            "game_core.draughts._sweep",
            sources=[SOURCE],
            depends=["setup.py"],
            define_macros=[("ZEITNOT_SOURCE", f'"{DIGEST}"')],
            optional=True,
        )
    ]
)
