"""Processes of a server, any of which may end at any time."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable


def descendants(pid: int, is_wanted: Callable[[psutil.Process], bool]) -> list[psutil.Process]:
    """Return the children of ``pid`` and theirs, as far as they are wanted and still exist."""
    found = []
    for process in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has just ended
            if is_wanted(process):
                found.append(process)
    return found
