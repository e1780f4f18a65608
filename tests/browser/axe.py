"""Accessibility check of a page with axe-core: the parts of WCAG 2.2 AA that a program can check."""

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
    """Return what axe finds on the current page, one line for each element; empty if nothing."""
    if not await page.evaluate("'axe' in window"):
        # Evaluated by the debugger, because the page's Content-Security-Policy blocks foreign scripts.
        await page.evaluate(AXE.read_text())
    return cast("list[str]", await page.evaluate(LOOK, list(RULES)))
