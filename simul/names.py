"""Validation of texts in an announcement: its name, its description, the host's notes."""

from __future__ import annotations

from lobby.chat import shown
from simul.draft import MAX_NAME, MAX_NOTE, MAX_TEXT
from simul.errors import BadSetup

MAX_LINES = 40
"""Lines of a description."""


def clean_name(text: str) -> str:
    """Return the name of a simul as one line. Raises ``BadSetup`` if it is empty or too long."""
    line = _line(text)
    if not line:
        raise BadSetup("name: there is nothing in it")
    if len(line) > MAX_NAME:
        raise BadSetup(f"name: expected at most {MAX_NAME} characters, got {len(line)}")
    return line


def clean_text(text: str) -> str:
    """Return the description without repeated empty lines. Raises ``BadSetup``."""
    lines: list[str] = []
    for line in map(_line, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    if len(lines) > MAX_LINES:
        raise BadSetup(f"text: expected at most {MAX_LINES} lines, got {len(lines)}")
    cleaned = "\n".join(lines).rstrip()
    if len(cleaned) > MAX_TEXT:
        raise BadSetup(f"text: expected at most {MAX_TEXT} characters, got {len(cleaned)}")
    return cleaned


def clean_note(text: str) -> str:
    """Return a note of the host about somebody; empty deletes it. Raises ``BadSetup``."""
    line = _line(text)
    if len(line) > MAX_NOTE:
        raise BadSetup(f"note: expected at most {MAX_NOTE} characters, got {len(line)}")
    return line


def _line(text: str) -> str:
    return " ".join("".join(shown(text)).split())
