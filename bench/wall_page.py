"""Whether a page of many boards keeps up in a real browser: ``python -m bench.wall_page``.

Scripted games are played at a fixed rate while one page watches all of them. The results are the long tasks of its main
thread, the frames that it drew, and the number of moves that it showed. Uses one Chromium and its own server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import chess
from playwright.async_api import async_playwright

from bench.page import FLAGS
from bench.pages.browser import require_browser
from tests.browser.scripted_games import ScriptedGame, ScriptedGames
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from playwright.async_api import Page

WATCH = """
(() => {
  window.measured = { longTasks: [], frames: [], shown: 0 };
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) measured.longTasks.push(Math.round(task.duration));
  }).observe({ type: 'longtask', buffered: true });
  let last = performance.now();
  const frame = (now) => {
    measured.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.watchTiles = () => new MutationObserver((changes) => (measured.shown += changes.length)).observe(
    document.querySelector('[data-testid=tiles]'), { attributes: true, subtree: true, attributeFilter: ['data-ply'] },
  );
})();
"""
"""Runs before the page's own scripts. ``shown`` counts the boards that have changed, each at most once a frame."""

TRACED = ["toplevel"]
"""Trace category of the browser's tasks. It costs little enough not to change the result, and has the thread's own
clock, which stops while the machine does something else."""

TASK = "ThreadControllerImpl::RunTask"
"""Name of a task in the trace."""

LONG_MS = 50
"""Least duration of a long task (W3C, Long Tasks API)."""

SETTLE_MS = 1000
"""Time for the page to load and to draw its first boards, which is reported separately."""


def aimless(plies: int, rng: random.Random) -> list[str]:
    """Return a random game of ``plies`` half-moves that does not end before."""
    while True:
        board = chess.Board()
        moves: list[str] = []
        while len(moves) < plies:
            going = [move for move in board.legal_moves if not _ends(board, move)]
            if not going:
                break
            move = rng.choice(going)
            board.push(move)
            moves.append(move.uci())
        if len(moves) == plies:
            return moves


def _ends(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    ends = board.is_game_over()
    board.pop()
    return ends


async def play(game: ScriptedGame, moves: list[str], a_second: float, begin_s: float) -> None:
    """Play ``moves`` at that rate from ``begin_s`` on. Late moves are made at once, so none is left out."""
    loop = asyncio.get_running_loop()
    for number, move in enumerate(moves):
        await asyncio.sleep(max(0.0, begin_s + number / a_second - loop.time()))
        await game.move(move)


async def watch(page: Page, url: str, games: ScriptedGames, plies: int, a_second: float) -> dict[str, Any]:
    """Watch ``plies`` half-moves in each of ``games``, and return what the page's main thread did meanwhile."""
    rng = random.Random(12)  # noqa: S311 - games, not secrets
    scores = [aimless(plies, rng) for _ in games.games]
    await page.add_init_script(WATCH)
    await page.goto(f"{url}/wall?games={','.join(games.ids)}")
    for g in games.ids:
        await page.wait_for_selector(f"[data-testid=live-game][data-g='{g}']")
    await page.wait_for_timeout(SETTLE_MS)
    loading = await page.evaluate("measured.longTasks.splice(0)")
    await page.evaluate("measured.frames.length = 0; watchTiles()")
    browser = page.context.browser
    assert browser is not None, "it was launched"
    await browser.start_tracing(page=page, categories=TRACED)
    begin_s = asyncio.get_running_loop().time()
    stride_s = 1 / a_second / len(scores)
    await asyncio.gather(
        *(
            play(game, score, a_second, begin_s + number * stride_s)
            for number, (game, score) in enumerate(zip(games.games, scores, strict=True))
        )
    )
    took_s = asyncio.get_running_loop().time() - begin_s
    tasks = own_ms(json.loads(await browser.stop_tracing())["traceEvents"])
    for g in games.ids:
        await page.wait_for_selector(f"[data-g='{g}'][data-ply='{plies}']")
    return {**await page.evaluate("measured"), "loading": loading, "took_s": took_s, "tasks": tasks}


def own_ms(events: list[dict[str, Any]]) -> list[float]:
    """Return the CPU time of each task of the page's main thread, longest first; empty without a trace."""
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event["tdur"] / 1000
        for event in events
        if event.get("name") == TASK and (event["pid"], event["tid"]) in main and "tdur" in event
    ]
    return sorted(tasks, reverse=True)


async def measure(count: int, plies: int, a_second: float, slowdown: int) -> dict[str, Any]:
    """Return all figures."""
    chromium = require_browser()
    with (
        tempfile.TemporaryDirectory() as directory,
        ServerProcess(Path(directory) / "data", "--limit", "guests=100,rate=100") as server,
    ):
        async with async_playwright() as playwright, ScriptedGames(server.url, count) as games:
            browser = await playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
            page = await browser.new_page(viewport={"width": 1280, "height": 800})
            if slowdown > 1:
                protocol = await page.context.new_cdp_session(page)
                await protocol.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
            seen = await watch(page, server.url, games, plies, a_second)
            await browser.close()
    frames, tasks = seen["frames"], seen["tasks"]
    return {
        "boards": count,
        "half_moves_a_second_each": a_second,
        "half_moves_a_second_in_all": round(count * plies / seen["took_s"], 1),
        "changes_drawn_a_second": round(seen["shown"] / seen["took_s"], 1),
        "slowdown": slowdown,
        "frame_ms": {
            "p50": round(median(frames), 1),
            "p99": round(quantiles(frames, n=100)[-1], 1),
            "frames": len(frames),
        },
        "long_tasks_of_loading_ms": seen["loading"],
        "long_tasks_ms": seen["longTasks"],
        "cpu": {
            "long_tasks_ms": [round(ms) for ms in tasks if ms > LONG_MS],
            "longest_ms": [round(ms, 1) for ms in tasks[:5]],
            "share_of_a_core": round(sum(tasks) / 1000 / seen["took_s"], 2),
        },
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.wall_page", description=__doc__)
    parser.add_argument("--boards", type=int, default=12, help="games on the wall (default: 12)")
    parser.add_argument("--moves", type=int, default=200, help="half-moves of each (default: 200)")
    parser.add_argument("--rate", type=float, default=10.0, help="half-moves a second in each (default: 10)")
    parser.add_argument("--slowdown", type=int, default=1, metavar="TIMES", help="of the browser's CPU (default: 1)")
    arguments = parser.parse_args()
    found = asyncio.run(measure(arguments.boards, arguments.moves, arguments.rate, arguments.slowdown))
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
