"""Blocks, reports and moderation, on a real database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.identity import create_guest
from lobby.accounts.roles import set_roles
from lobby.accounts.user import User
from lobby.moderation import blocks
from lobby.moderation.bans import ban_notice
from lobby.moderation.reports import A_DAY, upheld_notice
from lobby.pairing import NewGame
from realtime.journal.game_rows import insert_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    import httpx

    from tests.realtime.http.conftest import Web

BLOCKS, REPORTS = "/api/v1/blocks", "/api/v1/reports"


class Person:
    """A person and their client."""

    def __init__(self, user: User, client: httpx.AsyncClient) -> None:
        self.user = user
        self.client = client
        self.id = user.id
        self.name = user.name

    async def report(self, subject: Person, **fields: Any) -> httpx.Response:
        body = {"user": subject.name, "what": "other", "text": "he is rude"} | fields
        return await self.client.post(REPORTS, json=body)

    async def time_out(self, subject: Person, minutes: int, why: str = "be nice") -> httpx.Response:
        address = f"/api/v1/users/{subject.name}/timeout"
        return await self.client.post(address, json={"minutes": minutes, "why": why})


async def person(web: Web, kind: str = "member", roles: Sequence[Any] = ()) -> Person:
    guest, token = await create_guest(web.pool)
    await web.pool.execute("UPDATE person SET kind = $2, skeleton = lower(name) WHERE id = $1", guest.id, kind)
    if roles:
        async with web.pool.acquire() as connection:
            await set_roles(connection, guest.id, roles, ())
    user = User(guest.id, guest.name, kind)  # type: ignore[arg-type]  # a kind
    return Person(user, await web.client(authorization=f"Bearer {token}"))


async def game(web: Web, white: Person, black: Person) -> str:
    new = NewGame(
        id="game1", game="chess", variant="standard", profile="online", rated=False, tc=None, fen=None,
        pausable=False, white=white.user, black=black.user,
    )  # fmt: skip
    async with web.pool.acquire() as connection:
        await insert_game(connection, new, owner="test", epoch=1)
    return new.id


def code(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


async def test_person_is_blocked_and_unblocked(web: Web) -> None:
    anna, bert = await person(web), await person(web, "guest")
    mine = web.block_lists.of(anna.id)
    read = asyncio.Event()
    mine.when_read(read.set)
    await read.wait()
    for _ in range(2):
        assert (await anna.client.put(f"{BLOCKS}/{bert.name.upper()}")).status_code == 204
    assert mine.hides(bert.id)
    found = (await anna.client.get(BLOCKS)).json()
    assert found == {"blocks": [{"id": bert.id, "name": bert.name, "kind": "guest", "title": None}]}
    assert (await bert.client.get(BLOCKS)).json() == {"blocks": []}
    assert code(await anna.client.put(f"{BLOCKS}/{anna.name}")) == (403, "forbidden")
    assert code(await anna.client.put(f"{BLOCKS}/nobody")) == (404, "not_found")
    assert code(await (await web.client()).put(f"{BLOCKS}/{bert.name}")) == (401, "unauthenticated")
    for _ in range(2):
        assert (await anna.client.delete(f"{BLOCKS}/{bert.name}")).status_code == 204
    assert not mine.hides(bert.id)
    assert not await blocks.is_either_blocked(web.pool, anna.id, bert.id)


async def test_blocks_beyond_the_limit_are_refused(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MAX_BLOCKS", 0)
    anna, bert = await person(web), await person(web)
    assert code(await anna.client.put(f"{BLOCKS}/{bert.name}")) == (409, "conflict")


async def test_report_is_read_and_judged_once(web: Web) -> None:
    anna, bert, carl = await person(web), await person(web), await person(web)
    moderator = await person(web, roles=["moderator"])
    played = await game(web, anna, bert)
    line: Any = {"user": {"id": bert.id, "name": bert.name, "kind": "member", "title": None}, "text": "boo", "at": 1}
    web.said[played, anna.id] = [line]
    first = await anna.report(bert, game=played, what="chat")
    assert first.status_code == 201
    assert (await anna.report(bert, game=played, what="chat", text="again")).json() == first.json()
    await carl.report(bert)
    found = (await moderator.client.get(REPORTS)).json()
    assert [(r["by"]["name"], r["what"], r["lines"], r["open"]) for r in found["reports"]] == [
        (anna.name, "chat", [line], 2),
        (carl.name, "other", [], 2),
    ]
    assert found["next"] is None
    page = (await moderator.client.get(f"{REPORTS}?limit=1")).json()
    assert page["next"] == page["reports"][0]["report"] == first.json()["report"]
    rest = (await moderator.client.get(f"{REPORTS}?limit=1&after={page['next']}")).json()
    assert [r["by"]["name"] for r in rest["reports"]] == [carl.name]
    address = f"{REPORTS}/{first.json()['report']}"
    for _ in range(2):
        judged = await moderator.client.post(address, json={"verdict": "upheld", "note": "indeed"})
        assert (judged.json()["verdict"], judged.json()["judge"]["name"]) == ("upheld", moderator.name)
    assert web.told == [(anna.id, upheld_notice())]
    assert code(await moderator.client.post(address, json={"verdict": "dismissed"})) == (409, "conflict")
    other = f"{REPORTS}/{rest['reports'][0]['report']}"
    assert (await moderator.client.post(other, json={"verdict": "dismissed"})).json()["open"] == 0
    assert len(web.told) == 1
    done = (await moderator.client.get(f"{REPORTS}?open=0")).json()["reports"]
    assert [r["verdict"] for r in done] == ["dismissed", "upheld"]
    assert await web.pool.fetchval("SELECT count(*) FROM audit WHERE actor = $1", moderator.id) == 2
    # What is judged may be reported again.
    assert (await anna.report(bert, game=played, what="chat")).json() != first.json()


async def test_bad_reports_are_refused(web: Web) -> None:
    anna, bert, carl = await person(web), await person(web), await person(web)
    guest = await person(web, "guest")
    played = await game(web, anna, guest)
    assert code(await anna.report(anna)) == (403, "forbidden")
    assert code(await anna.report(bert, game="nothing")) == (404, "not_found")
    assert code(await anna.report(bert, game="\0")) == (404, "not_found")
    assert code(await anna.report(bert, game=played)) == (404, "not_found")
    assert (await anna.report(bert, game=played, what="chat")).status_code == 201, "a spectator may have written"
    assert code(await guest.report(anna)) == (403, "forbidden")
    assert code(await guest.report(carl, game=played, what="chat")) == (403, "forbidden")
    assert (await guest.report(anna, game=played, what="stalling")).status_code == 201
    for wrong in ({"what": "ugly"}, {"text": " \n"}, {"text": "x" * 1001}, {"text": "\0"}, {"game": 7}, {"user": ""}):
        assert code(await anna.report(bert, **wrong)) == (400, "bad_message")
    nobody = Person(User("x", "nobody", "member"), anna.client)
    assert code(await anna.report(nobody)) == (404, "not_found")
    assert code(await Person(anna.user, await web.client()).report(bert)) == (401, "unauthenticated")


async def test_reports_are_limited_per_day(web: Web) -> None:
    anna = await person(web)
    subjects = [await person(web) for _ in range(A_DAY + 1)]
    answers = await asyncio.gather(*(anna.report(subject) for subject in subjects))
    assert sorted(answer.status_code for answer in answers) == [201] * A_DAY + [429]
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert 23 * 3600 < int(refused.headers["retry-after"]) <= 24 * 3600
    assert await web.pool.fetchval("SELECT count(*) FROM report") == A_DAY
    await web.pool.execute("UPDATE report SET created_at = now() - interval '25 hours'")
    assert (await anna.report(subjects[0], what="chat")).status_code == 201


async def test_only_moderators_read_reports(web: Web) -> None:
    anna, bert, arbiter = await person(web), await person(web), await person(web, roles=["arbiter"])
    report = (await anna.report(bert)).json()["report"]
    stranger = await web.client()
    for client, expected in ((anna.client, 403), (arbiter.client, 403), (stranger, 401)):
        assert (await client.get(REPORTS)).status_code == expected
        assert (await client.post(f"{REPORTS}/{report}", json={"verdict": "upheld"})).status_code == expected
        timeout = await client.post(f"/api/v1/users/{bert.name}/timeout", json={"minutes": 5, "why": "x"})
        assert timeout.status_code == expected
    admin = await person(web, roles=["admin"])
    assert (await admin.client.get(REPORTS)).status_code == 200


async def test_moderator_cannot_judge_own_reports(web: Web) -> None:
    anna, moderator = await person(web), await person(web, roles=["moderator"])
    by = (await moderator.report(anna)).json()["report"]
    about = (await anna.report(moderator)).json()["report"]
    for report in (by, about):
        assert code(await moderator.client.post(f"{REPORTS}/{report}", json={"verdict": "upheld"})) == (
            403,
            "forbidden",
        )
    assert code(await moderator.time_out(moderator, 5)) == (403, "forbidden")


@pytest.mark.parametrize("query", ["open=2", "after=%00", "limit=0", "limit=101", "limit=x", "limit=99999"])
async def test_invalid_report_queries_are_refused(web: Web, query: str) -> None:
    moderator = await person(web, roles=["moderator"])
    assert code(await moderator.client.get(f"{REPORTS}?{query}")) == (400, "bad_message")


async def test_invalid_verdicts_are_refused(web: Web) -> None:
    anna, bert, moderator = await person(web), await person(web), await person(web, roles=["moderator"])
    report = (await anna.report(bert)).json()["report"]
    for body in ({}, {"verdict": "guilty"}, {"verdict": "upheld", "note": "x" * 1001}):
        assert code(await moderator.client.post(f"{REPORTS}/{report}", json=body)) == (400, "bad_message")
    for unknown in ("nothing", "%00"):
        answer = await moderator.client.post(f"{REPORTS}/{unknown}", json={"verdict": "upheld"})
        assert code(answer) == (404, "not_found")


async def test_timeout_counts_at_once_and_may_be_lifted(web: Web) -> None:
    await web.bans.load()
    told: list[Any] = []
    web.bans.on_change.append(lambda who, ban: told.append(None if ban is None else ban_notice(ban)))
    anna, moderator = await person(web), await person(web, roles=["moderator"])
    for minutes, why in ((-1, "x"), (527_041, "x"), (5, " "), (5, "x" * 201), (5, "\0")):
        assert code(await moderator.time_out(anna, minutes, why)) == (400, "bad_message")
    answer = (await moderator.time_out(anna, 60)).json()
    ban = web.bans.of(anna.id)
    assert ban is not None
    assert answer["ban"] == {"until": ban.until_ms, "why": "be nice", "what": "moderator"}
    assert answer["user"]["name"] == anna.name
    assert [(notice["code"], notice["until"]) for notice in told] == [("ban", ban.until_ms)]
    assert (await moderator.time_out(anna, 0, "")).json()["ban"] is None
    assert told[1] is None
    assert code(await moderator.time_out(Person(User("x", "nobody", "member"), anna.client), 5)) == (404, "not_found")


async def test_own_ban_is_shown_by_http(web: Web) -> None:
    anna, moderator = await person(web), await person(web, roles=["moderator"])
    assert (await anna.client.get("/api/v1/me")).json()["ban"] is None
    bert = await person(web)
    await bert.report(anna)
    (report,) = (await moderator.client.get(REPORTS)).json()["reports"]
    assert report["ban"] is None
    ban = (await moderator.time_out(anna, 60)).json()["ban"]
    (report,) = (await moderator.client.get(REPORTS)).json()["reports"]
    assert report["ban"] == ban
    assert (await anna.client.get("/api/v1/me")).json()["ban"] == ban
    assert (await anna.client.get("/api/v1/account")).json()["ban"] == ban
