"""Own account: reading, changes, export, deletion, scopes of tokens."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.closing import GONE
from lobby.accounts.identity import token_hash
from lobby.accounts.roles import set_roles
from lobby.accounts.tokens import create_token
from tests.realtime.http.accounts.test_signing import LOGIN, ME, PASSWORD, SIGNUP, bearer, field_of, form
from tests.realtime.http.conftest import ADDRESS, error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web

ACCOUNT = "/api/v1/account"
TOKENS = f"{ACCOUNT}/tokens"
EMAIL = f"{ACCOUNT}/email"
CODE = f"{EMAIL}/code"
SESSIONS = f"{ACCOUNT}/sessions"


class Somebody:
    """A member with a session, as a program."""

    def __init__(self, client: httpx.AsyncClient, body: dict[str, Any]) -> None:
        self.client = client
        self.user: dict[str, Any] = body["user"]
        self.id: str = self.user["id"]
        self.token: str = body["token"]
        self.headers = bearer(self.token)

    async def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> httpx.Response:
        headers = self.headers if token is None else bearer(token)
        return await self.client.request(method, path, json=body, headers=headers)

    async def account(self) -> dict[str, Any]:
        answer = await self.ask("GET", ACCOUNT)
        assert answer.status_code == 200
        account: dict[str, Any] = answer.json()
        return account


@pytest.fixture
async def anna(web: Web) -> Somebody:
    return await somebody(web, "Anna", email="anna@example.org")


async def somebody(web: Web, name: str, *, address: str = ADDRESS, **fields: Any) -> Somebody:
    client = await web.client(address)
    body = (await client.post(SIGNUP, json=form(name, **fields))).json()
    client.cookies.clear()
    somebody = Somebody(client, body)
    if "email" in fields:
        confirmed = await somebody.ask("POST", CODE, {"code": await mailed_code(web)})
        assert confirmed.json() == {"email": fields["email"], "unconfirmed": None}
        web.mails.clear()
    return somebody


async def mailed_code(web: Web) -> str:
    """The code in the last mail."""
    await web.outbox.settle()
    found = re.search(r"^    (\w{4}-\w{4}-\w{4})$", web.mails[-1][2], re.MULTILINE)
    assert found is not None
    return found[1]


SECRET = {"password": PASSWORD}


async def token_of(anna: Somebody, *scopes: str) -> str:
    made = await anna.ask("POST", TOKENS, {"label": "a program", "scopes": scopes, "days": 30, **SECRET})
    assert made.status_code == 201
    token: str = made.json()["token"]
    return token


async def test_account_of_a_member_is_shown(web: Web, anna: Somebody) -> None:
    async with web.pool.acquire() as connection, connection.transaction():
        await set_roles(connection, anna.id, ["moderator", "arbiter"], [])
    web.identities.forget_person(anna.id)
    account = await anna.account()
    (session,) = account.pop("sessions")
    assert session.pop("current") is True
    assert session.pop("agent").startswith("python-httpx")
    assert session["used"] >= session["created"] > 1_700_000_000_000
    created = account.pop("created")
    assert abs(created - session["created"]) < 60_000
    assert account == {
        "user": anna.user, "email": "anna@example.org", "unconfirmed": None, "mail": True,
        "roles": ["arbiter", "moderator"], "tokens": [], "ban": None, "about": "", "country": None, "invisible": False,
    }  # fmt: skip


async def test_account_of_a_guest_is_shown(program: httpx.AsyncClient) -> None:
    user = (await program.post("/api/v1/guest")).json()["user"]
    account = (await program.get(ACCOUNT)).json()
    assert account["user"] == user
    assert account["email"] is None
    assert len(account["sessions"]) == 1


async def test_account_requires_authentication(program: httpx.AsyncClient) -> None:
    assert error_of(await program.get(ACCOUNT)) == (401, "unauthenticated")


async def test_sessions_are_listed_and_ended_one_by_one(web: Web, anna: Somebody) -> None:
    other = (await anna.client.post(LOGIN, json=form())).json()["token"]
    ended: list[bytes] = []
    web.identities.on_revoked.append(lambda person, key: ended.append(key))
    sessions = (await anna.account())["sessions"]
    assert sorted(session["current"] for session in sessions) == [False, True]
    (wanted,) = [session["id"] for session in sessions if not session["current"]]
    assert (await anna.ask("DELETE", f"{SESSIONS}/{wanted}")).status_code == 204
    assert ended == [token_hash(other)]
    assert error_of(await anna.ask("GET", ME, token=other)) == (401, "unauthenticated")
    assert error_of(await anna.ask("DELETE", f"{SESSIONS}/{wanted}")) == (404, "not_found")
    (left,) = [session["id"] for session in sessions if session["current"]]
    assert error_of(await anna.ask("DELETE", f"{TOKENS}/{left}")) == (404, "not_found")


async def test_sessions_of_others_cannot_be_ended(web: Web, anna: Somebody) -> None:
    berta = await somebody(web, "Berta")
    (session,) = (await berta.account())["sessions"]
    for path in (f"{SESSIONS}/{session['id']}", f"{TOKENS}/{session['id']}", f"{SESSIONS}/%00"):
        assert error_of(await anna.ask("DELETE", path)) == (404, "not_found")
    assert (await berta.ask("GET", ME)).status_code == 200


async def test_end_of_all_other_sessions_keeps_tokens(anna: Somebody) -> None:
    others = [(await anna.client.post(LOGIN, json=form())).json()["token"] for _ in range(3)]
    token = await token_of(anna, "read")
    assert (await anna.ask("DELETE", SESSIONS)).status_code == 204
    for other in others:
        assert (await anna.ask("GET", ME, token=other)).status_code == 401
    assert (await anna.ask("GET", ME, token=token)).status_code == 200
    assert (await anna.ask("GET", ME)).status_code == 200


async def test_token_is_shown_once(web: Web, anna: Somebody) -> None:
    body = {"label": "  my \t program ", "scopes": ["play", "read", "play"], "days": 7, **SECRET}
    made = (await anna.ask("POST", TOKENS, body)).json()
    token = made.pop("token")
    assert made["label"] == "my program"
    assert made["scopes"] == ["read", "play"]
    assert made["used"] is None
    assert 6.9 < (made["expires"] - made["created"]) / 86_400_000 < 7.1
    account = await anna.account()
    assert account["tokens"] == [made]
    assert len(account["sessions"]) == 1
    me = (await anna.ask("GET", ME, token=token)).json()
    assert (me["user"], me["scopes"]) == (anna.user, ["read", "play"])
    assert (await anna.account())["tokens"][0]["used"] >= made["created"]
    assert token not in repr(await web.pool.fetch("SELECT * FROM session"))
    assert (await anna.ask("DELETE", f"{TOKENS}/{made['id']}")).status_code == 204
    assert (await anna.ask("GET", ME, token=token)).status_code == 401


async def test_token_expires(web: Web, anna: Somebody) -> None:
    token = await token_of(anna, "read")
    await web.pool.execute("UPDATE session SET expires_at = now() - interval '1 s' WHERE scopes IS NOT NULL")
    assert (await anna.ask("GET", ME, token=token)).status_code == 401
    assert (await anna.account())["tokens"] == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "label"), ({"scopes": ["read"]}, "days"), ({"label": ""}, "label"), ({"label": "x" * 61}, "label"),
        ({"label": "\u202e"}, "label"), ({"scopes": []}, "scopes"), ({"scopes": ["all"]}, "scopes"),
        ({"scopes": [7]}, "scopes"), ({"days": 0}, "days"), ({"days": 366}, "days"), ({"days": 10**30}, "days"),
        ({"password": "wrong horse"}, "password"), ({"password": None}, "password"),
    ],
)  # fmt: skip
async def test_fields_of_a_new_token_are_checked(anna: Somebody, body: dict[str, Any], field: str) -> None:
    fine = {"label": "x", "scopes": ["read"], "days": 1, **SECRET}
    wrong = {**fine, **body}
    if field not in body:
        del wrong[field]
    assert field_of(await anna.ask("POST", TOKENS, wrong)) == field
    assert (await anna.account())["tokens"] == []


async def test_number_of_tokens_is_limited_to_twenty(web: Web, anna: Somebody) -> None:
    for _ in range(20):
        await create_token(web.pool, anna.id, "x", ["read"], 1)
    refused = await anna.ask("POST", TOKENS, {"label": "x", "scopes": ["read"], "days": 1, **SECRET})
    assert error_of(refused) == (409, "conflict")


async def test_new_token_requires_the_password(web: Web, anna: Somebody) -> None:
    stolen = (await anna.client.post(LOGIN, json=form())).json()["token"]
    for body in ({}, {"password": ""}, {"password": "wrong horse"}):
        refused = await anna.ask("POST", TOKENS, {"label": "x", "scopes": ["play"], "days": 365, **body}, token=stolen)
        assert field_of(refused) == "password"
    await anna.ask("DELETE", SESSIONS)
    assert await web.pool.fetchval("SELECT count(*) FROM session") == 1


async def test_new_password_ends_other_sessions_and_tokens(web: Web, anna: Somebody) -> None:
    other = (await anna.client.post(LOGIN, json=form())).json()["token"]
    token = await token_of(anna, "read", "play")
    body = {"old": PASSWORD, "new": "another horse"}
    assert (await anna.ask("POST", f"{ACCOUNT}/password", body)).status_code == 204
    for gone in (other, token):
        assert (await anna.ask("GET", ME, token=gone)).status_code == 401
    assert (await anna.ask("GET", ME)).status_code == 200
    assert (await anna.client.post(LOGIN, json=form())).status_code == 401
    assert (await anna.client.post(LOGIN, json=form(password="another horse"))).status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"old": "wrong horse", "new": "another horse"}, "old"), ({"old": PASSWORD, "new": "short"}, "new"),
        ({"old": PASSWORD, "new": "password1"}, "new"), ({"old": PASSWORD}, "new"),
    ],
)  # fmt: skip
async def test_unsuitable_new_passwords_are_refused(anna: Somebody, body: dict[str, str], field: str) -> None:
    assert field_of(await anna.ask("POST", f"{ACCOUNT}/password", body)) == field
    assert (await anna.client.post(LOGIN, json=form())).status_code == 200


async def test_password_guesses_at_password_change_are_limited(anna: Somebody) -> None:
    body = {"old": "wrong horse", "new": "another horse"}
    codes = [(await anna.ask("POST", f"{ACCOUNT}/password", body)).status_code for _ in range(25)]
    assert 429 in codes
    assert set(codes) == {422, 429}


async def test_member_without_games_may_become_a_bot(web: Web, anna: Somebody) -> None:
    changed: list[str] = []
    web.members._on_changed = lambda user: changed.append(user.kind)
    assert field_of(await anna.ask("POST", f"{ACCOUNT}/bot", {"password": "wrong horse"})) == "password"
    answer = await anna.ask("POST", f"{ACCOUNT}/bot", {"password": PASSWORD})
    assert answer.json()["user"] == {**anna.user, "kind": "bot"}
    assert changed == ["bot"]
    assert (await anna.ask("GET", ME)).json()["user"]["kind"] == "bot"
    assert error_of(await anna.ask("POST", f"{ACCOUNT}/bot", {"password": PASSWORD})) == (409, "conflict")


async def add_game(web: Web, white: str, black: str, status: str) -> None:
    await web.pool.execute(
        """
        INSERT INTO game (id, game, variant, profile, rated, speed, white, black, status, result, reason, ended_at)
        VALUES ($1, 'chess', 'standard', 'online', false, 'blitz', $2, $3, $4, '*', $5,
            CASE WHEN $4 = 'over' THEN now() END)
        """,
        f"g{white[:5]}{status}", white, black, status, "aborted" if status == "over" else None,
    )  # fmt: skip


async def test_account_with_games_cannot_become_a_bot(web: Web, anna: Somebody) -> None:
    berta = await somebody(web, "Berta")
    await add_game(web, anna.id, berta.id, "over")
    for player in (anna, berta):
        assert error_of(await player.ask("POST", f"{ACCOUNT}/bot", {"password": PASSWORD})) == (409, "conflict")


async def test_closed_account_is_removed_and_its_games_stay(web: Web, anna: Somebody) -> None:
    berta = await somebody(web, "Berta")
    await add_game(web, anna.id, berta.id, "over")
    await anna.ask("PUT", "/api/v1/me/settings", {"settings": {"board": "wood"}})
    await anna.ask("PUT", f"{ACCOUNT}/profile", {"about": "anna writes", "country": "NL"})
    await anna.ask("PUT", "/api/v1/follows/Berta")
    await berta.ask("PUT", "/api/v1/follows/Anna")
    token = await token_of(anna, "read")
    assert field_of(await anna.ask("POST", f"{ACCOUNT}/delete", {"password": "wrong horse"})) == "password"
    ended: list[bytes] = []
    web.identities.on_revoked.append(lambda person, key: ended.append(key))
    assert (await anna.ask("POST", f"{ACCOUNT}/delete", {"password": PASSWORD})).status_code == 204
    assert set(ended) == {token_hash(anna.token), token_hash(token)}
    assert (await anna.ask("GET", ME)).status_code == 401
    assert (await anna.client.post(LOGIN, json=form())).status_code == 401
    assert error_of(await anna.client.get("/api/v1/users/Anna")) == (404, "not_found")
    row = await web.pool.fetchrow("SELECT * FROM person WHERE id = $1", anna.id)
    assert row is not None
    assert row["name"].startswith("Deleted-")
    assert row["closed_at"] is not None
    for table in GONE:
        assert await web.pool.fetchval(f"SELECT count(*) FROM {table} WHERE person = $1", anna.id) == 0
    assert await web.pool.fetchval("SELECT count(*) FROM follow") == 0
    assert await web.pool.fetchval("SELECT count(*) FROM game WHERE white = $1", anna.id) == 1
    for name in ("Anna", "an_na"):  # too similar: could be taken for the same person
        assert error_of(await anna.client.post(SIGNUP, json=form(name))) == (409, "name_taken")
    assert "anna" not in repr(await web.pool.fetch("SELECT * FROM person"))
    await web.pool.execute("UPDATE kept_name SET until = now()")
    again = await anna.client.post(SIGNUP, json=form())
    assert again.status_code == 201
    assert again.json()["user"]["id"] != anna.id


@pytest.mark.parametrize("status", ["created", "live"])
async def test_account_cannot_be_closed_during_a_game(web: Web, anna: Somebody, status: str) -> None:
    berta = await somebody(web, "Berta")
    await add_game(web, berta.id, anna.id, status)
    assert error_of(await anna.ask("POST", f"{ACCOUNT}/delete", {"password": PASSWORD})) == (409, "conflict")
    assert (await anna.account())["user"] == anna.user


async def test_export_contains_all_data_of_the_account(
    web: Web, anna: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lobby.accounts.export.GAMES_PAGE", 2)
    berta = await somebody(web, "Berta")
    await anna.ask("PUT", "/api/v1/me/settings", {"settings": {"board": "wood"}})
    token = await token_of(anna, "read")
    for number in range(5):
        await web.pool.execute(
            """
            INSERT INTO game (id, game, variant, profile, rated, speed, white, black, status)
            VALUES ($1, 'chess', 'standard', 'online', false, 'blitz', $2, $3, 'over')
            """,
            f"game{number}", anna.id, berta.id,
        )  # fmt: skip
        await web.pool.execute(
            "INSERT INTO event (game, seq, kind, payload) VALUES ($1, 1, 'move', '{\"move\": \"e2e4\"}')",
            f"game{number}",
        )
    answer = await anna.ask("GET", f"{ACCOUNT}/export")
    assert answer.status_code == 200
    assert 'filename="zeitnot-Anna.json"' in answer.headers["content-disposition"]
    told = json.loads(answer.content)
    assert [game["id"] for game in told["games"]] == [f"game{number}" for number in range(5)]
    assert told["games"][0]["events"][0]["event"] == {"move": "e2e4"}
    assert told["account"][0]["email"] == "anna@example.org"
    assert told["settings"][0]["value"] == {"board": "wood"}
    assert len(told["sessions"]) == 2
    for secret in (token, anna.token, PASSWORD, "$argon2id$", token_hash(token).hex()):
        assert secret not in answer.text
    again = await anna.ask("GET", f"{ACCOUNT}/export")
    assert again.status_code == 200


SESSION_ONLY = [
    ("POST", f"{ACCOUNT}/password", {"old": PASSWORD, "new": "another horse"}),
    ("PUT", EMAIL, {"email": None, "password": PASSWORD}),
    ("POST", CODE, {"code": "AAAA-AAAA-AAAA"}),
    ("DELETE", SESSIONS, None),
    ("DELETE", f"{SESSIONS}/0123456789abcdef", None),
    ("POST", TOKENS, {"label": "x", "scopes": ["read"], "days": 1, "password": PASSWORD}),
    ("DELETE", f"{TOKENS}/0123456789abcdef", None),
    ("POST", f"{ACCOUNT}/bot", {"password": PASSWORD}),
    ("GET", f"{ACCOUNT}/export", None),
    ("POST", f"{ACCOUNT}/delete", {"password": PASSWORD}),
    ("PUT", "/api/v1/me/settings", {"settings": {}}),
]


@pytest.mark.parametrize(("method", "path", "body"), SESSION_ONLY)
async def test_tokens_cannot_change_the_account(anna: Somebody, method: str, path: str, body: Any) -> None:
    token = await token_of(anna, "read", "play", "host", "arbiter")
    assert error_of(await anna.ask(method, path, body, token=token)) == (403, "forbidden")
    assert (await anna.ask("GET", ME)).status_code == 200


async def test_only_scope_read_may_read_private_data(anna: Somebody) -> None:
    for path in (ACCOUNT, "/api/v1/me/settings"):
        for scope in ("play", "host", "arbiter"):
            refused = await anna.ask("GET", path, token=await token_of(anna, scope))
            assert error_of(refused) == (403, "forbidden")
        assert (await anna.ask("GET", path, token=await token_of(anna, "read"))).status_code == 200
