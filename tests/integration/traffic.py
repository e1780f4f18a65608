"""Every message that comes to a client is one that the AsyncAPI document tells of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema_rs

from realtime.http.openapi.asyncapi import asyncapi_document

if TYPE_CHECKING:
    from tests.wire_client import Message

REQUEST = "request."


class Traffic:
    """Looks at messages.

    Attributes:
        faults: by the type of a message, what is wrong with the first bad one.
        seen: the types that came.
    """

    def __init__(self) -> None:
        components = asyncapi_document()["components"]
        self.faults: dict[str, str] = {}
        self.seen: set[str] = set()
        self._validators = {
            name: _validator(message["payload"], components) for name, message in components["messages"].items()
        }

    def hear(self, message: Message) -> None:
        """A message has come."""
        self.seen.add(message["t"])
        self._check(message["t"], message)

    def ask(self, message: Message) -> None:
        """A request was made."""
        self._check(REQUEST + message["t"], message)

    def _check(self, kind: str, message: Message) -> None:
        validator = self._validators.get(kind)
        if validator is None:
            self.faults.setdefault(kind, "there is no such message")
        elif kind not in self.faults and not validator.is_valid(message):
            wrong = next(iter(validator.iter_errors(message)))
            self.faults[kind] = f"{wrong.message} at {wrong.instance_path} in {message}"


def _validator(schema: dict[str, Any], components: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({**schema, "components": {"schemas": components["schemas"]}})
