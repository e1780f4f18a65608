"""Row locks of people who are about to play, so that nobody begins two things that exclude each other.

A person in a pool has no live game, and a person with a live game is in no pool. Whatever changes one of the two locks
the person's row first and then checks the other. ``ledger.py`` has the order of all locks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lobby.errors import Conflict
from lobby.wire.lobby import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lobby.accounts.user import User
    from lobby.ports import Connection, Pool


class Player(msgspec.Struct, frozen=True):
    """The state of a person's row."""

    kind: Kind
    is_closed: bool


class CannotStart(Conflict):
    """A player cannot begin a game: their account is closed, or they are playing.

    Attributes:
        people: their ids.
    """

    def __init__(self, message: str, people: Sequence[str]) -> None:
        super().__init__(message)
        self.people = people


async def find_player(pool: Pool, person: str) -> Player | None:
    """Return the state of ``person``; None if they do not exist."""
    row = await pool.fetchrow("SELECT kind, closed_at IS NOT NULL AS is_closed FROM person WHERE id = $1", person)
    return None if row is None else Player(row["kind"], row["is_closed"])


async def find_closed(pool: Pool, people: Iterable[str]) -> list[str]:
    """Return those of ``people`` whose accounts are closed."""
    rows = await pool.fetch("SELECT id FROM person WHERE id = ANY($1) AND closed_at IS NOT NULL", list(people))
    return [row["id"] for row in rows]


async def lock_players(connection: Connection, people: Iterable[str]) -> Mapping[str, Player]:
    """Lock the rows of ``people`` until the end of the transaction, in the order of their ids."""
    rows = await connection.fetch(
        """
        SELECT id, kind, closed_at IS NOT NULL AS is_closed FROM person
        WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
        """,
        list(people),
    )
    return {row["id"]: Player(row["kind"], row["is_closed"]) for row in rows}


async def lock_open(connection: Connection, *people: User) -> Mapping[str, Player]:
    """Lock the rows of ``people`` and check that no account is closed. Raises ``CannotStart``."""
    players = await lock_players(connection, [user.id for user in people])
    closed = [user for user in people if user.id not in players or players[user.id].is_closed]
    if closed:
        names = ", ".join(user.name for user in closed)
        raise CannotStart(f"these accounts are closed: {names}", [user.id for user in closed])
    return players


async def playing_among(connection: Connection, people: Iterable[str]) -> set[str]:
    """Return those of ``people`` with a live game against another person. Their rows must be locked."""
    rows = await connection.fetch(
        """
        SELECT person FROM unnest($1::text[]) AS asked (person)
        WHERE EXISTS (
            SELECT FROM game WHERE white = person AND status <> 'over' AND black <> person
                AND speed NOT IN ('correspondence', 'unlimited')
        ) OR EXISTS (
            SELECT FROM game WHERE black = person AND status <> 'over' AND white <> person
                AND speed NOT IN ('correspondence', 'unlimited')
        )
        """,
        list(people),
    )
    return {row["person"] for row in rows}


async def check_free(connection: Connection, *people: User) -> None:
    """Check that ``people``, whose rows are locked, may begin a live game. The message of ``CannotStart`` addresses the
    last of them, who is the requester."""
    busy = await playing_among(connection, [user.id for user in people])
    if not busy:
        return
    if people[-1].id in busy:
        raise CannotStart("you are in a game; finish it first", tuple(busy))
    names = ", ".join(user.name for user in people if user.id in busy)
    raise CannotStart(f"already in a game: {names}", tuple(busy))
