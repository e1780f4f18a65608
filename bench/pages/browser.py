"""Search for an installed browser."""

from __future__ import annotations

import shutil

WINDOWED = ("chromium", "chromium-browser", "google-chrome")
HEADLESS = "chromium-headless-shell"
"""Chromium without windows: the same engine with a third of the CPU time a page. The tests prefer it."""


def find_browser(names: tuple[str, ...] = (*WINDOWED, HEADLESS)) -> str | None:
    """Return the path of the first of ``names`` that is on PATH; None if none is."""
    return next(filter(None, map(shutil.which, names)), None)


def require_browser() -> str:
    """Return the path of a browser to measure with. Raises ``SystemExit`` if there is none."""
    found = find_browser()
    if found is None:
        raise SystemExit("no Chromium on PATH (on Debian: apt-get install chromium)")
    return found
