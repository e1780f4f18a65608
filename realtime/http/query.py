"""What an address is asked for behind its question mark: named texts, checked against a type as bodies are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import inspect

from realtime.errors import BadMessage
from realtime.requests import named_error

if TYPE_CHECKING:
    from starlette.requests import Request

Query = TypeVar("Query", bound=msgspec.Struct)

MAX_DIGITS = 15
"""Of a number: what JSON's numbers hold exactly, and more than any limit."""


def read_query(request: Request, query: type[Query]) -> Query:
    """The query of ``request`` as a ``query``; what it does not know is ignored, as in bodies.

    Raises:
        BadMessage: a part is missing or no such value; the message names it.
    """
    given: dict[str, Any] = dict(request.query_params)
    for field in number_fields(query):
        text = given.get(field, "")
        # Plain digits alone: int() would take signs, spaces, underscores and the digits of every script.
        if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
            given[field] = int(text)
    try:
        return msgspec.convert(given, query)
    except msgspec.ValidationError as error:
        raise BadMessage(named_error(error)) from error


def number_fields(query: type[msgspec.Struct]) -> list[str]:
    """The names of its parts that are whole numbers."""
    info = inspect.type_info(query)
    assert isinstance(info, inspect.StructType), "queries are structs"
    found = []
    for field in info.fields:
        kinds = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
        if any(isinstance(kind, inspect.IntType) for kind in kinds):
            found.append(field.encode_name)
    return found
