"""docs/robots.md against the code: its generated table."""

from __future__ import annotations

from codegen.markdown import splice
from codegen.robots_doc import DOCUMENT, sections


def test_generated_sections_are_up_to_date() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert splice(text, sections()) == text, "run `make docs`"
