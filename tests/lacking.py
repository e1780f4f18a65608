"""What a test needs of the machine and does not find: said loudly, and in CI a failure."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def lacks(what: str) -> NoReturn:
    """Skip the test for ``what``; in CI, which has all that is needed, fail it."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)
