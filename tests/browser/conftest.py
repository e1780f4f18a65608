"""A real browser against a real server. Without a Chromium the tests are skipped, and in CI they fail."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from playwright.async_api import async_playwright

from tests.browser.person import Person
from tests.server_process import ROOT, ServerProcess

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from playwright.async_api import Browser

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
)
"""The browser's own errands, which have no business in a test."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser beside its server on a small machine now and then takes longer than any patience: what failed is run
    once more. ``R`` and the summary (``-rR``) tell of it, for it may as well be a fault that shows once in a while."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests/browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


class Invite(Protocol):
    """Bring another person to the server."""

    async def __call__(self, home: str | None = None, **options: Any) -> Person:
        """``home``: where he comes by, if not directly; ``options``: of his browser context."""
        ...


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with _started(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def server(
    request: pytest.FixtureRequest, shared_server: ServerProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    """The module's server; for a test that is run again a new one, where its names and seeks are not there yet."""
    if getattr(request.node, "execution_count", 1) == 1:
        yield shared_server
    else:
        with _started(tmp_path_factory.mktemp("another")) as server:
            yield server


def _started(directory: Path) -> ServerProcess:
    assert (ROOT / "realtime/static/index.html").exists(), "the page is not built; run make setup"
    return ServerProcess(directory / "data", "--limit", "guests=1000")


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator[Browser]:
    flags = [*FLAGS, "--no-sandbox"] if os.getuid() == 0 else list(FLAGS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        await browser.close()


@pytest.fixture
async def invite(browser: Browser, server: ServerProcess) -> AsyncIterator[Invite]:
    people: list[Person] = []

    async def invite(home: str | None = None, **options: Any) -> Person:
        context = await browser.new_context(**options)
        context.set_default_timeout(10_000)
        person = Person(context, await context.new_page(), home or server.url)
        people.append(person)
        return person

    yield invite
    for person in people:
        await person.context.close()
    assert [fault for person in people for fault in person.faults] == []
