"""Spectators in a browser: the wall, the list, television, embedded games."""

from __future__ import annotations

import asyncio
import contextlib
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.browser.axe import violations
from tests.browser.scripted_games import ScriptedGames

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Locator

    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(180)

GAMES = 12

CLASSICAL = {"base_s": 7200, "inc_s": 0}


def tile(watcher: Person, g: str) -> Locator:
    """Of a game on the page."""
    return watcher.page.locator(f"[data-tile='{g}']")


def small(watcher: Person, g: str) -> Locator:
    """The game itself on its tile."""
    return tile(watcher, g).get_by_test_id("live-game")


async def order(watcher: Person, games: list[str]) -> None:
    """Wait until these games are on the wall, in this order, and in its address."""
    await expect(watcher.see("tiles")).to_have_attribute("data-count", str(len(games)))
    for index, g in enumerate(games):
        await expect(watcher.see("tiles").locator("> li").nth(index)).to_have_attribute("data-tile", g)
    await watcher.page.wait_for_url(f"**/wall?games={','.join(games)}" if games else "**/wall")


@pytest.mark.slow("a dozen boards on a page")
async def test_wall_shows_twelve_games(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, GAMES) as games:
        await games.play(2)
        await watcher.open(f"/wall?games={','.join(games.ids)}")
        for g in games.ids:
            await expect(small(watcher, g)).to_have_attribute("data-ply", "2")
        assert await violations(watcher.page) == []
        await games.play(3)
        for g in games.ids:
            await expect(small(watcher, g)).to_have_attribute("data-ply", "5")
        # A bishop has come out in the first game: b5, as White sees it.
        bishop = tile(watcher, games[0].g).locator("piece.bishop.white")
        await expect(bishop.last).to_have_attribute("style", "transform: translate(12.5cqw, 37.5cqw);")
        await games[0].resign()
        await expect(tile(watcher, games[0].g).get_by_test_id("tile-end")).to_have_text("0-1 resignation")
        await expect(small(watcher, games[0].g)).to_have_attribute("data-status", "over")
        await expect(small(watcher, games[1].g)).to_have_attribute("data-status", "live")
        # As many hang on a telephone, one below the other.
        await watcher.page.set_viewport_size({"width": 390, "height": 844})
        await expect(tile(watcher, games[11].g)).to_be_attached()
        wide = await watcher.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390
        assert await violations(watcher.page) == []


async def test_wall_layout_is_kept(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, 3) as games:
        one, two, three = games.ids
        await watcher.open("/wall")
        await expect(watcher.see("empty-wall")).to_be_visible()
        await watcher.see("wall-add").fill(f"{one} {watcher.home}/game/{two}#3 nothing!")
        await watcher.see("wall-add").press("Enter")
        await expect(watcher.see("fault")).to_contain_text("nothing!")
        await order(watcher, [one, two])
        await watcher.see("wall-add").fill(f"{watcher.home}/embed/game/{three}")
        await watcher.see("wall-add").press("Enter")
        await order(watcher, [one, two, three])
        await expect(watcher.see("fault")).to_have_count(0)
        # By the keyboard: what was pressed keeps the focus.
        later = tile(watcher, one).get_by_test_id("wall-later")
        await later.press("Enter")
        await order(watcher, [two, one, three])
        await expect(later).to_be_focused()
        await later.press("Enter")
        await order(watcher, [two, three, one])
        await expect(tile(watcher, one).get_by_test_id("wall-earlier")).to_be_focused()
        # By hand.
        await tile(watcher, one).drag_to(tile(watcher, two))
        await order(watcher, [one, two, three])
        await tile(watcher, two).get_by_test_id("wall-off").click()
        await order(watcher, [one, three])
        # It is there again at the next visit, and a link shows it to others.
        link = watcher.page.url
        await watcher.open("/")
        await watcher.watch("Game wall")
        await order(watcher, [one, three])
        other = await invite()
        await other.open(link.removeprefix(other.home))
        await order(other, [one, three])
        await games[0].play(1)
        for somebody in (watcher, other):
            await expect(small(somebody, one)).to_have_attribute("data-ply", "1")


GLIDES = """() => {
    window.glides = [];
    const note = ({ target }) => target.closest('.still') && glides.push(target.className);
    document.addEventListener('transitionrun', note);
}"""
"""Collects pieces of view-only boards whose transition begins."""


async def test_pieces_glide_with_moves_and_not_with_the_window(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    draughts = ScriptedGames(server.url, 1, game="draughts", variant="international")
    async with ScriptedGames(server.url, 1) as games, draughts as others:
        await watcher.open(f"/wall?games={games[0].g},{others[0].g}")
        await expect(watcher.page.locator(".still piece")).to_have_count(32)
        await expect(watcher.page.locator(".still.ground > b")).to_have_count(40)
        await watcher.page.evaluate(GLIDES)
        await games[0].play()
        await watcher.page.wait_for_function("() => glides.join() === 'pawn white'")
        await others[0].move("32-28")
        await watcher.page.wait_for_function("() => glides.length === 2")
        await expect(watcher.page.locator("[data-moved]")).to_have_count(0)
        for width in (390, 1000):
            await watcher.page.set_viewport_size({"width": width, "height": 844})
            # Transitions are told in the frame after that in which they begin.
            for _ in range(3):
                await watcher.page.evaluate("new Promise(requestAnimationFrame)")
            assert await watcher.page.evaluate("glides.length") == 2, width


async def test_wall_survives_missing_games_and_a_lost_connection(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, 1) as games:
        await watcher.open(f"/wall?games={games[0].g},nosuchgame")
        await expect(tile(watcher, "nosuchgame").get_by_test_id("tile-wait")).to_have_text("Game not found")
        await expect(small(watcher, games[0].g)).to_have_attribute("data-ply", "0")
        await watcher.context.set_offline(True)
        await watcher.page.evaluate("dispatchEvent(new Event('offline'))")
        await games.play(2)
        await watcher.context.set_offline(False)
        await watcher.page.evaluate("dispatchEvent(new Event('online'))")
        await expect(small(watcher, games[0].g)).to_have_attribute("data-ply", "2", timeout=20_000)
        await tile(watcher, "nosuchgame").get_by_test_id("wall-off").click()
        await order(watcher, [games[0].g])


async def test_list_adds_games_to_the_wall(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, 3) as games:
        await games.play(2)
        await watcher.open("/live")
        for number in (2, 0, 1):
            await tile(watcher, games[number].g).get_by_test_id("on-wall").click()
        await tile(watcher, games[1].g).get_by_test_id("on-wall").click()
        await expect(tile(watcher, games[2].g).get_by_test_id("on-wall")).to_have_attribute("aria-pressed", "true")
        await expect(tile(watcher, games[1].g).get_by_test_id("on-wall")).to_have_attribute("aria-pressed", "false")
        await watcher.click("to-wall")
        await order(watcher, [games[2].g, games[0].g])


async def test_spectator_browses_history_of_a_running_game(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, 1) as games:
        await games.play(6)
        await watcher.open(f"/game/{games[0].g}#3")
        moves = watcher.see("moves")
        await expect(moves).to_have_attribute("data-shown", "3")
        then = await watcher.fen()
        await games.play(2)
        await watcher.sees_plies(8)
        await expect(moves).to_have_attribute("data-shown", "3")
        assert await watcher.fen() == then
        await watcher.page.keyboard.press("ArrowLeft")
        await expect(moves).to_have_attribute("data-shown", "2")
        await watcher.click("live-again")
        await expect(moves).to_have_attribute("data-shown", "8")
        await games.play(1)
        await expect(moves).to_have_attribute("data-shown", "9")
        await expect(watcher.see("watchers")).to_have_text("1 watching")
        await expect(watcher.see("replay")).to_have_count(0)


async def test_finished_game_is_replayed(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, 1) as games:
        await games.play(6)
        await games[0].resign()
        await watcher.open(f"/game/{games[0].g}")
        moves, replay = watcher.see("moves"), watcher.see("replay")
        await expect(moves).to_have_attribute("data-shown", "6")
        assert await violations(watcher.page) == []
        await watcher.click("pace-4")
        await expect(watcher.see("pace-4")).to_have_attribute("aria-pressed", "true")
        await watcher.click("replay-play")
        # It begins at the start and comes to the end by itself.
        await expect(moves).to_have_attribute("data-shown", "1")
        await expect(moves).to_have_attribute("data-shown", "6")
        await expect(replay).to_have_attribute("data-playing", "false")
        # Back at its pace, stopped, and gone through by hand.
        await watcher.click("pace-1")
        await watcher.click("step-first")
        await watcher.click("replay-play")
        await expect(replay).to_have_attribute("data-playing", "true")
        await watcher.click("replay-play")
        await expect(replay).to_have_attribute("data-playing", "false")
        await watcher.page.keyboard.press("End")
        await expect(moves).to_have_attribute("data-shown", "6")


async def test_television_follows_its_channel(invite: Invite, server: ServerProcess) -> None:
    watcher, talker = await invite(), await invite()
    async with ScriptedGames(server.url, 1, tc=CLASSICAL) as first:
        await first.play(2)
        await watcher.open("/tv/classical")
        await expect(watcher.see("tv")).to_have_attribute("data-g", first[0].g)
        await expect(watcher.see("tv-state")).to_contain_text("Live")
        await expect(watcher.see("channel-classical")).to_have_attribute("aria-current", "page")
        await watcher.sees_plies(2)
        assert await violations(watcher.page) == []
        await first.play(1)
        await watcher.sees_plies(3)
        # What is said beside the board there is said at the game.
        await talker.open(f"/game/{first[0].g}")
        await talker.see("chat-text").fill("Well played.")
        await talker.click("chat-send")
        await expect(watcher.see("chat-lines")).to_contain_text("Well played.")
        await expect(watcher.see("watchers")).to_have_text("2 watching")
        # The next comes by itself once this one is over.
        async with ScriptedGames(server.url, 1, tc=CLASSICAL) as second:
            await second.play(2)
            await first[0].resign()
            await expect(watcher.see("result")).to_have_text("0-1")
            await expect(watcher.see("tv")).to_have_attribute("data-g", second[0].g, timeout=30_000)
            await watcher.sees_plies(2)
            await watcher.see("channel-best").click()
            await watcher.page.wait_for_url("**/tv")
            await expect(watcher.see("channel-best")).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize("width", [390, 1440])
async def test_best_draughts_is_one_click_away(invite: Invite, server: ServerProcess, width: int) -> None:
    watcher = await invite(viewport={"width": width, "height": 844})
    draughts = ScriptedGames(server.url, 1, game="draughts", variant="international")
    async with draughts as games, ScriptedGames(server.url, 1) as chess:
        await chess.play(2)
        await games[0].move("32-28")
        await games[0].move("19-23")
        await watcher.open("/tv")
        await expect(watcher.see("channel-international")).to_have_count(0)
        await expect(watcher.see("channel-draughts")).to_be_in_viewport(ratio=1)
        await watcher.click("channel-draughts")
        await watcher.page.wait_for_url("**/tv/draughts")
        await expect(watcher.see("tv")).to_have_attribute("data-g", games[0].g)
        await expect(watcher.see("channel-international")).to_have_attribute("data-g", games[0].g)
        await expect(watcher.see("channel-best")).to_be_visible()
        assert await violations(watcher.page) == []
        await games[0].resign()


@pytest.mark.slow("waits for a page to change by itself")
async def test_idle_television_replays_a_finished_game(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    screen, state = watcher.see("tv"), watcher.see("tv-state")
    fischer: dict[str, Any] = {"opening": 3, "variant": "chess960", "position": 518}
    # Who has come before anything was finished is shown it all the same.
    await watcher.open("/tv/chess960")
    await expect(state).to_contain_text("no finished games to replay")
    async with ScriptedGames(server.url, 1, **fischer) as first, ScriptedGames(server.url, 1, **fischer) as second:
        await first.play(12)
        await expect(screen).to_have_attribute("data-g", first[0].g)
        await expect(state).to_contain_text("Live")
        await first[0].resign()
        await expect(state).to_contain_text("Just finished")
        await second.play(2)
        await expect(screen).to_have_attribute("data-g", second[0].g, timeout=30_000)
        await expect(state).to_contain_text("Live")
        await second.play(10)
        await watcher.sees_plies(12)
        await second[0].resign()
        await expect(state).to_contain_text("Just finished")
    # One after the other, what was just seen last.
    for games in (first, second):
        await expect(screen).to_have_attribute("data-g", games[0].g, timeout=30_000)
        await expect(screen).to_have_attribute("data-rerun", "true")
        await expect(watcher.see("tv-replay")).to_have_text("Replay")
        await expect(watcher.page.locator(".clock.running")).to_have_count(0)
        await watcher.see("pace-4").click()
        await expect(watcher.see("moves")).to_have_attribute("data-shown", "12", timeout=30_000)


WIDTHS = "[innerWidth, document.documentElement.scrollWidth]"
"""Of the screen, and of the page on it."""


async def test_watch_pages_fit_a_phone(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    async with ScriptedGames(server.url, 3) as games:
        await games.play(2)
        for path in ("/tv", "/live", f"/wall?games={','.join(games.ids)}", f"/game/{games[0].g}"):
            await watcher.open(path)
            await expect(watcher.page.locator("piece").first).to_be_attached()
            # Wider than its screen a phone lays out what does not fit.
            assert await watcher.page.evaluate(WIDTHS) == [390, 390], path
        await watcher.page.evaluate("localStorage.settings = JSON.stringify({ textMode: true })")
        await watcher.open("/tv")
        await expect(watcher.see("state")).to_be_visible()
        assert await watcher.page.evaluate(WIDTHS) == [390, 390]


async def test_embedded_game_is_live(invite: Invite, server: ServerProcess) -> None:
    author, reader = await invite(), await invite()
    async with ScriptedGames(server.url, 1) as games:
        await games.play(2)
        await author.open(f"/game/{games[0].g}")
        await author.click("embed")
        await author.see("embed-theme").select_option("dark")
        await author.see("embed-bottom").select_option("b")
        await expect(author.see("embed-code")).to_have_value(re.compile(r'src="[^"]*\?theme=dark&amp;bottom=b"'))
        assert await violations(author.page) == []
        code = await author.see("embed-code").input_value()
        await author.click("embed-close")
        await expect(author.see("embed-dialog")).to_have_count(0)
        async with elsewhere(f"<!doctype html><title>Blog</title><main><h1>A game</h1>{code}</main>") as blog:
            reader.home = blog
            await reader.page.goto(f"{blog}/")
            frame = reader.page.frame_locator("iframe")
            game = frame.get_by_test_id("embed")
            await expect(game).to_have_attribute("data-line", "open")
            await expect(game).to_have_attribute("data-ply", "2")
            await expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
            await games.play(3)
            await expect(game).to_have_attribute("data-ply", "5")
            # As Black sees it, White's bishop on b5 is at the right.
            await expect(frame.locator("piece.bishop.white").last).to_have_attribute(
                "style", "transform: translate(75cqw, 50cqw);"
            )
            await games[0].resign()
            await expect(frame.get_by_test_id("embed-state")).to_have_text("0-1 resignation")
            await expect(frame.get_by_test_id("embed-link")).to_have_attribute("href", f"/game/{games[0].g}")
            # What is asked of the server of the game is all that was asked of anybody else.
            reader.faults = [fault for fault in reader.faults if not fault.startswith(f"asked {server.url}/")]


@asynccontextmanager
async def elsewhere(page: str) -> AsyncIterator[str]:
    """A site of another owner with this page at every address; its origin."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            body = page.encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
            writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as site:
        yield f"http://localhost:{site.sockets[0].getsockname()[1]}"
