"""The page in Firefox and WebKitGTK: a game of each family, lost connections, small boards."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING

import pytest

from harness.chaos.breakable_link import BreakableLink
from tests.browser.engines.visitor import PHONE
from tests.browser.games.test_all_games import LINES, STARS
from tests.browser.games.test_game import ITS_SCORE, SCHOLARS_MATE
from tests.browser.scripted_games import ScriptedGames
from tests.browser.seats import TEN_MINUTES, seat

if TYPE_CHECKING:
    from tests.browser.engines.conftest import Welcome
    from tests.browser.engines.visitor import Visitor
    from tests.browser.games.test_all_games import Line
    from tests.server_process import ServerProcess

pytestmark = [pytest.mark.slow("other browsers"), pytest.mark.timeout(300)]

SCROLLBARS = """() => [...document.querySelectorAll('html, #page *')].filter((element) => {
    const { overflowX, scrollbarWidth } = getComputedStyle(element);
    const scrolls = element === document.documentElement || overflowX === 'auto' || overflowX === 'scroll';
    return scrolls && scrollbarWidth !== 'none' && element.clientWidth > 0 && element.scrollWidth > element.clientWidth;
}).map(({ tagName, className }) => `${tagName}.${className}`)"""
"""Elements with a scrollbar at their lower edge."""

SEAMS = """async (picture) => {
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return [...document.querySelectorAll('.mini.cg-wrap')].map((board) => {
        const { x, y, width, bottom } = board.getBoundingClientRect();
        if (bottom > innerHeight) return [];
        // The lower edge of the second rank, where no piece reaches.
        const line = context.getImageData(0, Math.round(y + (7 * width) / 8) - 2, image.width, 1).data;
        const tone = (at) => line[4 * at] + line[4 * at + 1] + line[4 * at + 2];
        const seams = [];
        for (let at = Math.ceil(x) + 3; at < x + width - 3; at++)
            if (Math.abs(tone(at) - tone(at - 1)) > 60) seams.push(at - x);
        return [width, ...seams];
    }).filter((found) => found.length > 0);
}"""
"""Width of each small board in view, and the places along one of its ranks where the colour changes."""

MOST_OFF = """() => [...document.querySelectorAll('.still, .board > .ground')].map((board) => {
    const place = board.getBoundingClientRect();
    const off = [...board.querySelectorAll('piece, b, i:not([hidden])')].map((element) => {
        const { x, y, width } = element.getBoundingClientRect();
        const side = place.width / Math.round(place.width / width);
        return [x - place.x, y - place.y].map((way) => Math.abs(way - Math.round(way / side) * side));
    });
    return Math.max(...off.flat());
})"""
"""How far pieces and marks of each board are from their squares, in pixels."""


async def together(server: ServerProcess, white: Visitor, black: Visitor, **terms: str) -> str:
    """Open a game of both on their pages; return its path."""
    first, second = await seat(server), await seat(server)
    async with first.client, second.client:
        challenge = await first.client.request("challenge", tc=TEN_MINUTES, color="w", **terms)
        await second.client.request("challenge.accept", challenge=challenge["challenge"])
        path = f"/game/{(await first.client.wait(lambda m: m['t'] == 'paired'))['g']}"
    await asyncio.gather(white.sit(first, path), black.sit(second, path))
    return path


async def test_chess_with_a_premove_and_a_lost_connection(server: ServerProcess, welcome: Welcome) -> None:
    async with BreakableLink(server.port) as link:
        white, black, watcher = await welcome(), await welcome(link.url, PHONE), await welcome()
        await watcher.open(await together(server, white, black))
        await black.shows("board", "movable", "false")
        await black.put(SCHOLARS_MATE[1])
        await black.shows("board", "premove", SCHOLARS_MATE[1])
        await white.drag(SCHOLARS_MATE[0][:2], SCHOLARS_MATE[0][2:])
        for visitor in (white, black, watcher):
            await visitor.sees_plies(2)

        # White moves while Black's line is lost; Black answers without it.
        link.pull()
        await black.shows("line", "line", "lost")
        await white.play(SCHOLARS_MATE[2])
        await watcher.sees_plies(3)
        link.plug()
        await black.sees_plies(3)
        link.pull()
        await black.shows("line", "line", "lost")
        await black.play(SCHOLARS_MATE[3])
        link.plug()
        await white.sees_plies(4)

        # The page of a hidden tab follows, and calls its player.
        async with black.page.hidden():
            assert await black.page.call("() => document.visibilityState") == "hidden"
            await white.play(SCHOLARS_MATE[4])
            await black.sees_plies(5)
            await black.until("() => document.title.startsWith('Your move')")
        await black.play(SCHOLARS_MATE[5])
        await white.play(SCHOLARS_MATE[6])
        for visitor in (white, black, watcher):
            await visitor.reads("result", "1-0")
            await visitor.reads("end", "checkmate")
            score = "() => [...document.querySelectorAll('[data-testid=moves] span')].map((move) => move.innerText)"
            assert [move for move in await visitor.page.call(score) if move] == ITS_SCORE
            assert await visitor.page.call(SCROLLBARS) == []


@pytest.mark.parametrize(
    ("game", "variant", "line"),
    [("draughts", "international", LINES["international"]), ("chinese-checkers", "ten", STARS["ten"])],
)
async def test_other_games(server: ServerProcess, welcome: Welcome, game: str, variant: str, line: Line) -> None:
    white, black = await welcome(), await welcome(size=PHONE)
    await together(server, white, black, game=game, variant=variant, fen=line.fen)
    for ply, move in enumerate(line.moves.split()):
        mover = black if (ply % 2 == 0) == line.fen.lower().startswith("b") else white
        await mover.play(move)
        for visitor in (white, black):
            await visitor.sees_plies(ply + 1)
    for visitor in (white, black):
        await visitor.shows("game", "status", "over")


async def test_squares_are_below_their_pieces(server: ServerProcess, welcome: Welcome) -> None:
    visitor = await welcome()
    draughts = ScriptedGames(server.url, 1, game="draughts", variant="international")
    async with ScriptedGames(server.url, 3) as games, draughts as others:
        await games.play(6)
        await others[0].move("32-28")
        await visitor.open("/")
        await visitor.until("() => document.querySelectorAll('.mini.cg-wrap').length >= 3")
        await visitor.page.call("() => document.querySelector('.mini').scrollIntoView()")
        for width in (1000, 1280, 1437):
            await visitor.page.resize(width, 900)
            boards = await visitor.page.call(SEAMS, base64.b64encode(await visitor.page.screenshot()).decode())
            assert boards, width
            for side, *seams in boards:
                assert len(seams) == 7, (width, side, seams)
                for file, seam in enumerate(seams, 1):
                    assert abs(seam - file * side / 8) <= 1.01, (width, side, seams)

        for path in (f"/wall?games={','.join([*games.ids, *others.ids])}", f"/game/{others[0].g}"):
            await visitor.open(path)
            await visitor.until("() => document.querySelectorAll('.ground b').length >= 40")
            for width in (390, 1000, 1280):
                await visitor.page.resize(width, 844)
                assert max(await visitor.page.call(MOST_OFF)) < 0.5, (path, width)


async def test_watching_in_text_mode_fits_a_phone(server: ServerProcess, welcome: Welcome) -> None:
    visitor = await welcome(size=PHONE)
    async with ScriptedGames(server.url, 1) as games:
        await games.play(4)
        await visitor.open("/tv")
        await visitor.page.call("() => { localStorage.settings = JSON.stringify({ textMode: true }); }")
        await visitor.open("/tv")
        await visitor.reads("state", "to move")
        assert await visitor.page.call("() => document.documentElement.scrollWidth <= innerWidth")


async def test_a_page_opened_without_a_connection_says_so(server: ServerProcess, welcome: Welcome) -> None:
    async with BreakableLink(server.port) as link:
        visitor = await welcome(link.url, PHONE)
        await visitor.open("/")
        await visitor.page.call("() => navigator.serviceWorker.ready.then(() => true)")
        link.pull()
        await visitor.page.goto(f"{link.url}/live")
        await visitor.until("() => document.querySelector('h1').innerText === 'No connection'")
        link.plug()
        await visitor.open("/live")


async def test_settings_change_the_page_and_stay(server: ServerProcess, welcome: Welcome) -> None:
    visitor = await welcome()
    await visitor.sit(await seat(server), "/settings")
    for label in ("Blue", "Dark"):
        await visitor.choose(label)
    for _ in range(2):
        await visitor.until("() => document.documentElement.dataset.board === 'blue'")
        await visitor.until("() => document.documentElement.dataset.theme === 'dark'")
        await visitor.open("/")
