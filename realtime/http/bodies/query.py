"""Query parameters, validated against a type like JSON bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import inspect

from lobby.errors import BadMessage
from realtime.protocol.requests import named_error

if TYPE_CHECKING:
    from starlette.requests import Request

Query = TypeVar("Query", bound=msgspec.Struct)

MAX_DIGITS = 15
"""Digits of a number: exact as a JSON number, and more than any limit has."""


def read_query(request: Request, query: type[Query]) -> Query:
    """Return the query of ``request`` as a ``query``; unknown parameters are ignored, as in bodies.

    Raises:
        BadMessage: a parameter is missing or invalid; the message names it.
    """
    given: dict[str, Any] = dict(request.query_params)
    for field, kind in number_fields(query).items():
        text = given.get(field)
        if text is None:
            continue
        # Only ASCII digits: int() would accept signs, spaces, underscores and the digits of every script.
        if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
            raise BadMessage(f"{field}: expected a whole number{_range_of(kind)}")
        number = given[field] = int(text)
        if (kind.ge is not None and number < kind.ge) or (kind.le is not None and number > kind.le):
            raise BadMessage(f"{field}: expected a whole number{_range_of(kind)}")
    try:
        return msgspec.convert(given, query)
    except msgspec.ValidationError as error:
        raise BadMessage(named_error(error)) from error


def number_fields(query: type[msgspec.Struct]) -> dict[str, inspect.IntType]:
    """Return the names and types of its integer parameters."""
    info = inspect.type_info(query)
    assert isinstance(info, inspect.StructType), "queries are structs"
    found: dict[str, inspect.IntType] = {}
    for field in info.fields:
        described = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
        for kind in described.types if isinstance(described, inspect.UnionType) else (described,):
            if isinstance(kind, inspect.IntType):
                found[field.encode_name] = kind
    return found


def _range_of(kind: inspect.IntType) -> str:
    return "" if kind.ge is None or kind.le is None else f" from {kind.ge} to {kind.le}"
