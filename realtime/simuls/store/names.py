"""Whose names are in what is stored of an exhibition: none. They are taken from the people's own rows when it is read.

So somebody who is called otherwise, or has left and is called nothing any more, is so in old exhibitions too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lobby.accounts.user import User, user_wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import asyncpg
    from asyncpg.pool import PoolConnectionProxy

    Reader = asyncpg.Pool[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]

PLACE = "@"
"""Name of the field that stands for a person: the rest of him is not stored."""


def without_names(value: Any) -> Any:
    """``value``, an event as it is to be stored, with people as ``{"@": id}``."""
    if isinstance(value, dict):
        if "kind" in value and "name" in value and "id" in value:
            return {PLACE: value["id"]}
        return {name: without_names(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_names(item) for item in value]
    return value


def people_in(value: Any) -> Iterable[str]:
    """The ids of all who are in ``value``, as ``without_names`` has left them."""
    if isinstance(value, dict):
        if PLACE in value:
            yield value[PLACE]
        else:
            for item in value.values():
                yield from people_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from people_in(item)


def with_names(value: Any, people: Mapping[str, User]) -> Any:
    """The inverse of ``without_names``; ``people`` are those of ``people_in``."""
    if isinstance(value, dict):
        if PLACE in value:
            return user_wire(people[value[PLACE]])
        return {name: with_names(item, people) for name, item in value.items()}
    if isinstance(value, list):
        return [with_names(item, people) for item in value]
    return value


async def read_people(reader: Reader, ids: Iterable[str]) -> dict[str, User]:
    """All of ``ids`` as they are called now; a guest of whom nothing is left is some guest."""
    wanted = set(ids)
    rows = await reader.fetch("SELECT id, name, kind, title FROM person WHERE id = ANY ($1::text[])", list(wanted))
    found = {row["id"]: User(row["id"], row["name"], row["kind"], row["title"]) for row in rows}
    return {person: found.get(person) or User(person, "Guest", "guest") for person in wanted}
