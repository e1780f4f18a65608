"""Preferences of a person: any flat object of up to 4 KB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.preferences import MAX_BYTES
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web

GUEST = "/api/v1/guest"
SETTINGS = "/api/v1/me/settings"


async def test_preferences_are_empty_then_the_last_sent(web: Web) -> None:
    browser = await web.browser()
    await browser.post(GUEST)
    assert (await browser.get(SETTINGS)).json() == {"settings": {}}
    first = {"board": "green", "coords": True, "volume": 0.5, "anim_ms": 200, "theme": None, "ünï": "çødé"}
    assert (await browser.put(SETTINGS, json={"settings": first})).json() == {"settings": first}
    assert (await browser.get(SETTINGS)).json() == {"settings": first}
    response = await browser.put(SETTINGS, json={"settings": {"board": "blue"}})
    assert response.status_code == 200
    assert (await browser.get(SETTINGS)).json() == {"settings": {"board": "blue"}}
    assert response.headers["cache-control"] == "no-store"


async def test_preferences_are_separate_for_each_person(web: Web) -> None:
    anna, ben = await web.browser(), await web.client()
    for client, board in ((anna, "green"), (ben, "blue")):
        await client.post(GUEST)
        await client.put(SETTINGS, json={"settings": {"board": board}})
    assert (await anna.get(SETTINGS)).json() == {"settings": {"board": "green"}}


async def test_preferences_require_authentication(program: httpx.AsyncClient) -> None:
    assert error_of(await program.get(SETTINGS)) == (401, "unauthenticated")
    assert error_of(await program.put(SETTINGS, json={"settings": {}})) == (401, "unauthenticated")


async def test_wrong_method_lists_the_allowed_ones(program: httpx.AsyncClient) -> None:
    response = await program.delete(SETTINGS)
    assert error_of(response) == (405, "bad_message")
    assert set(response.headers["allow"].split(", ")) == {"GET", "HEAD", "PUT"}


async def test_other_sites_cannot_change_preferences(web: Web) -> None:
    browser = await web.browser()
    await browser.post(GUEST)
    for headers in ({"origin": "https://elsewhere.test"}, {"sec-fetch-site": "cross-site"}):
        refused = await browser.put(SETTINGS, json={"settings": {"board": "red"}}, headers=headers)
        assert error_of(refused) == (403, "forbidden")
    assert (await browser.get(SETTINGS)).json() == {"settings": {}}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"settings": None},
        {"settings": []},
        {"settings": "x"},
        {"settings": {"a": {}}},
        {"settings": {"a": []}},
        {"settings": {"": 1}},
        {"settings": {"k" * 41: 1}},
        {"settings": {"a": "\0"}},
        {"settings": {"a\0": 1}},
        {"settings": {"a": "x" * MAX_BYTES}},
    ],
)
async def test_invalid_preferences_are_refused(web: Web, body: Any) -> None:
    browser = await web.browser()
    await browser.post(GUEST)
    response = await browser.put(SETTINGS, json=body)
    assert error_of(response) == (400, "bad_message")
    assert response.json()["error"]["message"].startswith("settings")
    assert (await browser.get(SETTINGS)).json() == {"settings": {}}


async def test_largest_preferences_are_accepted(web: Web) -> None:
    browser = await web.browser()
    await browser.post(GUEST)
    largest = {"k" * 40: "x" * (MAX_BYTES - 47)}
    assert (await browser.put(SETTINGS, json={"settings": largest})).status_code == 200
    assert (await browser.get(SETTINGS)).json() == {"settings": largest}


async def test_numbers_must_be_valid_json(web: Web) -> None:
    browser = await web.browser()
    await browser.post(GUEST)
    for number in ("1e999", "NaN", "Infinity"):
        response = await browser.put(SETTINGS, content=f'{{"settings":{{"a":{number}}}}}')
        assert error_of(response) == (400, "bad_message")
    for number in ("12345678901234567890", "-0.25", "1e2"):
        response = await browser.put(SETTINGS, content=f'{{"settings":{{"a":{number}}}}}')
        assert response.status_code == 200
