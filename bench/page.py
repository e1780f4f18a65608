"""Speed of the page in a real browser: ``python -m bench.page``.

Measures bytes and time until the board is playable, the time from a server's event to pixels, and long tasks of the
main thread during a game of one move a second. Uses one Chromium, its own server, and two scripted players over
sockets; the page is a spectator.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import chess.pgn
from playwright.async_api import async_playwright

from bench.pages.browser import require_browser
from tests.server_process import ServerProcess
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

GAMES = Path(__file__).parent.parent / "tests" / "data" / "kasparov-deep-blue-1997.pgn"

FLAGS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync")

FURTHER_MS = 1000
"""Extra round-trip time of the second load. The additional loading time, in round trips, is how many the board waits
for."""

WATCH = """
(() => {
  window.measured = { longTasks: [], delays: [], frames: [], board: null, device: null };
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) measured.longTasks.push(Math.round(task.duration));
  }).observe({ type: 'longtask', buffered: true });
  const Device = AudioContext;
  window.AudioContext = class extends Device {
    constructor(...given) {
      const before = performance.now();
      super(...given);
      measured.device = performance.now() - before;
    }
  };
  const Native = WebSocket;
  window.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', (event) => {
        const text = event.data instanceof ArrayBuffer ? new TextDecoder('latin1').decode(event.data) : event.data;
        if (text.includes('\\xa1t\\xa4move')) measured.arrived = performance.now();
      });
    }
  };
  const look = () => {
    const board = document.querySelector('[data-testid=board]');
    const piece = board?.querySelector('piece');
    const picture = piece && /url\\("([^"]+)"\\)/.exec(getComputedStyle(piece).backgroundImage)?.[1];
    if (!picture) return requestAnimationFrame(look);
    if (!picture.startsWith('data:') && !performance.getEntriesByName(picture)[0]?.responseEnd)
      return requestAnimationFrame(look);
    measured.board ??= performance.now();
    new MutationObserver(() => {
      if (measured.arrived === undefined) return;
      const arrived = measured.arrived;
      measured.arrived = undefined;
      requestAnimationFrame(() => requestAnimationFrame(() => measured.delays.push(performance.now() - arrived)));
    }).observe(board, { attributes: true, childList: true, subtree: true });
  };
  look();
  let last = performance.now();
  const frame = (now) => {
    measured.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})();
"""
"""Runs before the page's own scripts. A delay ends two animation frames after the board's elements have changed. The
second frame begins when the first has been painted, so the delay is an upper bound."""


async def first_load(browser: Browser, url: str, latency_ms: int) -> dict[str, float]:
    """Return the bytes over the wire and the time to the board for a first visit, at a round trip of ``latency_ms``."""
    context = await browser.new_context(viewport={"width": 390, "height": 844})
    page = await context.new_page()
    await page.add_init_script(WATCH)
    protocol = await context.new_cdp_session(page)
    sizes: dict[str, float] = {}
    arguments: set[str] = set()

    def note(event: dict[str, Any]) -> None:
        if event["response"]["url"].startswith("http"):  # without the ``data:`` URLs of style sheets
            arguments.add(event["requestId"])

    def add(event: dict[str, Any]) -> None:
        if event["requestId"] in arguments:
            sizes[event["requestId"]] = event["encodedDataLength"]

    protocol.on("Network.responseReceived", note)
    protocol.on("Network.loadingFinished", add)
    await protocol.send("Network.enable")
    await protocol.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": latency_ms, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    await page.goto(url, wait_until="load")
    await page.wait_for_function("() => measured.board !== null")
    board_ms = await page.evaluate("measured.board")
    html_ms = await page.evaluate("performance.getEntriesByType('navigation')[0].responseEnd")
    await page.wait_for_load_state("networkidle")
    await context.close()
    return {
        "bytes": sum(sizes.values()),
        "requests": len(sizes),
        "board_ms": round(board_ms),
        "after_html_ms": round(board_ms - html_ms),
    }


async def watch_game(page: Page, url: str, moves: list[str], white: Client, black: Client, game: str) -> dict[str, Any]:
    """Watch ``moves``, one a second, and return what the page's main thread did meanwhile."""
    await page.add_init_script(WATCH)
    await page.goto(url)
    await page.wait_for_selector("[data-line=open]", state="attached")
    await page.wait_for_timeout(500)
    await page.evaluate("measured.longTasks.length = 0")
    await page.mouse.click(2, 2)  # on an empty spot: a player has touched the page too, which opens the audio device
    await page.wait_for_timeout(1000)
    touch = await page.evaluate("measured.longTasks.splice(0)")
    await page.evaluate("measured.frames.length = 0; measured.delays.length = 0")
    for ply, move in enumerate(moves):
        await (white, black)[ply % 2].request("move", g=game, move=move, ply=ply)
        await asyncio.sleep(1.0)
    return {**await page.evaluate("measured"), "touch": touch}


async def new_game(white: Client, black: Client) -> str:
    """Begin a game between the scripted players; return its id."""
    seek = await white.request("seek", tc={"base_s": 900, "inc_s": 0}, color="w")
    game: str = (await black.request("accept", seek=seek["seek"]))["g"]
    return game


def real_moves(count: int) -> list[str]:
    """Return the first ``count`` half-moves of a long real game."""
    with GAMES.open() as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    longest = max(games, key=lambda game: game.end().ply())
    return [move.uci() for move in longest.mainline_moves()][:count]


async def measure(plies: int, latency_ms: int) -> dict[str, Any]:
    """Return all figures."""
    chromium = require_browser()
    with (
        tempfile.TemporaryDirectory() as directory,
        ServerProcess(Path(directory) / "data", "--limit", "guests=100,rate=100") as server,
    ):
        white_token, black_token = guest(server.url)[0], guest(server.url)[0]
        async with (
            async_playwright() as playwright,
            Client(server.url, white_token) as white,
            Client(server.url, black_token) as black,
        ):
            browser = await playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
            game = await new_game(white, black)
            address = f"{server.url}/game/{game}"
            loads = [await first_load(browser, address, ms) for ms in (latency_ms, latency_ms + FURTHER_MS)]
            page = await browser.new_page(viewport={"width": 1280, "height": 800})
            seen = await watch_game(page, address, real_moves(plies), white, black, game)
            await browser.close()
    delays, frames = seen["delays"], seen["frames"]
    return {
        "load": {
            **loads[0],
            "round_trip_ms": latency_ms,
            "round_trips_after_html": round((loads[1]["after_html_ms"] - loads[0]["after_html_ms"]) / FURTHER_MS, 1),
        },
        "event_to_pixels_ms": {
            "events": len(delays),
            "p50": round(median(delays), 1),
            "p95": round(quantiles(delays, n=20)[-1], 1),
            "frame_p50": round(median(frames), 1),
        },
        "audio_device_ms": seen["device"] and round(seen["device"], 1),
        "long_tasks_after_touch_ms": seen["touch"],
        "long_tasks_ms": seen["longTasks"],
        "moves": plies,
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.page", description=__doc__)
    parser.add_argument("--moves", type=int, default=60, help="half-moves to watch, one a second (default: 60)")
    parser.add_argument("--round-trip", type=int, default=100, metavar="MS", help="of the network (default: 100)")
    arguments = parser.parse_args()
    sys.stdout.write(json.dumps(asyncio.run(measure(arguments.moves, arguments.round_trip)), indent=2) + "\n")


if __name__ == "__main__":
    main()
