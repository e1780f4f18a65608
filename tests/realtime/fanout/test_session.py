"""Answers of a session, and the count of refusals."""

from __future__ import annotations

from collections import Counter

from game_core.errors import Refusal
from lobby.errors import Conflict
from realtime.fanout.session import WAITING, Session


class Sheet:
    """A socket as far as a session needs one: what was sent to it."""

    user = None
    number = 1

    def __init__(self) -> None:
        self.sent: list[dict[str, object]] = []

    def send(self, message: dict[str, object]) -> None:
        self.sent.append(message)


def session() -> tuple[Session, Sheet, Counter[str]]:
    sheet, errors = Sheet(), Counter[str]()
    return Session(sheet, lambda code: errors.update([code])), sheet, errors  # type: ignore[arg-type]  # a socket


def test_answer_has_the_id_of_its_request() -> None:
    asked, sheet, errors = session()
    asked.answer(7, {"seq": 1})
    asked.answer(None, {"seq": 2})
    assert sheet.sent == [{"t": "ok", "id": 7, "seq": 1}]
    assert not errors


def test_refusal_is_sent_and_counted_with_and_without_id() -> None:
    asked, sheet, errors = session()
    asked.answer(7, Refusal("illegal_move", "no"))
    asked.answer(None, Refusal("illegal_move", "no"))
    assert [message.get("id") for message in sheet.sent] == [7, None]
    assert errors == {"illegal_move": 2}


async def test_refusal_of_deferred_request_is_sent_and_counted() -> None:
    asked, sheet, errors = session()

    async def taken() -> None:
        raise Conflict("somebody was faster")

    async def broken() -> None:
        raise ConnectionRefusedError

    asked.later(1, taken())
    asked.later(2, broken())
    await asked.finish()
    assert [(message["id"], message["code"]) for message in sheet.sent] == [(1, "conflict"), (2, "unavailable")]
    assert errors == {"conflict": 1, "unavailable": 1}


async def test_number_of_waiting_requests_is_bounded() -> None:
    asked, sheet, errors = session()

    async def nothing() -> None:
        pass

    for number in range(WAITING + 1):
        asked.later(number, nothing())
    assert [(message["id"], message["code"]) for message in sheet.sent] == [(WAITING, "rate_limited")]
    await asked.finish()
    assert errors == {"rate_limited": 1}
