"""The tables of docs/operations.md that list settings and limits, from the code that reads them.

    python -m codegen.operations_doc

writes them anew; ``tests/codegen/test_operations_doc.py`` fails while the document says something else.
"""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import TYPE_CHECKING

from codegen.markdown import format_table, rewrite
from realtime.commands.options import DATABASE_OPTIONS, SERVE_OPTIONS
from realtime.protocol import limits
from realtime.protocol.limits import DEFAULTS, SETTABLE

if TYPE_CHECKING:
    from types import ModuleType

DOCUMENT = Path(__file__).parents[1] / "docs" / "operations.md"


def sections() -> dict[str, str]:
    """Return the generated sections of the document."""
    return {"settings": _settings(), "limits": _limits()}


def _settings() -> str:
    rows = (
        (
            f"`{option.usage}`",
            f"`{option.variable}`",
            option.help,
        )
        for option in SERVE_OPTIONS + DATABASE_OPTIONS
    )
    return format_table(("option", "variable", "meaning"), rows)


def _limits() -> str:
    said = field_docs(limits, "Limits")
    rows = ((f"`{name}`", f"{getattr(DEFAULTS, field):g}", said[field]) for name, field in SETTABLE.items())
    return format_table(("limit", "default", "meaning"), rows)


def field_docs(module: ModuleType, name: str) -> dict[str, str]:
    """Return the docstring of each field of the class ``name`` in ``module``, on one line and in Markdown."""
    tree = ast.parse(inspect.getsource(module))
    (found,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    docs = {}
    for field, text in zip(found.body, found.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
        ):
            docs[field.target.id] = " ".join(str(text.value.value).replace("``", "`").split())
    return docs


if __name__ == "__main__":
    rewrite(DOCUMENT, sections())
