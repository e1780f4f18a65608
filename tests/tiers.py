"""Parameters of a test of which `make test` takes some and `make test-slow` the others."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def tiered(values: Iterable[Any], *, quick: Collection[Any], why: str) -> list[Any]:
    """``values`` for ``parametrize``; those that are not in ``quick`` are marked ``slow``. A tuple is several
    arguments.
    """
    slow = pytest.mark.slow(why)
    return [
        value if value in quick else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=slow)
        for value in values
    ]


def screens(widths: Iterable[int], *, quick: Collection[tuple[int, str]]) -> list[Any]:
    """Widths in pixels with colour schemes, of which ``quick`` are tried by ``make test``."""
    return tiered(product(widths, ("light", "dark")), quick=quick, why="more screens")
