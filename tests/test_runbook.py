"""docs/runbook.md: every alert has its section, links lead somewhere, and what it asks the database can be asked."""

from __future__ import annotations

import re
from pathlib import Path

import yaml  # type: ignore[import-untyped]  # its stubs are a package more

from realtime.postgres.database import connect

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", text, re.MULTILINE)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_exactly_the_existing_alerts_are_documented_in_order() -> None:
    rule = yaml.safe_load((ROOT / "k8s" / "base" / "alerts.yaml").read_text())
    rules = [one for group in rule["spec"]["groups"] for one in group["rules"]]
    told = re.findall(r"^## (Zeitnot\w+)\n\n\*(\w+)\.\*", TEXT, re.MULTILINE)
    assert told == [(one["alert"], one["labels"]["severity"].capitalize()) for one in rules]
    assert [name for name in headings(TEXT) if name.startswith("Zeitnot")] == [name for name, _ in told]


def test_links_lead_to_existing_headings() -> None:
    for document, place in re.findall(r"\]\(([\w./]*)(?:#([\w-]+))?\)", TEXT):
        there = (ROOT / "docs" / document).read_text(encoding="utf-8") if document else TEXT
        assert not place or place in map(anchor, headings(there)), (document, place)


async def test_sql_statements_are_valid(database_url: str) -> None:
    (block,) = re.findall(r"```sql\n(.*?)```", TEXT, re.DOTALL)
    statements = [part.strip() for part in re.sub(r"^--.*$", "", block, flags=re.MULTILINE).split(";") if part.strip()]
    assert len(statements) == 7
    connection = await connect(database_url, name="test")
    try:
        for statement in statements:
            await connection.fetch(statement)
    finally:
        await connection.close()


def test_named_metrics_are_documented() -> None:
    told = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    for metric in re.findall(r"`(zeitnot_\w+)`", TEXT):
        assert f"`{metric}`" in told
