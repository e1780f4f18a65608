"""The parts of a Markdown document that are written by the code.

A part stands between ``<!-- written by the code: NAME -->`` and ``<!-- end -->``; all else is its author's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

_PART = re.compile(r"(<!-- written by the code: (?P<name>[^>\n]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a bar within a cell is escaped."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def splice(text: str, parts: Mapping[str, str]) -> str:
    """``text`` with its parts written anew.

    Raises:
        ValueError: the document has not exactly the parts that there are.
    """
    found = [match["name"] for match in _PART.finditer(text)]
    missing, unknown = parts.keys() - set(found), set(found) - parts.keys()
    if missing or unknown or len(found) != len(set(found)):
        raise ValueError(f"parts of the document: {sorted(missing)} missing, {sorted(unknown)} unknown, each once only")
    return _PART.sub(lambda match: match[1] + parts[match["name"]] + match[3], text)


def rewrite(path: Path, parts: Mapping[str, str]) -> None:
    """Write the parts of the document at ``path`` anew. Raises like ``splice``."""
    path.write_text(splice(path.read_text(encoding="utf-8"), parts), encoding="utf-8")
