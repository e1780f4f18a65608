"""Accounts on a whole server: sign-up in the middle of a game, roles, codes, and a log without secrets."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from realtime.commands.cli import USER_VERBS
from realtime.commands.users import VERBS
from realtime.people.presence import LOGGED_OUT
from tests.integration.match import BLITZ, match, snapshot
from tests.realtime.ops.test_mail import Office, Postman
from tests.realtime.until import until
from tests.server_process import ROOT, ServerProcess
from tests.wire_client import PASSWORD, Client, guest, login, member

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


SECRET = {"password": PASSWORD}


def ask(url: str, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
    """Status and body of an answer."""
    headers = {"Content-Type": "application/json"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}/api/v1/{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            text = response.read()
            return response.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def users(server: ServerProcess, *arguments: str) -> str:
    """What ``zeitnot users`` says beside the running server."""
    command = [sys.executable, "-c", "from realtime.commands.cli import main; main()", "users", *server.place]
    return subprocess.run([*command, *arguments], check=True, cwd=ROOT, capture_output=True, text=True).stdout


async def test_guest_signs_up_during_a_game(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        white = m.white
        token, before = white.token, white.welcome["user"]
        status, made = ask(url, "POST", "signup", {"name": "Anna", "password": PASSWORD}, token)
        assert (status, made["user"]["id"], made["user"]["name"]) == (201, before["id"], "Anna")
        with pytest.raises(ConnectionError):
            await white.wait(lambda message: message["t"] == "never")
        assert white.closed_with == LOGGED_OUT
        assert ask(url, "GET", "me", token=token)[0] == 401
        told = await m.black.wait(lambda message: message["t"] == "player")
        assert told == {"t": "player", "g": m.g, "color": "w", "user": made["user"]}
        async with Client(url, made["token"]) as anna:
            assert anna.welcome["user"] == made["user"]
            assert anna.welcome["games"] == [m.g]
            shown = await anna.sub(m.g)
            assert (shown["you"], shown["players"]["w"]["user"]) == ("w", made["user"])
            await anna.request("move", g=m.g, move="g1f3", ply=2)
            assert (await m.black.event(m.g, 3))["move"] == "g1f3"
        assert snapshot(url, m.g)["players"]["w"]["user"]["kind"] == "member"


async def test_invisible_player_is_seen_by_the_opponent_only(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m, Client(url) as spectator:
        await spectator.sub(m.g)
        assert ask(url, "PUT", "account/invisible", {"invisible": True}, m.white.token)[0] == 200
        hidden, both = {"w": False, "b": True}, {"w": True, "b": True}
        await spectator.wait(lambda message: message["t"] == "crowd" and message["online"] == hidden)

        def shown(viewer: Client | None) -> dict[str, bool]:
            return {color: player["online"] for color, player in m.snapshot(viewer)["players"].items()}

        assert (shown(None), shown(m.black), shown(m.white)) == (hidden, both, both)
        assert not any(message["t"] == "crowd" and message["online"] == hidden for message in m.black.messages)
        await m.white.request("resign", g=m.g)
        await m.black.wait(lambda message: message["t"] == "crowd" and message["online"] == hidden)
        assert (shown(None), shown(m.black)) == (hidden, hidden)


async def test_logout_closes_only_the_sockets_of_its_session(url: str) -> None:
    token, user = member(url)
    other, _ = login(url, user["name"])
    async with Client(url, token) as first, Client(url, other) as second:
        assert ask(url, "POST", "logout", token=token)[0] == 204
        with pytest.raises(ConnectionError):
            await first.wait(lambda message: message["t"] == "never")
        assert first.closed_with == LOGGED_OUT
        await second.request("ping")


async def test_ending_a_session_closes_its_sockets(url: str) -> None:
    token, user = member(url)
    other, _ = login(url, user["name"])
    async with Client(url, other) as socket:
        assert ask(url, "DELETE", "account/sessions", token=token)[0] == 204
        with pytest.raises(ConnectionError):
            await socket.wait(lambda message: message["t"] == "never")
        assert socket.closed_with == LOGGED_OUT


async def test_socket_has_the_scopes_of_its_token(url: str) -> None:
    token, user = member(url)
    tokens = {
        scope: ask(url, "POST", "account/tokens", {"label": scope, "scopes": [scope], "days": 1, **SECRET}, token)[1][
            "token"
        ]
        for scope in ("read", "play", "host", "arbiter")
    }
    async with Client(url, tokens["play"]) as player, Client(url, tokens["read"]) as reader:
        assert await reader.refused("seek", tc=BLITZ) == "forbidden"
        assert await player.refused("sub", topic="user") == "forbidden"
        await reader.request("sub", topic="user")
        to_self = await player.request("challenge", tc=BLITZ, to="self")
        assert to_self["g"]
        async with Client(url, guest(url)[0]) as challenger:
            challenge = await challenger.request("challenge", tc=BLITZ, to=user["name"])
            # What is private reaches the one that may read it, and not the other.
            await reader.wait(lambda message: message.get("challenge") == challenge["challenge"])
            await player.request("ping")
            assert not [message for message in player.messages if message["t"] == "challenge"]


async def test_users_command_sets_roles(server: ServerProcess, url: str) -> None:
    token, user = member(url)
    assert (
        users(server, "role", user["name"].upper(), "+moderator", "+arbiter") == f"{user['name']}: arbiter moderator\n"
    )

    async def roles_are(*roles: str) -> bool:
        answer: list[str] = ask(url, "GET", "me", token=token)[1]["roles"]
        return answer == list(roles)

    await until(lambda: roles_are("arbiter", "moderator"))
    assert user["name"] in users(server, "list", "moderator")
    users(server, "role", user["name"], "-moderator", "-arbiter")
    await until(roles_are)


async def test_account_is_closed_and_opened(server: ServerProcess, url: str) -> None:
    token, user = member(url)
    async with Client(url, token) as socket:
        assert "1 sessions" in users(server, "close", user["name"])
        with pytest.raises(ConnectionError):
            await socket.wait(lambda message: message["t"] == "never")
        assert socket.closed_with == LOGGED_OUT
    credentials = {"name": user["name"], "password": PASSWORD}
    assert ask(url, "POST", "login", credentials)[0] == 403
    assert "closed" in users(server, "show", user["name"])
    users(server, "open", user["name"])
    assert ask(url, "POST", "login", credentials)[0] == 200


async def test_users_command_creates_a_reset_code(server: ServerProcess, url: str) -> None:
    _, user = member(url)
    code = users(server, "reset", user["name"]).split()[0]
    body = {"name": user["name"], "code": code, "password": "another horse"}
    status, answer = ask(url, "POST", "reset", body)
    assert (status, answer["user"]) == (200, user)
    assert login(url, user["name"], "another horse")[1] == user


def test_users_command_takes_options_anywhere_and_negative_roles(server: ServerProcess, url: str) -> None:
    name = member(url)[1]["name"]
    users(server, "role", name, "+host", "+admin")
    assert users(server, "role", name, "-host", "+arbiter", "--log-level", "error", "-admin") == f"{name}: arbiter\n"
    assert "usage: zeitnot users" in users(server, "--help")
    command = [sys.executable, "-c", "from realtime.commands.cli import main; main()", "users", "show", name, "--dat"]
    refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert set(USER_VERBS) == {"list", *VERBS}


def test_users_command_refuses_invalid_arguments(server: ServerProcess, url: str) -> None:
    name = guest(url)[1]["name"]
    taken = member(url)[1]["name"]
    for arguments in (
        ["show"], ["show", "nobody"], ["show", taken, taken], ["list", "a", "b"], ["reset", name],
        ["role", taken, "+king"], ["role", taken, "-king"], ["role", taken, "king"],
    ):  # fmt: skip
        with pytest.raises(subprocess.CalledProcessError) as caught:
            users(server, *arguments)
        assert caught.value.returncode == 2
        assert caught.value.stderr.startswith("zeitnot: ")
        assert "Traceback" not in caught.value.stderr


async def test_closing_an_account_closes_seeks_and_challenges(url: str) -> None:
    token, user = member(url)
    async with Client(url, token) as leaver, Client(url, guest(url)[0]) as other:
        seek = (await leaver.request("seek", tc=BLITZ, min_rating=3900))["seek"]
        challenge = (await leaver.request("challenge", tc=BLITZ))["challenge"]
        await other.request("sub", topic="lobby")
        assert ask(url, "POST", "account/delete", {"password": PASSWORD}, token)[0] == 204
        await other.wait(lambda message: message["t"] == "lobby.gone" and message["seek"] == seek)
        assert await other.refused("accept", seek=seek) == "conflict"
        assert await other.refused("challenge.accept", challenge=challenge) == "conflict"
        with pytest.raises(ConnectionError):
            await leaver.wait(lambda message: message["t"] == "never")
        assert leaver.closed_with == LOGGED_OUT
    assert ask(url, "GET", "me", token=token)[0] == 401
    assert ask(url, "POST", "signup", {"name": user["name"], "password": PASSWORD})[0] == 409


async def test_closed_account_cannot_be_challenged(server: ServerProcess, url: str) -> None:
    name = member(url)[1]["name"]
    users(server, "close", name)
    async with Client(url, guest(url)[0]) as challenger:
        assert await challenger.refused("challenge", tc=BLITZ, to=name) == "not_found"
    assert ask(url, "GET", f"search?q={name}")[1]["users"] == []
    assert ask(url, "GET", f"users/{name}")[1]["closed"] is True


async def test_reset_code_is_sent_by_mail(tmp_path: Path, own_database: str) -> None:
    postman = Postman()
    office = Office(postman)
    office.start()
    smtp = f"smtp://127.0.0.1:{office.port}?from=chess@example.org"
    try:
        with ServerProcess(tmp_path / "data", environment={"ZEITNOT_SMTP": smtp}, database=own_database) as server:
            url = server.url
            token, user = member(url, "Anna")
            body = {"email": "anna@example.org", "password": PASSWORD}
            waits = {"email": None, "unconfirmed": "anna@example.org"}
            assert ask(url, "PUT", "account/email", body, token) == (200, waits)
            await until(lambda: len(postman.delivered) == 1)
            found = re.search(r"\w{4}-\w{4}-\w{4}", postman.delivered[0].content.decode())
            assert found is not None
            counts = {"email": "anna@example.org", "unconfirmed": None}
            assert ask(url, "POST", "account/email/code", {"code": found[0]}, token) == (200, counts)
            assert ask(url, "POST", "reset/request", {"name": "anna"}) == (202, {"mail": True})
            await until(lambda: len(postman.delivered) == 2)
            found = re.search(r"\w{4}-\w{4}-\w{4}", postman.delivered[1].content.decode())
            assert found is not None
            body = {"name": "Anna", "code": found[0], "password": "another horse"}
            assert ask(url, "POST", "reset", body)[1]["user"] == user
    finally:
        office.stop()


async def test_hanging_mail_server_does_not_delay_shutdown(tmp_path: Path) -> None:
    called, gone = asyncio.Event(), asyncio.Event()

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.set()
        await reader.read()
        writer.close()
        gone.set()

    silent = await asyncio.start_server(hang, "127.0.0.1", 0)
    smtp = f"smtp://127.0.0.1:{silent.sockets[0].getsockname()[1]}?from=chess@example.org"
    try:
        with ServerProcess(tmp_path / "data", "--smtp", smtp) as server:
            token, user = await asyncio.to_thread(member, server.url)
            body = {"email": "anna@example.org", "password": PASSWORD}
            await asyncio.to_thread(ask, server.url, "PUT", "account/email", body, token)
            await asyncio.to_thread(ask, server.url, "POST", "reset/request", {"name": user["name"]})
            await called.wait()
            assert await asyncio.to_thread(server.stop) == 0
            await gone.wait()
    finally:
        silent.close()
        await silent.wait_closed()


class TestSecrets:
    """What nobody may find in a log."""

    @pytest.fixture
    def talkative(self, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
        data = tmp_path_factory.mktemp("talkative") / "data"
        smtp = "smtp://mailuser:mailsecret@127.0.0.1:1?from=chess@example.org"
        with ServerProcess(data, "--log-level", "debug", "--limit", "guests=1000", "--smtp", smtp) as server:
            yield server

    async def test_no_password_token_or_code_is_logged(self, talkative: ServerProcess) -> None:
        url = talkative.url
        secrets = ["mailsecret", PASSWORD, "wrong horse one", "another horse two"]
        guest_token, _ = guest(url)
        token, user = member(url)
        name = user["name"]
        ask(url, "PUT", "account/email", {"email": "anna@example.org", "password": PASSWORD}, token)
        body = {"label": "x", "scopes": ["read"], "days": 1, **SECRET}
        api = ask(url, "POST", "account/tokens", body, token)[1]["token"]
        code = users(talkative, "reset", name).split()[0]
        secrets += [guest_token, token, api, code, code.replace("-", ""), "anna@example.org"]
        ask(url, "POST", "login", {"name": name, "password": "wrong horse one"})
        ask(url, "POST", "login", {"name": name, "password": "wrong horse one", "more": "\ud800"})
        ask(url, "GET", f"me?token={api}", token=api)
        ask(url, "GET", "account", token=api + "x")
        async with Client(url, token) as socket:
            await socket.request("ping")
        ask(url, "POST", "account/password", {"old": PASSWORD, "new": "another horse two"}, token)
        ask(url, "POST", "reset/request", {"name": name})
        ask(url, "POST", "reset", {"name": name, "code": code, "password": "another horse two"})
        await until(lambda: "an email could not be sent" in talkative.told())
        talkative.stop()
        told = talkative.told()
        assert told
        assert [line for line in told.splitlines() if any(secret in line for secret in secrets)] == []
