"""Requests with wrong fields or unknown targets. Other games continue."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from realtime.protocol.requests import REQUESTS
from realtime.protocol.simul_requests import SIMUL_REQUESTS
from tests.integration.match import BLITZ, match, without_time
from tests.wire_client import Client, Message, guest

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.usefixtures("bystanders")

VALID: dict[str, dict[str, Any]] = {
    "ping": {},
    "sub": {"topic": "lobby"},
    "unsub": {"topic": "lobby"},
    "seek": {"tc": BLITZ},
    "unseek": {"seek": "nosuch"},
    "accept": {"seek": "nosuch"},
    "challenge": {"tc": BLITZ},
    "challenge.accept": {"challenge": "nosuch"},
    "challenge.decline": {"challenge": "nosuch"},
    "challenge.cancel": {"challenge": "nosuch"},
    "pool.join": {"pool": "3+2"},
    "pool.take": {"user": "nosuch", "pool": "3+2"},
    "pool.leave": {},
    "move": {"g": "nosuch", "move": "e2e4", "ply": 0},
    "touch": {"g": "nosuch", "square": "e2"},
    "signal": {"g": "nosuch", "on": True},
    "press": {"g": "nosuch", "ply": 0},
    "write": {"g": "nosuch", "ply": 0, "text": "e4"},
    "sign": {"g": "nosuch"},
    "restart": {"g": "nosuch", "do": "offer", "what": "position"},
    "resign": {"g": "nosuch"},
    "abort": {"g": "nosuch"},
    "draw": {"g": "nosuch", "do": "offer"},
    "takeback": {"g": "nosuch", "do": "offer"},
    "moretime": {"g": "nosuch", "seconds": 15},
    "flag": {"g": "nosuch"},
    "claim": {"g": "nosuch", "what": "win"},
    "rematch": {"g": "nosuch", "do": "offer"},
    "pause": {"g": "nosuch", "on": True},
    "hint": {"g": "nosuch"},
    "hint.give": {"g": "nosuch", "ply": 0, "move": "e2e4", "better": "w"},
    "chat": {"topic": "game:nosuch", "text": "good luck"},
    "robots": {"holder": "somebody"},
}
"""The fields that each request needs, all of them well-formed."""

NOT_TEXT: Sequence[Any] = (7, 1.5, True, [], {}, ["a"])
NOT_A_NAME: Sequence[Any] = (*NOT_TEXT, "", "x" * 65)
NOT_A_NUMBER: Sequence[Any] = ("1", "", 0.5, True, [], {}, -1)
NOT_A_WORD: Sequence[Any] = (*NOT_TEXT, "", "nope", "OFFER", "w ", "\0")
NOT_A_FLAG: Sequence[Any] = (0, 1, "true", [], {})
NOT_TIME: Sequence[Any] = (
    *(5, "3+2", True, [], {}),
    *({"base_s": 180, "x": 1}, {"base_s": "180"}, {"base_s": True}, {"base_s": 1.5}, {"base_s": None}),
    *({"base_s": -1}, {"base_s": 0}, {"base_s": 10_801}, {"base_s": 180, "inc_s": 181}, {"inc_s": 5}),
    *({"base_s": 180, "delay_s": 3, "inc_s": 2}, {"base_s": 180, "bronstein_s": 200}),
    *({"days": 0}, {"days": 15}, {"days": 1, "base_s": 180}),
    *({"periods": []}, {"periods": 5}, {"periods": [5]}, {"periods": [{"moves": 0, "base_s": 60}]}),
    *({"periods": [{"base_s": 60}, {"base_s": 60}]}, {"periods": [{"moves": 201, "base_s": 60}]}),
)

NOT_LAWS: Sequence[Any] = (
    *NOT_TEXT,
    *({"supervised": 1}, {"draw_from": -1}, {"draw_from": 201}, {"default_s": 9}, {"default_s": 3601}, {"x": 1}),
    *({"score_sheet": 1}, {"default_s": None}, {"draw_from": True}),
)
"""Not even with ``rules`` ``fide``."""

WRONG: dict[str, Sequence[Any]] = {
    "id": ("1", 0.5, True, [], {}, 2**53 + 1, -(2**53) - 1),
    "topic": NOT_A_NAME,
    "from": (*NOT_A_NUMBER, 2**53 + 1),
    "ticks": NOT_A_FLAG,
    "legal": NOT_A_FLAG,
    "key": (*NOT_TEXT, "", "x" * 33, "\0", "a\0b"),
    "tc": NOT_TIME,
    "opponent_tc": NOT_TIME,
    "pool": (*NOT_A_WORD, "3+1", "03+2", " 3+2"),
    "reason": NOT_A_WORD,
    "game": (*NOT_A_NAME, "go", "\0"),
    "variant": (*NOT_A_NAME, "atomic", "\0", "Standard"),
    "rated": NOT_A_FLAG,
    "color": NOT_A_WORD,
    "min_rating": (*NOT_A_NUMBER, 4001, 10_001),
    "max_rating": (*NOT_A_NUMBER, 4001, 10_001),
    "rules": NOT_A_WORD,
    "sub.position": NOT_A_FLAG,
    "position": (*NOT_A_NUMBER, 960, 2**63),
    "delay_s": (*NOT_A_NUMBER, 901, 2**63),
    "delay_moves": (*NOT_A_NUMBER, 31, 2**63),
    "laws": NOT_A_FLAG,
    "seek.laws": NOT_LAWS,
    "challenge.laws": NOT_LAWS,
    "square": NOT_A_NAME,
    "language": NOT_A_NAME,
    "write.text": (*NOT_TEXT, "", "x" * 21),
    "seek": NOT_A_NAME,
    "user": NOT_A_NAME,
    "challenge": NOT_A_NAME,
    "to": (*NOT_TEXT, "", "x" * 33),
    "level": (*NOT_A_NUMBER, 0, 9),
    "fen": (
        *(*NOT_TEXT, "", "x" * 257, "\0", "startpos", "8/8/8/8/8/8/8/8 w - - 0 1", "🙂" * 64),
        "4k3/8/8/8/8/8/8/4K2\0 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99999999999999999999",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    "g": NOT_A_NAME,
    "move": (*NOT_TEXT, "", "x" * 65),
    "ply": (*NOT_A_NUMBER, 5001, 2**63),
    "draw": NOT_A_FLAG,
    "lag": (*NOT_A_NUMBER, 2**63),
    "seen": (*NOT_A_NUMBER, 2**63),
    "do": NOT_A_WORD,
    "seconds": (*NOT_A_NUMBER, 0, 3601),
    "what": NOT_A_WORD,
    "on": NOT_A_FLAG,
    "hints": (*NOT_A_FLAG, True),
    "better": NOT_A_WORD,
    "winning": NOT_A_FLAG,
    "holder": (*NOT_TEXT, "", "x" * 33),
    "active": NOT_A_FLAG,
    "leaving": NOT_A_FLAG,
    "games": ("chess", 5, True, [], ["chess"], {"chess": "standard"}, {"chess": [5]}, {"chess": ["x"] * 65}),
    "free": (*NOT_A_NUMBER, 1001),
    "least_s": (*NOT_A_NUMBER, 86_401),
    "text": (*NOT_TEXT, "", " ", "\0", "\u202e", "x" * 141, "x" * 1001),
}
"""By field, or by request and field where it is something of its own there: values of a wrong type, length or range."""

ABSURD = [
    "nosuch",
    "\0",
    "a\0b",
    " ",
    "-1",
    "null",
    "../../etc/passwd",
    "%00",
    "'; DROP TABLE game; --",
    "__class__",
    "x" * 64,
    "ß" * 64,
    "🙂" * 64,
    "\u202e",
    "\x7f\x1b[2J",
]
"""Ids that are well-formed to the letter of the protocol and name nothing."""

OTHERS = {name: request for name, request in REQUESTS.items() if name not in SIMUL_REQUESTS}
"""Of simuls: ``test_bad_simul_requests.py``."""

NAMING = [kind for kind, fields in VALID.items() if fields.keys() & {"g", "seek", "challenge"}]
"""Request types that name a game, a seek or a challenge."""

NO_TYPE: dict[str, Any] = {
    "missing": {},
    "null": {"t": None},
    "a number": {"t": 5},
    "a list": {"t": ["ping"]},
    "a map": {"t": {"t": "ping"}},
}

UNKNOWN = ["", "nope", "PING", "ping ", "\0", "__class__", "move.x", "welcome", "ok", "simul.joined", "x" * 4000]


async def answer_to(client: Client, message: Message) -> Message:
    """What the server says to ``message``, where nothing else is under way."""
    start = len(client.messages)
    await client.send(message)
    return await client.wait(lambda m: m["t"] in ("ok", "error"), start)


def test_every_request_field_has_invalid_test_values() -> None:
    assert VALID.keys() == OTHERS.keys()
    fields = {field.encode_name for request in OTHERS.values() for field in msgspec.structs.fields(request)}
    assert {name.rpartition(".")[2] for name in WRONG} == fields


@pytest.mark.parametrize("codec", ["msgpack", "json"])
@pytest.mark.parametrize("kind", OTHERS)
async def test_invalid_field_is_a_bad_message(url: str, kind: str, codec: str) -> None:
    fields = [field.encode_name for field in msgspec.structs.fields(REQUESTS[kind])]
    async with Client(url, guest(url)[0], codec) as client:
        wrong = [(field, value) for field in fields for value in WRONG.get(f"{kind}.{field}", WRONG.get(field, ()))]
        assert {field for field, _ in wrong} == set(fields)
        for number, (field, value) in enumerate(wrong):
            answer = await answer_to(client, {"t": kind, "id": number, **VALID[kind], field: value})
            assert answer.get("code") == "bad_message", (field, value, answer)
            assert answer.get("id") == (None if field == "id" else number)
            assert answer["message"], (field, value)


@pytest.mark.parametrize("kind", [kind for kind, fields in VALID.items() if fields])
async def test_missing_field_is_a_bad_message_that_names_it(url: str, kind: str) -> None:
    async with Client(url) as stranger:
        for field in VALID[kind]:
            message = {"t": kind, "id": 1, **VALID[kind]}
            del message[field]
            answer = await answer_to(stranger, message)
            # Checked before authentication.
            assert (answer["code"], answer["message"]) == ("bad_message", f"{field}: missing")


@pytest.mark.parametrize("case", NO_TYPE)
async def test_message_without_a_type_is_a_bad_message(url: str, case: str) -> None:
    async with Client(url) as stranger:
        answer = await answer_to(stranger, {**NO_TYPE[case], "id": 3})
        assert (answer["code"], answer["id"]) == ("bad_message", 3)


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_unknown_type_is_refused(url: str, codec: str) -> None:
    async with Client(url, codec=codec) as stranger:
        for kind in UNKNOWN:
            answer = await answer_to(stranger, {"t": kind, "id": 3})
            assert (answer["code"], answer["id"]) == ("unknown_type", 3)
            assert len(answer["message"]) < 200


async def test_unknown_fields_are_ignored(url: str) -> None:
    async with Client(url) as stranger:
        assert (await answer_to(stranger, {"t": "ping", "id": 1, "": 0, "new": {"a": [1, None]}}))["t"] == "ok"


async def test_request_without_an_id_gets_only_failures(url: str) -> None:
    async with Client(url) as stranger:
        await stranger.send({"t": "ping"})
        answer = await answer_to(stranger, {"t": "resign", "g": "nosuch"})
        assert answer["code"] == "unauthenticated"
        assert "id" not in answer


@pytest.mark.parametrize("codec", ["msgpack", "json"])
@pytest.mark.parametrize("kind", NAMING)
async def test_unknown_ids_are_not_found(url: str, kind: str, codec: str) -> None:
    name = (VALID[kind].keys() & {"g", "seek", "challenge"}).pop()
    async with Client(url, guest(url)[0], codec) as client:
        for absurd in ABSURD:
            answer = await answer_to(client, {"t": kind, "id": 1, **VALID[kind], name: absurd})
            assert answer.get("code") == "not_found", (absurd, answer)


async def test_unknown_people_are_not_found(url: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        for absurd in ABSURD:
            answer = await answer_to(client, {"t": "challenge", "id": 1, "tc": BLITZ, "to": absurd[:32]})
            assert answer.get("code") == "not_found", (absurd, answer)


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_unknown_topics_are_not_found(url: str, codec: str) -> None:
    topics = [f"game:{absurd}"[:64] for absurd in ABSURD]
    topics += ["game:", "game", ":", "lobby:x", "LOBBY", "user:x", "simul:x", "chat", "\0", "game:a:b", "x" * 64]
    async with Client(url, codec=codec) as stranger:
        for topic in topics:
            answer = await answer_to(stranger, {"t": "sub", "id": 1, "topic": topic})
            assert answer.get("code") == "not_found", (topic, answer)
            await answer_to(stranger, {"t": "unsub", "id": 1, "topic": topic})


async def test_lone_surrogate_in_json_does_not_close_the_socket(url: str) -> None:
    async with Client(url, codec="json") as client:
        start = len(client.messages)
        await client.send_raw(json.dumps({"t": "sub", "id": 1, "topic": "game:\ud800"}))
        assert (await client.wait(lambda m: m["t"] == "error", start))["code"] == "bad_message"
        await client.request("ping")


@pytest.mark.parametrize(
    "move",
    [
        *("e2e5", "e7e5", "e2e4q", "e1g1", "e4", "Nf3", "0000", "a0a1", "i2i4", "e2", "e2e4 ", " e2e4", "E2E4"),
        *("\0", "e2\0e4", "P@e4", "e2e4e2e4", "@@@@", "🙂🙂", "x" * 64, "e2e9", "--", "null", "\uff452\uff454"),
    ],
)
async def test_malformed_move_is_illegal(url: str, move: str) -> None:
    async with match(url) as m:
        before = without_time(m.snapshot())
        assert await m.white.refused("move", g=m.g, move=move, ply=0) == "illegal_move"
        assert await m.white.refused("draw", g=m.g, do="claim", move=move) == "illegal_move"
        assert without_time(m.snapshot()) == before
        await m.play("e2e4", "e7e5")
