"""JSON Schema 2020-12 of the wire types, as in OpenAPI 3.1: TypedDicts are converted here, structs by msgspec."""

from __future__ import annotations

import inspect
import types
from collections.abc import Sequence
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec

REF = "#/components/schemas/{name}"

_PLAIN: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}


class Schemas:
    """Schemas of types. Named types become components, referenced by ``$ref``.

    Attributes:
        components: by name, all TypedDicts and structs requested so far, and their parts.
    """

    def __init__(self) -> None:
        self.components: dict[str, dict[str, Any]] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """Return the schema of a wire type or a struct.

        Raises:
            TypeError: the type is not supported.
        """
        if is_typeddict(kind):
            return self._map(kind)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return self._struct(kind)
        if kind is Any:
            return {}
        if kind in _PLAIN:
            return {"type": _PLAIN[kind]}
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Literal:
            return {"type": "string", "enum": list(arguments)}
        if origin in (Union, types.UnionType):
            return self._union(arguments)
        if origin in (list, Sequence):
            return {"type": "array", "items": self.of(arguments[0])}
        if origin is tuple:
            places = [self.of(argument) for argument in arguments]
            return {"type": "array", "prefixItems": places, "minItems": len(places), "maxItems": len(places)}
        if origin is dict:
            names, values = (self.of(argument) for argument in arguments)
            found = {"type": "object", "additionalProperties": values}
            return {**found, "propertyNames": {"enum": names["enum"]}} if "enum" in names else found
        raise TypeError(f"no schema for {kind}")

    def _map(self, kind: Any) -> dict[str, Any]:
        name = kind.__name__.removesuffix("Wire")
        if name not in self.components:
            self.components[name] = {}  # registered before its fields, because a type may contain itself
            fields, required = {}, []
            for field, hint in get_type_hints(kind, include_extras=True).items():
                is_required = get_origin(hint) is not NotRequired
                fields[field] = self.of(hint if is_required else get_args(hint)[0])
                if is_required:
                    required.append(field)
            text = kind.__dict__.get("__doc__")
            description = {} if text is None else {"description": _plain(text)}
            self.components[name] = {"type": "object", **description, "properties": fields, "required": required}
        return {"$ref": REF.format(name=name)}

    def _struct(self, kind: type[msgspec.Struct]) -> dict[str, Any]:
        """Return the schema of a struct, and register the structs that it contains."""
        _, components = msgspec.json.schema_components([kind], ref_template=REF)
        for part, schema in components.items():
            schema.pop("title", None)
            description = {"description": _plain(schema["description"])} if "description" in schema else {}
            # Names must differ: ``NewTokenWire`` is the answer to ``NewToken``.
            name = f"{part.removesuffix('Form')}Form" if part == kind.__name__ else part
            self.components[name] = {**schema, **description}
        return {"$ref": REF.format(name=f"{kind.__name__.removesuffix('Form')}Form")}

    def _union(self, arguments: tuple[Any, ...]) -> dict[str, Any]:
        schemas = [self.of(argument) for argument in arguments]
        if all(set(schema) == {"type"} for schema in schemas):
            return {"type": [schema["type"] for schema in schemas]}
        return {"anyOf": schemas}


def _plain(text: str) -> str:
    return inspect.cleandoc(text).replace("``", "`")
