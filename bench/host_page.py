"""Smoothness of the page of a simul: ``python -m bench.host_page [--boards 1000]``.

Runs its own server, ``zeitnot demo simul`` with scripted participants, and the pages of the host and of a spectator in
a Chromium window of 1280 by 800. For each phase it measures the long tasks of the main thread, the times between
animation frames, the time from a key (or a move) until the next board was painted, and the JavaScript heap afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import chess
import msgspec
from playwright.async_api import async_playwright, expect

from bench.load.second_host_socket import SecondHostSocket
from bench.page import FLAGS
from bench.pages.browser import require_browser
from bench.pages.watched_page import WAIT_MS, Browsing, Watched
from tests.server_process import COMMAND, ROOT, ServerProcess
from tests.wire_client import guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from bench.pages.watched_page import Phase
    from tests.browser.person import Person

LIMITS = ("--limit", "connections=3000,guests=3000,rate=200")

POLICIES = {
    getattr(os, f"SCHED_{name}"): name.lower()
    for name in ("OTHER", "FIFO", "RR", "BATCH")
    if hasattr(os, f"SCHED_{name}")
}
"""Scheduling policies: ``fifo`` and ``rr`` (``chrt``) have priority over everything else on the machine."""


class PageSizes(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes of the measurement.

    Attributes:
        moves_s: moves a second that the host makes elsewhere while their page is measured; each is two changes.
        think_s: thinking time of participants.
        keys_s: boards a second that the host switches by the keyboard.
        rest_s: duration of phases without any action on the page.
        visits_s: boards a second that the host visits while a spectator follows.
    """

    boards: int = 1000
    moves_s: float = 10.0
    think_s: float = 2.0
    keys: int = 120
    keys_s: float = 8.0
    moves: int = 60
    rest_s: float = 10.0
    visits_s: float = 2.0


TINY = PageSizes(boards=12, think_s=0.0, keys=8, moves=4, rest_s=0.5)


@asynccontextmanager
async def demonstration(url: str, token: str, sizes: PageSizes) -> AsyncIterator[str]:
    """Run a simul of the person with ``token`` with all participants; yield its id."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", COMMAND, "demo", "simul", "--url", url, "--token", token),
        *("--boards", str(sizes.boards), "--think", str(sizes.think_s)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        lines: list[str] = []
        while not lines or "the host may start it" not in lines[-1]:
            line = await process.stdout.readline()
            if not line:
                raise SystemExit("the demonstration has ended")
            lines.append(line.decode())
        yield lines[0].strip().rpartition("/")[2]
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        await process.communicate()


@asynccontextmanager
async def moving(second_socket: SecondHostSocket, moves_s: float, *, goes: bool = False) -> AsyncIterator[None]:
    """Let the host move elsewhere inside the block."""
    task = asyncio.create_task(second_socket.play(moves_s, goes=goes), name="the host moves elsewhere")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def watch_host(
    host: Watched, second_socket: SecondHostSocket, simul: str, sizes: PageSizes, chance: Random
) -> dict[str, float]:
    """Measure the host's page in all its phases; return what loading it took."""
    person = host.person
    await person.open(f"/simul/{simul}")
    await expect(person.see("simul-start")).to_be_enabled(timeout=WAIT_MS)
    async with host.phase("begins"):
        await second_socket.start()
        await person.see("simul-grid").wait_for()
        await asyncio.sleep(sizes.rest_s)
    async with host.phase("loads"):
        loaded = await load(host, simul)
    async with host.phase("looks on"), moving(second_socket, sizes.moves_s):
        await asyncio.sleep(sizes.rest_s)
    async with host.phase("scrolls"), moving(second_socket, sizes.moves_s):
        await host.scroll()
    async with host.phase("switches"), moving(second_socket, sizes.moves_s):
        await switch(person, sizes)
    async with host.phase("plays"):
        await play(person, sizes.moves, chance)
    return loaded


async def load(watched: Watched, simul: str) -> dict[str, float]:
    """Load the page anew while all boards are played. Return the bytes of the snapshot, and the milliseconds until
    board and grid were painted."""
    person = watched.person
    await person.open(f"/simul/{simul}")
    await person.page.wait_for_function("() => measured.loaded !== null")
    found: dict[str, float] = await person.page.evaluate("({ snapshot: measured.snapshot, ms: measured.loaded })")
    return found


async def switch(person: Person, sizes: PageSizes) -> None:
    """Switch from board to board by a key."""
    loop = asyncio.get_running_loop()
    start_s = loop.time()
    for number in range(1, sizes.keys + 1):
        await person.page.keyboard.press("n")
        await asyncio.sleep(max(0.0, start_s + number / sizes.keys_s - loop.time()))
    await person.page.wait_for_function("() => !measured.waits()")


async def play(person: Person, moves: int, chance: Random) -> None:
    """Make ``moves`` moves; after each the page shows the next board."""
    await person.page.keyboard.press("w")
    await person.see("board").scroll_into_view_if_needed()
    for _ in range(moves):
        await person.page.wait_for_function("() => measured.movable()")
        position = chess.Board(await person.fen())
        quiet = [move for move in position.legal_moves if move.promotion is None]
        shown = await person.see("simul").get_attribute("data-shown")
        await person.put(chance.choice(quiet).uci())
        # If no other board waits, the page stays at this one.
        await person.page.wait_for_function(
            "([shown, fen]) => measured.shown() !== shown || (measured.movable() && measured.fen() !== fen)",
            arg=[shown, position.fen()],
        )


async def watch_spectator(
    spectator: Watched, second_socket: SecondHostSocket, simul: str, sizes: PageSizes
) -> dict[str, float]:
    """Measure the page of a spectator who follows the host; return what loading it took."""
    async with spectator.phase("loads"):
        loaded = await load(spectator, simul)
    async with spectator.phase("follows"), moving(second_socket, sizes.visits_s, goes=True):
        await asyncio.sleep(3 * sizes.rest_s)
    async with spectator.phase("scrolls"), moving(second_socket, sizes.moves_s):
        await spectator.scroll()
    return loaded


async def measure(sizes: PageSizes, browsing: Browsing) -> dict[str, Any]:
    """Return all figures."""
    chromium = require_browser()
    load_before = os.getloadavg()[0]
    chance = Random(1)  # noqa: S311  moves
    async with AsyncExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(ServerProcess(directory / "data", *LIMITS))
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        stack.push_async_callback(browser.close)
        token = guest(server.url)[0]
        simul = await stack.enter_async_context(demonstration(server.url, token, sizes))
        second_socket = await stack.enter_async_context(SecondHostSocket(server.url, token, simul, chance))
        host = await Watched.open(browser, server.url, "host", browsing, token)
        host_loaded = await watch_host(host, second_socket, simul, sizes, chance)
        await host.close()
        spectator = await Watched.open(browser, server.url, "spectator", browsing, None)
        spectator_loaded = await watch_spectator(spectator, second_socket, simul, sizes)
        await spectator.close()
    return {
        "boards": sizes.boards,
        "window": [browsing.width, browsing.height],
        "slower": browsing.slower,
        "load_average": load_before,
        "policy": POLICIES.get(os.sched_getscheduler(0), "") if hasattr(os, "sched_getscheduler") else "",
        "snapshot_bytes": {"host": host_loaded["snapshot"], "spectator": spectator_loaded["snapshot"]},
        "loaded_ms": {"host": round(host_loaded["ms"]), "spectator": round(spectator_loaded["ms"])},
        "phases": [figures(phase) for phase in host.phases + spectator.phases],
    }


def figures(phase: Phase) -> dict[str, Any]:
    """Return the figures of a phase in milliseconds, except ``changes``, ``heap_mb`` and ``switch_frames``."""
    return {
        "phase": phase.name,
        "changes": phase.changes,
        "long_tasks": [round(ms) for ms in phase.long_tasks_ms],
        "frame": points(phase.frames_ms),
        "switch": points([switch["ms"] for switch in phase.switches]),
        "switch_frames": points([switch["frames"] for switch in phase.switches]),
        "switches": len(phase.switches),
        "overtaken": phase.overtaken,
        "heap_mb": round(phase.heap_mb, 1),
    }


def points(values: Sequence[float]) -> dict[str, float] | None:
    """Return median, 99th percentile (nearest rank) and maximum; None without values."""
    if not values:
        return None
    ranked = sorted(values)
    ninety_ninth = ranked[-(-len(ranked) * 99 // 100) - 1]
    return {"p50": round(median(ranked), 1), "p99": round(ninety_ninth, 1), "max": round(ranked[-1], 1)}


HEADINGS = (
    "phase",
    "changes",
    "long tasks",
    "longest",
    "frame p50/p99/max",
    "switches",
    "p50/p99/max",
    "frames",
    "heap",
)


def table(found: dict[str, Any]) -> str:
    """Return the figures as aligned columns."""
    rows = [HEADINGS]
    for phase in found["phases"]:
        tasks, switches = phase["long_tasks"], phase["switch_frames"]
        rows.append(
            (
                phase["phase"],
                str(phase["changes"]),
                str(len(tasks)),
                f"{max(tasks)} ms" if tasks else "",
                _three(phase["frame"]),
                _of(phase["switches"], phase["switches"] + phase["overtaken"]),
                _three(phase["switch"]),
                f"{switches['p50']:.0f}/{switches['p99']:.0f}/{switches['max']:.0f}" if switches else "",
                f"{phase['heap_mb']} MB",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    loads = ", ".join(
        f"{who}: {found['snapshot_bytes'][who] / 1000:,.0f} KB, painted after {found['loaded_ms'][who]:,} ms"
        for who in ("host", "spectator")
    )
    width, height = found["window"]
    slowed = "" if found["slower"] == 1 else f", {found['slower']:g} times less CPU"
    ran = f"load average {found['load_average']:.1f}, scheduled as {found['policy']}"
    head = f"{found['boards']:,} boards, window of {width} by {height}{slowed}; {ran}"
    return "\n".join((head, f"snapshot of the {loads}", *lines))


def _of(some: int, all_: int) -> str:
    return "" if all_ == 0 else str(some) if some == all_ else f"{some} of {all_}"


def _three(values: dict[str, float] | None) -> str:
    return "" if values is None else f"{values['p50']:.0f}/{values['p99']:.0f}/{values['max']:.0f} ms"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.host_page", description=__doc__)
    parser.add_argument("--boards", type=int, metavar="N", help="of the simul (default: 1000)")
    parser.add_argument("--phone", action="store_true", help="a window of 390 by 844")
    parser.add_argument("--slower", type=float, default=1, metavar="TIMES", help="slow the browser's CPU down")
    parser.add_argument("--profile", type=Path, metavar="DIR", help="put a CPU profile of each phase there")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    asked = parser.parse_args()
    sizes = TINY if asked.tiny else PageSizes()
    if asked.boards is not None:
        sizes = msgspec.structs.replace(sizes, boards=asked.boards)
    browsing = Browsing(slower=asked.slower, profiles=asked.profile)
    if asked.phone:
        browsing = msgspec.structs.replace(browsing, width=390, height=844)
    found = asyncio.run(measure(sizes, browsing))
    sys.stdout.write((json.dumps(found, indent=2) if asked.json else table(found)) + "\n")


if __name__ == "__main__":
    main()
