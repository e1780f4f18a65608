"""The page of a large simul: size of the document, and cost of one change."""

from __future__ import annotations

import asyncio
import itertools
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from harness.demo.guests import new_guests
from tests.browser.simul_players import HOST_SCRIPTS, Players
from tests.browser.simuls.test_simul import announce
from tests.server_process import ServerProcess
from tests.wire_client import Client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(600)

BOARDS = 1000

AT_ONCE = 25

MOST_CELLS = 150
"""In a window of 1280 by 720 some thirty are seen, and two rows on either side are kept ready."""

PLAYERS = 12

PATIENCE_MS = 120_000
"""For what a thousand people, two browsers and their server do before the test begins: seconds, and on a machine that
is busy with other things a minute was seen. This much only says that it will not come at all."""

TOUCHED = """() => {
    const grid = document.querySelector('[data-testid=simul-grid]');
    window.touched = new Set();
    new MutationObserver((records) => {
        for (const { target, type, attributeName, oldValue } of records) {
            const element = target instanceof Element ? target : target.parentElement;
            const cell = element.closest('.simul-cell');
            // The running clocks of the others are drawn each second.
            const isClock = type === 'characterData' || element.closest('.simul-times, .unseen') !== null;
            const isSame = type === 'attributes' && element.getAttribute(attributeName) === oldValue;
            if (!isClock && !isSame) window.touched.add(cell?.dataset.board ?? 'the grid');
        }
    }).observe(grid, { attributeOldValue: true, characterData: true, childList: true, subtree: true });
}"""
"""Gather the boards whose cells change but for what their clocks show, and ``the grid`` where cells come or go."""


CELLS_AT_ONCE = 6
"""So many come into the page between two pictures while it begins."""

COME = """() => {
    window.most = 0;
    new MutationObserver((records) => {
        const added = records.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof Element);
        const own = added.filter((node) => node.matches('.simul-cell'));
        const cells = [...own, ...added.flatMap((node) => [...node.querySelectorAll('.simul-cell')])];
        window.most = Math.max(window.most, cells.length);
    }).observe(document.body, { childList: true, subtree: true });
}"""
"""Note how many small boards come into the page at once."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One where a thousand can come from one address."""
    data = tmp_path_factory.mktemp("server") / "data"
    with ServerProcess(data, "--limit", "guests=5000,connections=3000") as server:
        yield server


async def join(url: str, simul: str, count: int) -> None:
    """As many guests join and leave; their places are kept."""

    async def come(token: str) -> None:
        async with Client(url, token) as client:
            await client.request("simul.join", simul=simul)

    tokens = iter(await new_guests(urlsplit(url), count))
    while lot := list(itertools.islice(tokens, AT_ONCE)):
        await asyncio.gather(*map(come, lot))


async def patient(invite: Invite) -> Person:
    """A person who gives the pages all the time they need."""
    person = await invite()
    person.context.set_default_timeout(PATIENCE_MS)
    return person


async def begun(host: Person, *people: Person, count: int) -> None:
    """Let ``host`` start, and wait until ``people`` have all boards on their pages and are shown where the host is."""
    await host.click("simul-start")
    for person in people:
        await expect(person.see("simul-grid")).to_have_attribute("data-count", str(count), timeout=PATIENCE_MS)
    at = re.compile(r"\d+")
    await expect(host.see("simul")).to_have_attribute("data-at", at, timeout=PATIENCE_MS)
    where = await host.see("simul").get_attribute("data-at") or ""
    for person in people:
        await expect(person.see("simul")).to_have_attribute("data-shown", where, timeout=PATIENCE_MS)


async def by_number(host: Person) -> None:
    """Put the grid in the order in which nothing moves."""
    await host.click("simul-filter")
    await host.see("simul-order").select_option("number")
    await host.page.keyboard.press("Escape")


@pytest.mark.slow("a thousand boards")
async def test_document_has_only_the_visible_boards(invite: Invite, server: ServerProcess) -> None:
    host = await patient(invite)
    simul = await announce(host, "clock", boards=BOARDS)
    await join(server.url, simul, BOARDS)
    # The page has taken in all who came; before that it is busy with them, and a click would come late.
    await expect(host.page.locator("#players-title")).to_have_text(
        f"Players: {BOARDS} of {BOARDS}", timeout=PATIENCE_MS
    )
    await host.page.evaluate(COME)
    await begun(host, host, count=BOARDS)
    grid, cells = host.see("simul-grid"), host.page.locator(".simul-cell")
    await expect(cells.nth(2 * CELLS_AT_ONCE)).to_be_attached()
    assert 0 < await host.page.evaluate("most") <= CELLS_AT_ONCE
    await by_number(host)
    for where, board in ((0.0, 1), (0.5, BOARDS // 2), (1.0, BOARDS)):
        await grid.evaluate(
            "(grid, where) => { grid.scrollTop = where * (grid.scrollHeight - grid.clientHeight) }", where
        )
        await expect(host.page.locator(f".simul-cell[data-board='{board}']")).to_be_in_viewport()
        assert await cells.count() <= MOST_CELLS
    # A board out of sight is gone to, and comes into sight.
    await host.page.keyboard.press("j")
    await host.page.keyboard.type("77")
    await host.page.keyboard.press("Enter")
    await expect(host.see("simul-stage")).to_have_attribute("data-board", "77")
    await expect(host.page.locator(".simul-cell[data-board='77']")).to_be_in_viewport()
    assert await cells.count() <= MOST_CELLS


async def test_move_changes_only_the_cell_of_its_board(invite: Invite, server: ServerProcess) -> None:
    host, watcher = await patient(invite), await patient(invite)
    simul = await announce(host, "clock")
    async with Players(server.url, simul, PLAYERS) as players:
        players.idle()
        await watcher.open(f"/simul/{simul}")
        await begun(host, host, watcher, count=PLAYERS)
        await by_number(watcher)
        at = int(await host.see("simul").get_attribute("data-shown") or 0)
        cell = watcher.page.locator(f".simul-cell[data-board='{at}']")
        await expect(cell).to_have_attribute("data-turn", "host")
        # The spectator looks at another board, so the host's moving on does not change that page.
        other = at % PLAYERS + 1
        await watcher.page.locator(f".simul-cell[data-board='{other}']").click()
        await expect(watcher.see("simul")).to_have_attribute("data-shown", str(other))
        await host.page.get_by_test_id("auto-next").set_checked(False)
        await watcher.page.evaluate(TOUCHED)
        await host.play(HOST_SCRIPTS["w"][0])
        await expect(cell).to_have_attribute("data-turn", "player")
        assert await watcher.page.evaluate("[...touched]") == [str(at)]
