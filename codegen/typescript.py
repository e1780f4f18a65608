"""Conversion of JSON Schema to TypeScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


class TypeScript:
    """Converter of schemas to TypeScript.

    Args:
        named: unions that have a name, by it.
        inline: schemas that are spelt out where something refers to them; all others are interfaces.
    """

    def __init__(self, named: Mapping[str, Schema], inline: Mapping[str, Schema]) -> None:
        self._inline = inline
        self._names: dict[frozenset[str], str] = {}
        self._names = {frozenset(self._members(schema)): name for name, schema in named.items()}

    def interface(self, name: str, schema: Schema) -> str:
        """Return the declaration of an object."""
        comment = f"/** {schema['description']} */\n" if "description" in schema else ""
        fields = "".join(f"  {field};\n" for field in self._fields(schema))
        return f"{comment}export interface {name} {{\n{fields}}}\n"

    def alias(self, name: str, schema: Schema) -> str:
        """Return the declaration of a union. Raises like ``type``."""
        return f"export type {name} = {' | '.join(dict.fromkeys(self._members(schema)))};\n"

    def type(self, schema: Schema) -> str:
        """Return a type.

        Raises:
            TypeError: there are no words for it.
        """
        return " | ".join(self._named_members(schema))

    def _named_members(self, schema: Schema) -> list[str]:
        members = list(dict.fromkeys(self._members(schema)))
        name = self._names.get(frozenset(members))
        return members if name is None else [name]

    def _members(self, schema: Schema) -> Iterator[str]:
        """Return the member types of a union, or the one type of another schema."""
        kinds = schema.get("type", ())
        if "$ref" in schema:
            name = part_name(schema)
            yield f"{{ {'; '.join(self._fields(self._inline[name]))} }}" if name in self._inline else name
        elif "anyOf" in schema:
            for choice in schema["anyOf"]:
                yield from self._named_members(choice)
        elif None in schema.get("enum", ()):
            yield from self._named_members({"enum": [value for value in schema["enum"] if value is not None]})
            yield "null"
        elif "enum" in schema:
            yield from map(quoted, schema["enum"])
        elif "prefixItems" in schema:
            yield f"[{', '.join(map(self.type, schema['prefixItems']))}]"
        elif kinds == "array":
            item = self.type(schema["items"])
            yield f"({item})[]" if " | " in item else f"{item}[]"
        elif kinds == "object":
            names = self.type({"type": "string", **schema.get("propertyNames", {})})
            yield f"Record<{names}, {self.type(schema['additionalProperties'])}>"
        elif kinds:
            yield from (_PLAIN[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))
        elif schema:
            raise TypeError(f"no words for {schema}")
        else:
            yield "unknown"

    def _fields(self, schema: Schema) -> Iterator[str]:
        for name, field in schema["properties"].items():
            yield f"{key(name)}{'' if name in schema['required'] else '?'}: {self.type(field)}"


def part_name(reference: Schema) -> str:
    """Return the name of the schema that ``reference`` refers to."""
    name: str = reference["$ref"].rpartition("/")[2]
    return name


def key(name: str) -> str:
    """Return ``name`` as that of a field."""
    return name if name.isidentifier() else quoted(name)


def quoted(text: str) -> str:
    """Return ``text`` in quotes."""
    return f"'{text}'"
