"""Imported games in the database: how much a person may keep, what lists tell, the texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from lobby.accounts.user import User, user_wire
from lobby.errors import Conflict, NotFound, TooFast, Unavailable
from lobby.ids import LINK_LENGTH, is_id, new_id
from lobby.players import lock_players

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from lobby.wire.imported_games import ImportedRowWire, ImportPageWire, ImportRoomWire, ImportsWire, ImportWire
    from realtime.imports.import_record import Record
    from realtime.postgres.database import Pool

MAX_IMPORTS = 100
"""Of a person: a list that is still looked through."""

MAX_GAMES = 60_000
"""Of a person: three imports as large as can be."""

MAX_BYTES = 256 * 1024 * 1024
"""Of a person, as the games are kept: the same, with JSON three times as long as PGN."""

ABANDONED = "2 minutes"
"""An import to which nothing was added for so long, and that did not end, is taken away by the next of its owner, or
when a server starts. Where it goes on all the same (its client is slow), it ends when it adds to what is not there any
more."""

PIECE_BYTES = 1024 * 1024
"""Of PGN read at a time, or one game if that is longer."""

PIECE_GAMES = 200

MAX_NAME = 80
"""Characters of an import's name: a line of a list."""

UNNAMED = "PGN"
"""What an import is called that was given no name, or one of blanks."""

_IMPORT = """
    SELECT i.id, i.name, i.public, i.games, i.bytes, (extract(epoch FROM i.created_at) * 1000)::bigint AS created_ms,
           p.id AS p_id, p.name AS p_name, p.kind AS p_kind, p.title AS p_title
    FROM import i JOIN person p ON p.id = i.person WHERE i.finished_at IS NOT NULL AND p.closed_at IS NULL
"""
"""Those of closed accounts nobody sees: so is taken away what should not be seen."""

_LISTED = ("white", "black", "white_elo", "black_elo", "result", "date", "event", "plies", "variant")


def tidy_name(name: str) -> str:
    """``name`` on one line, of characters that can be seen, and not too long."""
    return " ".join("".join(char if char.isprintable() else " " for char in name[:MAX_NAME]).split()) or UNNAMED


class Import(msgspec.Struct, frozen=True):
    """An import that is complete."""

    id: str
    name: str
    owner: User
    public: bool
    created_ms: int
    games: int
    bytes: int

    def wire(self) -> ImportWire:
        """As clients are told of it."""
        return {
            "import": self.id,
            "name": self.name,
            "owner": user_wire(self.owner),
            "public": self.public,
            "created": self.created_ms,
            "games": self.games,
            "bytes": self.bytes,
        }


class Room(msgspec.Struct, frozen=True):
    """How much more a person may keep."""

    imports: int
    games: int
    bytes: int

    def check(self, games: int, size: int) -> None:
        """Raises ``Conflict`` where there is none for ``games`` of ``size`` bytes together."""
        if games > self.games:
            raise Conflict(f"a person may keep {MAX_GAMES} imported games; delete some imports first")
        if size > self.bytes:
            raise Conflict(f"a person may keep {MAX_BYTES // 2**20} MiB of imported games; delete some imports first")


class ImportStore:
    """All imports; ``most_bytes`` is what everybody's may take, None what the disk has room for."""

    def __init__(self, pool: Pool, most_bytes: int | None) -> None:
        self._pool = pool
        self._most_bytes = most_bytes

    async def clear(self, *, alone: bool) -> None:
        """Take away what was never finished: all of it where no other server can be at it (``alone``)."""
        await self._pool.execute(
            f"DELETE FROM import WHERE finished_at IS NULL AND ($1 OR touched_at < now() - interval '{ABANDONED}')",  # noqa: S608  a constant
            alone,
        )

    async def begin(self, person: str, name: str) -> tuple[str, Room]:
        """A new import that nobody sees yet, and the room there is for it.

        Raises:
            Conflict: the person has as many as he may, or no more room, or has just left.
            TooFast: another one of his is not finished.
            Unavailable: the server has no room.
        """
        async with self._pool.acquire() as connection, connection.transaction():
            # Of two that begin at once the second waits here, and sees the first.
            found = (await lock_players(connection, [person])).get(person)
            if found is None or found.is_closed:
                raise Conflict("closed accounts bring nothing")
            await connection.execute(
                f"""
                DELETE FROM import
                WHERE person = $1 AND finished_at IS NULL AND touched_at < now() - interval '{ABANDONED}'
                """,  # noqa: S608  a constant
                person,
            )
            if await connection.fetchval("SELECT true FROM import WHERE person = $1 AND finished_at IS NULL", person):
                raise TooFast("another import of yours is under way")
            room = _room(await connection.fetchrow(_USED, person))
            if room.imports <= 0:
                raise Conflict(f"a person may keep {MAX_IMPORTS} imports; delete some first")
            room.check(1, 1)
            if await connection.fetchval("SELECT sum(bytes) >= $1::bigint FROM import", self._most_bytes):
                raise Unavailable("this server has no room for more imported games")
            import_id = new_id(LINK_LENGTH)
            await connection.execute(
                "INSERT INTO import (id, person, name) VALUES ($1, $2, $3)", import_id, person, name
            )
            return import_id, room

    async def add(self, import_id: str, first: int, records: Sequence[Record]) -> None:
        """Games number ``first`` and following of an unfinished import.

        Raises:
            Conflict: it is gone, with its owner's account for instance.
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
                raise Conflict("the import was taken away while its games came")
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
        """All games are there: whoever may can see it. Raises ``Conflict`` as ``add`` does."""
        if not await self._pool.fetchval(
            "UPDATE import SET finished_at = now() WHERE id = $1 RETURNING true", import_id
        ):
            raise Conflict("the import was taken away while its games came")

    async def drop(self, import_id: str) -> None:
        """Take it away, finished or not."""
        await self._pool.execute("DELETE FROM import WHERE id = $1", import_id)

    async def of_person(self, person: str) -> ImportsWire:
        """All that are complete, the last first, and the room there is left."""
        rows = await self._pool.fetch(f"{_IMPORT} AND i.person = $1 ORDER BY i.created_at DESC, i.id", person)
        room = _room(await self._pool.fetchrow(_USED, person))
        left: ImportRoomWire = {
            "imports": max(0, room.imports),
            "games": max(0, room.games),
            "bytes": max(0, room.bytes),
        }
        return {"imports": [_import(row).wire() for row in rows], "left": left}

    async def find(self, import_id: str) -> Import | None:
        """The import that is called so, if it is complete."""
        row = await self._pool.fetchrow(f"{_IMPORT} AND i.id = $1", import_id) if is_id(import_id) else None
        return None if row is None else _import(row)

    async def change(self, import_id: str, *, name: str, public: bool) -> None:
        """Call it otherwise; show it or hide it."""
        await self._pool.execute("UPDATE import SET name = $2, public = $3 WHERE id = $1", import_id, name, public)

    async def page(self, found: Import, *, after: int, limit: int, q: str | None, result: str | None) -> ImportPageWire:
        """Games that follow number ``after``: with ``q`` in a player's name or the event, with this ``result``."""
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
            limit + 1,  # one more than asked for tells whether there is another page
        )
        games = [_row(row) for row in rows[:limit]]
        return {
            "import": found.wire(),
            "games": games,
            "next": games[-1]["n"] if len(rows) > limit else None,
        }

    async def text(self, import_id: str, n: int, *, as_pgn: bool) -> str:
        """A game's PGN, or the JSON of its score.

        Raises:
            NotFound: there is no game of this number.
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
        """The PGN of all games in order, some at a time. No connection is held while somebody reads."""
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
"""The lengths are known without reading the texts."""


def _room(row: Any) -> Room:
    return Room(imports=MAX_IMPORTS - row["imports"], games=MAX_GAMES - row["games"], bytes=MAX_BYTES - row["bytes"])


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
