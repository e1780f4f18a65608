"""The pages around the games: pairing, navigation, settings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from harness.chaos.breakable_link import BreakableLink
from tests.browser.axe import violations
from tests.server_process import ServerProcess
from tests.tiers import tiered

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(120)

PAGES = (
    "/",
    "/live",
    "/tv",
    "/wall",
    "/simuls",
    "/simul/none",
    "/search?q=zz",
    "/settings",
    "/user/no-one-here",
    "/challenge/none",
    "/no/such",
)


async def named(person: Person) -> str:
    """Make somebody of ``person``, who is at the lobby; the name."""
    await person.click("quick-30+20")
    await expect(person.see("pool")).to_be_visible()
    await person.click("quick-30+20")
    await expect(person.see("pool")).to_have_count(0)
    return await person.see("user").inner_text()


async def test_one_click_finds_an_opponent_and_the_header_leads_back(invite: Invite) -> None:
    one, other = await invite(), await invite()
    await one.open("/")
    await other.open("/")
    await one.click("quick-3+2")
    await expect(one.see("quick-3+2")).to_have_attribute("aria-pressed", "true")
    await other.click("quick-3+2")
    path = await one.at_game()
    assert await other.at_game() == path

    # The player to move is called, whatever page they are on; the other is not.
    for person in (one, other):
        await person.page.get_by_role("link", name="Play", exact=True).click()
        await expect(person.see("own-game")).to_be_visible()
    mine = [await person.see("own-game").get_attribute("data-mine") for person in (one, other)]
    assert sorted(map(str, mine)) == ["false", "true"]
    mover = (one, other)[mine.index("true")]
    await expect(mover.page).to_have_title(re.compile("^Your move · "))
    await mover.click("own-game")
    assert await mover.at_game() == path
    await expect(mover.see("own-game")).to_have_count(0)
    await mover.click("abort")
    await expect((one, other)[mine.index("false")].see("own-game")).to_have_count(0)


async def test_invitation_by_name(invite: Invite) -> None:
    host, guest = await invite(), await invite()
    await guest.open("/")
    name = await named(guest)
    await host.open(f"/search?q={name[:-1].lower()}")
    await host.see("found").get_by_role("link", name=name).click()
    await expect(host.page.get_by_role("heading", name=name)).to_be_visible()
    await host.click("challenge-person")
    await expect(host.page.get_by_role("heading", name=f"Invite {name}")).to_be_visible()
    await host.choose("10+0")
    await host.click("invite")
    await expect(host.see("terms")).to_contain_text("10+0")
    await guest.click("inbox")
    await guest.see("invitations").get_by_role("link").click()
    await guest.click("accept")
    assert await guest.at_game() == await host.at_game()
    await expect(guest.see("inbox-status")).to_be_empty()


async def test_an_invitation_outlives_a_reload_and_says_when_it_is_declined(invite: Invite) -> None:
    host, guest = await invite(), await invite()
    await guest.open("/")
    name = await named(guest)
    await host.open(f"/?to={name}")
    await host.click("invite")
    await expect(host.see("cancel")).to_be_visible()
    await expect(guest.see("said")).to_contain_text("invites you")
    await guest.open("/live")
    await guest.click("inbox")
    await guest.see("invitations").get_by_role("link").click()
    await guest.click("decline")
    await expect(host.see("message")).to_contain_text("declined")


async def test_a_link_comes_with_a_code_and_can_be_withdrawn(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    await somebody.click("challenge")
    await somebody.page.wait_for_url("**/challenge/*")
    await expect(somebody.see("link")).to_have_value(somebody.page.url)
    await expect(somebody.see("qr")).to_be_visible()
    path = somebody.page.url.removeprefix(somebody.home)
    await somebody.click("cancel")
    await expect(somebody.see("create")).to_be_visible()
    await somebody.open(path)
    await expect(somebody.see("message")).to_contain_text("cancelled")


async def test_open_invitations_are_listed_copied_and_withdrawn(invite: Invite) -> None:
    host, guest = await invite(permissions=["clipboard-read", "clipboard-write"]), await invite()
    await host.open("/?create")
    await host.click("challenge")
    await host.page.wait_for_url("**/challenge/*")
    link = host.page.url
    await host.page.get_by_role("link", name="Play", exact=True).click()
    await expect(host.see("sent")).to_contain_text("5+0")
    assert await violations(host.page) == []
    await host.click("sent-copy")
    assert await host.page.evaluate("navigator.clipboard.readText()") == link

    # It is there after a reload, and in another tab.
    await host.open("/")
    await expect(host.see("sent").get_by_role("listitem")).to_have_count(1)
    other = await host.context.new_page()
    await other.goto(host.home)
    await expect(other.get_by_test_id("sent").get_by_role("listitem")).to_have_count(1)
    await host.click("sent-cancel")
    await expect(host.see("sent")).to_have_count(0)
    await expect(other.get_by_test_id("sent")).to_have_count(0)

    # Somebody is faster than the withdrawal: the game begins, and the list is empty.
    await host.click("create")
    await host.click("challenge")
    await host.page.wait_for_url("**/challenge/*")
    path = host.page.url.removeprefix(host.home)
    await host.page.get_by_role("link", name="Play", exact=True).click()
    await expect(host.see("sent")).to_be_visible()
    await guest.open(path)
    await guest.click("accept")
    assert await guest.at_game() == await host.at_game()
    await host.page.get_by_role("link", name="Play", exact=True).click()
    await expect(host.see("own-game")).to_be_visible()
    await expect(host.see("sent")).to_have_count(0)


@pytest.mark.parametrize(
    ("kind", "fields", "control"),
    [
        ("increment", {"Minutes": "0", "Increment in seconds": "7"}, {"base_s": 0, "inc_s": 7}),
        ("delay", {"Minutes": "2.5", "Delay in seconds": "3"}, {"base_s": 150, "delay_s": 3}),
        ("bronstein", {"Minutes": "4", "Bronstein delay in seconds": "2"}, {"base_s": 240, "bronstein_s": 2}),
        (
            "periods",
            {},
            {"periods": [{"moves": 40, "base_s": 5400, "inc_s": 30}, {"base_s": 1800, "inc_s": 30}]},
        ),
    ],
)
async def test_every_control_can_be_asked_for(
    server: ServerProcess, invite: Invite, kind: str, fields: dict[str, str], control: dict[str, object]
) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    await somebody.choose("Custom")
    await somebody.see("kind").select_option(kind)
    for label, value in fields.items():
        await somebody.page.get_by_label(label, exact=True).fill(value)
    await somebody.click("self")
    path = await somebody.at_game()
    answer = await somebody.context.request.get(f"{server.url}/api/v1/games/{path.rpartition('/')[2]}")
    assert (await answer.json())["tc"] == control


async def test_the_form_begins_with_what_was_chosen_last(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    await somebody.choose("Custom", "Chess960", "Black")
    await somebody.see("kind").select_option("delay")
    await somebody.page.get_by_label("Minutes", exact=True).fill("7")
    await somebody.click("self")
    await somebody.at_game()
    await somebody.open("/?create")
    for label in ("Custom", "Chess960", "Random"):
        await expect(somebody.page.locator("form").get_by_role("radio", name=label, exact=True)).to_be_checked()
    await expect(somebody.see("kind")).to_have_value("delay")
    await expect(somebody.page.get_by_label("Minutes", exact=True)).to_have_value("7")
    for broken in ("{", '{"tempo":{"pick":"custom","minutes":-1},"variant":7}'):
        await somebody.page.evaluate("(text) => localStorage.setItem('create', text)", broken)
        await somebody.open("/?create")
        for label in ("5+0", "Standard", "Random"):
            await expect(somebody.page.locator("form").get_by_role("radio", name=label, exact=True)).to_be_checked()


async def test_bad_time_control_sends_no_request(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    await somebody.choose("Custom")
    await somebody.page.get_by_label("Minutes", exact=True).fill("0")
    await somebody.page.get_by_label("Increment in seconds", exact=True).fill("0")
    await somebody.click("seek")
    await expect(somebody.page.get_by_role("alert")).to_contain_text("need an increment")
    assert await somebody.see("user").inner_text() == ""


async def test_a_running_game_is_listed_to_watch(invite: Invite) -> None:
    white, black, watcher = await invite(), await invite(), await invite()
    await white.open("/?create")
    await white.choose("15+10", "White")
    await white.click("seek")
    await expect(white.see("unseek")).to_be_visible()
    name = await white.see("user").inner_text()
    await black.open("/")
    await black.page.get_by_role("listitem").filter(has_text=name).get_by_test_id("accept").click()
    path = await black.at_game()
    await white.at_game()
    await white.play("e2e4")
    await black.play("e7e5")
    await black.sees_plies(2)
    await watcher.open("/live")
    await watcher.see("live-game").filter(has_text=name).click()
    assert await watcher.at_game() == path
    await watcher.page.go_back()
    await expect(watcher.page.get_by_role("heading", name="Games in progress")).to_be_visible()
    await white.click("resign")
    if await white.see("resign").count():
        await white.click("resign")
    await expect(black.see("result")).to_have_text("0-1")
    await watcher.open(f"/user/{name}")
    await expect(watcher.see("games")).to_contain_text("resignation")


async def test_simuls_page_without_simuls(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/")
    await somebody.page.get_by_role("link", name="Simuls", exact=True).click()
    await expect(somebody.page.get_by_role("heading", name="Simuls")).to_be_visible()
    await expect(somebody.see("simuls")).to_contain_text("No simuls yet")
    assert await violations(somebody.page) == []
    answer = await somebody.page.reload()
    assert answer is not None
    assert answer.status == 200
    await somebody.see("no-simuls").get_by_role("link", name="Create one.").click()
    await expect(somebody.see("simul-form")).to_be_visible()
    assert await violations(somebody.page) == []


async def test_the_source_of_the_server_is_a_click_away(
    browser: Browser, own_database: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    address = "https://source.example/zeitnot?a=1&b=2"
    data = tmp_path_factory.mktemp("source") / "data"
    with ServerProcess(data, "--source-url", address, database=own_database) as server:
        context = await browser.new_context()
        await context.route(address, lambda route: route.fulfill(content_type="text/html", body="<h1>Source code</h1>"))
        page = await context.new_page()
        for path in ("/", "/settings"):
            await page.goto(server.url + path)
            await page.get_by_test_id("source").click()
            await expect(page.get_by_role("heading", name="Source code")).to_be_visible()
            assert page.url == address
        await context.close()


async def test_settings_follow_the_account(server: ServerProcess, invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/")
    await named(somebody)
    await somebody.page.get_by_role("link", name="Settings").click()
    await somebody.page.get_by_text("Blue", exact=True).click()
    async with somebody.page.expect_response(
        lambda response: response.url.endswith("/me/settings") and response.request.method == "PUT"
    ):
        await somebody.page.get_by_text("Dark", exact=True).click()
    await somebody.page.evaluate("localStorage.clear()")
    await somebody.open("/settings")
    root = somebody.page.locator("html")
    await expect(root).to_have_attribute("data-board", "blue")
    await expect(root).to_have_attribute("data-theme", "dark")
    answer = await somebody.context.request.get(f"{server.url}/api/v1/me/settings")
    assert (await answer.json())["settings"]["boardTheme"] == "blue"


async def test_offline_page(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/")
    await somebody.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    manifest = await (await somebody.context.request.get(f"{somebody.home}/manifest.webmanifest")).json()
    for icon in manifest["icons"]:
        assert (await somebody.context.request.get(somebody.home + icon["src"])).ok, icon
    await somebody.context.set_offline(True)
    await somebody.page.goto(f"{somebody.home}/live")
    await expect(somebody.page.get_by_role("heading", name="No connection")).to_be_visible()
    await somebody.context.set_offline(False)
    await somebody.page.get_by_role("link", name="Try again").click()
    await expect(somebody.page.get_by_role("heading", name="Games in progress")).to_be_visible()


async def test_page_without_scripts(invite: Invite) -> None:
    somebody = await invite(java_script_enabled=False)
    await somebody.page.goto(somebody.home)
    said = somebody.page.locator("noscript p")
    await expect(said).to_be_visible()
    await expect(said).to_contain_text("needs JavaScript")


@pytest.mark.parametrize("width", tiered([320, 390, 768, 1280], quick=[390, 1280], why="more screens"))
async def test_every_page_fits_and_leads_on(invite: Invite, width: int) -> None:
    somebody = await invite(viewport={"width": width, "height": 800})
    for path in PAGES:
        await somebody.open(path)
        await expect(somebody.page.get_by_role("heading", level=1)).to_be_visible()
        assert await somebody.page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert await somebody.page.locator("main a, main button").count() > 0 or path == "/live", path


PLAYED = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")


@pytest.mark.parametrize(
    ("width", "height", "zoom"),
    tiered(
        [(844, 390, 1), (667, 375, 1), (568, 320, 1), (1024, 768, 1), (1366, 768, 1), (1920, 1080, 1), (1280, 800, 2)],
        quick=[(568, 320, 1), (1366, 768, 1), (1280, 800, 2)],
        why="more screens",
    ),
)
async def test_board_clocks_and_moves_are_seen_without_scrolling(
    invite: Invite, width: int, height: int, zoom: int
) -> None:
    # A zoom of 2 is half as many pixels of CSS, each twice as large.
    size = {"width": width // zoom, "height": height // zoom}
    somebody = await invite(viewport=size, device_scale_factor=zoom, has_touch=height < 500)
    await somebody.open("/?create")
    await somebody.click("self")
    await somebody.at_game()
    for move in PLAYED:
        await somebody.play(move)
    await somebody.sees_plies(len(PLAYED))
    for selector in ("cg-board", ".clock >> nth=0", ".clock >> nth=1", ".ply[aria-current]", ".stepper"):
        box = await somebody.page.locator(selector).bounding_box()
        assert box is not None, selector
        inside = (
            box["y"] >= 0 and box["y"] + box["height"] <= size["height"] and box["x"] + box["width"] <= size["width"]
        )
        assert inside, (selector, box)
    board = await somebody.page.locator("cg-board").bounding_box()
    assert board is not None
    # As large as it can be: the height less a header, or the width less players and moves.
    assert board["width"] >= min(size["height"] - 110, size["width"] - 320)
    assert await somebody.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    # The way home can be reached all the same.
    await somebody.page.locator("a.brand").click()
    await expect(somebody.see("own-game")).to_be_visible()


async def test_lost_connection_is_visible_with_the_header_below(server: ServerProcess, invite: Invite) -> None:
    async with BreakableLink(server.port) as link:
        somebody = await invite(link.url, viewport={"width": 844, "height": 390})
        await somebody.open("/?create")
        await somebody.click("self")
        await somebody.at_game()
        await expect(somebody.see("line")).not_to_be_in_viewport()
        link.pull()
        await somebody.partition_guard()
        await expect(somebody.see("line")).to_be_in_viewport(ratio=1)
        link.plug()
        await somebody.connected()
