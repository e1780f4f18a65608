"""The OpenAPI 3.1 document of the API, generated from its operations and wire types."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from realtime.http.openapi.json_schema import REF, Schemas
from realtime.http.operation import JSON, PREFIX, Operation
from realtime.net.handshake import COOKIE
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_http import FailureWire
from realtime.protocol.wire_people import FieldFailureWire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request

    from realtime.protocol.permissions import Permission

TITLE = "Zeitnot"

LICENSE = {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"}
"""The license in both documents."""

DESCRIPTION = """\
Live chess, draughts and Chinese checkers. This document describes the HTTP API; games, seeks and challenges are played
over a websocket at `/ws`.
Instants are Unix milliseconds. New fields can be added at any time: ignore unknown fields."""

COMMON = {
    429: "too many requests; `Retry-After` says when to try again",
    503: "the database is not responding; `Retry-After` says when to try again",
}
"""Errors that every operation can return."""

PATH_PARAMETERS = {
    "name": "a user's name, case-insensitive",
    "other": "another user's name, case-insensitive",
    "perf": "the rating category: a speed, or `VARIANT-SPEED`",
    "id": "an id",
    "channel": "a TV channel: `best`, a speed, or a variant other than `standard`",
    "n": "the number of a game in its import, starting at 1",
}


class OpenApi:
    """``/api/v1/openapi.json``.

    Args:
        operations: all operations of the API.
    """

    def __init__(self, operations: tuple[Operation, ...]) -> None:
        self._document = _encoded(operations)

    @Operation("GET /api/v1/openapi.json", ANYBODY, id="getOpenApi", answer=dict[str, Any])
    async def show(self, _request: Request) -> Response:
        """Return the OpenAPI document of this API."""
        return Response(self._document, media_type=JSON)


@cache
def _encoded(operations: tuple[Operation, ...]) -> bytes:
    return msgspec.json.encode(openapi_document(operations))


def openapi_document(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the document that describes ``operations``."""
    schemas = Schemas()
    schemas.of(FailureWire)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, schemas)
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
                "token": {"type": "http", "scheme": "bearer", "description": "a session token or an API token"},
                "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
        },
    }


def _operation(operation: Operation, schemas: Schemas) -> dict[str, Any]:
    found: dict[str, Any] = {"operationId": operation.id, "summary": operation.summary}
    need = operation.permission
    if need != ANYBODY:
        scopes = [] if need.scope is None else [need.scope]
        found["security"] = [{"token": scopes}, {"session": []}]
        found["description"] = _needed(need)
    elif 401 in operation.fails:
        found["security"] = [{}, {"token": []}, {"session": []}]
    parameters = [_path_parameter(name) for name in re.findall(r"{(\w+)}", operation.path)]
    if operation.query is not None:
        parameters += _query_parameters(operation.query)
    if parameters:
        found["parameters"] = parameters
    if operation.body is not None:
        found["requestBody"] = {
            "required": True,
            "content": {operation.body_media: {"schema": schemas.of(operation.body)}},
        }
    found["responses"] = _responses(operation, schemas)
    return found


def _needed(need: Permission) -> str:
    """Describe the required permission."""
    who = "Requires a session" if need.who == "somebody" else "Requires a member"
    roles = f" with the role {' or '.join(f'`{role}`' for role in need.roles)}" if need.roles else ""
    scope = "" if need.scope is None else f"; an API token needs the scope `{need.scope}`"
    return f"{who}{roles}{'; not an API token' if need.session else scope}."


def _path_parameter(name: str) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "description": PATH_PARAMETERS[name], "schema": schema}


def _query_parameters(query: type[msgspec.Struct]) -> list[dict[str, Any]]:
    _, components = msgspec.json.schema_components([query], ref_template=REF)
    schema = components[query.__name__]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema["required"],
            "description": field.pop("description"),
            "schema": _without_null(field),
        }
        for name, field in schema["properties"].items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without null, which a query parameter cannot be."""
    if "anyOf" in schema:
        (schema,) = (choice for choice in schema["anyOf"] if choice != {"type": "null"})
    enum = [value for value in schema.get("enum", ()) if value is not None]
    return {**schema, "type": "string", "enum": enum} if enum else schema


def _responses(operation: Operation, schemas: Schemas) -> dict[str, dict[str, Any]]:
    answer: dict[str, Any] = {"description": operation.summary}
    if operation.answer is not None:
        answer["content"] = {operation.media: {"schema": schemas.of(operation.answer)}}
    fails: dict[int, str] = {}
    if operation.path.startswith(PREFIX):
        fails |= COMMON
    if operation.query is not None:
        fails[400] = "an invalid query parameter; the message names it"
    if operation.method != "GET":
        fails |= {400: "an invalid body or field", 403: "not permitted for this user, or a cross-site request"}
        fails[413] = "the body is too long"
    if operation.permission != ANYBODY:
        fails |= {401: "no session", 403: "not permitted for this user"}
    fails |= operation.fails
    failures = {str(status): _failure(text, status, schemas) for status, text in sorted(fails.items())}
    return {str(operation.status): answer, **failures}


def _failure(text: str, status: int, schemas: Schemas) -> dict[str, Any]:
    kind = FieldFailureWire if status == 422 else FailureWire
    found: dict[str, Any] = {"description": text, "content": {JSON: {"schema": schemas.of(kind)}}}
    if status in COMMON:
        found["headers"] = {"Retry-After": {"description": "seconds", "schema": {"type": "integer", "minimum": 0}}}
    return found
