"""Measured page of a simul: what its main thread does, phase by phase."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from realtime.net.handshake import COOKIE
from tests.browser.person import Person

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, CDPSession, ViewportSize

WATCH = Path(__file__).with_suffix(".js")

WAIT_MS = 120_000
"""Timeout for a thousand participants to join, and for any work of a slowed browser."""

LATE_S = 0.3
"""Delay until a long task is reported."""

SCROLL_PX_S = 1200
"""About seven rows a second."""


class Browsing(msgspec.Struct, frozen=True, kw_only=True):
    """Browser settings.

    Attributes:
        width: width of the window in CSS pixels.
        slower: factor by which the CPU is slowed down.
        profiles: directory for a CPU profile of each phase; None: no profiles.
    """

    width: int = 1280
    height: int = 800
    slower: float = 1.0
    profiles: Path | None = None


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """Measurements of one phase."""

    name: str
    long_tasks_ms: list[float]
    frames_ms: list[float]
    switches: list[dict[str, float]]
    overtaken: int
    """Keys whose board was not painted before the next key."""
    changes: int
    """Received events of boards."""
    heap_mb: float


class Watched:
    """A measured page.

    Attributes:
        person: its user.
        phases: the measurements so far.
    """

    def __init__(self, person: Person, protocol: CDPSession, name: str, profiles: Path | None) -> None:
        """``name``: prefix of the names of its phases."""
        self.person = person
        self.phases: list[Phase] = []
        self._protocol = protocol
        self._name = name
        self._profiles = profiles

    @classmethod
    async def open(cls, browser: Browser, url: str, name: str, browsing: Browsing, token: str | None) -> Watched:
        """Open the page of the user with ``token``, or of an anonymous one."""
        window: ViewportSize = {"width": browsing.width, "height": browsing.height}
        context = await browser.new_context(viewport=window)
        context.set_default_timeout(WAIT_MS)
        if token is not None:
            await context.add_cookies([{"name": COOKIE, "value": token, "url": url}])
        page = await context.new_page()
        await page.add_init_script(path=WATCH)
        protocol = await context.new_cdp_session(page)
        await protocol.send("Performance.enable")
        await protocol.send("Emulation.setCPUThrottlingRate", {"rate": browsing.slower})
        return cls(Person(context, page, url), protocol, name, browsing.profiles)

    async def close(self) -> None:
        """Close the page. Raises ``SystemExit`` if the page had errors, because then the figures mean nothing."""
        await self.person.context.close()
        if self.person.faults:
            raise SystemExit(f"the page of the {self._name} had faults: {self.person.faults}")

    @asynccontextmanager
    async def phase(self, name: str) -> AsyncIterator[None]:
        """Measure what is done inside the block."""
        page = self.person.page
        await page.evaluate("() => void window.measured?.take()")
        if self._profiles is not None:
            await self._protocol.send("Profiler.enable")
            await self._protocol.send("Profiler.start")
        yield
        await asyncio.sleep(LATE_S)
        if self._profiles is not None:
            profile = await self._protocol.send("Profiler.stop")
            (self._profiles / f"{self._name}-{name}.cpuprofile").write_text(json.dumps(profile["profile"]))
        seen = await page.evaluate("measured.take()")
        self.phases.append(
            Phase(
                name=f"{self._name}: {name}",
                long_tasks_ms=seen["longTasks"],
                frames_ms=seen["frames"],
                switches=seen["switches"],
                overtaken=seen["overtaken"],
                changes=seen["events"],
                heap_mb=await self._heap_mb(),
            )
        )

    async def scroll(self) -> None:
        """Scroll the whole grid to its end with the wheel."""
        grid = self.person.see("simul-grid")
        await grid.evaluate("grid => { grid.scrollTop = 0 }")
        await grid.scroll_into_view_if_needed()
        box = await grid.bounding_box()
        assert box is not None
        left = await grid.evaluate("grid => grid.scrollHeight - grid.clientHeight")
        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        gesture = {**middle, "yDistance": -left, "speed": SCROLL_PX_S, "gestureSourceType": "mouse"}
        await self._protocol.send("Input.synthesizeScrollGesture", gesture)

    async def _heap_mb(self) -> float:
        await self._protocol.send("HeapProfiler.collectGarbage")
        metrics = (await self._protocol.send("Performance.getMetrics"))["metrics"]
        (used,) = (metric["value"] for metric in metrics if metric["name"] == "JSHeapUsedSize")
        return float(used) / 1e6
