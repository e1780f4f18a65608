"""The OpenAPI document: served, valid, and complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

import jsonschema_rs
import msgspec
import pytest
from starlette.routing import Route

from realtime.http.app import OPERATIONS
from realtime.http.openapi.json_schema import Schemas
from realtime.http.openapi.openapi import COMMON, openapi_document
from realtime.http.operation import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from tests.realtime.http.conftest import Web

DOCUMENT = openapi_document(OPERATIONS)

SERVERS_OWN = {"GET /healthz", "GET /readyz", "GET /metrics", "GET /oembed"}
"""What is told beside the API."""


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"]
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


async def test_routes_and_operations_correspond(web: Web) -> None:
    served = {
        f"{method} {route.path}"
        for route in web.app.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
        if route.path.startswith(PREFIX) or f"{method} {route.path}" in SERVERS_OWN
    }
    assert served == {operation.name for operation in OPERATIONS}


async def test_openapi_document_is_served(program: httpx.AsyncClient) -> None:
    response = await program.get("/api/v1/openapi.json")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert response.json() == msgspec.json.decode(msgspec.json.encode(DOCUMENT))


def test_operations_have_unique_names_ids_and_summaries() -> None:
    for told in ("name", "id", "summary"):
        values = [getattr(operation, told) for operation in OPERATIONS]
        assert "" not in values
        assert len(values) == len(set(values))


def test_references_are_defined_and_schemas_are_used() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    used = {reference.removeprefix("#/components/schemas/") for reference in references(DOCUMENT)}
    assert used == set(schemas)
    for name, schema in schemas.items():
        assert jsonschema_rs.meta.is_valid(schema), name


def test_path_parameters_are_documented() -> None:
    for path, operations in DOCUMENT["paths"].items():
        for operation in operations.values():
            told = {part["name"] for part in operation.get("parameters", ()) if part["in"] == "path"}
            assert told == {part[1:-1] for part in path.split("/") if part.startswith("{")}


def test_permissions_are_documented() -> None:
    for operation in OPERATIONS:
        told, need = DOCUMENT["paths"][operation.path][operation.method.lower()], operation.permission
        if need.who == "anybody":
            assert {} in told.get("security", [{}])
        else:
            assert told["security"] == [{"token": [need.scope] if need.scope else []}, {"session": []}]
            assert {"401", "403"} <= set(told["responses"])
        if operation.name not in SERVERS_OWN:
            assert {str(status) for status in COMMON} <= set(told["responses"])


class PartWire(TypedDict):
    """A ``part``."""

    number: int


class WholeWire(TypedDict):
    part: PartWire | None
    parts: NotRequired[dict[str, list[PartWire]]]
    either: int | str


def test_typed_maps_become_schemas_with_references() -> None:
    schemas = Schemas()
    assert schemas.of(WholeWire) == {"$ref": "#/components/schemas/Whole"}
    part = {"$ref": "#/components/schemas/Part"}
    assert schemas.components == {
        "Whole": {
            "type": "object",
            "properties": {
                "part": {"anyOf": [part, {"type": "null"}]},
                "parts": {"type": "object", "additionalProperties": {"type": "array", "items": part}},
                "either": {"type": ["integer", "string"]},
            },
            "required": ["part", "either"],
        },
        "Part": {
            "type": "object",
            "description": "A `part`.",
            "properties": {"number": {"type": "integer"}},
            "required": ["number"],
        },
    }


def test_type_without_schema_is_an_error() -> None:
    with pytest.raises(TypeError, match="no schema for"):
        Schemas().of(set[int])
