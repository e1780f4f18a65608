"""Removal of names from stored simuls: names are read from the users' own rows when a simul is loaded.

A user who changes their name or closes their account is so shown correctly in old simuls too.
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
"""Field that stands for a user: only their id is stored."""


def without_names(value: Any) -> Any:
    """Return ``value``, an event to be stored, with users as ``{"@": id}``."""
    if isinstance(value, dict):
        if "kind" in value and "name" in value and "id" in value:
            return {PLACE: value["id"]}
        return {name: without_names(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_names(item) for item in value]
    return value


def people_in(value: Any) -> Iterable[str]:
    """Return the ids of all users in ``value``, an output of ``without_names``."""
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
    """Restore names, the inverse of ``without_names``; ``people`` has the users of ``people_in``."""
    if isinstance(value, dict):
        if PLACE in value:
            return user_wire(people[value[PLACE]])
        return {name: with_names(item, people) for name, item in value.items()}
    if isinstance(value, list):
        return [with_names(item, people) for item in value]
    return value


async def read_people(reader: Reader, ids: Iterable[str]) -> dict[str, User]:
    """Return the users with their current names. A guest whose row is gone becomes a nameless guest."""
    wanted = set(ids)
    rows = await reader.fetch("SELECT id, name, kind, title FROM person WHERE id = ANY ($1::text[])", list(wanted))
    found = {row["id"]: User(row["id"], row["name"], row["kind"], row["title"]) for row in rows}
    return {person: found.get(person) or User(person, "Guest", "guest") for person in wanted}
