"""A page of a simul that is measured: what its main thread does, phase by phase."""

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
"""For a thousand participants to come, and for whatever a slowed browser has to do."""

LATE_S = 0.3
"""A long task is told of a little later."""

SCROLL_PX_S = 1200
"""Seven rows or so a second."""


class Browsing(msgspec.Struct, frozen=True, kw_only=True):
    """What the pages are looked at with.

    Attributes:
        width: of the window, in CSS pixels.
        slower: so many times less CPU than there is.
        profiles: where a CPU profile of each phase is put; None: none are made.
    """

    width: int = 1280
    height: int = 800
    slower: float = 1.0
    profiles: Path | None = None


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen in one."""

    name: str
    long_tasks_ms: list[float]
    frames_ms: list[float]
    switches: list[dict[str, float]]
    overtaken: int
    """Keys whose board had not been painted when the next one came."""
    changes: int
    """Events of boards that came in."""
    heap_mb: float


class Watched:
    """A page that is measured.

    Attributes:
        person: who looks at it.
        phases: what was seen so far.
    """

    def __init__(self, person: Person, protocol: CDPSession, name: str, profiles: Path | None) -> None:
        """``name``: what the phases are told by."""
        self.person = person
        self.phases: list[Phase] = []
        self._protocol = protocol
        self._name = name
        self._profiles = profiles

    @classmethod
    async def open(cls, browser: Browser, url: str, name: str, browsing: Browsing, token: str | None) -> Watched:
        """The page of who has ``token``, or of a stranger."""
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
        """Close it. Raises ``SystemExit`` if the page had faults, for then it was something else that was measured."""
        await self.person.context.close()
        if self.person.faults:
            raise SystemExit(f"the page of the {self._name} had faults: {self.person.faults}")

    @asynccontextmanager
    async def phase(self, name: str) -> AsyncIterator[None]:
        """Measure what is done inside."""
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
        """The whole grid, by the wheel, to its end."""
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
