"""All that is stored of a person, for himself: a JSON object, in pieces, some rows at a time.

PostgreSQL writes the JSON: nothing of it is read here but where each page ends, so that thousands of games keep nobody
else waiting.
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
"""Rows read at a time: some 20 KB."""

GAMES_PAGE = 20
"""Games read at a time with their events: some 200 KB."""

READ_AT_ONCE = 2
"""Pages read from the database at a time, for all exports together. Who reads slowly takes no place meanwhile."""


class Part(msgspec.Struct, frozen=True):
    """Rows of one kind.

    Attributes:
        columns: what is told of each.
        rows: where they are from.
        his: which are the person's, ``$1``.
        order: the columns that tell them apart, as an index has them; none where there are few of them, in one page.
        page: rows read at a time; None for ``PAGE``.
    """

    columns: str
    rows: str
    his: str = "person = $1"
    order: tuple[str, ...] = ()
    page: int | None = None

    def query(self, *, is_first: bool) -> str:
        """Takes the person and, unless ``is_first``, the last row's ``order``; gives JSON and ``order``."""
        told = f"(SELECT to_json(part) FROM (SELECT {self.columns}) AS part)::text"  # noqa: S608  constants of this module
        if not self.order:
            return f"SELECT {told} FROM {self.rows} WHERE {self.his}"  # noqa: S608  the same
        order = ", ".join(self.order)
        after = "" if is_first else f" AND ({order}) > ({', '.join(f'${n + 2}' for n in range(len(self.order)))})"
        rows = f"{self.rows} WHERE {self.his}{after} ORDER BY {order} LIMIT {self.page or PAGE}"
        return f"SELECT {told}, {order} FROM {rows}"  # noqa: S608  the same


PARTS: dict[str, Part] = {
    "person": Part("id, name, kind, title, created_at, closed_at", "person", "id = $1"),
    "account": Part("email, unconfirmed, created_at", "account"),
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
"""By their names in the export. Passwords, tokens and codes are kept as hashes alone and say nothing; what others have
reported of him, and what moderators did about it, is theirs, but what he said himself is his."""

IMPORTED = Part("import, n, pgn", "imported_score", "import = $1", order=("n",), page=10)
"""The games of one import, ``$1``: usually some 20 KB, but one may be a book of 2 MB."""

_GAME = """
    g.id, g.game, g.variant, g.rated, g.speed, g.tc, g.black_tc, g.fen, g.status, g.result, g.reason, g.created_at,
    g.ended_at, (SELECT name FROM person WHERE id = g.white) AS white,
    (SELECT name FROM person WHERE id = g.black) AS black,
    (SELECT to_json(r) FROM (
        SELECT perf, at, rating, deviation, volatility FROM rated_game WHERE game = g.id AND person = $1
    ) AS r) AS rating,
    (SELECT to_json(d) FROM (SELECT what, level, ended_at FROM deed WHERE game = g.id AND person = $1) AS d) AS conduct,
    (SELECT coalesce(json_agg(json_build_object('seq', e.seq, 'kind', e.kind, 'at', e.at, 'event', e.payload)
        ORDER BY e.seq), '[]') FROM event e WHERE e.game = g.id) AS events
"""
"""``rating`` is what the game made of his, ``conduct`` what he did in it."""


def games_query(*, is_first: bool) -> str:
    """As ``Part.query``. Each side is a range of an index: of many games only the page is read."""
    after = "" if is_first else " AND (created_at, id) > ($2, $3)"
    sides = " UNION ALL ".join(
        f"(SELECT id, created_at FROM game WHERE {his}{after} ORDER BY created_at, id LIMIT {GAMES_PAGE})"  # noqa: S608  constants
        for his in ("white = $1", "black = $1 AND white <> black")
    )
    page = f"SELECT id FROM ({sides}) AS found ORDER BY created_at, id LIMIT {GAMES_PAGE}"  # noqa: S608  constants
    return f"""
        SELECT (SELECT to_json(part) FROM (SELECT {_GAME}) AS part)::text, g.created_at, g.id
        FROM game g WHERE g.id IN ({page}) ORDER BY g.created_at, g.id
    """  # noqa: S608  constants


class Exports:
    """Who is being told everything now: one export a person at a time."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._running: set[str] = set()
        self._reading = asyncio.Semaphore(READ_AT_ONCE)

    async def pieces(self, person: str) -> AsyncGenerator[bytes, None]:
        """The export in pieces; no connection to the database is held while somebody reads one.

        Raises:
            RateLimited: another one of this person is under way; with the first piece.
        """
        if person in self._running:
            raise RateLimited("another export of yours is under way")
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
        """One import after the other: each is a range of an index, which all of them together are not."""
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
        """Rows as JSON, a page a piece; ``page`` is how many there are on one, None that there is but one."""
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
