"""Generated sections of a Markdown document.

A section is between ``<!-- written by the code: NAME -->`` and ``<!-- end -->``. All other text is kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

_PART = re.compile(r"(<!-- written by the code: (?P<name>[^>\n]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table. A bar within a cell is escaped."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def splice(text: str, parts: Mapping[str, str]) -> str:
    """Return ``text`` with its generated sections replaced.

    Raises:
        ValueError: markers and generated sections differ.
    """
    found = [match["name"] for match in _PART.finditer(text)]
    missing, unknown = parts.keys() - set(found), set(found) - parts.keys()
    if missing or unknown or len(found) != len(set(found)):
        raise ValueError(f"parts of the document: {sorted(missing)} missing, {sorted(unknown)} unknown, each once only")
    return _PART.sub(lambda match: match[1] + parts[match["name"]] + match[3], text)


def rewrite(path: Path, parts: Mapping[str, str]) -> None:
    """Replace the generated sections of the document at ``path``. Raises like ``splice``."""
    path.write_text(splice(path.read_text(encoding="utf-8"), parts), encoding="utf-8")
