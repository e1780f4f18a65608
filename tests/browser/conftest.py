"""A real browser against a real server. Without Chromium the tests are skipped; in CI they fail."""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any, Protocol

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright, expect

from tests.browser.person import Person
from tests.server_process import CHEAP_HASHES, ROOT, ServerProcess

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from playwright.async_api import Browser

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
)
"""Disable Chromium's own requests."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser tests of a worker in one event loop, the loop of its Chromium."""
    for item in items:
        is_async = inspect.iscoroutinefunction(getattr(item, "obj", None))
        if is_async and item.path.is_relative_to(ROOT / "tests/browser"):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


PATIENCE_MS = 30_000
"""Timeout for what a page does in a moment, on a busy machine."""

expect.set_options(timeout=PATIENCE_MS)


class Invite(Protocol):
    """Create another person at the server."""

    async def __call__(self, home: str | None = None, **options: Any) -> Person:
        """``home``: origin that they use instead of the server's own; ``options``: of their browser context."""
        ...


@pytest.fixture(scope="module")
def server(
    server_database: str | None, robots_arguments: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    """One server for each module, with its own database."""
    assert (ROOT / "realtime/static/index.html").exists(), "the page is not built; run make setup"
    data = tmp_path_factory.mktemp("server") / "data"
    arguments = ("--limit", "guests=1000", *robots_arguments)
    with ServerProcess(data, *arguments, database=server_database, prepare=CHEAP_HASHES) as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """One Chromium for each worker; each person gets a separate browser context."""
    flags = [*FLAGS, "--no-sandbox"] if os.getuid() == 0 else list(FLAGS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def invite(browser: Browser, server: ServerProcess) -> AsyncIterator[Invite]:
    people: list[Person] = []

    async def invite(home: str | None = None, **options: Any) -> Person:
        context = await browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        person = Person(context, await context.new_page(), home or server.url)
        people.append(person)
        return person

    yield invite
    for person in people:
        await person.context.close()
    assert [fault for person in people for fault in person.faults] == []
