"""Imported games in the database: storage limits, lists, and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from lobby.accounts.user import User, user_wire
from lobby.errors import Conflict, NotFound, RateLimited, Unavailable
from lobby.ids import LINK_LENGTH, is_id, new_id
from lobby.players import lock_players

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from lobby.wire.imported_games import ImportedRowWire, ImportPageWire, ImportRoomWire, ImportsWire, ImportWire
    from realtime.imports.import_record import Record
    from realtime.postgres.database import Pool

MAX_IMPORTS = 100
"""Maximum number of imports per user: a list one can still look through."""

MAX_GAMES = 60_000
"""Maximum number of games per user: three imports of the largest size."""

MAX_BYTES = 256 * 1024 * 1024
"""Maximum storage per user: the same three imports, with JSON three times as long as PGN."""

ABANDONED = "2 minutes"
"""An unfinished import to which nothing was added for this long is deleted by its owner's next import or at server
start. If it is still running, with a slow client, its next write fails.
"""

PIECE_BYTES = 1024 * 1024
"""Maximum size of PGN read at a time, or one game if that is longer."""

PIECE_GAMES = 200

MAX_NAME = 80
"""Maximum length of an import's name in characters: one line of a list."""

UNNAMED = "PGN"
"""Name of an import that was given none, or a blank one."""

_IMPORT = """
    SELECT i.id, i.name, i.public, i.games, i.bytes, (extract(epoch FROM i.created_at) * 1000)::bigint AS created_ms,
           p.id AS p_id, p.name AS p_name, p.kind AS p_kind, p.title AS p_title
    FROM import i JOIN person p ON p.id = i.person WHERE i.finished_at IS NOT NULL AND p.closed_at IS NULL
"""
"""SQL condition that hides imports of closed accounts."""

_LISTED = ("white", "black", "white_elo", "black_elo", "result", "date", "event", "plies", "variant")


def tidy_name(name: str) -> str:
    """Return ``name`` as a single line of visible characters, cut to the maximum length."""
    return " ".join("".join(char if char.isprintable() else " " for char in name[:MAX_NAME]).split()) or UNNAMED


class Import(msgspec.Struct, frozen=True):
    """A complete import."""

    id: str
    name: str
    owner: User
    public: bool
    created_ms: int
    games: int
    bytes: int

    def wire(self) -> ImportWire:
        """Return it in wire form."""
        return {
            "import": self.id,
            "name": self.name,
            "owner": user_wire(self.owner),
            "public": self.public,
            "created": self.created_ms,
            "games": self.games,
            "bytes": self.bytes,
        }


class RemainingStorage(msgspec.Struct, frozen=True):
    """A user's remaining storage."""

    imports: int
    games: int
    bytes: int

    def check(self, games: int, size: int) -> None:
        """Raise ``Conflict`` if there is no space for ``games`` with a total of ``size`` bytes."""
        if games > self.games:
            raise Conflict(f"you can keep at most {MAX_GAMES} imported games; delete some imports first")
        if size > self.bytes:
            raise Conflict(
                f"you can keep at most {MAX_BYTES // 2**20} MiB of imported games; delete some imports first"
            )


class ImportStore:
    """All imports; ``most_bytes`` is the limit for all users together, None for no limit but the disk."""

    def __init__(self, pool: Pool, most_bytes: int | None) -> None:
        self._pool = pool
        self._most_bytes = most_bytes

    async def clear(self, *, alone: bool) -> None:
        """Delete abandoned imports, or all unfinished ones if no other server can be writing them (``alone``)."""
        await self._pool.execute(
            f"DELETE FROM import WHERE finished_at IS NULL AND ($1 OR touched_at < now() - interval '{ABANDONED}')",  # noqa: S608  a constant
            alone,
        )

    async def begin(self, person: str, name: str) -> tuple[str, RemainingStorage]:
        """Create an import that is not visible yet, and return the remaining storage.

        Raises:
            Conflict: the user has too many imports or no storage left, or the account was just closed.
            RateLimited: another import of theirs is not finished.
            Unavailable: the server has no space.
        """
        async with self._pool.acquire() as connection, connection.transaction():
            # If two begin at once, the second waits here and then sees the first.
            found = (await lock_players(connection, [person])).get(person)
            if found is None or found.is_closed:
                raise Conflict("this account is closed")
            await connection.execute(
                f"""
                DELETE FROM import
                WHERE person = $1 AND finished_at IS NULL AND touched_at < now() - interval '{ABANDONED}'
                """,  # noqa: S608  a constant
                person,
            )
            if await connection.fetchval("SELECT true FROM import WHERE person = $1 AND finished_at IS NULL", person):
                raise RateLimited("you already have an import in progress")
            room = _room(await connection.fetchrow(_USED, person))
            if room.imports <= 0:
                raise Conflict(f"you can keep at most {MAX_IMPORTS} imports; delete some first")
            room.check(1, 1)
            if await connection.fetchval("SELECT sum(bytes) >= $1::bigint FROM import", self._most_bytes):
                raise Unavailable("this server's storage for imported games is full")
            import_id = new_id(LINK_LENGTH)
            await connection.execute(
                "INSERT INTO import (id, person, name) VALUES ($1, $2, $3)", import_id, person, name
            )
            return import_id, room

    async def add(self, import_id: str, first: int, records: Sequence[Record]) -> None:
        """Add games to an unfinished import, numbered from ``first``.

        Raises:
            Conflict: it was deleted, for example with its owner's account.
        """
        async with self._pool.acquire() as connection, connection.transaction():
            there = await connection.fetchval(
                """
                UPDATE import SET games = games + $2, bytes = bytes + $3, touched_at = now()
                WHERE id = $1 AND finished_at IS NULL RETURNING true
                """,
                import_id,
                len(records),
                sum(record.size for record in records),
            )
            if not there:
                raise Conflict("the import was deleted while its games were being stored")
            numbered = list(enumerate(records, first))
            await connection.copy_records_to_table(
                "imported_game",
                records=[(import_id, n, *(getattr(record, name) for name in _LISTED)) for n, record in numbered],
                columns=["import", "n", *_LISTED],
            )
            await connection.copy_records_to_table(
                "imported_score",
                records=[(import_id, n, record.pgn, record.score) for n, record in numbered],
                columns=["import", "n", "pgn", "score"],
            )

    async def finish(self, import_id: str) -> None:
        """Mark the import as complete and so visible. Raises ``Conflict`` as ``add`` does."""
        if not await self._pool.fetchval(
            "UPDATE import SET finished_at = now() WHERE id = $1 RETURNING true", import_id
        ):
            raise Conflict("the import was deleted while its games were being stored")

    async def drop(self, import_id: str) -> None:
        """Delete it, finished or not."""
        await self._pool.execute("DELETE FROM import WHERE id = $1", import_id)

    async def of_person(self, person: str) -> ImportsWire:
        """Return all complete imports, the newest first, and the remaining storage."""
        rows = await self._pool.fetch(f"{_IMPORT} AND i.person = $1 ORDER BY i.created_at DESC, i.id", person)
        room = _room(await self._pool.fetchrow(_USED, person))
        left: ImportRoomWire = {
            "imports": max(0, room.imports),
            "games": max(0, room.games),
            "bytes": max(0, room.bytes),
        }
        return {"imports": [_import(row).wire() for row in rows], "left": left}

    async def find(self, import_id: str) -> Import | None:
        """Return the import with this id, if it is complete."""
        row = await self._pool.fetchrow(f"{_IMPORT} AND i.id = $1", import_id) if is_id(import_id) else None
        return None if row is None else _import(row)

    async def change(self, import_id: str, *, name: str, public: bool) -> None:
        """Rename it, and show or hide it."""
        await self._pool.execute("UPDATE import SET name = $2, public = $3 WHERE id = $1", import_id, name, public)

    async def page(self, found: Import, *, after: int, limit: int, q: str | None, result: str | None) -> ImportPageWire:
        """Return games after number ``after``, with ``q`` in a player's name or the event, and with this ``result``."""
        rows = await self._pool.fetch(
            f"""
            SELECT n, {", ".join(_LISTED)} FROM imported_game
            WHERE import = $1 AND n > $2 AND ($3::text IS NULL OR result = $3)
              AND ($4::text IS NULL OR strpos(lower(white), lower($4)) > 0 OR strpos(lower(black), lower($4)) > 0
                   OR strpos(lower(event), lower($4)) > 0)
            ORDER BY n LIMIT $5
            """,  # noqa: S608  constants
            found.id,
            after,
            result,
            q or None,
            limit + 1,  # one more than requested, to know whether another page exists
        )
        games = [_row(row) for row in rows[:limit]]
        return {
            "import": found.wire(),
            "games": games,
            "next": games[-1]["n"] if len(rows) > limit else None,
        }

    async def text(self, import_id: str, n: int, *, as_pgn: bool) -> str:
        """Return a game's PGN, or the JSON of its score.

        Raises:
            NotFound: there is no game with this number.
        """
        column = "pgn" if as_pgn else "score"
        text: str | None = await self._pool.fetchval(
            f"SELECT {column} FROM imported_score WHERE import = $1 AND n = $2",  # noqa: S608  one of two constants
            import_id,
            n,
        )
        if text is None:
            raise NotFound("there is no such game in this import")
        return text

    async def pgn(self, import_id: str) -> AsyncIterator[str]:
        """Yield the PGN of all games in order. No connection is held while the client reads."""
        last = 0
        while True:
            rows = await self._pool.fetch(_PIECE, import_id, last, PIECE_GAMES, PIECE_BYTES)
            if not rows:
                return
            yield "\n".join(row["pgn"] for row in rows) + "\n"
            last = rows[-1]["n"]


_USED = """
    SELECT count(*) AS imports, coalesce(sum(games), 0) AS games, coalesce(sum(bytes), 0)::bigint AS bytes
    FROM import WHERE person = $1
"""

_PIECE = """
    SELECT n, pgn FROM (
        SELECT n, pgn, sum(octet_length(pgn)) OVER (ORDER BY n) - octet_length(pgn) AS before
        FROM imported_score WHERE import = $1 AND n > $2 ORDER BY n LIMIT $3
    ) AS following WHERE before < $4 ORDER BY n
"""
"""SQL for one piece of an import. It gets the lengths of the texts without reading them."""


def _room(row: Any) -> RemainingStorage:
    return RemainingStorage(
        imports=MAX_IMPORTS - row["imports"], games=MAX_GAMES - row["games"], bytes=MAX_BYTES - row["bytes"]
    )


def _import(row: Any) -> Import:
    return Import(
        id=row["id"],
        name=row["name"],
        owner=User(id=row["p_id"], name=row["p_name"], kind=row["p_kind"], title=row["p_title"]),
        public=row["public"],
        created_ms=row["created_ms"],
        games=row["games"],
        bytes=row["bytes"],
    )


def _row(row: Any) -> ImportedRowWire:
    return {
        "n": row["n"],
        "players": {
            "w": {"name": row["white"], "elo": row["white_elo"]},
            "b": {"name": row["black"], "elo": row["black_elo"]},
        },
        "result": row["result"],
        "date": row["date"],
        "event": row["event"],
        "plies": row["plies"],
        "variant": row["variant"],
    }
