"""Password reset: the mail, the code, its expiry. Nobody learns who is a member."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from lobby.accounts import mail_queue
from lobby.accounts.mail_queue import MailQueue
from lobby.accounts.resets import Resets, new_reset
from lobby.errors import MailFailed, Unavailable
from tests.realtime.http.accounts.test_account import somebody, token_of
from tests.realtime.http.accounts.test_signing import LOGIN, ME, SIGNUP, field_of, form
from tests.realtime.http.conftest import error_of
from tests.realtime.until import until

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web

RESET, ASK = "/api/v1/reset", "/api/v1/reset/request"
NEW = "another horse"


async def ask(web: Web, name: str, address: str = "198.51.100.9") -> httpx.Response:
    answer = await (await web.client(address)).post(ASK, json={"name": name})
    await web.outbox.settle()
    return answer


async def reset(web: Web, code: str, name: str = "Anna", password: str = NEW) -> httpx.Response:
    return await (await web.client()).post(RESET, json={"name": name, "code": code, "password": password})


async def code_of(web: Web, person: str) -> str:
    return await new_reset(web.pool, person)


async def test_mailed_code_sets_a_new_password(web: Web) -> None:
    anna = await somebody(web, "Anna", email="anna@example.org")
    token = await token_of(anna, "read")
    asked = await ask(web, "aNNa")
    assert (asked.status_code, asked.json()) == (202, {"mail": True})
    ((to, subject, text),) = web.mails
    assert (to, subject) == ("anna@example.org", "Reset your Zeitnot password")
    found = re.search(r"^    (\w{4}-\w{4}-\w{4})$", text, re.MULTILINE)
    assert found is not None
    done = await reset(web, found[1].lower().replace("-", " "))
    assert done.status_code == 200
    assert done.json()["user"] == anna.user
    assert done.json()["token"] in done.headers["set-cookie"]
    for gone in (anna.token, token):
        assert (await anna.ask("GET", ME, token=gone)).status_code == 401
    assert (await anna.ask("GET", ME, token=done.json()["token"])).status_code == 200
    assert (await anna.client.post(LOGIN, json=form())).status_code == 401
    assert (await anna.client.post(LOGIN, json=form(password=NEW))).status_code == 200
    assert error_of(await reset(web, found[1])) == (401, "bad_credentials")  # good once


async def test_reset_answer_does_not_reveal_membership(web: Web) -> None:
    await somebody(web, "Anna")
    guest = (await (await web.client()).post("/api/v1/guest")).json()["user"]["name"]
    for name in ("Anna", "Nobody", guest, ""):
        asked = await ask(web, name, f"203.0.113.{len(name)}")
        assert (asked.status_code, asked.json()) == (202, {"mail": True})
    assert web.mails == []
    assert await web.pool.fetchval("SELECT count(*) FROM reset") == 0


async def test_reset_mails_to_one_person_are_limited(web: Web) -> None:
    await somebody(web, "Anna", email="anna@example.org")
    for number in range(5):
        assert (await ask(web, "Anna", f"203.0.113.{number}")).status_code == 202
    assert len(web.mails) == 1
    await web.pool.execute("UPDATE account SET reset_at = now() - interval '301 s'")
    await ask(web, "Anna", "203.0.113.9")
    assert len(web.mails) == 2


async def test_reset_requests_of_an_address_are_limited(web: Web) -> None:
    answers = [await ask(web, "Nobody") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [202, 202, 202, 429]
    assert int(answers[-1].headers["retry-after"]) > 0


async def test_strangers_cannot_use_up_a_code(web: Web) -> None:
    """Neither wrong attempts nor requests for further codes invalidate it."""
    anna = await somebody(web, "Anna", email="anna@example.org")
    code = await code_of(web, anna.id)
    for number in range(30):
        answer = await (await web.client(f"203.0.113.{number}")).post(
            RESET, json={"name": "Anna", "code": "AAAA-AAAA-AAAA", "password": NEW}
        )
        assert error_of(answer) == (401, "bad_credentials")
    for number in range(12):
        await web.pool.execute("UPDATE account SET reset_at = now() - interval '301 s'")
        await ask(web, "Anna", f"203.0.113.{number}")
    assert len(web.mails) == 12
    assert (await reset(web, code)).status_code == 200
    assert await web.pool.fetchval("SELECT count(*) FROM reset") == 0  # the others end with it


async def test_code_guesses_are_limited_like_passwords(web: Web) -> None:
    anna = await somebody(web, "Anna")
    await code_of(web, anna.id)
    answers = [await reset(web, "AAAA-AAAA-AAAA") for _ in range(25)]
    assert {answer.status_code for answer in answers} == {401, 429}


async def test_wrong_code_writes_nothing(web: Web) -> None:
    """A write takes time, and would reveal who has requested a code."""
    anna = await somebody(web, "Anna")
    await code_of(web, anna.id)
    before = await web.pool.fetch("SELECT reset.xmin, account.xmin AS other, * FROM reset JOIN account USING (person)")
    await reset(web, "AAAA-AAAA-AAAA")
    assert (
        await web.pool.fetch("SELECT reset.xmin, account.xmin AS other, * FROM reset JOIN account USING (person)")
        == before
    )


async def test_simultaneous_reset_requests_send_one_mail(web: Web) -> None:
    await somebody(web, "Anna", email="anna@example.org")
    for _ in range(10):
        web.resets.request("Anna")
    await web.outbox.settle()
    assert len(web.mails) == 1


async def test_unconfirmed_address_gets_no_reset_code(web: Web) -> None:
    client = await web.client()
    await client.post(SIGNUP, json=form("Anna", email="victim@example.org"))
    await web.outbox.settle()
    web.mails.clear()
    await ask(web, "Anna")
    assert web.mails == []


async def test_simultaneous_uses_of_a_code_succeed_once(web: Web) -> None:
    anna = await somebody(web, "Anna")
    code = await code_of(web, anna.id)
    answers = await asyncio.gather(*(reset(web, code, password=f"{NEW} {number}") for number in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401]


async def test_code_expires_after_an_hour(web: Web) -> None:
    anna = await somebody(web, "Anna")
    code = await code_of(web, anna.id)
    await web.pool.execute("UPDATE reset SET expires_at = now() - interval '1 s'")
    assert error_of(await reset(web, code)) == (401, "bad_credentials")


async def test_code_is_valid_for_its_owner_only(web: Web) -> None:
    anna = await somebody(web, "Anna")
    await somebody(web, "Berta")
    code = await code_of(web, anna.id)
    for name in ("Berta", "Nobody", "An\0na"):
        assert (await reset(web, code, name)).status_code in (401, 422)
    assert field_of(await reset(web, code, password="short")) == "password"
    assert field_of(await reset(web, code, password="anna")) == "password"
    assert (await reset(web, code)).status_code == 200


async def test_code_does_not_reopen_closed_account(web: Web) -> None:
    anna = await somebody(web, "Anna")
    code = await code_of(web, anna.id)
    await web.pool.execute("UPDATE person SET closed_at = now() WHERE id = $1", anna.id)
    assert error_of(await reset(web, code)) == (401, "bad_credentials")


async def test_codes_are_not_stored(web: Web) -> None:
    anna = await somebody(web, "Anna")
    code = await code_of(web, anna.id)
    stored = repr(await web.pool.fetch("SELECT * FROM reset"))
    assert code not in stored
    assert code.replace("-", "") not in stored


async def test_missing_mail_server_is_logged(web: Web, caplog: pytest.LogCaptureFixture) -> None:
    await somebody(web, "Anna", email="anna@example.org")
    box = MailQueue(None)
    Resets(web.identities, web.hasher, box).request("Anna")
    await box.settle()
    assert "no mail server is configured" in caplog.text
    assert "Anna" not in caplog.text
    assert await web.pool.fetchval("SELECT count(*) FROM reset") == 0


async def test_failed_mail_is_logged_and_may_be_requested_again(
    web: Web, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await somebody(web, "Anna", email="anna@example.org")

    class Away:
        async def send(self, to: str, subject: str, text: str) -> None:
            raise MailFailed("mail.example.org: ConnectionRefusedError")

    box = MailQueue(Away())
    Resets(web.identities, web.hasher, box).request("Anna")
    await box.settle()
    assert "an email could not be sent: mail.example.org" in caplog.text
    assert "anna@" not in caplog.text
    assert await web.pool.fetchval("SELECT count(*) FROM reset") == 0
    await ask(web, "Anna")
    assert len(web.mails) == 1


async def test_queue_of_hanging_mail_server_is_bounded(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_queue, "MOST_WAITING", 3)
    await somebody(web, "Anna", email="anna@example.org")
    hanging = asyncio.Event()

    class Hangs:
        async def send(self, to: str, subject: str, text: str) -> None:
            await hanging.wait()

    box = MailQueue(Hangs())
    slow = Resets(web.identities, web.hasher, box)
    for _ in range(3):
        slow.request("Anna")
    with pytest.raises(Unavailable):
        slow.request("Anna")
    await box.close()
    await until(lambda: not len(box))
