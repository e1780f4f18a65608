"""Validation of texts in an announcement: its name, its description, the host's notes."""

from __future__ import annotations

from lobby.chat import shown
from lobby.errors import BadMessage
from simul.draft import MAX_NAME, MAX_NOTE, MAX_TEXT

MAX_LINES = 40
"""Lines of a description."""


def clean_name(text: str) -> str:
    """The name of a simul: one line. Raises ``BadMessage`` where nothing, or too much, is left."""
    line = _line(text)
    if not line:
        raise BadMessage("name: expected text, got only spaces")
    if len(line) > MAX_NAME:
        raise BadMessage(f"name: expected at most {MAX_NAME} characters, got {len(line)}")
    return line


def clean_text(text: str) -> str:
    """What the host says of it: lines, at most one empty one between two others. Raises ``BadMessage``."""
    lines: list[str] = []
    for line in map(_line, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    if len(lines) > MAX_LINES:
        raise BadMessage(f"text: expected at most {MAX_LINES} lines, got {len(lines)}")
    cleaned = "\n".join(lines).rstrip()
    if len(cleaned) > MAX_TEXT:
        raise BadMessage(f"text: expected at most {MAX_TEXT} characters, got {len(cleaned)}")
    return cleaned


def clean_note(text: str) -> str:
    """The host's note on a person; empty to remove it. Raises ``BadMessage``."""
    line = _line(text)
    if len(line) > MAX_NOTE:
        raise BadMessage(f"note: expected at most {MAX_NOTE} characters, got {len(line)}")
    return line


def _line(text: str) -> str:
    return " ".join("".join(shown(text)).split())
