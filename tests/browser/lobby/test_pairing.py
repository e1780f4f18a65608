"""Finding an opponent: pools, seeks as a graph, ratings and the score of a match, blocks and bans."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.members import member, tab_of
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]
MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


async def mate(one: Person, other: Person) -> tuple[Person, Person]:
    """Let White be mated; who was White, who Black."""
    is_white = await one.see("board").get_attribute("data-bottom") == "w"
    white, black = (one, other) if is_white else (other, one)
    for ply, move in enumerate(FOOLS_MATE):
        await (white, black)[ply % 2].play(move)
    for person in (one, other):
        await expect(person.see("result")).to_have_text("0-1")
    return white, black


async def test_two_members_are_paired_play_rated_and_again(invite: Invite) -> None:
    one, other = await member(invite, "Pia"), await member(invite, "Paul")
    await expect(one.see("quick-rated")).to_be_checked()
    await one.click("quick-3+0")
    await expect(one.see("pool")).to_contain_text("3+0, rated")
    await expect(one.see("quick-3+0")).to_have_attribute("aria-pressed", "true")
    await other.click("quick-3+0")
    path = await one.at_game()
    assert await other.at_game() == path
    for person in (one, other):
        await expect(person.see("pool")).to_have_count(0)
        await expect(person.see("rating-w")).to_contain_text("1500?")
    white, black = await mate(one, other)

    # Both see what it has done to both, at once and after a reload.
    for _ in range(2):
        for person in (white, black):
            await expect(person.see("change-b")).to_contain_text(re.compile(r"\+\d+$"))
            await expect(person.see("change-w")).to_contain_text(re.compile(rf"{MINUS}\d+$"))
        await asyncio.gather(white.page.reload(), black.page.reload())
    # Everybody sees it on the profiles of both.
    watcher = await invite()
    for person, rating in ((black, "1[5-9]"), (white, "1[0-4]")):
        await watcher.open(f"/user/{'Pia' if person is one else 'Paul'}")
        await expect(watcher.see("ratings")).to_contain_text(re.compile(rf"{rating}\d\d"))

    await white.click("rematch")
    await black.click("rematch")
    await black.page.wait_for_url(lambda url: "/game/" in url and not url.endswith(path))
    await expect(black.see("match")).to_contain_text(f"1{DASH}0")
    await expect(white.see("match")).to_contain_text(f"0{DASH}1")
    assert await white.see("board").get_attribute("data-bottom") == "b"
    await expect(white.see("rating-w")).not_to_contain_text("1500")
    await mate(one, other)
    for person in (one, other):
        await expect(person.see("match")).to_contain_text(f"1{DASH}1")


async def test_waiting_is_seen_and_stopped_in_all_tabs(invite: Invite) -> None:
    one = await invite()
    await one.open("/")
    tab = await tab_of(one, "/settings")
    await one.click("quick-15+10")
    await expect(one.see("pool")).to_contain_text("15+10, casual")
    await tab.page.reload()
    await expect(tab.see("pool")).to_be_visible()
    assert await violations(tab.page) == []
    await tab.click("pool-stop")
    for person in (one, tab):
        await expect(person.see("pool")).to_have_count(0)
    await expect(one.see("quick-15+10")).to_have_attribute("aria-pressed", "false")

    # To ask for another is to move there.
    await one.click("quick-15+10")
    await expect(one.see("pool")).to_contain_text("15+10")
    await one.click("quick-30+20")
    for person in (one, tab):
        await expect(person.see("pool")).to_contain_text("30+20")
    await one.click("quick-30+20")
    await expect(tab.see("pool")).to_have_count(0)


async def test_game_opens_in_one_tab_and_the_other_is_notified(invite: Invite) -> None:
    one, other = await invite(), await invite()
    await one.open("/")
    await other.open("/")
    await one.click("quick-2+1")
    await expect(one.see("pool")).to_be_visible()
    # From another page too.
    await one.page.get_by_role("link", name="Search", exact=True).click()
    await other.click("quick-2+1")
    assert await one.at_game() == await other.at_game()
    await one.click("abort")


async def test_seeks_are_dots_by_time_and_rating(invite: Invite) -> None:
    strong, guest = await member(invite, "Gerda"), await invite()
    await strong.click("create")
    await strong.choose("15+10", "Casual")
    await strong.advanced()
    await strong.see("min-rating").fill("1600")
    await strong.click("seek")
    await expect(strong.see("unseek")).to_be_visible()
    await guest.open("/")
    row = guest.see("seeks").get_by_role("listitem").filter(has_text="Gerda")
    await expect(row).to_have_attribute("data-fit", "range")
    await expect(row).to_contain_text("1600 or higher")
    await strong.click("unseek")
    # The form remembers time and variant alone.
    await strong.click("create")
    await expect(strong.see("advanced-set")).to_have_count(0)
    await expect(strong.page.get_by_role("radio", name="15+10", exact=True)).to_be_checked()
    await expect(strong.page.locator("dialog").get_by_role("radio", name="Rated", exact=True)).to_be_checked()
    await strong.choose("Casual")
    await strong.click("seek")
    await expect(row).to_have_attribute("data-fit", "fits")

    await guest.click("view-graph")
    await expect(guest.see("seeks")).to_have_count(0)
    seek = await strong.see("seeks").get_by_role("listitem").filter(has_text="Gerda").get_attribute("data-seek")
    dot = guest.see("graph").locator(f"[data-seek='{seek}']")
    await expect(dot).to_have_attribute("data-fit", "fits")
    assert await violations(guest.page) == []
    await guest.page.reload()
    await dot.click()
    await guest.see("graph-seeks").filter(has_text="Gerda").get_by_test_id("accept").click()
    assert await guest.at_game() == await strong.at_game()
    await guest.click("abort")


async def test_a_running_game_is_followed_in_the_lobby(invite: Invite) -> None:
    white, black, watcher = await member(invite, "Wanda"), await invite(), await invite()
    await white.click("create")
    await white.choose("10+5", "White", "Casual")
    await white.click("seek")
    await expect(white.see("unseek")).to_be_visible()
    await watcher.open("/")
    await black.open("/")
    await black.see("seeks").get_by_role("listitem").filter(has_text="Wanda").get_by_test_id("accept").click()
    await asyncio.gather(white.at_game(), black.at_game())
    card = watcher.see("live-game").filter(has_text="Wanda")
    await white.play("e2e4")
    await black.play("e7e5")
    await expect(card).to_contain_text("1500?")
    await white.play("g1f3")
    knight = card.locator("piece.knight.white").first
    await expect(knight).to_have_attribute("style", re.compile("grid-area: 6 / 6"))
    await white.click("resign")
    if await white.see("resign").count():
        await white.click("resign")
    await expect(card).to_have_count(0)


async def test_an_opponent_is_blocked_at_the_board(invite: Invite) -> None:
    one, other = await invite(), await member(invite, "Bodo")
    await other.click("create")
    await other.choose("10+5", "Black", "Casual")
    await other.click("seek")
    await expect(other.see("unseek")).to_be_visible()
    await one.open("/")
    await one.see("seeks").get_by_role("listitem").filter(has_text="Bodo").get_by_test_id("accept").click()
    path = await one.at_game()
    await one.click("about-b")
    assert await violations(one.page) == []
    # The game stays on the screen: a profile opens elsewhere, and a report beside the board.
    await expect(one.see("about-profile")).to_have_attribute("target", "_blank")
    await one.click("about-report")
    await expect(one.see("report").locator("[name=game]")).to_have_value(path.rpartition("/")[2])
    await one.see("report").get_by_label("Description").fill("He is")
    assert await violations(one.page) == []
    await one.page.keyboard.press("Escape")
    await expect(one.see("report-panel")).to_be_hidden()
    await one.click("about-b")
    await one.click("about-report")
    await one.see("report").get_by_label("Reason").select_option("chat")
    await one.see("report").get_by_label("Description").fill("He is rude.")
    await one.see("report").get_by_role("button", name="Send report").click()
    await expect(one.see("said")).to_contain_text("Report sent")
    await expect(one.see("report-panel")).to_be_hidden()
    assert await one.at_game() == path
    await one.click("about-b")
    await one.click("about-block")
    await expect(one.see("said").filter(has_text="blocked Bodo")).to_be_visible()
    await one.click("about-b")
    await expect(one.see("about-block")).to_have_text("Unblock")
    await one.click("about-block")
    await expect(one.see("said").filter(has_text="unblocked")).to_be_visible()
    await one.click("abort")


async def begun(one: Client, other: Client) -> str:
    """A casual game that ``one`` asked for and ``other`` accepted."""
    seek = await one.request("seek", tc={"base_s": 600, "inc_s": 0})
    started = await other.request("accept", seek=seek["seek"])
    return str(started["g"])


async def test_a_ban_stands_in_the_lobby_with_its_end(server: ServerProcess, invite: Invite) -> None:
    banned = await member(invite, "Abel")
    (cookie,) = [c for c in await banned.context.cookies() if c.get("name") == "zeitnot"]
    async with Client(server.url, cookie["value"]) as phone, Client(server.url, guest(server.url)[0]) as other:
        for _ in range(4):
            g = await begun(phone, other)
            await phone.request("abort", g=g)
        g = await begun(phone, other)
    await banned.open(f"/game/{g}")
    await banned.click("abort")
    await expect(banned.see("game")).to_have_attribute("data-status", "over")
    await expect(banned.see("said")).to_contain_text("You cannot start games until")
    await banned.page.get_by_role("link", name="Play", exact=True).click()
    await expect(banned.see("ban")).to_contain_text("aborted too many games")
    # Above everything else, on a wide screen too.
    await expect(banned.see("ban")).to_be_in_viewport(ratio=1)
    ban, tiles = await banned.see("ban").bounding_box(), await banned.see("quick-1+0").bounding_box()
    assert ban is not None
    assert tiles is not None
    assert ban["y"] + ban["height"] <= tiles["y"]
    assert await violations(banned.page) == []
    await banned.click("quick-10+0")
    await expect(banned.see("said").filter(has_text="You cannot start games until").first).to_be_visible()
    await expect(banned.see("quick-10+0")).to_have_attribute("aria-pressed", "false")


async def test_every_page_shows_an_open_seek(invite: Invite) -> None:
    one = await invite()
    await one.open("/?create")
    await one.choose("5+3")
    await one.click("seek")
    wait = one.see("seek-wait")
    await expect(wait).to_contain_text("5+3, casual")
    # Beside a pool, and each has its own end.
    await one.click("quick-1+0")
    await expect(one.see("pool")).to_contain_text("1+0, casual")
    await one.click("activity")
    await expect(wait).to_be_visible()
    await one.click("pool-stop")
    await expect(one.see("pool")).to_have_count(0)
    await one.page.get_by_role("link", name="Search", exact=True).click()
    await expect(wait).to_contain_text("5+3, casual")
    await one.page.reload()
    await expect(wait).to_contain_text("5+3, casual")
    tab = await tab_of(one, "/settings")
    await expect(tab.see("seek-wait")).to_be_visible()
    assert await violations(tab.page) == []
    await tab.click("seek-stop")
    for person in (one, tab):
        await expect(person.see("seek-wait")).to_have_count(0)


async def test_rating_range_is_sent_as_entered(invite: Invite) -> None:
    one = await member(invite, "Ralf")
    await one.click("create")
    await one.advanced()
    await one.see("min-rating").fill("1600")
    await one.see("to").fill("Nobody")
    await expect(one.see("min-rating")).to_have_count(0)
    await one.see("to").fill("")
    await expect(one.see("min-rating")).to_have_value("1600")
    await one.click("seek")
    await expect(one.see("seeks").get_by_role("listitem").filter(has_text="Ralf")).to_contain_text(
        "rating 1600 or higher"
    )
    await one.click("seek-stop")
    await expect(one.see("seek-wait")).to_have_count(0)


async def test_rated_switch_moves_a_waiting_player(invite: Invite) -> None:
    one = await member(invite, "Sven")
    await one.click("quick-30+20")
    await expect(one.see("pool")).to_contain_text("30+20, rated")
    await one.see("quick-rated").uncheck()
    await expect(one.see("pool")).to_contain_text("30+20, casual")
    await expect(one.see("quick-rated")).not_to_be_checked()
    await one.see("quick-rated").check()
    await expect(one.see("pool")).to_contain_text("30+20, rated")
    await one.click("pool-stop")
    await expect(one.see("pool")).to_have_count(0)
