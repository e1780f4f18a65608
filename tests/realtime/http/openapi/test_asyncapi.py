"""The AsyncAPI document: complete, and made of the types the server uses."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, get_args, get_type_hints, is_typeddict

import jsonschema_rs

from codegen import protocol_types
from realtime.http.openapi.asyncapi import asyncapi_document
from realtime.protocol.requests import REQUESTS
from tests.integration.traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

DOCUMENT = asyncapi_document()
MESSAGES = DOCUMENT["components"]["messages"]


def members(kind: Any) -> Iterator[Any]:
    if is_typeddict(kind):
        yield kind
    for one in get_args(kind):
        yield from members(one)


async def test_asyncapi_document_is_served(program: httpx.AsyncClient) -> None:
    response = await program.get("/api/v1/asyncapi.json")
    assert (response.status_code, response.json()) == (200, json.loads(json.dumps(DOCUMENT)))
    assert response.json()["asyncapi"] == "3.0.0"


def test_every_reference_is_defined() -> None:
    for reference in re.findall(r'"#/([^"]+)"', json.dumps(DOCUMENT)):
        place: Any = DOCUMENT
        for name in reference.split("/"):
            place = place[name]


def test_document_contains_every_request() -> None:
    assert {name for name in MESSAGES if name.startswith("request.")} == {f"request.{name}" for name in REQUESTS}
    asked = {"id": 1, "t": "move", "g": "x7Kq3VbZ", "move": "e2e4", "ply": 0}
    schema = {**MESSAGES["request.move"]["payload"], "components": DOCUMENT["components"]}
    assert jsonschema_rs.is_valid(schema, asked)
    assert not jsonschema_rs.is_valid(schema, {**asked, "ply": -1})
    assert not jsonschema_rs.is_valid(schema, {**asked, "t": "resign"})


def test_document_contains_every_message_of_the_page() -> None:
    told = [one for kind in protocol_types.ALIASES.values() for one in members(kind)]
    named = [get_type_hints(one)["t"] for one in told if "t" in get_type_hints(one)]
    assert {name for hint in named for name in get_args(hint)} <= MESSAGES.keys()


TICK: dict[str, Any] = {"t": "tick", "g": "x7Kq3VbZ", "clock": {"w": 1, "b": 1, "run": "w", "at": 1}}
MOVE = {"t": "move", "id": 1, "g": "x7Kq3VbZ", "move": "e2e4", "ply": 0}


def test_traffic_check_finds_undocumented_messages() -> None:
    traffic = Traffic()
    traffic.hear(TICK)
    traffic.hear({"t": "ok", "id": 1, "seq": 1})
    traffic.ask(MOVE)
    assert traffic.faults == {}
    traffic.hear({**TICK, "clock": {**TICK["clock"], "left": 1}})
    traffic.hear({"t": "ok", "id": 1, "left": 1})
    traffic.ask({**MOVE, "ply": None})
    assert set(traffic.faults) == {"tick", "ok", "request.move"}


def test_answer_fields_have_types() -> None:
    schema = MESSAGES["ok"]["payload"]
    assert jsonschema_rs.is_valid(schema, {"t": "ok", "id": 1, "seq": 1})
    assert not jsonschema_rs.is_valid(schema, {"t": "ok", "id": 1, "seq": "1"})
