"""The rows of those who are about to play: locked, so that nobody begins two things that exclude each other.

Who waits in a pool has no live game, and who has one waits in none: whatever changes one of the two for somebody locks
his row first and looks at the other then. The order of all locks is told in ``ledger.py``.
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
    """What a row says of somebody."""

    kind: Kind
    is_closed: bool


class Unfit(Conflict):
    """Somebody cannot sit down: his account is closed, or he plays already.

    Attributes:
        people: their ids.
    """

    def __init__(self, message: str, people: Sequence[str]) -> None:
        super().__init__(message)
        self.people = people


async def find_player(pool: Pool, person: str) -> Player | None:
    """What the row of ``person`` says just now; None if there is none."""
    row = await pool.fetchrow("SELECT kind, closed_at IS NOT NULL AS is_closed FROM person WHERE id = $1", person)
    return None if row is None else Player(row["kind"], row["is_closed"])


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
    """Lock the rows of ``people``, none of whom may have closed his account. Raises ``Unfit``."""
    players = await lock_players(connection, [user.id for user in people])
    closed = [user for user in people if user.id not in players or players[user.id].is_closed]
    if closed:
        names = ", ".join(user.name for user in closed)
        raise Unfit(f"closed accounts begin nothing: {names}", [user.id for user in closed])
    return players


async def playing_among(connection: Connection, people: Iterable[str]) -> set[str]:
    """Those of ``people``, who are locked, with a game against somebody else under way in which a clock runs."""
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
    """Whether each of ``people``, who are locked, may sit down at a live game. Raises ``Unfit``, in words for
    the last of them: it is he who asks."""
    busy = await playing_among(connection, [user.id for user in people])
    if not busy:
        return
    if people[-1].id in busy:
        raise Unfit("you are playing: finish that game first", tuple(busy))
    names = ", ".join(user.name for user in people if user.id in busy)
    raise Unfit(f"in a game just now: {names}", tuple(busy))
