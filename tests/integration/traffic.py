"""Check of messages and successful requests against the AsyncAPI document; messages have no other fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema_rs

from realtime.http.openapi.asyncapi import asyncapi_document

if TYPE_CHECKING:
    from tests.wire_client import Message

REQUEST = "request."


class Traffic:
    """Checks messages.

    Attributes:
        faults: by the type of a message, the error in the first bad one.
        seen: the types that occurred.
    """

    def __init__(self) -> None:
        components = asyncapi_document()["components"]
        schemas = components["schemas"]
        closed = {name: _closed(schema) for name, schema in schemas.items()}
        self.faults: dict[str, str] = {}
        self.seen: set[str] = set()
        self._validators = {
            name: _validator(message["payload"], schemas)
            if name.startswith(REQUEST)
            else _validator({**message["payload"], "unevaluatedProperties": False}, closed)
            for name, message in components["messages"].items()
        }

    def hear(self, message: Message) -> None:
        """Check a received message."""
        self.seen.add(message["t"])
        self._check(message["t"], message)

    def ask(self, message: Message) -> None:
        """Check a successful request."""
        self._check(REQUEST + message["t"], message)

    def _check(self, kind: str, message: Message) -> None:
        validator = self._validators.get(kind)
        if validator is None:
            self.faults.setdefault(kind, "there is no such message")
        elif kind not in self.faults and not validator.is_valid(message):
            wrong = next(iter(validator.iter_errors(message)))
            self.faults[kind] = f"{wrong.message} at {wrong.instance_path} in {message}"


def _validator(payload: dict[str, Any], schemas: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({**payload, "components": {"schemas": schemas}})


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without additional fields. Clients have to expect unknown ones; our server may not send any."""
    return {**schema, "additionalProperties": False} if "properties" in schema else schema
