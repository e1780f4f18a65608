"""The API as an OpenAPI 3.1 document, made from the table of operations and the wire's own types."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import inspect
from starlette.responses import Response

from realtime.http.guards.permissions import NEEDS, PREFIX
from realtime.http.openapi.json_schema import REF, Schemas
from realtime.http.openapi.operations import JSON, OPERATIONS, Operation
from realtime.net.handshake import COOKIE
from realtime.protocol.wire_people import FieldFailureWire
from realtime.protocol.wire_types import FailureWire

if TYPE_CHECKING:
    from starlette.requests import Request

    from realtime.protocol.permissions import Permission

TITLE = "Zeitnot"

LICENSE = {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"}
"""Of both documents."""

DESCRIPTION = """\
Live chess, draughts and Chinese checkers. This is the HTTP half of the protocol; games, seeks and challenges are played
over a websocket at `/ws`.
Instants are Unix milliseconds. New fields may come at any time: ignore what you do not know."""

COMMON = {
    429: "too many requests; `Retry-After` says when to come back",
    503: "not now: the database does not answer; `Retry-After` says when to come back",
}
"""What every address of the API can answer."""

PATH_PARAMETERS = {
    "name": "a person's name, in upper or lower case",
    "other": "another person's name",
    "perf": "what a rating is for: a speed, or `VARIANT-SPEED`",
    "id": "an id",
    "channel": "a channel of television: `best`, a speed, a variant other than `standard`",
    "n": "the number of a game in its import, from 1",
}

QUERY_PARAMETERS = {
    "user": "played by the person of this name",
    "opponent": "against the person of this name; needs `user`",
    "color": "which `user` had; needs `user`",
    "result": "what it was for `user`; needs `user`",
    "variant": "of this variant",
    "speed": "at this speed",
    "rated": "1 rated, 0 casual",
    "since": "made at this instant or later",
    "until": "made before this instant",
    "before": "what comes after the game of this id, or before this instant: `next` of the page before",
    "after": "what comes after the report of this id: `next` of the page before",
    "limit": "as many, at most",
    "live": "the games being played now; of the others `limit` alone counts",
    "open": "1 without a verdict, 0 with one",
    "follow": "1: go on, and send each game that has changed again",
    "min_rating": "both players have at least this rating",
    "title": "1: one of the players has a title",
    "friends": "1: one of the players is somebody whom who asks has played more than twice",
    "url": "where the game is on this server",
    "format": "`json`",
    "maxwidth": "the frame is no wider, in pixels",
    "maxheight": "the frame is no higher, in pixels",
    "q": "the beginning of a name, the id or address of a game",
    "status": "how far it has come, or one's own",
    "listSimuls.before": "what comes after the exhibition of this id: `next` of the page before",
    "importGames.name": "what the import is to be called",
    "listImportedGames.after": "what comes after the game of this number: `next` of the page before",
    "listImportedGames.q": "with this text in a player's name or the event",
    "listImportedGames.result": "that ended so",
}
"""By their names, or by operation and name where they mean something of their own there."""


class OpenApi:
    """``/api/v1/openapi.json``."""

    def __init__(self) -> None:
        self._document = _encoded()

    async def show(self, _request: Request) -> Response:
        """200, the document."""
        return Response(self._document, media_type=JSON)


@cache
def _encoded() -> bytes:
    return msgspec.json.encode(openapi_document())


def openapi_document() -> dict[str, Any]:
    """The document."""
    schemas = Schemas()
    schemas.of(FailureWire)
    paths: dict[str, dict[str, Any]] = {}
    for name, operation in OPERATIONS.items():
        method, _, path = name.partition(" ")
        paths.setdefault(path, {})[method.lower()] = _operation(path, method, operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": TITLE,
            "version": "1",
            "description": DESCRIPTION,
            "license": LICENSE,
        },
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "of a session, or an API token"},
                "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
        },
    }


def _operation(path: str, method: str, operation: Operation, schemas: Schemas) -> dict[str, Any]:
    found: dict[str, Any] = {"operationId": operation.id, "summary": operation.summary}
    need = NEEDS.get(f"{method} {path}")
    if need is not None and need.who != "anybody":
        scopes = [] if need.scope is None else [need.scope]
        found["security"] = [{"token": scopes}, {"session": []}]
        found["description"] = _needed(need)
    elif 401 in operation.fails:
        found["security"] = [{}, {"token": []}, {"session": []}]
    parameters = [_path_parameter(name) for name in re.findall(r"{(\w+)}", path)]
    if operation.query is not None:
        parameters += _query_parameters(operation.id, operation.query)
    if parameters:
        found["parameters"] = parameters
    if operation.body is not None:
        found["requestBody"] = {
            "required": True,
            "content": {operation.body_media: {"schema": schemas.of(operation.body)}},
        }
    found["responses"] = _responses(path, method, operation, need, schemas)
    return found


def _needed(need: Permission) -> str:
    """Who may ask, in words."""
    who = "Somebody" if need.who == "somebody" else "A member"
    roles = f" with the role {' or '.join(f'`{role}`' for role in need.roles)}" if need.roles else ""
    scope = "" if need.scope is None else f"; an API token needs the scope `{need.scope}`"
    return f"{who}{roles}{'; no API token' if need.session else scope}."


def _path_parameter(name: str) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "description": PATH_PARAMETERS[name], "schema": schema}


def _query_parameters(operation_id: str, query: type[msgspec.Struct]) -> list[dict[str, Any]]:
    (_,), components = msgspec.json.schema_components([query], ref_template=REF)
    fields = components[query.__name__]["properties"]
    info = inspect.type_info(query)
    assert isinstance(info, inspect.StructType), "queries are structs"
    return [
        {
            "name": field.encode_name,
            "in": "query",
            "required": field.required,
            "description": QUERY_PARAMETERS.get(f"{operation_id}.{field.encode_name}")
            or QUERY_PARAMETERS[field.encode_name],
            "schema": _without_null(fields[field.encode_name]),
        }
        for field in info.fields
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of what is given, if anything is: there is no null in an address."""
    if "anyOf" in schema:
        (schema,) = (choice for choice in schema["anyOf"] if choice != {"type": "null"})
    enum = [value for value in schema.get("enum", ()) if value is not None]
    return {**schema, "type": "string", "enum": enum} if enum else schema


def _responses(
    path: str, method: str, operation: Operation, need: Permission | None, schemas: Schemas
) -> dict[str, dict[str, Any]]:
    answer: dict[str, Any] = {"description": operation.summary}
    if operation.answer is not None:
        answer["content"] = {operation.media: {"schema": schemas.of(operation.answer)}}
    fails: dict[int, str] = {}
    if path.startswith(PREFIX):
        fails |= COMMON
    elif path == "/readyz":
        fails[503] = "it stops, or the database does not answer"
    if operation.query is not None:
        fails[400] = "a part of the query that cannot be; the message names it"
    if method != "GET":
        fails |= {400: "not a body or field of this", 403: "not for this person, or not from this page"}
        fails[413] = "the body is too long"
    if need is not None and need.who != "anybody":
        fails |= {401: "no session", 403: "not for this person"}
    fails |= operation.fails
    told = {str(status): _failure(text, status, schemas) for status, text in sorted(fails.items())}
    return {str(operation.status): answer, **told}


def _failure(text: str, status: int, schemas: Schemas) -> dict[str, Any]:
    kind = FieldFailureWire if status == 422 else FailureWire
    found: dict[str, Any] = {"description": text, "content": {JSON: {"schema": schemas.of(kind)}}}
    if status in COMMON:
        found["headers"] = {"Retry-After": {"description": "seconds", "schema": {"type": "integer", "minimum": 0}}}
    return found
