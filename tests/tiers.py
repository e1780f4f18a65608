"""Parameters of a test, some for `make test` and the others for `make test-slow`."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def tiered(values: Iterable[Any], *, quick: Collection[Any], why: str) -> list[Any]:
    """Return ``values`` for ``parametrize``, with those that are not in ``quick`` marked ``slow``. A tuple is several
    arguments."""
    slow = pytest.mark.slow(why)
    return [
        value if value in quick else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=slow)
        for value in values
    ]


def screens(widths: Iterable[int], *, quick: Collection[tuple[int, str]]) -> list[Any]:
    """Return widths in pixels with colour schemes; ``make test`` runs those in ``quick``."""
    return tiered(product(widths, ("light", "dark")), quick=quick, why="more screens")
