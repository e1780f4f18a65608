"""TypeScript from JSON Schema."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

import msgspec
import pytest

from codegen.typescript import TypeScript
from realtime.http.openapi.json_schema import Schemas

Color = Literal["w", "b"]


class PartWire(TypedDict):
    number: int


class WholeWire(TypedDict):
    """A whole, of ``parts``."""

    parts: list[PartWire]
    one: PartWire | None
    many: list[int | None]
    maybe: NotRequired[str]
    by: dict[Color, int | float]
    either: Color | Literal["random"]


class Detail(msgspec.Struct):
    number: int | None = None


class Form(msgspec.Struct):
    color: Color | None
    anything: Any
    detail: Detail | msgspec.UnsetType = msgspec.UNSET
    by: dict[str, tuple[int, ...]] = {}


def typescript(schemas: Schemas, *inline: str) -> TypeScript:
    return TypeScript({"Color": schemas.of(Color)}, {name: schemas.components[name] for name in inline})


def test_maps_are_interfaces() -> None:
    schemas = Schemas()
    schemas.of(WholeWire)
    assert typescript(schemas).interface("Whole", schemas.components["Whole"]) == (
        "/** A whole, of `parts`. */\n"
        "export interface Whole {\n"
        "  parts: Part[];\n"
        "  one: Part | null;\n"
        "  many: (number | null)[];\n"
        "  maybe?: string;\n"
        "  by: Record<Color, number>;\n"
        "  either: Color | 'random';\n"
        "}\n"
    )


def test_structs_are_interfaces_with_inlined_parts() -> None:
    schemas = Schemas()
    schemas.of(Form)
    assert typescript(schemas, "Detail").interface("Asked", schemas.components["Form"]) == (
        "export interface Asked {\n"
        "  color: Color | null;\n"
        "  anything: unknown;\n"
        "  detail?: { number?: number | null };\n"
        "  by?: Record<string, number[]>;\n"
        "}\n"
    )


def test_named_union_is_written_at_its_declaration() -> None:
    schemas = Schemas()
    assert typescript(schemas).alias("Color", schemas.of(Color)) == "export type Color = 'w' | 'b';\n"


def test_schema_without_a_typescript_form_is_an_error() -> None:
    with pytest.raises(TypeError, match="no words for"):
        TypeScript({}, {}).type({"not": {"type": "string"}})
