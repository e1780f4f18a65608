"""Query parameters."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest
from msgspec import Meta
from starlette.requests import Request

from lobby.errors import BadMessage
from realtime.http.bodies.query import read_query


class Asked(msgspec.Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=100, description="maximum number of entries")] = 20
    name: str | None = None
    count: Annotated[int | None, Meta(description="how many")] = 0


def asked(query: str) -> Asked:
    return read_query(Request({"type": "http", "query_string": query.encode(), "headers": []}), Asked)


def test_numbers_are_plain_digits() -> None:
    assert asked("limit=7&name=8&unknown=x") == Asked(limit=7, name="8")
    assert asked("") == Asked()


@pytest.mark.parametrize("text", ["-1", "+1", "%201", "1_0", "abc", "", "%D9%A1", "1" * 16])
def test_invalid_number_is_refused_with_its_range(text: str) -> None:
    with pytest.raises(BadMessage, match=r"^limit: expected a whole number from 1 to 100$"):
        asked(f"limit={text}")
    with pytest.raises(BadMessage, match=r"^count: expected a whole number$"):
        asked(f"count={text}")


def test_number_out_of_range_is_refused() -> None:
    for text in ("101", "0", "2" * 15):
        with pytest.raises(BadMessage, match=r"^limit: expected a whole number from 1 to 100$"):
            asked(f"limit={text}")
