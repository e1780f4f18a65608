"""Firefox and WebKitGTK for the tests of this folder. Without one its tests are skipped; in CI they fail."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest_asyncio

from tests.browser.engines.visitor import DESKTOP, PHONE, Visitor
from tests.browser.engines.webdriver import Engine, Firefox, WebKit
from tests.deploy.programs import program

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import pytest

    from tests.server_process import ServerProcess


class Welcome(Protocol):
    """Let another person come to the server."""

    async def __call__(self, home: str | None = None, size: tuple[int, int] = DESKTOP) -> Visitor:
        """``home``: origin that they use instead of the server's own; ``size``: of their viewport."""
        ...


def firefox() -> Engine:
    return Firefox(program("firefox-esr"))


def webkit() -> Engine:
    driver, screen = program("WebKitWebDriver"), program("Xvfb")
    # It comes with the driver's libraries and is not on PATH.
    (browser,) = Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")
    return WebKit(driver, str(browser), screen)


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=[firefox, webkit])
async def engine(request: pytest.FixtureRequest) -> AsyncIterator[Engine]:
    async with request.param() as engine:
        yield engine


@pytest_asyncio.fixture(loop_scope="session")
async def welcome(engine: Engine, server: ServerProcess) -> AsyncIterator[Welcome]:
    visitors: list[Visitor] = []
    async with contextlib.AsyncExitStack() as stack:

        async def welcome(home: str | None = None, size: tuple[int, int] = DESKTOP) -> Visitor:
            page = await stack.enter_async_context(engine.page())
            await page.resize(*size)
            visitors.append(Visitor(page, home or server.url, "touch" if size == PHONE else "mouse"))
            return visitors[-1]

        yield welcome
        assert [fault for visitor in visitors for fault in await visitor.page.faults()] == []
