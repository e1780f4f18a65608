"""Let axe-core look at a page: WCAG 2.2 AA as far as a program can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tests.server_process import ROOT

if TYPE_CHECKING:
    from playwright.async_api import Page

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")

LOOK = """async (rules) => {
    const found = await axe.run(document, {runOnly: rules, resultTypes: ["violations"]});
    return found.violations.flatMap(({id, help, nodes}) =>
        nodes.map(({html, any, all}) => `${id}: ${help}: ${html.slice(0, 160)} ${[...any, ...all][0]?.message ?? ""}`));
}"""


async def violations(page: Page) -> list[str]:
    """What axe finds on the page as it stands, a line an element; empty is good."""
    if not await page.evaluate("'axe' in window"):
        # Run by the debugger, not by the page: its Content-Security-Policy lets no script of ours in.
        await page.evaluate(AXE.read_text())
    return cast("list[str]", await page.evaluate(LOOK, list(RULES)))
