"""Sign-up and login: guests become members, confusable names are refused, guessing is slow."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import argon2
import pytest

from lobby.accounts import members
from lobby.accounts.identity import token_hash
from lobby.errors import NameTaken
from tests.realtime.http.conftest import error_of
from tests.realtime.until import until

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web

SIGNUP, LOGIN, ME, GUEST = "/api/v1/signup", "/api/v1/login", "/api/v1/me", "/api/v1/guest"
PASSWORD = "correct horse"


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def form(name: str = "Anna", password: str = PASSWORD, **more: Any) -> dict[str, Any]:
    return {"name": name, "password": password, **more}


def field_of(response: httpx.Response) -> str:
    body = response.json()["error"]
    assert (response.status_code, body["code"]) == (422, "bad_message")
    assert body["message"].startswith(f"{body['field']}: ")
    name: str = body["field"]
    return name


async def test_new_member_may_log_in_again(web: Web, program: httpx.AsyncClient) -> None:
    made = await program.post(SIGNUP, json=form(email="anna@example.org"))
    assert made.status_code == 201
    body = made.json()
    assert {**body["user"], "id": ""} == {"id": "", "name": "Anna", "kind": "member", "title": None}
    cookie = made.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert body["token"] in cookie
    other = await web.client()
    again = await other.post(LOGIN, json=form("aNNA"), headers={"user-agent": "Firefox \0 on a phone" + "x" * 300})
    assert again.status_code == 200
    assert again.json()["user"] == body["user"]
    assert again.json()["token"] != body["token"]
    for token in (body["token"], again.json()["token"]):
        me = await other.get(ME, headers=bearer(token))
        assert me.json()["user"] == body["user"]


async def test_passwords_and_tokens_are_not_stored(web: Web, program: httpx.AsyncClient) -> None:
    token = (await program.post(SIGNUP, json=form())).json()["token"]
    row = await web.pool.fetchrow("SELECT * FROM account JOIN session USING (person)")
    assert row is not None
    assert row["password"].startswith("$argon2id$")
    assert row["token_hash"] == token_hash(token)
    assert PASSWORD not in repr(row)
    assert token not in repr(row)


async def test_guest_becomes_member_and_keeps_account_data(web: Web) -> None:
    browser = await web.browser()
    guest = (await browser.post(GUEST)).json()
    await browser.put("/api/v1/me/settings", json={"settings": {"board": "wood"}})
    changed: list[str] = []
    ended: list[tuple[str, bytes]] = []
    web.members._on_changed = lambda user: changed.append(user.name)
    web.identities.on_replaced.append(lambda person, key: ended.append((person, key)))
    made = (await browser.post(SIGNUP, json=form())).json()
    assert made["user"] == {"id": guest["user"]["id"], "name": "Anna", "kind": "member", "title": None}
    assert changed == ["Anna"]
    assert ended == [(guest["user"]["id"], token_hash(guest["token"]))]
    assert (await browser.get(ME)).json()["user"] == made["user"]  # by the new cookie
    assert (await browser.get("/api/v1/me/settings")).json() == {"settings": {"board": "wood"}}
    program = await web.client()
    assert (await program.get(ME, headers=bearer(guest["token"]))).status_code == 401
    assert error_of(await program.get(f"/api/v1/users/{guest['user']['name']}")) == (404, "not_found")


async def test_sign_up_of_program_uses_its_token_only(web: Web) -> None:
    program = await web.client()
    guest = (await program.post(GUEST)).json()
    other = (await program.post(SIGNUP, json=form("Other"))).json()  # the jar's cookie is not looked at
    assert other["user"]["id"] != guest["user"]["id"]
    same = (await program.post(SIGNUP, json=form("Same"), headers=bearer(guest["token"]))).json()
    assert same["user"]["id"] == guest["user"]["id"]


async def test_member_cannot_sign_up_again(web: Web) -> None:
    browser = await web.browser()
    token = (await browser.post(SIGNUP, json=form())).json()["token"]
    assert error_of(await browser.post(SIGNUP, json=form("Berta"))) == (409, "conflict")
    program = await web.client()
    assert error_of(await program.post(SIGNUP, json=form("Berta"), headers=bearer(token))) == (409, "conflict")


async def test_simultaneous_sign_ups_of_two_tabs_make_one_member(web: Web) -> None:
    browser = await web.browser()
    guest = (await browser.post(GUEST)).json()
    answers = await asyncio.gather(
        *(browser.post(SIGNUP, json=form(name), headers=bearer(guest["token"])) for name in ("Anna", "Berta"))
    )
    assert sorted(answer.status_code for answer in answers) in ([201, 401], [201, 409])
    assert await web.pool.fetchval("SELECT count(*) FROM account") == 1
    assert await web.pool.fetchval("SELECT count(*) FROM session") == 1


@pytest.mark.parametrize("name", ["Anna", "anna", "An-na", "ANNA_"])
async def test_confusable_names_are_taken(web: Web, program: httpx.AsyncClient, name: str) -> None:
    await program.post(SIGNUP, json=form())
    assert error_of(await program.post(SIGNUP, json=form(name))) == (409, "name_taken")


async def test_simultaneous_sign_ups_for_a_name_succeed_once(web: Web) -> None:
    clients = [await web.client(f"198.51.100.{number}") for number in range(8)]
    names = ["Bill", "bill", "BiII", "b1ll"] * 2
    answers = await asyncio.gather(
        *(client.post(SIGNUP, json=form(name)) for client, name in zip(clients, names, strict=True))
    )
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    assert await web.pool.fetchval("SELECT count(*) FROM person") == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"), ({"name": "Anna"}, "password"), ({"name": 7, "password": PASSWORD}, "name"),
        (form("A"), "name"), (form("Gu-est-1"), "name"), (form("An\0na"), "name"), (form("Änna"), "name"),
        (form(password="short"), "password"), (form("Alexandra", "alexandra"), "password"),
        (form(password="pass\0word words"), "password"), (form(email="anna"), "email"),
        (form(email="anna@localhost"), "email"), (form(email="a b@example.org"), "email"),
        (form(email="a@example.org\r\nBcc: all@example.org"), "email"), (form(email="x" * 250 + "@a.de"), "email"),
    ],
)  # fmt: skip
async def test_wrong_fields_are_named(web: Web, program: httpx.AsyncClient, body: dict[str, Any], field: str) -> None:
    assert field_of(await program.post(SIGNUP, json=body)) == field
    assert await web.pool.fetchval("SELECT count(*) FROM person") == 0


@pytest.mark.parametrize("body", [b"[]", b"{", b'"x"', b"\xff", b'{"name":"\\ud800","password":"xxxxxxxxxxx"}'])
async def test_invalid_bodies_are_refused(program: httpx.AsyncClient, body: bytes) -> None:
    for path in (SIGNUP, LOGIN):
        assert (await program.post(path, content=body)).status_code in (400, 422)


async def test_sign_ups_of_one_address_are_limited(program: httpx.AsyncClient) -> None:
    for name in ("Anna", "Berta", "Clara"):
        assert (await program.post(SIGNUP, json=form("A"))).status_code == 422  # not counted
        assert (await program.post(SIGNUP, json=form(name))).status_code == 201
    refused = await program.post(SIGNUP, json=form("Dora"))
    assert error_of(refused) == (429, "rate_limited")
    assert 0 < int(refused.headers["retry-after"]) <= 60


@pytest.mark.parametrize(
    ("name", "password"), [("Anna", "wrong horse"), ("Nobody", PASSWORD), ("x" * 3000, PASSWORD), ("", "")]
)
async def test_all_wrong_credentials_get_the_same_answer(program: httpx.AsyncClient, name: str, password: str) -> None:
    await program.post(SIGNUP, json=form())
    right = (await program.post(LOGIN, json=form("Anna", "wrong horse"))).json()
    refused = await program.post(LOGIN, json=form(name, password))
    assert error_of(refused) == (401, "bad_credentials")
    assert refused.json() == right
    assert refused.headers["www-authenticate"] == "Bearer"


async def test_guests_cannot_log_in(program: httpx.AsyncClient) -> None:
    name = (await program.post(GUEST)).json()["user"]["name"]
    assert error_of(await program.post(LOGIN, json=form(name))) == (401, "bad_credentials")


async def test_closed_account_is_revealed_only_with_its_password(web: Web, program: httpx.AsyncClient) -> None:
    await program.post(SIGNUP, json=form())
    await web.pool.execute("UPDATE person SET closed_at = now()")
    assert error_of(await program.post(LOGIN, json=form())) == (403, "forbidden")
    assert error_of(await program.post(LOGIN, json=form(password="wrong horse"))) == (401, "bad_credentials")


async def test_old_hash_is_upgraded_at_login(web: Web, program: httpx.AsyncClient) -> None:
    await program.post(SIGNUP, json=form())
    old = argon2.PasswordHasher(time_cost=3, memory_cost=64, parallelism=2).hash(PASSWORD)
    await web.pool.execute("UPDATE account SET password = $1", old)
    assert (await program.post(LOGIN, json=form())).status_code == 200
    new = await web.pool.fetchval("SELECT password FROM account")
    assert new != old
    assert not web.hasher.is_outdated(new)
    assert (await program.post(LOGIN, json=form())).status_code == 200
    assert await web.pool.fetchval("SELECT password FROM account") == new


async def test_login_on_a_page_ends_its_guest_session(web: Web) -> None:
    await (await web.client()).post(SIGNUP, json=form())
    browser = await web.browser()
    guest = (await browser.post(GUEST)).json()["token"]
    await browser.post(LOGIN, json=form())
    assert (await browser.get(ME)).json()["user"]["name"] == "Anna"
    assert await web.identities.user_of_token(guest) is None


async def test_password_guessing_is_slow_and_locks_no_owner_out(web: Web, program: httpx.AsyncClient) -> None:
    await program.post(SIGNUP, json=form())
    for number in range(40):
        await (await web.client(f"203.0.113.{number}")).post(LOGIN, json=form(password="wrong horse"))
    attacker = await web.client("203.0.113.1")
    for _ in range(3):
        refused = await attacker.post(LOGIN, json=form(password="wrong horse"))
    assert error_of(refused) == (429, "rate_limited")
    assert int(refused.headers["retry-after"]) > 0
    # The owner logs in at once, from an address without failed attempts.
    assert (await program.post(LOGIN, json=form())).status_code == 200


async def test_other_sites_cannot_sign_up_or_log_in(web: Web) -> None:
    foreign = await web.client(origin="https://evil.example")
    for path in (SIGNUP, LOGIN, "/api/v1/reset", "/api/v1/account/delete"):
        assert error_of(await foreign.post(path, json=form())) == (403, "forbidden")


async def test_number_of_sessions_is_bounded(
    web: Web, program: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "MOST_SESSIONS", 3)
    ended: list[bytes] = []
    web.identities.on_revoked.append(lambda person, key: ended.append(key))
    tokens = [(await program.post(SIGNUP, json=form())).json()["token"]]
    await program.post(
        "/api/v1/account/tokens", json={"label": "x", "scopes": ["read"], "days": 1, "password": PASSWORD}
    )
    tokens += [(await program.post(LOGIN, json=form())).json()["token"] for _ in range(4)]
    assert ended == [token_hash(token) for token in tokens[:2]]
    other = await web.client()
    answers = [(await other.get(ME, headers=bearer(token))).status_code for token in tokens]
    assert answers == [401, 401, 200, 200, 200]
    assert await web.pool.fetchval("SELECT count(*) FROM session WHERE scopes IS NULL") == 3


async def test_name_with_confusable_letters_matches_no_account(
    web: Web, program: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``lower`` of the database may map two different names to one."""
    await program.post(SIGNUP, json=form("Kirill"))
    looked_at: list[str | None] = []
    verify = web.hasher.verify

    async def seen(encoded: str | None, password: str) -> bool:
        looked_at.append(encoded)
        return await verify(encoded, password)

    monkeypatch.setattr(web.hasher, "verify", seen)
    for name in ("K\u0130rill", "\u212airill", "Kirill" * 9):
        assert error_of(await program.post(LOGIN, json=form(name))) == (401, "bad_credentials")
    assert looked_at == [None, None, None]


async def test_concurrent_password_checks_of_an_address_are_limited(web: Web) -> None:
    """Otherwise one address could fill the queue that all share."""
    await (await web.client()).post(SIGNUP, json=form())
    attacker, victim = await web.client("203.0.113.1"), await web.client()
    many = [attacker.post(LOGIN, json=form()) for _ in range(40)]
    many += [attacker.post(SIGNUP, json=form(f"Anna{number}")) for number in range(40)]
    *answers, own = await asyncio.gather(*many, victim.post(LOGIN, json=form()))
    assert own.status_code == 200
    codes = [answer.status_code for answer in answers]
    assert set(codes) == {200, 429}
    assert codes.count(200) == 3


async def test_cancelled_login_is_not_counted_as_failure(web: Web, program: httpx.AsyncClient) -> None:
    await program.post(SIGNUP, json=form())
    held = threading.Event()
    blocking = [asyncio.create_task(web.hasher._run(held.wait, 60.0)) for _ in range(2)]
    for _ in range(25):
        waiting = asyncio.create_task(program.post(LOGIN, json=form()))
        await until(lambda: web.hasher._under_way == 3)
        waiting.cancel()
        await asyncio.wait([waiting])
        await until(lambda: web.hasher._under_way == 2)
    held.set()
    await asyncio.gather(*blocking)
    assert (await program.post(LOGIN, json=form())).status_code == 200


async def test_deeply_nested_body_is_refused(program: httpx.AsyncClient) -> None:
    for body in (b"[" * 4000, b'{"a":' * 1500):
        for path in (SIGNUP, LOGIN, GUEST):
            assert error_of(await program.post(path, content=body)) == (400, "bad_message")


async def test_name_reserved_during_sign_up_is_refused(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    await web.pool.execute("INSERT INTO kept_name VALUES ('berta', now() + interval '1 day')")
    monkeypatch.setattr(members, "is_kept", passed_once(members.is_kept))
    with pytest.raises(NameTaken):
        await web.members.sign_up("Berta", PASSWORD, None)
    assert await web.pool.fetchval("SELECT count(*) FROM person WHERE name = 'Berta'") == 0


def passed_once(real: Any) -> Any:
    """``is_kept`` as it would have answered before the name was given up, then as it is."""
    asked = 0

    async def answer(connection: Any, plain: str) -> bool:
        nonlocal asked
        asked += 1
        return asked != 1 and await real(connection, plain)

    return answer
