"""Export of a person's data as one JSON object, streamed a page at a time.

PostgreSQL writes the JSON. Python reads only where each page ends, so an export of thousands of games does not block
the event loop.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.commit_marker import IS_REQUEST
from lobby.errors import RateLimited

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from lobby.ports import Pool

PAGE = 100
"""Rows a page, about 20 KB."""

GAMES_PAGE = 20
"""Games a page, with their events, about 200 KB."""

READ_AT_ONCE = 2
"""Pages read from the database at a time, over all exports. A slow reader holds no slot between pages."""


class Part(msgspec.Struct, frozen=True):
    """Rows of one kind.

    Attributes:
        columns: the exported columns.
        rows: the FROM clause.
        where: the condition that selects the rows of person ``$1``.
        order: columns of a unique index for paging; empty if all rows fit on one page.
        page: rows a page; None for ``PAGE``.
    """

    columns: str
    rows: str
    where: str = "person = $1"
    order: tuple[str, ...] = ()
    page: int | None = None

    def query(self, *, is_first: bool) -> str:
        """Return the query of a page. Its arguments are the person and, unless ``is_first``, the ``order`` values of
        the last row; its columns are the JSON and ``order``."""
        row = f"(SELECT to_json(part) FROM (SELECT {self.columns}) AS part)::text"  # noqa: S608  constants of this module
        if not self.order:
            return f"SELECT {row} FROM {self.rows} WHERE {self.where}"  # noqa: S608  the same
        order = ", ".join(self.order)
        after = "" if is_first else f" AND ({order}) > ({', '.join(f'${n + 2}' for n in range(len(self.order)))})"
        rows = f"{self.rows} WHERE {self.where}{after} ORDER BY {order} LIMIT {self.page or PAGE}"
        return f"SELECT {row}, {order} FROM {rows}"  # noqa: S608  the same


PARTS: dict[str, Part] = {
    "person": Part("id, name, kind, title, is_invisible, created_at, closed_at", "person", "id = $1"),
    "account": Part("email, unconfirmed, created_at", "account"),
    "profile": Part("about, country, changed_at", "profile"),
    "roles": Part("role, granted_at", "role"),
    "sessions": Part("id, created_at, expires_at, used_at, agent, label, scopes", "session"),
    "settings": Part("value, changed_at", "settings"),
    "seeks": Part("id, spec, created_at", "seek"),
    "waiting": Part("pool, rated, rating, since", "waiting"),
    "challenges": Part(
        """id, spec, created_at, expires_at, closed, reason, game,
        (SELECT name FROM person WHERE id = recipient) AS "to" """,
        "challenge",
        order=("id",),
    ),
    "challenged": Part(
        """id, spec, created_at, expires_at, closed, reason, game,
        (SELECT name FROM person p WHERE p.id = challenge.person) AS "from" """,
        "challenge",
        "recipient = $1",
        order=("id",),
    ),
    "requests": Part("key, reply, at", "request", f"person = $1 AND {IS_REQUEST}", order=("key",)),
    "ratings": Part("perf, rating, deviation, volatility, games, last_at", "rating"),
    "blocks": Part(
        """(SELECT name FROM person WHERE id = blocked) AS "user", created_at""", "block", order=("blocked",)
    ),
    "follows": Part(
        """(SELECT name FROM person WHERE id = followed) AS "user", created_at""", "follow", order=("followed",)
    ),
    "bans": Part("what, why, game, began_at, until", "ban", order=("until", "id")),
    "reports": Part(
        """(SELECT name FROM person WHERE id = subject) AS "user", game, what, text, lines, created_at, verdict""",
        "report",
        order=("created_at", "id"),
    ),
    "said": Part(
        "line ->> 'text' AS text, (line ->> 'at')::bigint AS at",
        "report, jsonb_array_elements(lines) WITH ORDINALITY AS said (line, n)",
        """lines @> jsonb_build_array(jsonb_build_object('user', jsonb_build_object('id', $1::text)))
        AND line #>> '{user,id}' = $1""",
        order=("report.id", "n"),
    ),
    "simuls": Part(
        "id, name, status, setup, created_at, start_at, started_at, ended_at, score",
        "simul",
        "host = $1",
        order=("created_at", "id"),
    ),
    "joined": Part(
        "simul, (SELECT name FROM simul WHERE id = simul_player.simul) AS name", "simul_player", order=("simul",)
    ),
    "imports": Part("id, name, public, games, created_at, finished_at", "import", order=("id",)),
}
"""Parts by their names in the export. Password, token and code hashes are left out. Reports about the person and
moderators' decisions belong to others and are left out; the person's own chat lines are included."""

IMPORTED = Part("import, n, pgn", "imported_score", "import = $1", order=("n",), page=10)
"""The games of import ``$1``: usually about 20 KB, at most 2 MB."""

_GAME = """
    g.id, g.game, g.variant, g.rated, g.speed, g.tc, g.black_tc, g.fen, g.laws, g.status, g.result, g.reason,
    g.created_at, g.ended_at, (SELECT name FROM person WHERE id = g.white) AS white,
    (SELECT name FROM person WHERE id = g.black) AS black,
    (SELECT to_json(r) FROM (
        SELECT perf, at, rating, deviation, volatility FROM rated_game WHERE game = g.id AND person = $1
    ) AS r) AS rating,
    (SELECT to_json(d) FROM (SELECT what, level, ended_at FROM deed WHERE game = g.id AND person = $1) AS d) AS conduct,
    (SELECT coalesce(json_agg(json_build_object('seq', e.seq, 'kind', e.kind, 'at', e.at, 'event',
        CASE WHEN g.status = 'over' THEN e.payload ELSE e.payload - 'irregular' END
    ) ORDER BY e.seq), '[]') FROM event e WHERE e.game = g.id) AS events
"""
"""``rating`` is the person's rating after the game, ``conduct`` their conduct in it. Whether a move of a game by the
Laws is illegal is left out until it is over: the opponent has to see it themselves."""


def games_query(*, is_first: bool) -> str:
    """Return the query of a page of games, as ``Part.query`` does. Each side is an index range, so that only the page
    is read."""
    after = "" if is_first else " AND (created_at, id) > ($2, $3)"
    sides = " UNION ALL ".join(
        f"(SELECT id, created_at FROM game WHERE {where}{after} ORDER BY created_at, id LIMIT {GAMES_PAGE})"  # noqa: S608  constants
        for where in ("white = $1", "black = $1 AND white <> black")
    )
    page = f"SELECT id FROM ({sides}) AS found ORDER BY created_at, id LIMIT {GAMES_PAGE}"  # noqa: S608  constants
    return f"""
        SELECT (SELECT to_json(part) FROM (SELECT {_GAME}) AS part)::text, g.created_at, g.id
        FROM game g WHERE g.id IN ({page}) ORDER BY g.created_at, g.id
    """  # noqa: S608  constants


class Exports:
    """Running exports, at most one a person."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._running: set[str] = set()
        self._reading = asyncio.Semaphore(READ_AT_ONCE)

    async def pieces(self, person: str) -> AsyncGenerator[bytes, None]:
        """Yield the export in pieces. No database connection is held between pieces.

        Raises:
            RateLimited: another one of this person is under way; with the first piece.
        """
        if person in self._running:
            raise RateLimited("you already have an export in progress")
        self._running.add(person)
        try:
            yield b"{"
            for name, part in PARTS.items():
                yield b'"%s":[' % name.encode()
                first, following = part.query(is_first=True), part.query(is_first=False)
                async for piece in self._rows(person, first, following, (part.page or PAGE) if part.order else None):
                    yield piece
                yield b"],\n"
            yield b'"imported":['
            async for piece in self._imported(person):
                yield piece
            yield b"],\n"
            yield b'"games":['
            first, following = games_query(is_first=True), games_query(is_first=False)
            async for piece in self._rows(person, first, following, GAMES_PAGE):
                yield piece
            yield b"]}\n"
        finally:
            self._running.discard(person)

    async def _imported(self, person: str) -> AsyncGenerator[bytes, None]:
        """Yield one import after the other: each is an index range, all of them together are not."""
        async with self._reading:
            imports = await self._pool.fetch("SELECT id FROM import WHERE person = $1 ORDER BY id", person)
        first, following = IMPORTED.query(is_first=True), IMPORTED.query(is_first=False)
        before = comma = b""
        for row in imports:
            async for piece in self._rows(row["id"], first, following, IMPORTED.page):
                yield before + piece
                before, comma = b"", b",\n"
            before = comma

    async def _rows(self, whose: str, first: str, following: str, page: int | None) -> AsyncGenerator[bytes, None]:
        """Yield rows as JSON, one page a piece. ``page`` is the number of rows a page; None if there is a single
        page."""
        query, comma = first, ""
        place: list[Any] = []
        while True:
            async with self._reading:
                rows = await self._pool.fetch(query, whose, *place)
            if rows:
                yield (comma + ",\n".join(row[0] for row in rows)).encode()
            if page is None or len(rows) < page:
                return
            query, place, comma = following, list(rows[-1])[1:], ",\n"
