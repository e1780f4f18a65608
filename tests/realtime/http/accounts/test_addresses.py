"""Mail addresses: confirmed by a code; the number of mails is limited."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from lobby.accounts import addresses
from lobby.accounts.addresses import TO_ADDRESS, AddressBook, Addresses
from lobby.accounts.identity import delete_expired
from lobby.accounts.mail_queue import MailQueue
from lobby.accounts.resets import new_reset
from lobby.errors import MailFailed
from tests.realtime.http.accounts.test_account import CODE, EMAIL, SECRET, Somebody, mailed_code, somebody
from tests.realtime.http.accounts.test_signing import PASSWORD, SIGNUP, field_of, form
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    import httpx

    from tests.realtime.http.conftest import Web


@pytest.fixture
async def anna(web: Web) -> Somebody:
    return await somebody(web, "Anna", email="anna@example.org")


async def change(anna: Somebody, email: str | None) -> httpx.Response:
    return await anna.ask("PUT", EMAIL, {"email": email, **SECRET})


async def test_address_is_confirmed_by_its_code(web: Web, anna: Somebody) -> None:
    assert field_of(await anna.ask("PUT", EMAIL, {"email": "x@y.de", "password": "wrong horse"})) == "password"
    assert field_of(await anna.ask("PUT", EMAIL, {"email": "x@", "password": PASSWORD})) == "email"
    assert field_of(await anna.ask("PUT", EMAIL, {"password": PASSWORD})) == "email"
    waits = {"email": "anna@example.org", "unconfirmed": "new@example.org"}
    assert (await change(anna, "new@example.org")).json() == waits
    code = await mailed_code(web)
    assert [mail[0] for mail in web.mails] == ["new@example.org"]
    for wrong in ("AAAA-AAAA-AAAA", "", "\u0130"):
        assert field_of(await anna.ask("POST", CODE, {"code": wrong})) == "code"
    account = await anna.account()
    assert {name: account[name] for name in waits} == waits
    done = await anna.ask("POST", CODE, {"code": code.lower().replace("-", " ")})
    assert done.json() == {"email": "new@example.org", "unconfirmed": None}
    assert field_of(await anna.ask("POST", CODE, {"code": code})) == "code"  # once
    await web.outbox.settle()
    to, subject, text = web.mails[-1]
    assert (to, subject) == ("anna@example.org", "Your email address on Zeitnot has changed")
    assert "new@" not in text
    assert (await anna.account())["email"] == "new@example.org"
    assert code not in repr(await web.pool.fetch("SELECT * FROM account"))


async def test_removed_address_is_notified(web: Web, anna: Somebody) -> None:
    assert (await change(anna, None)).json() == {"email": None, "unconfirmed": None}
    await web.outbox.settle()
    assert [mail[0] for mail in web.mails] == ["anna@example.org"]
    assert (await anna.account())["email"] is None
    assert (await change(anna, None)).json() == {"email": None, "unconfirmed": None}
    await web.outbox.settle()
    assert len(web.mails) == 1


async def test_address_change_may_be_cancelled(web: Web, anna: Somebody) -> None:
    await change(anna, "new@example.org")
    code = await mailed_code(web)
    assert (await change(anna, "anna@example.org")).json() == {"email": "anna@example.org", "unconfirmed": None}
    assert field_of(await anna.ask("POST", CODE, {"code": code})) == "code"
    await change(anna, "new@example.org")
    earlier = await mailed_code(web)
    await change(anna, None)
    assert field_of(await anna.ask("POST", CODE, {"code": earlier})) == "code"


async def test_code_confirms_only_the_address_it_was_sent_to(web: Web, anna: Somebody) -> None:
    await change(anna, "mine@example.org")
    code = await mailed_code(web)
    await change(anna, "somebody.elses@example.org")
    assert field_of(await anna.ask("POST", CODE, {"code": code})) == "code"
    berta = await somebody(web, "Berta")
    assert field_of(await berta.ask("POST", CODE, {"code": await mailed_code(web)})) == "code"
    await web.pool.execute("UPDATE account SET code_until = now() - interval '1 s'")
    assert field_of(await anna.ask("POST", CODE, {"code": await mailed_code(web)})) == "code"


async def test_simultaneous_uses_of_a_code_succeed_once(web: Web, anna: Somebody) -> None:
    await change(anna, "new@example.org")
    code = await mailed_code(web)
    answers = await asyncio.gather(*(anna.ask("POST", CODE, {"code": code}) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 422, 422]
    await web.outbox.settle()
    assert len(web.mails) == 2  # the code, and one note to the old address


async def test_mails_to_one_address_are_limited(web: Web) -> None:
    people = [await somebody(web, f"Anna{number}x", address=f"203.0.113.{number}") for number in range(4)]
    boxes = ["victim@example.org", "Victim@example.org", "victim+1@example.org", "victim+2@EXAMPLE.org"]
    codes = [
        (await change(each, box)).status_code for each in people for box in boxes
    ]  # fmt: skip
    await web.outbox.settle()
    assert codes == [200] * TO_ADDRESS + [429] * (len(codes) - TO_ADDRESS)
    assert len(web.mails) == TO_ADDRESS
    refused = await change(people[0], "victim@example.org")
    assert error_of(refused) == (429, "rate_limited")
    assert 23 * 3600 < int(refused.headers["retry-after"]) <= 24 * 3600
    assert "victim" not in repr(await web.pool.fetch("SELECT * FROM mailed"))
    await web.pool.execute("UPDATE mailed SET since = now() - interval '25 h'")
    assert (await change(people[0], "victim@example.org")).status_code == 200
    await web.pool.execute("UPDATE mailed SET since = now() - interval '25 h'")
    await delete_expired(web.pool)
    assert await web.pool.fetchval("SELECT count(*) FROM mailed") == 0


async def test_mails_of_one_person_are_limited(web: Web, anna: Somebody, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "BY_PERSON", 4)  # one of them has gone to the address at sign-up
    codes = [(await change(anna, f"victim{number}@example.org")).status_code for number in range(5)]
    assert codes == [200, 200, 200, 429, 429]
    await web.outbox.settle()
    assert len(web.mails) == 3


async def test_sign_up_succeeds_at_the_mail_limit(web: Web) -> None:
    for number in range(TO_ADDRESS + 2):
        client = await web.client(f"203.0.113.{number}")
        assert (await client.post(SIGNUP, json=form(f"Anna{number}x", email="a@example.org"))).status_code == 201
    await web.outbox.settle()
    assert len(web.mails) == TO_ADDRESS


async def test_failed_mail_may_be_requested_again(web: Web, anna: Somebody, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(to: str, subject: str, text: str) -> None:
        raise MailFailed("mail.example.org: ConnectionRefusedError")

    with monkeypatch.context() as patch:
        patch.setattr(web, "send", away)
        for _ in range(TO_ADDRESS + 1):
            assert (await change(anna, "new@example.org")).status_code == 200
            await web.outbox.settle()
    assert (await change(anna, "new@example.org")).status_code == 200
    assert (await anna.ask("POST", CODE, {"code": await mailed_code(web)})).status_code == 200


async def test_address_stays_unconfirmed_without_mail_server(web: Web, anna: Somebody) -> None:
    without = AddressBook(web.pool, MailQueue(None))
    user = await web.identities.user_of_token(anna.token)
    assert user is not None
    assert await without.change(user, "new@example.org") == Addresses("anna@example.org", "new@example.org")
    for code in ("", "AAAA-AAAA-AAAA"):
        assert field_of(await anna.ask("POST", CODE, {"code": code})) == "code"


async def test_reset_codes_end_with_change_of_address(web: Web, anna: Somebody) -> None:
    await new_reset(web.pool, anna.id)
    await change(anna, "new@example.org")
    await anna.ask("POST", CODE, {"code": await mailed_code(web)})
    assert await web.pool.fetchval("SELECT count(*) FROM reset") == 0
