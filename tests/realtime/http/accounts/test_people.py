"""Follows, the list of who is online, and the status of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lobby.accounts import follows
from lobby.accounts.profile import set_invisible
from lobby.accounts.user import Grant, user_wire
from lobby.moderation import blocks
from realtime.people import online_users
from tests.realtime.http.accounts.test_reports import Person, person
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx
    import pytest

    from tests.realtime.http.conftest import Web

FOLLOWS, BLOCKS, ONLINE = "/api/v1/follows", "/api/v1/blocks", "/api/v1/online"


class Socket:
    """An open socket as far as presence needs one."""

    def __init__(self, user: Any, *, is_invisible: bool = False) -> None:
        self.user = user
        self.grant = None if user is None else Grant(user, b"", is_invisible=is_invisible)


def enter(web: Web, someone: Person | None, *, is_invisible: bool = False) -> None:
    socket: Any = Socket(None if someone is None else someone.user, is_invisible=is_invisible)
    web.presence.add(socket)


async def followed(someone: Person) -> list[tuple[str, bool, str | None]]:
    listed = (await someone.client.get(FOLLOWS)).json()["follows"]
    return [(one["user"]["name"], one["online"], one["playing"]) for one in listed]


class TestFollows:
    async def test_who_is_followed_is_listed_with_their_presence(self, web: Web) -> None:
        anna, bert, carl = [await person(web) for _ in range(3)]
        for other in (bert, carl, bert):
            assert (await anna.client.put(f"{FOLLOWS}/{other.name.lower()}")).status_code == 204
        web.server.online = {bert.id: "game1"}
        expected = [(bert.name, True, "game1"), (carl.name, False, None)]
        assert await followed(anna) == sorted(expected, key=lambda one: one[0].lower())
        assert await followed(bert) == []
        profile = (await anna.client.get(f"/api/v1/users/{bert.name}")).json()
        assert profile["followed"] is True
        assert (await bert.client.get(f"/api/v1/users/{anna.name}")).json()["followed"] is False
        for _ in range(2):
            assert (await anna.client.delete(f"{FOLLOWS}/{bert.name}")).status_code == 204
        assert await followed(anna) == [(carl.name, False, None)]

    async def test_nobody_follows_oneself_a_guest_or_nobody(self, web: Web) -> None:
        anna, guest = await person(web), await person(web, "guest")
        assert error_of(await anna.client.put(f"{FOLLOWS}/{anna.name}")) == (403, "forbidden")
        assert error_of(await anna.client.put(f"{FOLLOWS}/{guest.name}")) == (403, "forbidden")
        assert error_of(await anna.client.put(f"{FOLLOWS}/nobody")) == (404, "not_found")
        assert error_of(await anna.client.put(f"{FOLLOWS}/nul%00")) == (404, "not_found")
        assert (await guest.client.put(f"{FOLLOWS}/{anna.name}")).status_code == 204

    async def test_follows_need_a_session(self, program: httpx.AsyncClient) -> None:
        assert error_of(await program.get(FOLLOWS)) == (401, "unauthenticated")
        assert error_of(await program.put(f"{FOLLOWS}/anna")) == (401, "unauthenticated")

    async def test_a_block_ends_follows_both_ways_and_prevents_new_ones(self, web: Web) -> None:
        anna, bert = await person(web), await person(web)
        await anna.client.put(f"{FOLLOWS}/{bert.name}")
        await bert.client.put(f"{FOLLOWS}/{anna.name}")
        await anna.client.put(f"{BLOCKS}/{bert.name}")
        assert await followed(anna) == await followed(bert) == []
        for one, other in ((anna, bert), (bert, anna)):
            assert error_of(await one.client.put(f"{FOLLOWS}/{other.name}")) == (403, "forbidden")
        await anna.client.delete(f"{BLOCKS}/{bert.name}")
        assert await followed(anna) == await followed(bert) == []

    async def test_a_refused_block_keeps_follows(self, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
        anna, bert = await person(web), await person(web)
        await anna.client.put(f"{FOLLOWS}/{bert.name}")
        await bert.client.put(f"{FOLLOWS}/{anna.name}")
        monkeypatch.setattr(blocks, "MAX_BLOCKS", 0)
        assert error_of(await anna.client.put(f"{BLOCKS}/{bert.name}")) == (409, "conflict")
        assert [name for name, _, _ in await followed(anna) + await followed(bert)] == [bert.name, anna.name]

    async def test_a_block_made_while_a_follow_was_hides_it(self, web: Web) -> None:
        anna, bert = await person(web), await person(web)
        await bert.client.put(f"{FOLLOWS}/{anna.name}")
        await web.pool.execute("INSERT INTO block (person, blocked) VALUES ($1, $2)", anna.id, bert.id)
        assert await followed(bert) == []

    async def test_closed_accounts_are_neither_listed_nor_followed(self, web: Web) -> None:
        anna, bert = await person(web), await person(web)
        await anna.client.put(f"{FOLLOWS}/{bert.name}")
        await web.pool.execute("UPDATE person SET closed_at = now() WHERE id = $1", bert.id)
        assert await followed(anna) == []
        assert error_of(await anna.client.put(f"{FOLLOWS}/{bert.name}")) == (404, "not_found")

    async def test_their_number_is_bounded(self, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(follows, "MAX_FOLLOWS", 1)
        anna, bert, carl = [await person(web) for _ in range(3)]
        assert (await anna.client.put(f"{FOLLOWS}/{bert.name}")).status_code == 204
        assert (await anna.client.put(f"{FOLLOWS}/{bert.name}")).status_code == 204
        assert error_of(await anna.client.put(f"{FOLLOWS}/{carl.name}")) == (409, "conflict")
        await web.pool.execute("UPDATE person SET closed_at = now() WHERE id = $1", bert.id)
        assert (await anna.client.put(f"{FOLLOWS}/{carl.name}")).status_code == 204  # who is not listed does not count


class TestCountries:
    async def test_every_list_of_people_has_them(self, web: Web) -> None:
        anna, bert, carl = [await person(web) for _ in range(3)]
        await web.pool.execute("INSERT INTO profile (person, about, country) VALUES ($1, '', 'NL')", bert.id)
        for other in (bert, carl):
            await anna.client.put(f"{FOLLOWS}/{other.name}")
            enter(web, other)
        web.server.online = {bert.id: None}
        expected = {bert.name: "NL", carl.name: None}
        followed = (await anna.client.get(FOLLOWS)).json()["follows"]
        online = (await anna.client.get(ONLINE)).json()["users"]
        for listed in (followed, online):
            assert {one["user"]["name"]: one["country"] for one in listed} == expected
        (found,) = (await anna.client.get("/api/v1/search", params={"q": bert.name})).json()["users"]
        assert found == {**user_wire(bert.user), "online": True, "country": "NL"}

    async def test_search_shows_no_blocked_person_online(self, web: Web) -> None:
        anna, bert = await person(web), await person(web)
        web.server.online = {bert.id: None}
        assert (await bert.client.put(f"{BLOCKS}/{anna.name}")).status_code == 204
        (found,) = (await anna.client.get("/api/v1/search", params={"q": bert.name})).json()["users"]
        assert found["online"] is False


class TestOnline:
    async def test_members_are_listed_by_rating_and_guests_counted(self, web: Web, program: httpx.AsyncClient) -> None:
        anna, bert, carl = [await person(web) for _ in range(3)]
        guest, bot = await person(web, "guest"), await person(web, "bot")
        for user, perf, rating, deviation in ((anna, "blitz", 1612.4, 60), (bert, "rapid", 1700, 60),
                                              (bert, "blitz", 1900, 300), (carl, "blitz", 2000, 350)):  # fmt: skip
            await web.pool.execute(
                "INSERT INTO rating (person, perf, rating, deviation, volatility, games) VALUES ($1, $2, $3, $4, 0, 0)",
                user.id, perf, rating, deviation,
            )  # fmt: skip
        for someone in (anna, anna, bert, carl, guest, bot, None):
            enter(web, someone)
        web.server.online = {anna.id: "game1"}
        body = (await program.get(ONLINE)).json()
        assert (body["members"], body["guests"]) == (4, 2)
        listed = [(one["user"], one["rating"], one["playing"]) for one in body["users"]]
        assert listed[:2] == [(user_wire(bert.user), 1700, None), (user_wire(anna.user), 1612, "game1")]
        assert {user["name"] for user, _, _ in listed[2:]} == {carl.name, bot.name}

    async def test_it_is_read_once_for_all_and_capped(
        self, web: Web, program: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(online_users, "MOST_LISTED", 2)
        people = [await person(web) for _ in range(4)]
        for someone in people[:3]:
            enter(web, someone)
        body = (await program.get(ONLINE)).json()
        assert (len(body["users"]), body["members"], body["guests"]) == (2, 3, 0)
        enter(web, people[3])
        body = (await program.get(ONLINE)).json()
        assert (body["members"], body["guests"]) == (3, 1)  # not looked up yet
        web.now_s += online_users.FRESH_S
        assert (await program.get(ONLINE)).json()["members"] == 4

    async def test_nobody_is_online(self, web: Web, program: httpx.AsyncClient) -> None:
        assert (await program.get(ONLINE)).json() == {"users": [], "members": 0, "guests": 0}

    async def test_who_is_invisible_is_neither_listed_nor_counted(self, web: Web, program: httpx.AsyncClient) -> None:
        anna, bert = await person(web), await person(web)
        enter(web, anna, is_invisible=True)
        enter(web, bert)
        await set_invisible(web.pool, anna.id, invisible=True)
        body = (await program.get(ONLINE)).json()
        assert [one["user"]["name"] for one in body["users"]] == [bert.name]
        assert (body["members"], body["guests"]) == (1, 0)
        assert web.presence.is_here(anna.id)

    async def test_a_block_hides_each_from_the_other(self, web: Web) -> None:
        anna, bert = await person(web), await person(web)
        for someone in (anna, bert):
            enter(web, someone)
        await anna.client.put(f"{BLOCKS}/{bert.name}")
        for someone in (anna, bert):
            body = (await someone.client.get(ONLINE)).json()
            assert [one["user"]["name"] for one in body["users"]] == [someone.name]
            assert (body["members"], body["guests"]) == (1, 1)  # together, as many as the lobby counts


async def test_status_of_a_person(web: Web, program: httpx.AsyncClient) -> None:
    anna = await person(web)
    web.server.online = {anna.id: "game1"}
    status = {"user": user_wire(anna.user), "online": True, "playing": "game1"}
    assert (await program.get(f"/api/v1/users/{anna.name}/status")).json() == status
    assert error_of(await program.get("/api/v1/users/nobody/status")) == (404, "not_found")


async def test_presence_is_hidden_from_whom_one_has_blocked(web: Web) -> None:
    anna, bert = await person(web), await person(web)
    web.server.online = {anna.id: "game1"}
    await anna.client.put(f"{BLOCKS}/{bert.name}")
    for path in ("", "/status"):
        shown = (await bert.client.get(f"/api/v1/users/{anna.name}{path}")).json()
        assert (shown["online"], shown["playing"]) == (False, None)
