"""Which browser is there."""

from __future__ import annotations

import shutil

WINDOWED = ("chromium", "chromium-browser", "google-chrome")
HEADLESS = "chromium-headless-shell"
"""Chromium without windows: the same engine, a third of the CPU time a page. The tests prefer it."""


def find_browser(names: tuple[str, ...] = (*WINDOWED, HEADLESS)) -> str | None:
    """Path of the first of ``names`` that is on PATH."""
    return next(filter(None, map(shutil.which, names)), None)


def require_browser() -> str:
    """Path of a browser to measure with. Raises ``SystemExit`` when there is none."""
    found = find_browser()
    if found is None:
        raise SystemExit("no Chromium on PATH (on Debian: apt-get install chromium)")
    return found
