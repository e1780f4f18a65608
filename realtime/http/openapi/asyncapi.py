"""The AsyncAPI 3 document of the socket messages, generated from the request types and wire types."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, get_args, get_type_hints, is_typeddict

import msgspec
from starlette.responses import Response

from lobby.wire import lobby
from realtime.http.openapi.json_schema import Schemas
from realtime.http.openapi.openapi import LICENSE, TITLE
from realtime.http.operation import JSON, Operation
from realtime.net.handshake import PATH
from realtime.protocol import wire_events, wire_lobby
from realtime.protocol import wire_types as w
from realtime.protocol import wire_watching as watching
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.requests import REQUESTS
from realtime.protocol.wire_personal import PersonalWire
from simul import wire as simul
from simul import wire_events as simul_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

DESCRIPTION = """\
Live chess, draughts and Chinese checkers. This document describes the websocket API. Each message is an object whose
`t` is its type: JSON in text frames or MessagePack in binary frames, as negotiated by the subprotocol.
`docs/protocol.md` explains the messages. New fields and messages can be added at any time: ignore unknown ones."""

PUSHES: tuple[Any, ...] = (
    w.WelcomeWire,
    w.ErrorMessageWire,
    w.GameSnapshotWire,
    wire_events.GameEventWire,
    w.GameHintWire,
    w.ChatMessageWire,
    w.ChatLinesWire,
    PersonalWire,
    watching.MiniWire,
    watching.MiniChangeWire,
    watching.TvWire,
    watching.TvGameWire,
    wire_lobby.LobbySnapshotWire,
    wire_lobby.LobbyEventWire,
    lobby.LobbyCountWire,
    simul.SimulSnapshotWire,
    simul_events.SimulEventWire,
    simul_events.SimulHintWire,
)
"""The server messages except ``ok``: types and unions of them."""

OK = {
    "type": "object",
    "description": "The response to a successful request. Its fields depend on the request.",
    "properties": {
        "t": {"const": "ok"},
        "id": {"type": "integer"},
        **{name: {"type": "integer"} for name in ("at", "now", "ply", "seq")},
        **{name: {"type": "string"} for name in ("better", "challenge", "g", "move", "pool", "seek", "simul", "url")},
        "winning": {"type": "boolean"},
    },
    "required": ["t", "id"],
}


class AsyncApi:
    """``/api/v1/asyncapi.json``."""

    def __init__(self) -> None:
        self._document = _encoded()

    @Operation("GET /api/v1/asyncapi.json", ANYBODY, id="getAsyncApi", answer=dict[str, Any])
    async def show(self, _request: Request) -> Response:
        """Return the AsyncAPI 3 document of the socket messages."""
        return Response(self._document, media_type=JSON)


@cache
def _encoded() -> bytes:
    return msgspec.json.encode(asyncapi_document())


def asyncapi_document() -> dict[str, Any]:
    """Return the document. Client messages are called ``request.NAME`` in it, server messages by their ``t``."""
    schemas = Schemas()
    requests = {f"request.{name}": _request(name, kind, schemas) for name, kind in REQUESTS.items()}
    payloads: dict[str, list[dict[str, Any]]] = {"ok": [OK]}
    for kind in PUSHES:
        for one in _members(kind):
            (name,) = get_args(get_type_hints(one)["t"])
            payloads.setdefault(name, []).append(schemas.of(one))
    pushed = {name: {"payload": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}} for name, kinds in payloads.items()}
    channel = "#/channels/socket"
    return {
        "asyncapi": "3.0.0",
        "info": {"title": TITLE, "version": "1", "description": DESCRIPTION, "license": LICENSE},
        "defaultContentType": JSON,
        "channels": {
            "socket": {
                "address": PATH,
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in (*requests, *pushed)},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            "ask": {
                "action": "receive",
                "channel": {"$ref": channel},
                "messages": [{"$ref": f"{channel}/messages/{name}"} for name in requests],
            },
            "tell": {
                "action": "send",
                "channel": {"$ref": channel},
                "messages": [{"$ref": f"{channel}/messages/{name}"} for name in pushed],
            },
        },
        "components": {"messages": {**requests, **pushed}, "schemas": schemas.components},
    }


def _request(name: str, kind: type[msgspec.Struct], schemas: Schemas) -> dict[str, Any]:
    named = {"type": "object", "properties": {"t": {"const": name}}, "required": ["t"]}
    return {"payload": {"allOf": [named, schemas.of(kind)]}}


def _members(kind: Any) -> Iterator[Any]:
    """Return the members of a union, or the type itself."""
    if is_typeddict(kind):
        yield kind
    else:
        for one in get_args(kind):
            yield from _members(one)
