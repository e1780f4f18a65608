"""Every request type of the protocol: fields, defaults, and refusals that name the field."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.errors import Refusal
from realtime.protocol import requests
from realtime.protocol.request_fields import SAFE_INT, ChangeRequest
from realtime.protocol.requests import REQUESTS, decode_request, request_id

TC = {"base_s": 180, "inc_s": 2}

OF_SIMUL = {"simul": "s1"}

SHORTEST: dict[str, dict[str, Any]] = {
    "simul.create": {"name": "Club night", "tc": TC},
    "simul.edit": OF_SIMUL,
    "simul.invite": {**OF_SIMUL, "user": "Anna"},
    "simul.join": OF_SIMUL,
    "simul.leave": OF_SIMUL,
    "simul.accept": {**OF_SIMUL, "user": "Anna"},
    "simul.accept_all": OF_SIMUL,
    "simul.add_robots": {**OF_SIMUL, "level": 3},
    "simul.reject": {**OF_SIMUL, "user": "Anna"},
    "simul.kick": {**OF_SIMUL, "user": "Anna"},
    "simul.start": OF_SIMUL,
    "simul.cancel": OF_SIMUL,
    "simul.at": {**OF_SIMUL, "board": 1},
    "simul.next": OF_SIMUL,
    "simul.later": {**OF_SIMUL, "board": 1},
    "simul.break": {**OF_SIMUL, "until": None},
    "simul.adjudicate": {**OF_SIMUL, "g": "g1", "result": "1/2-1/2"},
    "simul.end": OF_SIMUL,
    "simul.hand_over": OF_SIMUL,
    "simul.take_over": OF_SIMUL,
    "simul.prepare": {**OF_SIMUL, "g": "g1", "ply": 0, "move": None},
    "simul.pass": {**OF_SIMUL, "g": "g1"},
    "ping": {},
    "sub": {"topic": "lobby"},
    "unsub": {"topic": "game:abc"},
    "seek": {"tc": TC},
    "unseek": {"seek": "s1"},
    "accept": {"seek": "s1"},
    "challenge": {"tc": None},
    "challenge.accept": {"challenge": "c1"},
    "challenge.decline": {"challenge": "c1"},
    "challenge.cancel": {"challenge": "c1"},
    "pool.join": {"pool": "3+2"},
    "pool.take": {"user": "p1", "pool": "3+2"},
    "pool.leave": {},
    "move": {"g": "g1", "move": "e2e4", "ply": 0},
    "touch": {"g": "g1", "square": "e2"},
    "signal": {"g": "g1", "on": True},
    "press": {"g": "g1", "ply": 0},
    "write": {"g": "g1", "ply": 0, "text": "e4"},
    "sign": {"g": "g1"},
    "restart": {"g": "g1", "do": "offer", "what": "position"},
    "resign": {"g": "g1"},
    "abort": {"g": "g1"},
    "draw": {"g": "g1", "do": "offer"},
    "takeback": {"g": "g1", "do": "offer"},
    "moretime": {"g": "g1", "seconds": 15},
    "flag": {"g": "g1"},
    "claim": {"g": "g1", "what": "win"},
    "rematch": {"g": "g1", "do": "offer"},
    "pause": {"g": "g1", "on": True},
    "hint": {"g": "g1"},
    "hint.give": {"g": "g1", "ply": 0, "move": "e2e4", "better": "equal"},
    "chat": {"topic": "game:g1", "text": "hello"},
    "robots": {"holder": "p1"},
}
"""Each type with its required fields only."""


def refused(message: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(Refusal) as error:
        decode_request(message)
    return error.value.code, error.value.message


def test_every_request_type_is_tested() -> None:
    assert set(REQUESTS) == set(SHORTEST)


@pytest.mark.parametrize("name", REQUESTS)
def test_required_fields_are_enough(name: str) -> None:
    request = decode_request({"t": name, **SHORTEST[name]})
    assert type(request) is REQUESTS[name]
    assert request.id is None


@pytest.mark.parametrize("name", REQUESTS)
def test_each_required_field_is_required(name: str) -> None:
    for field in SHORTEST[name]:
        lacking = {key: value for key, value in SHORTEST[name].items() if key != field}
        assert refused({"t": name, **lacking}) == ("bad_message", f"{field}: missing")


@pytest.mark.parametrize("name", REQUESTS)
def test_unknown_fields_are_ignored(name: str) -> None:
    decode_request({"t": name, **SHORTEST[name], "v": 2, "future": {"x": [None]}})


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("number", [0, 1, -1, SAFE_INT, -SAFE_INT, None])
def test_id_may_be_any_number_exact_in_javascript(name: str, number: int | None) -> None:
    message = {"t": name, "id": number, **SHORTEST[name]}
    assert decode_request(message).id == number
    assert request_id(message) == number


@pytest.mark.parametrize("number", [SAFE_INT + 1, -SAFE_INT - 1, "1", 1.0, 1.5, True, [], {}])
def test_invalid_id_is_refused(number: object) -> None:
    code, text = refused({"t": "ping", "id": number})
    assert code == "bad_message"
    assert text.startswith("id: ")
    assert request_id({"t": "ping", "id": number}) is None


@pytest.mark.parametrize("name", [name for name, request in REQUESTS.items() if issubclass(request, ChangeRequest)])
def test_every_change_request_may_have_a_key(name: str) -> None:
    message = {"t": name, **SHORTEST[name]}
    for key in ("k", "ä" * 32, None):
        request = decode_request({**message, "key": key})
        assert isinstance(request, ChangeRequest)
        assert request.key == key
    for wrong in ("", "k" * 33, 5, True, ["k"]):
        code, text = refused({**message, "key": wrong})
        assert code == "bad_message"
        assert text.startswith("key: ")


def test_only_ping_subscriptions_and_reports_are_no_change_requests() -> None:
    assert {name for name, request in REQUESTS.items() if not issubclass(request, ChangeRequest)} == {
        "ping",
        "sub",
        "unsub",
        "robots",
    }


@pytest.mark.parametrize("message", [{}, {"t": None}, {"t": 5}, {"t": ["ping"]}, {"t": {"ping": 1}}])
def test_message_without_type_is_refused(message: dict[str, Any]) -> None:
    assert refused(message) == ("bad_message", "t: expected the name of a request")


@pytest.mark.parametrize("name", ["", "Ping", "chat.lines", "simul.joined", "challenge.", "__class__", "x" * 8000])
def test_unknown_type_is_refused(name: str) -> None:
    code, text = refused({"t": name, "id": 1})
    assert code == "unknown_type"
    assert len(text) < 80


@pytest.mark.parametrize(
    ("name", "fields", "says"),
    [
        ("sub", {"topic": ""}, "topic: expected str of length >= 1"),
        ("sub", {"topic": "g" * 65}, "topic: expected str of length <= 64"),
        ("sub", {"from": -1}, "from: expected int >= 0"),
        ("sub", {"from": "3"}, "from: expected int | null, got str"),
        ("sub", {"from": True}, "from: expected int | null, got bool"),
        ("sub", {"ticks": 0}, "ticks: expected bool, got int"),
        ("sub", {"legal": None}, "legal: expected bool, got null"),
        ("seek", {"color": "white"}, "color: invalid enum value 'white'"),
        ("seek", {"rules": "ficgs"}, "rules: invalid enum value 'ficgs'"),
        ("seek", {"rated": 1}, "rated: expected bool, got int"),
        ("pool.join", {"pool": "7+7"}, "pool: invalid enum value '7+7'"),
        ("pool.join", {"rated": "no"}, "rated: expected bool, got str"),
        ("challenge.decline", {"reason": "rude"}, "reason: invalid enum value 'rude'"),
        ("seek", {"min_rating": 1500.5}, "min_rating: expected int | null, got float"),
        ("seek", {"max_rating": -1}, "max_rating: expected int >= 0"),
        ("seek", {"game": ""}, "game: expected str of length >= 1"),
        ("seek", {"variant": 960}, "variant: expected str, got int"),
        ("challenge", {"level": 0}, "level: expected int >= 1"),
        ("challenge", {"level": 9}, "level: expected int <= 8"),
        ("challenge", {"to": 7}, "to: expected str | null, got int"),
        ("challenge", {"fen": "x" * 257}, "fen: expected str of length <= 256"),
        ("move", {"ply": -1}, "ply: expected int >= 0"),
        ("move", {"ply": 5001}, "ply: expected int <= 5000"),
        ("move", {"ply": True}, "ply: expected int, got bool"),
        ("move", {"ply": 1.0}, "ply: expected int, got float"),
        ("move", {"ply": None}, "ply: expected int, got null"),
        ("move", {"move": ""}, "move: expected str of length >= 1"),
        ("move", {"move": "e" * 65}, "move: expected str of length <= 64"),
        ("move", {"draw": "yes"}, "draw: expected bool, got str"),
        ("move", {"lag": -5}, "lag: expected int >= 0"),
        ("move", {"seen": -1}, "seen: expected int >= 0"),
        ("move", {"g": ["g1"]}, "g: expected str, got array"),
        ("draw", {"do": "insist"}, "do: invalid enum value 'insist'"),
        ("takeback", {"do": "claim"}, "do: invalid enum value 'claim'"),
        ("rematch", {"do": "claim"}, "do: invalid enum value 'claim'"),
        ("claim", {"what": "loss"}, "what: invalid enum value 'loss'"),
        ("moretime", {"seconds": 0}, "seconds: expected int >= 1"),
        ("moretime", {"seconds": 3601}, "seconds: expected int <= 3600"),
        ("moretime", {"seconds": 15.0}, "seconds: expected int, got float"),
        ("pause", {"on": 1}, "on: expected bool, got int"),
        ("resign", {"g": ""}, "g: expected str of length >= 1"),
    ],
)
def test_wrong_field_is_named(name: str, fields: dict[str, Any], says: str) -> None:
    assert refused({"t": name, **SHORTEST[name], **fields}) == ("bad_message", says)


def test_seek_has_the_defaults_of_the_protocol() -> None:
    seek = decode_request({"t": "seek", "tc": TC})
    assert seek == requests.Seek(
        tc=TC,
        game="chess",
        variant="standard",
        rated=False,
        color="random",
        min_rating=None,
        max_rating=None,
        rules="online",
    )


@pytest.mark.parametrize("tc", [None, {"days": 3}, "nonsense", 5, []])
def test_time_control_is_left_to_game_core(tc: object) -> None:
    for name in ("seek", "challenge"):
        request = decode_request({"t": name, "tc": tc})
        assert isinstance(request, requests.Terms)
        assert request.tc == tc


def test_move_with_all_fields_is_decoded() -> None:
    message = {
        "t": "move", "id": 9, "key": "k", "g": "g1", "move": "e7e8q", "ply": 5000, "draw": True, "lag": 40, "seen": 12,
    }  # fmt: skip
    assert decode_request(message) == requests.Move(
        id=9, key="k", g="g1", move="e7e8q", ply=5000, draw=True, lag=40, seen=12
    )


def test_subscription_with_all_fields_is_decoded() -> None:
    assert decode_request({"t": "sub", "topic": "game:g1", "from": 0, "ticks": False, "legal": True}) == requests.Sub(
        topic="game:g1", from_seq=0, ticks=False, legal=True
    )


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=70),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = sorted({field.encode_name for request in REQUESTS.values() for field in msgspec.structs.fields(request)})


@given(st.sampled_from(sorted(REQUESTS)), st.dictionaries(st.sampled_from(FIELDS), JUNK, max_size=8))
def test_any_field_values_raise_only_a_refusal(name: str, fields: dict[str, Any]) -> None:
    try:
        request = decode_request({**SHORTEST[name], **fields, "t": name})
    except Refusal as error:
        field, _, rest = error.message.partition(": ")
        assert field.split("[")[0].split(".")[0] in FIELDS
        assert rest
    else:
        assert type(request) is REQUESTS[name]
