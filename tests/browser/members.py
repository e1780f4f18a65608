"""Members at their browsers, and their other tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.async_api import expect

from tests.browser.person import Person

if TYPE_CHECKING:
    from tests.browser.conftest import Invite

SIGN_UP = """async name => {
    const body = JSON.stringify({ name, password: 'correct horse battery' });
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch('/api/v1/signup', { method: 'POST', headers, body })).status;
}"""


async def member(invite: Invite, name: str, **options: Any) -> Person:
    """Return a person who has signed up as the member ``name`` and is at the lobby."""
    person = await invite(**options)
    await person.open("/")
    await person.page.evaluate("fetch('/api/v1/guest', { method: 'POST' })")
    assert await person.page.evaluate(SIGN_UP, name) == 201
    await person.open("/")
    await expect(person.see("user")).to_have_text(name)
    return person


async def tab_of(person: Person, path: str) -> Person:
    """Open another tab of the person."""
    tab = Person(person.context, await person.context.new_page(), person.home)
    await tab.open(path)
    return tab
