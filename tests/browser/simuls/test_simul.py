"""Simuls in a browser: announced, played against scripted people to the end in both modes, and watched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.simul_players import HOST_SCRIPTS, Players

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(300)

PLAYERS = 6

CAN_GO_ON = """() => {
    const {status, shown} = document.querySelector('[data-testid=simul]')?.dataset ?? {};
    const movable = document.querySelector('[data-testid=board]')?.dataset.movable === 'true';
    // In a round the server takes him on.
    const next = document.querySelector('[data-testid=next-waiting]')?.textContent.includes('Next waiting');
    const idle = document.querySelector('.simul-cell[aria-selected=true]')?.dataset.turn !== 'host';
    const waits = !!document.querySelector('.simul-cell[data-turn=host]');
    const can = status === 'finished' ? 'finished' : movable ? 'move' : next && idle && waits ? 'next' : null;
    return can === null ? false : [can, shown];
}"""
"""What the host can do now, and at which board: it is over, they can move, or another waits while this one does not."""


async def announce(host: Person, mode: str, *, accepts: bool = True, boards: int | None = None) -> str:
    """Let ``host`` fill in the form; the simul's id. ``accepts``: whoever joins is accepted; ``boards``: the
    most there may be, if not as usual."""
    await host.open("/simuls")
    await host.click("announce")
    await host.see("simul-create").click()
    await expect(host.see("simul-fault")).to_contain_text("Enter a name")
    await host.see("simul-name").fill(f"Evening, {mode}")
    await host.page.get_by_text("Host walks round" if mode == "round" else "All clocks run", exact=True).click()
    await host.see("simul-auto-accept").set_checked(accepts)
    if boards is not None:
        await host.see("simul-boards").fill("0")
        await host.see("simul-create").click()
        await expect(host.see("simul-fault")).to_contain_text("1 to 1000")
        await host.see("simul-boards").fill(str(boards))
    await host.see("simul-create").click()
    await host.page.wait_for_url("**/simul/*")
    return host.page.url.rsplit("/", 1)[1]


async def test_a_host_plays_many_in_clock_mode_and_is_watched(invite: Invite, server: ServerProcess) -> None:
    await played(invite, server, "clock")


@pytest.mark.slow("whole simuls in the browser")
async def test_host_plays_rounds_and_is_watched(invite: Invite, server: ServerProcess) -> None:
    await played(invite, server, "round")


async def played(invite: Invite, server: ServerProcess, mode: str) -> None:
    """From the announcement to the score."""
    host, watcher = await invite(), await invite()
    simul = await announce(host, mode)
    await watcher.open("/")
    await expect(watcher.see("lobby-simuls")).to_contain_text(f"Evening, {mode}")
    async with Players(server.url, simul, PLAYERS):
        await expect(host.see("players").get_by_test_id("simul-person")).to_have_count(PLAYERS)
        assert await violations(host.page) == []
        await watcher.open(f"/simul/{simul}")
        await expect(watcher.see("players").get_by_test_id("simul-person")).to_have_count(PLAYERS)
        await host.click("simul-start")
        await expect(host.see("simul-grid")).to_have_attribute("data-count", str(PLAYERS))
        await expect(watcher.see("simul-grid")).to_have_attribute("data-count", str(PLAYERS))
        assert await violations(host.page) == []
        followed = await host_plays(host, watcher)
    assert followed >= PLAYERS // 2, "the page of who watches went along with the host"
    for person in (host, watcher):
        await expect(person.see("simul-score")).to_contain_text(f"{PLAYERS}/{PLAYERS}")
        await expect(person.see("simul-score")).to_contain_text(f"{PLAYERS} wins · 0 draws")
        await expect(person.see("simul-exports").get_by_role("link")).to_have_count(3 if person is host else 1)
    await watcher.open("/simuls")
    row = watcher.page.locator(f"[data-testid=simul-row][href='/simul/{simul}']")
    await expect(row).to_contain_text(f"{PLAYERS} wins · 0 draws")


async def host_plays(host: Person, watcher: Person) -> int:
    """Mate all of them; how often the page of ``watcher`` was seen to go where the host had gone."""
    simul, board = host.see("simul"), host.see("board")
    seen: set[str] = set()
    while True:
        can, shown = await next_of(host.page)
        if can == "finished":
            return len(seen)
        if can == "next":
            await host.page.keyboard.press("w")
            await expect(simul).not_to_have_attribute("data-shown", shown)
            continue
        color = await board.get_attribute("data-bottom") or "w"
        plies = int(await host.see("moves").get_attribute("data-plies") or 0)
        move = HOST_SCRIPTS[color][plies // 2]
        if shown not in seen:
            await expect(watcher.see("simul")).to_have_attribute("data-shown", shown)
            seen.add(shown)
        await host.put(move)
        # Told on: the board has gone on, or another is shown.
        await host.page.wait_for_function(
            """([shown, plies]) => {
                const simul = document.querySelector('[data-testid=simul]');
                const moves = document.querySelector('[data-testid=moves]');
                return simul.dataset.status === 'finished' || simul.dataset.shown !== shown
                    || Number(moves?.dataset.plies) > plies;
            }""",
            arg=[shown, plies],
        )


async def next_of(page: Page) -> tuple[str, str]:
    """Return what the host can do, and the board where they are, once they can do something."""
    found = await page.wait_for_function(CAN_GO_ON, timeout=60_000)
    can, shown = await found.json_value()
    return can, shown


async def test_a_player_prepares_a_move_and_is_told_where_the_host_is(invite: Invite, server: ServerProcess) -> None:
    host, player = await invite(), await invite(viewport={"width": 390, "height": 844})
    simul = await announce(host, "round")
    await player.open(f"/simul/{simul}")
    await player.click("simul-join")
    await expect(player.see("simul-you")).to_contain_text("re in. Your board opens")
    async with Players(server.url, simul, 2) as others:
        others.idle()
        await host.click("simul-start")
        await player.at_game()
        await expect(player.see("simul-where")).to_contain_text("at your board")
        await stands_at(host, 1)
        await host.put("e2e4")
        await stands_at(host, 2)
        await expect(player.see("simul-where")).to_contain_text("2 boards until")

        # Set, changed, kept over a reload, withdrawn, and seen by nobody else.
        await expect(player.see("board")).to_have_attribute("data-movable", "true")
        await player.put("d7d5")
        await expect(player.see("ready")).to_have_attribute("data-move", "d7d5")
        await player.put("e7e5")
        await expect(player.see("ready")).to_have_attribute("data-move", "e7e5")
        await player.page.reload()
        await expect(player.see("ready")).to_have_attribute("data-move", "e7e5")
        assert await violations(player.page) == []
        await player.click("withdraw")
        await expect(player.see("ready")).to_have_count(0)
        await player.put("c7c5")
        await expect(player.see("ready")).to_have_attribute("data-move", "c7c5")
        assert "c7c5" not in await host.page.content()

        # The host comes: it is played.
        await jump(host, 1)
        await player.sees_plies(2)
        await expect(player.see("ready")).to_have_count(0)

        # The host comes again, and nothing is ready: a countdown, and a pass sends them on.
        await expect(host.see("board")).to_have_attribute("data-movable", "true")
        await host.put("g1f3")
        await player.sees_plies(3)
        await expect(host.see("simul")).not_to_have_attribute("data-at", "1")
        await jump(host, 1)
        await expect(player.see("simul-where")).to_contain_text("your clock starts in")
        await expect(host.see("simul-countdown")).to_contain_text("clock starts in")
        await player.click("pass")
        await expect(host.see("simul")).not_to_have_attribute("data-at", "1")

        # A break is told to everybody; then the host ends it all.
        await host.click("simul-break")
        await host.click("break-begin")
        await expect(player.see("simul-where")).to_contain_text("Break until")
        await expect(host.see("simul-stands")).to_contain_text("Break until")
        await host.click("break-over")
        await expect(host.see("simul-stands")).to_have_count(0)
        await host.click("simul-end")
        await host.see("end-rest").select_option("resign")
        await host.page.get_by_text("Board by board").click()
        await host.see("end-2").select_option("draw")
        assert await violations(host.page) == []
        await host.click("end-all")
        await expect(host.see("end-all")).to_have_text("Really end 3 games?")
        await host.click("end-all")
        await expect(host.see("simul")).to_have_attribute("data-status", "finished")
        await expect(host.see("simul-score")).to_contain_text("0 wins · 1 draw")
        await expect(host.see("simul-latest").get_by_role("button")).to_have_count(3)
        await expect(player.see("end")).to_contain_text("resignation")
        await player.click("to-simul")
        await expect(player.see("simul-score")).to_contain_text("½/3")


async def test_a_host_chooses_who_plays_and_changes_what_is_announced(invite: Invite) -> None:
    host, wanted, unwanted = await invite(), await invite(), await invite()
    simul = await announce(host, "by hand", accepts=False)
    for person in (wanted, unwanted):
        await person.open(f"/simul/{simul}")
        await person.click("simul-join")
        await expect(person.see("simul-you")).to_contain_text("ve applied")
    await wanted.page.reload()
    await expect(wanted.see("simul-you")).to_contain_text("ve applied")
    await expect(host.see("simul-start")).to_be_disabled()
    name = await unwanted.see("user").inner_text()
    await host.page.get_by_role("button", name=f"Decline {name}").click()
    await expect(unwanted.see("simul-join")).to_be_visible()
    await host.click("accept-all")
    await expect(wanted.see("simul-you")).to_contain_text("re in. Your board opens")

    await host.click("handicap")
    await host.page.get_by_label("Extra seconds for the player").fill("77")
    await host.click("handicap-save")
    await expect(wanted.see("players")).to_contain_text("player +77 s")
    await host.click("simul-edit")
    await host.see("simul-name").fill("Another name")
    await host.click("simul-create")
    await expect(wanted.page.get_by_role("heading", name="Another name")).to_be_visible()
    assert await violations(host.page) == []

    await host.click("simul-cancel")
    await host.click("simul-cancel")
    await expect(wanted.see("simul")).to_have_attribute("data-status", "cancelled")


async def stands_at(host: Person, board: int) -> None:
    """Wait until the server and the page have the host at ``board``."""
    await expect(host.see("simul")).to_have_attribute("data-at", str(board))
    await expect(host.see("simul")).to_have_attribute("data-shown", str(board))
    await expect(host.see("simul-stage")).to_have_attribute("data-board", str(board))


async def jump(host: Person, board: int) -> None:
    """Go to ``board`` by its number."""
    await host.page.keyboard.press("j")
    await expect(host.see("simul-jump")).to_be_focused()
    await host.page.keyboard.type(str(board))
    await host.page.keyboard.press("Enter")
    await stands_at(host, board)
