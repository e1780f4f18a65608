"""PGN imports: upload, lists, and the viewer with its variations."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.members import member

if TYPE_CHECKING:
    from playwright.async_api import Route

    from tests.browser.conftest import Invite
    from tests.browser.person import Person

pytestmark = pytest.mark.timeout(120)

DASH = "\N{EN DASH}"

PGN = """\
[Event "Club evening"]
[White "Ada"]
[Black "Bert"]
[WhiteElo "1843"]
[Date "2026.03.??"]
[Annotator "Carl"]
[Result "1-0"]

{A short one.} 1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:58] [%emt 0:00:02] solid} (1... c5! 2. Nf3 $14 (2. c3 d5) 2... d6)
2. Nf3 {[%clk 0:02:55]} Nc6 3. Bb5 $6 a6 1-0

[Event "Club evening"]
[White "Dora"]
[Black "Emil"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 1/2-1/2

[Event "Club evening"]
[White "Broken"]
[Black "Score"]
[Result "*"]

1. e4 e5 2. Ke4 *

[Event "Freestyle"]
[White "Ada"]
[Black "Gerd"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/8/1KR5 w K - 0 1"]
[Result "*"]

1. O-O *
"""

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


async def newcomer(invite: Invite, name: str, **options: Any) -> Person:
    """A member whose name begins so: the server may know one already from a run before."""
    return await member(invite, f"{name}-{os.urandom(3).hex()}", **options)


async def bring(person: Person, text: str = PGN, name: str = "Club 2026") -> None:
    """Paste ``text`` and have it read."""
    await person.open("/import")
    await person.page.get_by_label("PGN text").fill(text)
    await person.page.get_by_label("Name").fill(name)
    await person.click("import-go")


async def look(person: Person, n: int) -> None:
    """Open game ``n`` of the import whose list is on the page."""
    await person.page.locator(f"[data-n='{n}']").click()
    await expect(person.see("viewer")).to_be_visible()


async def test_import_reports_unreadable_games(invite: Invite) -> None:
    person = await newcomer(invite, "Ingo")
    await bring(person)
    await expect(person.see("import-done")).to_contain_text("3 games imported")
    await expect(person.see("import-refused")).to_contain_text(re.compile(r"Game 3, line 24, column 13: .*Ke4"))
    await expect(person.see("import-list")).to_contain_text("Club 2026")
    assert await violations(person.page) == []

    await person.click("import-look")
    games = person.see("imported-games").get_by_role("listitem")
    await expect(games).to_have_count(3)
    await expect(games.first).to_contain_text(f"1. Ada (1843) {DASH} Bert")
    await expect(games.first).to_contain_text("Club evening · 2026.03")
    await expect(games.nth(2)).to_contain_text("Chess960")
    assert await violations(person.page) == []

    await person.page.get_by_label("Player or event").fill("emil")
    await person.page.keyboard.press("Enter")
    await expect(games).to_have_count(1)
    await expect(person.page).to_have_url(re.compile(r"\?q=emil$"))
    await person.page.reload()
    await expect(games).to_have_count(1)
    await person.page.get_by_label("Player or event").fill("")
    await person.page.get_by_label("Result").select_option("1-0")
    await expect(games).to_have_count(1)
    await expect(games.first).to_contain_text("Ada")


async def test_imported_game_is_viewed_by_keyboard(invite: Invite) -> None:
    person = await newcomer(invite, "Igel")
    await bring(person)
    await person.click("import-look")
    await look(person, 1)
    board, now, keys = person.see("board"), person.see("now"), person.page.keyboard
    await expect(now).to_contain_text("A short one.")
    await keys.press("ArrowRight")
    await expect(now).to_contain_text("1. e4")
    await expect(person.see("clock-w")).to_have_text("3:00")
    await expect(board).to_have_attribute("data-fen", re.compile("^rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"))
    await keys.press("ArrowRight")
    await expect(now).to_contain_text("1… e5")
    await expect(now).to_contain_text("solid")
    await expect(now).to_contain_text("0:02.0 used")
    # Into the variation, and into the one within it.
    await keys.press("ArrowDown")
    await expect(now).to_contain_text("1… c5!")
    await expect(person.see("clock-b")).to_have_count(0)
    await keys.press("ArrowRight")
    await expect(now).to_contain_text("2. Nf3")
    await keys.press("ArrowDown")
    await expect(now).to_contain_text("2. c3")
    await keys.press("End")
    await expect(now).to_contain_text("2… d5")
    await keys.press("Home")
    await keys.press("End")
    await expect(now).to_contain_text("3… a6")
    await expect(person.see("step-last")).to_be_disabled()
    await keys.press("f")
    await expect(board).to_have_attribute("data-bottom", "b")
    assert await violations(person.page) == []

    # A click on a move does it too; the tags that stand nowhere else are there.
    await person.see("score").get_by_role("button", name="c3").click()
    await expect(now).to_contain_text("2. c3")
    await person.see("tags").locator("summary").click()
    await expect(person.see("tags")).to_contain_text("Carl")
    async with person.page.expect_download() as download:
        await person.click("pgn")
    text = (await (await download.value).path()).read_text()
    assert "2. c3 d5" in text
    await person.click("game-after")
    await expect(person.page.get_by_role("heading", level=1)).to_have_text(f"Dora {DASH} Emil")


async def test_a_chess960_game_on_a_phone(invite: Invite) -> None:
    person = await newcomer(invite, "Ilse", **PHONE)
    await bring(person)
    await person.click("import-look")
    await look(person, 3)
    await person.see("step-last").tap()
    await expect(person.see("board")).to_have_attribute("data-fen", "4k3/8/8/8/8/8/8/5RK1")
    await expect(person.see("now")).to_contain_text("O-O")
    for address in ("", "/..", "/../.."):
        await expect(person.page.get_by_role("heading", level=1)).to_be_attached()
        assert await person.page.evaluate("document.documentElement.scrollWidth") <= 390, address
        assert await violations(person.page) == []
        if address == "/../..":
            break
        await person.open(str(await person.page.evaluate("location.pathname.replace(/\\/[^/]*$/, '')")))


async def test_import_is_named_shown_and_deleted(invite: Invite) -> None:
    owner, other = await newcomer(invite, "Iwan"), await invite()
    await owner.open("/import")
    file: Any = {"name": "league.pgn", "mimeType": "application/vnd.chess-pgn", "buffer": PGN.encode()}
    await owner.page.get_by_label("Or choose a file").set_input_files(file)
    await owner.click("import-go")
    await owner.click("import-look")
    await expect(owner.page.get_by_role("heading", level=1)).to_have_text("league")
    path = await owner.page.evaluate("location.pathname")
    await other.open(path)
    await expect(other.see("message")).to_contain_text("Import not found")

    await owner.see("import-change").locator("summary").click()
    await owner.page.get_by_label("Name").fill("League, round 1")
    await owner.click("import-public")
    await owner.page.get_by_role("button", name="Save").click()
    await expect(owner.page.get_by_role("heading", level=1)).to_have_text("League, round 1")
    await expect(owner.see("import-public")).to_be_checked()
    await other.open(path)
    await expect(other.see("imported")).to_contain_text(f"Imported by {await owner.see('user').inner_text()}")
    await expect(other.see("import-change")).to_have_count(0)
    await look(other, 1)

    await owner.click("import-delete")
    await owner.see("import-delete").filter(has_text="Delete 3 games?").click()
    await owner.page.wait_for_url("**/import")
    await expect(owner.see("imports")).to_contain_text("No imports yet.")


async def test_only_members_import_games(invite: Invite) -> None:
    guest = await invite()
    await guest.open("/import")
    await guest.see("import-members").get_by_role("link", name="Sign up").click()
    await expect(guest.page).to_have_url(re.compile(r"/signup\?next=%2Fimport$"))


async def test_empty_or_malformed_pgn_imports_nothing(invite: Invite) -> None:
    person = await newcomer(invite, "Irma")
    await bring(person, text="")
    await expect(person.see("import-fault")).to_contain_text("Paste PGN text")
    await bring(person, text="1. Ke4 *")
    await expect(person.see("import-done")).to_contain_text("No games could be imported.")
    await expect(person.see("import-refused")).to_contain_text("Game 1, line 1")
    await expect(person.see("imports")).to_contain_text("No imports yet.")


async def test_stopped_import_leaves_nothing(invite: Invite) -> None:
    person = await newcomer(invite, "Isa")
    await person.open("/import")

    async def hold(_route: Route) -> None:
        """The request gets no further than this until it is stopped."""

    await person.page.route("**/api/v1/imports?*", hold)
    await person.page.get_by_label("PGN text").fill(PGN)
    await person.click("import-go")
    await expect(person.see("import-progress")).to_be_visible()
    assert await violations(person.page) == []
    await person.click("import-stop")
    await expect(person.see("imports")).to_contain_text("Import cancelled. Nothing was saved.")
    await person.page.unroute("**/api/v1/imports?*", hold)
    await person.click("import-go")
    await expect(person.see("import-done")).to_contain_text("3 games imported")
