"""Simul requests with wrong fields or unknown targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from realtime.protocol.simul_requests import SIMUL_REQUESTS
from tests.integration.requests.test_bad_requests import (
    ABSURD,
    NOT_A_FLAG,
    NOT_A_NAME,
    NOT_A_NUMBER,
    NOT_A_WORD,
    NOT_TEXT,
    WRONG,
    answer_to,
)
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMITS = "connections=20000,guests=20000,rate=4000,burst=100000"
"""No test meets a limit by accident; what is told to everybody has one of its own, a fortieth of this."""

OF = {"simul": "nosuch"}

VALID: dict[str, dict[str, Any]] = {
    "simul.create": {"name": "Club night", "tc": None},
    "simul.edit": OF,
    "simul.invite": {**OF, "user": "nobody"},
    "simul.join": OF,
    "simul.leave": OF,
    "simul.accept": {**OF, "user": "nobody"},
    "simul.accept_all": OF,
    "simul.add_robots": {**OF, "level": 3},
    "simul.reject": {**OF, "user": "nobody"},
    "simul.kick": {**OF, "user": "nobody"},
    "simul.start": OF,
    "simul.cancel": OF,
    "simul.at": {**OF, "board": 1},
    "simul.next": OF,
    "simul.later": {**OF, "board": 1},
    "simul.break": {**OF, "until": None},
    "simul.adjudicate": {**OF, "g": "nosuch", "result": "1/2-1/2"},
    "simul.end": OF,
    "simul.hand_over": OF,
    "simul.take_over": OF,
    "simul.prepare": {**OF, "g": "nosuch", "ply": 0, "move": None},
    "simul.pass": {**OF, "g": "nosuch"},
}
"""The fields that each request needs, all of them well-formed."""

NOT_SECONDS: Sequence[Any] = (*NOT_A_NUMBER, 36_001)
NOT_A_BOARD: Sequence[Any] = (*NOT_A_NUMBER, 0, 1001)

WRONG_HERE: dict[str, Sequence[Any]] = {
    "id": WRONG["id"],
    "key": WRONG["key"],
    "simul": NOT_A_NAME,
    "g": NOT_A_NAME,
    "user": (*NOT_TEXT, "", "x" * 33),
    "stand_in": (*NOT_TEXT, "", "x" * 33),
    "board": NOT_A_BOARD,
    "level": (*NOT_A_NUMBER, 0, 9),
    "player_extra_s": NOT_SECONDS,
    "host_extra_s": NOT_SECONDS,
    "color": NOT_A_WORD,
    "note": (*NOT_TEXT, "x" * 201),
    "name": (*NOT_TEXT, "", "x" * 61),
    "text": (*NOT_TEXT, "x" * 1001),
    "game": (*NOT_TEXT, "", "x" * 33),
    "variant": (*NOT_TEXT, "", "x" * 33),
    "variants": ("chess", [], {}, ["chess"], [{"game": "chess"}], [{"game": "chess", "variant": "x" * 33}], [[]]),
    "mode": NOT_A_WORD,
    "host_color": NOT_A_WORD,
    "host_extra_per_board_s": (*NOT_A_NUMBER, 3601),
    "countdown_s": (*NOT_A_NUMBER, 0, 301),
    "passes": (*NOT_A_NUMBER, 101),
    "auto_next": NOT_A_FLAG,
    "rated": NOT_A_FLAG,
    "fen": (*NOT_TEXT, "", "x" * 257),
    "draws": (*NOT_TEXT[1:], "", "often", 0, 201),
    "max_boards": NOT_A_BOARD,
    "min_rating": (*NOT_A_NUMBER, 4001),
    "max_rating": (*NOT_A_NUMBER, 4001),
    "guests": NOT_A_FLAG,
    "members": NOT_A_FLAG,
    "invited": ("Anna", {}, 7, [7], [""], ["x" * 33], [None]),
    "auto_accept": NOT_A_FLAG,
    "late_join": (7, "move", [], {"move": 0}, {"move": 201}, {"minutes": 601}, {"minutes": "5"}),
    "away_limit_s": (*NOT_A_NUMBER, 59, 7201),
    "delay_s": (*NOT_A_NUMBER, 901),
    "start_at": (*NOT_A_NUMBER, 2**63),
    "until": (*NOT_A_NUMBER, 2**63),
    "result": (*NOT_A_WORD, "0.5-0.5"),
    "rest": NOT_A_WORD,
    "boards": (7, "all", [], {"1": "win"}, {"0": "draw"}, {"01": "draw"}, {"x": "draw"}, {"10000": "draw"}),
    "ply": WRONG["ply"],
    "move": WRONG["move"],
}
"""By field: values of a wrong type, length or range, whatever simul it is."""

AGREED: dict[str, Sequence[Any]] = {
    "tc": (*WRONG["tc"], {"days": 2}),
    "host_tc": ({"move_s": 0}, {"move_s": 5}, "all", 7, [], {"base_s": -1}),
    "game": ("go", "\0"),
    "variant": ("atomic", "\0", "Standard"),
    "fen": [fen for fen in WRONG["fen"] if isinstance(fen, str)],
    "late_join": ({}, {"move": 5, "minutes": 5}),
    "name": (" ", "\0", "\u202e"),
    "start_at": (0, 1, 2**53),
    "variants": ([{"game": "chess", "variant": "standard"}] * 2, [{"game": "chess", "variant": "atomic"}]),
}
"""What is wrong where it is announced."""


def test_every_simul_request_field_has_invalid_test_values() -> None:
    assert VALID.keys() == SIMUL_REQUESTS.keys()
    fields = {field.encode_name for request in SIMUL_REQUESTS.values() for field in msgspec.structs.fields(request)}
    assert WRONG_HERE.keys() | AGREED.keys() == fields


@pytest.mark.parametrize("codec", ["msgpack", "json"])
@pytest.mark.parametrize("kind", SIMUL_REQUESTS)
async def test_invalid_field_is_a_bad_message(url: str, kind: str, codec: str) -> None:
    fields = [field.encode_name for field in msgspec.structs.fields(SIMUL_REQUESTS[kind])]
    cases = [(field, value) for field in fields for value in WRONG_HERE.get(field, ())]
    if kind == "simul.create":
        cases += [(field, value) for field, values in AGREED.items() for value in values]
    async with Client(url, guest(url)[0], codec) as client:
        for number, (field, value) in enumerate(cases):
            answer = await answer_to(client, {"t": kind, "id": number, **VALID[kind], field: value})
            assert answer.get("code") == "bad_message", (field, value, answer)
            assert answer.get("id") == (None if field == "id" else number)
            assert answer["message"], (field, value)


@pytest.mark.parametrize("kind", SIMUL_REQUESTS)
async def test_missing_field_is_a_bad_message_that_names_it(url: str, kind: str) -> None:
    async with Client(url) as stranger:
        for field in VALID[kind]:
            message = {"t": kind, "id": 1, **VALID[kind]}
            del message[field]
            answer = await answer_to(stranger, message)
            # Checked before authentication.
            assert (answer["code"], answer["message"]) == ("bad_message", f"{field}: missing")


@pytest.mark.parametrize("codec", ["msgpack", "json"])
@pytest.mark.parametrize("kind", [kind for kind, fields in VALID.items() if "simul" in fields])
async def test_unknown_ids_are_not_found(url: str, kind: str, codec: str) -> None:
    async with Client(url, guest(url)[0], codec) as client:
        for absurd in ABSURD:
            answer = await answer_to(client, {"t": kind, "id": 1, **VALID[kind], "simul": absurd})
            assert answer.get("code") == "not_found", (absurd, answer)


async def test_malformed_ids_in_an_existing_simul_are_refused(url: str) -> None:
    async with Client(url, guest(url)[0]) as host:
        simul = (await host.request("simul.create", **VALID["simul.create"]))["simul"]
        for absurd in ABSURD:
            for kind in ("simul.invite", "simul.accept", "simul.reject"):
                assert await host.refused(kind, simul=simul, user=absurd[:32]) == "not_found", absurd
            assert await host.refused("simul.prepare", simul=simul, g=absurd, ply=0, move="e2e4") == "not_found"
            assert await host.refused("simul.adjudicate", simul=simul, g=absurd, result="1/2-1/2") == "not_found"
            assert await host.refused("simul.edit", simul=simul, user=absurd[:32], note="x") == "not_found"
