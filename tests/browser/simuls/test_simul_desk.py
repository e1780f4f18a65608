"""The host's page of a simul: time, notes, breaks, rounds without clocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from harness.chaos.breakable_link import BreakableLink
from tests.browser.axe import violations
from tests.browser.person import Person
from tests.tiers import tiered

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(300)


async def announce(host: Person, *choices: str) -> str:
    """Announce a simul on the page of ``host``, all buttons of these names chosen; its id."""
    await host.open("/simuls")
    await host.click("announce")
    await host.see("simul-name").fill("Evening")
    for name in choices:
        for button in await host.page.locator("form label").get_by_text(name, exact=True).all():
            await button.click()
    await host.see("simul-auto-accept").check()
    await host.see("simul-create").click()
    await host.page.wait_for_url("**/simul/*")
    return host.page.url.rsplit("/", 1)[1]


async def joined(*players: Person, simul: str) -> None:
    """Let ``players`` join, one after the other."""
    for player in players:
        await player.open(f"/simul/{simul}")
        await player.click("simul-join")
        await expect(player.see("simul-you")).to_contain_text("re in. Your board opens")


async def at_boards(host: Person, *players: Person) -> None:
    """Start, and wait until everybody is at their board."""
    await host.click("simul-start")
    for player in players:
        await player.at_game()
    await expect(host.see("simul-grid")).to_have_attribute("data-count", str(len(players)))


async def move(host: Person, uci: str) -> None:
    """Let ``host`` move at the board that they are shown. It may be gone at once: the next one is shown."""
    await expect(host.see("board")).to_have_attribute("data-movable", "true")
    await host.put(uci)


async def test_time_and_a_note_are_given_while_it_is_played(invite: Invite) -> None:
    host, player = await invite(), await invite()
    simul = await announce(host, "White")
    await joined(player, simul=simul)
    await at_boards(host, player)
    await expect(player.see("simul-where")).to_contain_text("The host is at your board.")
    await host.click("board-edit")
    await expect(host.see("board-save")).to_be_in_viewport(ratio=1)
    assert await violations(host.page) == []
    await host.see("board-player").fill("120")
    await host.see("board-host").fill("30")
    await host.see("note").fill("plays the French")
    await host.click("board-save")
    await expect(host.see("board-handicap")).to_have_count(0)
    await expect(host.see("simul-strip")).to_contain_text("player +120 s · host +30 s")
    await expect(host.see("noted")).to_contain_text("plays the French")
    await expect(player.see("clock-b")).to_contain_text("17:00")

    # It is given, not taken: less is not taken for an answer; the note is kept, and nobody else has it.
    await host.click("board-edit")
    await expect(host.see("board-player")).to_have_value("120")
    await host.see("board-player").fill("60")
    await host.click("board-save")
    await expect(host.see("board-handicap")).to_be_visible()
    await host.click("board-cancel")
    await expect(host.see("board-handicap")).to_have_count(0)
    await host.page.reload()
    await expect(host.see("noted")).to_contain_text("plays the French")
    assert "French" not in await player.page.content()


async def test_a_round_without_clocks_says_whose_turn_it_is(invite: Invite) -> None:
    host, one, two = await invite(), await invite(), await invite()
    simul = await announce(host, "Host walks round", "Unlimited", "White")
    await joined(one, two, simul=simul)
    await at_boards(host, one, two)
    await expect(one.see("simul-where")).to_contain_text("The host is at your board: host to move.")
    await expect(two.see("simul-where")).to_contain_text("The host is at board 1 (")

    # The host cannot move at a board where they are not; after a move they are taken to the next.
    await expect(host.see("simul")).to_have_attribute("data-at", "1")
    await move(host, "e2e4")
    await expect(host.see("simul")).to_have_attribute("data-at", "2")
    await expect(one.see("simul-where")).to_contain_text("The host is at board 2 (")
    await expect(two.see("simul-where")).to_contain_text("The host is at your board: host to move.")
    await move(host, "d2d4")
    await expect(one.see("simul-where")).to_contain_text("waiting for your move")
    await expect(one.see("pass")).to_be_visible()
    await one.play("e7e5")
    await expect(one.see("simul-where")).to_contain_text("The host is at your board: host to move.")
    await move(host, "g1f3")
    await expect(host.see("simul")).to_have_attribute("data-at", "2")
    await one.put("b8c6")
    await expect(one.see("ready")).to_have_attribute("data-move", "b8c6")
    await expect(host.see("simul-grid").locator(".simul-times i")).to_have_count(0)
    for person in (host, one, two):
        await expect(person.see("said")).to_have_count(0)


async def test_host_views_boards_during_a_break(invite: Invite) -> None:
    host, one, two = await invite(), await invite(), await invite()
    simul = await announce(host, "Host walks round", "White")
    await joined(one, two, simul=simul)
    await at_boards(host, one, two)
    await expect(host.see("simul")).to_have_attribute("data-at", "1")
    await host.click("simul-break")
    await host.click("break-begin")
    await expect(host.see("simul-stands")).to_contain_text("Break until")
    await host.page.keyboard.press("n")
    await expect(host.see("simul-stage")).to_have_attribute("data-board", "2")
    await expect(host.see("simul-elsewhere")).to_contain_text("re at board 1.")
    assert await violations(host.page) == []
    await host.click("go-back")
    await expect(host.see("simul-stage")).to_have_attribute("data-board", "1")
    await host.page.keyboard.press("p")
    await expect(host.see("come-here")).to_have_count(0)
    await host.click("break-over")
    await host.click("come-here")
    await expect(host.see("simul")).to_have_attribute("data-at", "2")
    await move(host, "e2e4")
    await two.sees_plies(1)


CUT = """() => [...document.querySelectorAll('.simul-cell .simul-times')].filter((times) => {
    const cell = times.closest('.simul-cell').getBoundingClientRect();
    const { left, right } = times.getBoundingClientRect();
    const parts = [times, ...times.children];
    return left < cell.left || right > cell.right || parts.some((part) => part.scrollWidth > part.clientWidth + 1);
}).length"""
"""How many small boards do not show both clocks."""

FILLED = """() => {
    const { clientWidth } = document.querySelector('.simul-grid');
    const { width } = document.querySelector('.simul-window').getBoundingClientRect();
    return width <= clientWidth && clientWidth - width < 20;
}"""
"""Whether the small boards have the widths that belong to the grid's own."""


async def test_both_times_of_small_boards_are_shown_in_full(invite: Invite) -> None:
    host, *players = await invite(), await invite(), await invite()
    simul = await announce(host, "White")
    await joined(*players, simul=simul)
    await at_boards(host, *players)
    await expect(host.page.locator(".simul-times i")).to_have_count(4)
    for width in (390, 1024, 1280, 1440):
        await host.page.set_viewport_size({"width": width, "height": 800})
        await host.page.wait_for_function(FILLED)
        assert await host.page.evaluate(CUT) == 0, width


async def test_keys_are_listed_and_boards_are_ended(invite: Invite) -> None:
    host, one, two = await invite(), await invite(), await invite()
    simul = await announce(host, "White")
    await joined(one, two, simul=simul)
    await at_boards(host, one, two)
    # The host has said that they are at the board that they are shown first.
    await expect(host.see("simul")).to_have_attribute("data-at", re.compile(r"^\d"))
    await host.page.keyboard.press("?")
    await expect(host.see("simul-help")).to_be_visible()
    assert await violations(host.page) == []
    shown = await host.see("simul").get_attribute("data-shown")
    await host.page.keyboard.press("n")
    await expect(host.see("simul")).to_have_attribute("data-shown", shown or "")
    await host.page.keyboard.press("Escape")
    await expect(host.see("simul-help")).to_be_hidden()
    await host.page.keyboard.press("n")
    await expect(host.see("simul")).not_to_have_attribute("data-shown", shown or "")
    # Both boards are told where the host has gone, and how many come before them.
    there, elsewhere = (one, two) if shown == "2" else (two, one)
    await expect(there.see("simul-where")).to_have_text("The host is at your board.")
    name = await there.see("user").inner_text()
    await expect(elsewhere.see("simul-where")).to_contain_text(f"({name}). No boards are ahead of yours")
    # Whoever is at another board is not gone.
    for player in (one, two):
        await expect(player.page.locator(".player .dot[data-online=true]")).to_have_count(2)
    await host.click("simul-end")
    # Nothing ends before the host has chosen how, and said twice that it shall.
    await expect(host.see("end-all")).to_be_disabled()
    await host.see("end-rest").select_option("draw")
    await host.click("end-all")
    await expect(host.see("end-all")).to_have_text("Really end 2 games?")
    await expect(host.see("simul")).to_have_attribute("data-status", "running")
    await host.click("end-all")
    await expect(host.see("simul")).to_have_attribute("data-status", "finished")
    # The result of the simul, not of the board that is shown.
    await expect(host.see("simul-result")).to_contain_text("You scored 1 out of 2.")
    await host.click("simul-result-close")
    await expect(host.see("simul-result")).to_have_count(0)
    await expect(one.see("end")).to_contain_text("decision")
    await expect(host.see("said")).to_have_count(0)


async def test_reconnected_host_returns_to_their_board(invite: Invite, server: ServerProcess) -> None:
    async with BreakableLink(server.port) as link:
        host, one, two = await invite(link.url), await invite(), await invite()
        simul = await announce(host, "Host walks round", "White")
        await joined(one, two, simul=simul)
        await at_boards(host, one, two)
        await expect(host.see("simul")).to_have_attribute("data-at", "1")
        second = Person(host.context, await host.context.new_page(), host.home)
        await second.open(f"/simul/{simul}")
        await expect(second.see("simul")).to_have_attribute("data-shown", "1")
        await move(host, "e2e4")
        for tab in (host, second):
            await expect(tab.see("simul")).to_have_attribute("data-at", "2")
            await expect(tab.see("simul-stage")).to_have_attribute("data-board", "2")
        await move(second, "d2d4")
        await two.sees_plies(1)
        await expect(host.see("simul")).to_have_attribute("data-at", "1")
        await host.page.reload()
        await expect(host.see("simul-stage")).to_have_attribute("data-board", "1")
        await expect(host.see("moves")).to_have_attribute("data-plies", "1")

        # After a reconnect: the host's board, and what has been played there meanwhile.
        await second.page.close()
        link.pull()
        await host.partition_guard()
        await one.play("e7e5")
        link.plug()
        await host.connected()
        await expect(host.see("moves")).to_have_attribute("data-plies", "2")
        await move(host, "g1f3")
        await one.sees_plies(3)
        await expect(host.see("simul")).to_have_attribute("data-at", "2")


async def test_late_joiners_and_delay_are_announced(invite: Invite) -> None:
    host, player, late, watcher = await invite(), await invite(), await invite(), await invite()
    await host.open("/simuls")
    await host.click("announce")
    await host.see("simul-name").fill("Open doors")
    await host.page.locator(".simul-more summary").click()
    await host.page.get_by_label("Late joining").select_option("minutes")
    await host.page.get_by_label("Spectator delay in seconds").fill("1")
    await host.click("simul-create")
    await host.page.wait_for_url("**/simul/*")
    simul = host.page.url.rsplit("/", 1)[1]
    await player.open(f"/simul/{simul}")
    await player.click("simul-join")
    await host.click("accept")
    await at_boards(host, player)

    await watcher.open(f"/simul/{simul}")
    await expect(watcher.see("simul-delayed")).to_contain_text("Delayed by 1 second")
    await expect(host.see("simul-delayed")).to_have_count(0)
    await expect(player.see("simul-delayed")).to_have_count(0)

    await late.open(f"/simul/{simul}")
    await late.click("simul-join")
    await expect(host.see("simul-late")).to_contain_text("Applicants: 1")
    await host.click("simul-late")
    assert await violations(host.page) == []
    await host.click("reject")
    await expect(late.see("simul-sent")).to_contain_text("declined your application. You can apply again")
    await late.click("simul-join")
    await host.click("accept")
    await late.at_game()
    await expect(host.see("simul-grid")).to_have_attribute("data-count", "2")


COVERED = """(name) => {
    const box = document.querySelector(`[data-testid=${name}]`).getBoundingClientRect();
    const there = document.elementFromPoint(box.x + box.width / 2, box.bottom - 2);
    return there?.closest(`[data-testid=${name}]`) === null;
}"""
"""Whether something lies on a button, or it is out of the window."""


@pytest.mark.parametrize(
    ("width", "height"), tiered([(390, 844), (1280, 720), (1440, 900)], quick=[(1280, 720)], why="more screens")
)
async def test_desk_fits_the_window(invite: Invite, width: int, height: int) -> None:
    size: Any = {"width": width, "height": height}
    host, one, two, watcher = await invite(viewport=size), await invite(), await invite(), await invite(viewport=size)
    simul = await announce(host)
    await joined(one, two, simul=simul)
    await at_boards(host, one, two)
    await expect(host.see("simul")).to_have_attribute("data-at", re.compile(r"^\d"))
    await move_of_both(host, one, two)
    for name in ("draw", "resign"):
        assert not await host.page.evaluate(COVERED, name)
    board = await host.see("board").bounding_box()
    assert board is not None
    if width > height:
        assert 0.59 <= board["height"] / height <= 0.65
        bar = await host.page.locator(".simul-bar").bounding_box()
        assert bar is not None
        assert bar["height"] < 60, "one row"
        await expect(host.see("chat-text")).to_be_in_viewport(ratio=1)
        sheet = host.page.locator(".simul-stage .sheet")
        assert await sheet.evaluate("(sheet) => sheet.scrollWidth <= sheet.clientWidth")
    laid = await host.page.evaluate(LAID)
    await host.click("tab-tools")
    await expect(host.see("flip")).to_be_visible()
    assert await host.page.evaluate(LAID) == laid
    await host.see("simul-grid").scroll_into_view_if_needed()
    assert await host.page.evaluate(CUT) == 0
    assert await host.page.evaluate("document.documentElement.scrollWidth") <= width
    assert await violations(host.page) == []

    # Spectators see every board from the side of the host: White at the first, Black at the second.
    await watcher.open(f"/simul/{simul}")
    for number, color in (("1", "w"), ("2", "b")):
        await watcher.see("simul-jump").fill(number)
        await watcher.see("simul-jump").press("Enter")
        await expect(watcher.see("simul-stage")).to_have_attribute("data-board", number)
        await expect(watcher.see("board")).to_have_attribute("data-bottom", color)


async def move_of_both(host: Person, *players: Person) -> None:
    """The host has White at the first board, Black at the second."""
    await players[1].play("e2e4")
    await expect(host.see("simul-stage")).to_have_attribute("data-board", re.compile(r"1|2"))


async def test_host_elsewhere_finds_the_way_back(invite: Invite) -> None:
    host, player = await invite(), await invite()
    simul = await announce(host, "White")
    await joined(player, simul=simul)
    await at_boards(host, player)
    await host.open("/")
    chip = host.see("hosted-simul")
    await expect(chip).to_contain_text("1 waiting")
    await expect(chip).to_contain_text("Return")
    await host.click("quick-5+3")
    await expect(host.see("hosting-question")).to_contain_text("Your simul is running")
    await expect(host.see("quick-5+3")).to_have_attribute("aria-pressed", "false")
    assert await violations(host.page) == []
    await host.click("hosting-cancel")
    await expect(host.see("pool")).to_have_count(0)
    # Nor is it a failure in the form.
    await host.click("create")
    await host.click("seek")
    await host.click("hosting-cancel")
    await expect(host.see("seek")).to_be_focused()
    await expect(host.see("create-fault")).to_have_text("")
    await host.click("create-close")
    # An invitation that was not answered stays.
    await player.open(f"/?to={(await host.see('user').inner_text()).strip()}")
    await player.click("invite")
    await host.click("inbox")
    await host.click("inbox-accept")
    await host.click("hosting-cancel")
    await expect(host.see("inbox").get_by_text("1")).to_be_visible()
    await host.click("quick-5+3")
    await host.click("hosting-return")
    await expect(host.see("simul")).to_have_attribute("data-status", "running")
    await expect(host.see("hosted-simul")).to_have_count(0)

    # It is in both profiles and first in the list.
    for person in (host, player):
        name = await person.see("user").inner_text()
        await player.open(f"/user/{name.strip()}")
        await expect(player.see("person-simuls").locator(f"[href='/simul/{simul}']")).to_be_visible()
    await player.open("/simuls")
    await expect(player.see("simul-row").first).to_contain_text("Running")


LAID = """() => ['.simul-stage .field', '.simul-stage .field .squares'].map((part) => {
    const { left, top, width, height } = document.querySelector(part).getBoundingClientRect();
    return [left + scrollX, top + scrollY, width, height];
})"""
"""The rectangle of the large board in the document."""
