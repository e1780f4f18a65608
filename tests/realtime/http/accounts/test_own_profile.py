"""What people say of themselves, moderation of it, and being invisible."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.accounts.closing import close_account
from lobby.accounts.countries import COUNTRIES
from lobby.accounts.profile import MAX_ABOUT, MAX_LINES, checked_profile
from lobby.errors import BadField
from tests.realtime.http.accounts.test_reports import Person, person
from tests.realtime.http.accounts.test_signing import field_of
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web

PROFILE, INVISIBLE = "/api/v1/account/profile", "/api/v1/account/invisible"


async def write(someone: Person, about: Any, country: Any = None) -> httpx.Response:
    return await someone.client.put(PROFILE, json={"about": about, "country": country})


@pytest.fixture
async def anna(web: Web) -> Person:
    return await person(web)


class TestProfile:
    async def test_it_is_shown_with_listed_words_masked(self, web: Web, anna: Person) -> None:
        text = "I play the Dutch.\nDarn good."
        assert (await write(anna, f"  {text} \n\n", "NL")).json() == {"about": text, "country": "NL"}
        shown = (await anna.client.get(f"/api/v1/users/{anna.name}")).json()
        assert (shown["about"], shown["country"]) == ("I play the Dutch.\n**** good.", "NL")
        account = (await anna.client.get("/api/v1/account")).json()
        assert (account["about"], account["country"], account["invisible"]) == (text, "NL", False)
        assert (await write(anna, "")).json() == {"about": "", "country": None}

    @pytest.mark.parametrize(
        ("about", "country", "field"),
        [
            ("x" * (MAX_ABOUT + 1), None, "about"),
            ("x\n" * MAX_LINES + "x", None, "about"),
            (7, None, "about"),
            ("nul\0", None, "about"),
            ("", "nl", "country"),
            ("", "XX", "country"),
            ("", "N\0", "country"),
        ],
    )
    async def test_invalid(self, anna: Person, about: Any, country: Any, field: str) -> None:
        response = await write(anna, about, country)
        assert (response.status_code, field_of(response)) == (422, field)

    async def test_guests_have_none(self, web: Web) -> None:
        assert error_of(await write(await person(web, "guest"), "hello")) == (403, "forbidden")

    async def test_a_report_includes_the_text_and_a_moderator_removes_it(self, web: Web, anna: Person) -> None:
        bert, mona = await person(web), await person(web, roles=["moderator"])
        await write(anna, "I hate bert", "NL")
        assert (await bert.report(anna, what="profile")).status_code == 201
        await write(anna, "I like everybody", "NL")
        (report,) = (await mona.client.get("/api/v1/reports")).json()["reports"]
        assert report["what"] == "profile"
        assert [(line["user"]["name"], line["text"]) for line in report["lines"]] == [(anna.name, "I hate bert")]
        address = f"/api/v1/users/{anna.name}/profile"
        assert error_of(await bert.client.delete(address)) == (403, "forbidden")
        for _ in range(2):
            assert (await mona.client.delete(address)).status_code == 204
        shown = (await bert.client.get(f"/api/v1/users/{anna.name}")).json()
        assert (shown["about"], shown["country"]) == ("", "NL")
        acts = await web.pool.fetch("SELECT actor, act, subject, detail FROM audit")
        assert [tuple(act) for act in acts] == [(mona.id, "clear profile", anna.id, {})]

    async def test_a_closed_account_shows_none(self, web: Web, anna: Person) -> None:
        await write(anna, "hello", "NL")
        await web.pool.execute("UPDATE person SET closed_at = now() WHERE id = $1", anna.id)
        shown = (await (await web.client()).get(f"/api/v1/users/{anna.name}")).json()
        assert (shown["about"], shown["country"]) == ("", None)

    async def test_a_report_of_an_empty_profile(self, web: Web, anna: Person) -> None:
        assert (await (await person(web)).report(anna, what="profile")).status_code == 201
        assert await web.pool.fetchval("SELECT lines FROM report") == []

    async def test_who_may_not_chat_may_only_remove_the_text(self, web: Web, anna: Person) -> None:
        mona = await person(web, roles=["moderator"])
        await write(anna, "hello")
        await mona.time_out(anna, 60)
        assert error_of(await write(anna, "hello again")) == (403, "forbidden")
        assert (await write(anna, "hello", "NL")).status_code == 200
        assert (await write(anna, " ")).status_code == 200

    async def test_no_text_is_left_behind_by_an_account_that_is_being_closed(self, web: Web, anna: Person) -> None:
        async with web.pool.acquire() as connection, connection.transaction():
            await close_account(connection, anna.id)
            request = asyncio.create_task(write(anna, "hello"))
            await asyncio.wait([request], timeout=0.3)
            assert not request.done()
        assert error_of(await request) == (409, "conflict")
        assert await web.pool.fetchval("SELECT count(*) FROM profile") == 0


@given(st.text(max_size=300))
def test_a_text_is_kept_in_bounds_and_is_the_same_when_saved_again(text: str) -> None:
    try:
        about = checked_profile(text, None).about
    except BadField:
        return
    assert len(about) <= MAX_ABOUT
    assert about.count("\n") < MAX_LINES
    assert checked_profile(about, "DE").about == about
    assert not any(char in about for char in "\0\r\u202e\u2066")


@pytest.mark.parametrize("text", ["\u200b \u2800\n\u00ad", "\u0301", " \n\t"])
def test_a_text_without_anything_to_see_is_none(text: str) -> None:
    assert checked_profile(text, "NL").about == ""


def test_countries_are_codes_of_two_letters() -> None:
    assert len(COUNTRIES) == 249
    assert all(len(code) == 2 and code.isalpha() and code.isupper() for code in COUNTRIES)


async def test_anybody_can_be_invisible(web: Web) -> None:
    for kind in ("guest", "member"):
        someone = await person(web, kind)
        for invisible in (True, True, False):
            response = await someone.client.put(INVISIBLE, json={"invisible": invisible})
            assert response.json() == {"invisible": invisible}
            stored = await web.pool.fetchval("SELECT is_invisible FROM person WHERE id = $1", someone.id)
            assert stored is invisible
            assert (await someone.client.get("/api/v1/account")).json()["invisible"] is invisible
        assert (await someone.client.put(INVISIBLE, json={"invisible": "yes"})).status_code == 422
    assert error_of(await (await web.client()).put(INVISIBLE, json={"invisible": True})) == (401, "unauthenticated")


def test_the_page_has_the_same_countries() -> None:
    source = (Path(__file__).parents[4] / "web/src/people/countries.ts").read_text(encoding="utf-8")
    assert set(re.findall(r"\b[A-Z]{2}\b", source.split("`")[1])) == COUNTRIES
