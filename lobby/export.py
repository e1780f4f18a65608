"""All that is stored of a person, for himself: a JSON object, in pieces, a page of games at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from lobby.errors import TooFast

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from lobby.needs import Pool

_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)

PAGE = 50
"""Games read at a time with their events: some 100 KB."""

PARTS: dict[str, str] = {
    "person": "SELECT id, name, kind, title, created_at, closed_at FROM person WHERE id = $1",
    "account": "SELECT email, created_at FROM account WHERE person = $1",
    "roles": "SELECT role, granted_at FROM role WHERE person = $1",
    "sessions": """SELECT id, created_at, expires_at, used_at, agent, label, scopes FROM session WHERE person = $1""",
    "settings": "SELECT value, changed_at FROM settings WHERE person = $1",
    "seeks": "SELECT id, spec, created_at FROM seek WHERE person = $1",
    "challenges": """SELECT id, spec, created_at, expires_at, closed, game,
        (SELECT name FROM person WHERE id = recipient) AS "to" FROM challenge WHERE person = $1 OR recipient = $1""",
    "ratings": "SELECT perf, rating, deviation, volatility, games, last_at FROM rating WHERE person = $1",
    "rated_games": "SELECT game, perf, at, rating, deviation, volatility FROM rated_game WHERE person = $1 ORDER BY at",
    "blocks": """SELECT (SELECT name FROM person WHERE id = blocked) AS "user" FROM block WHERE person = $1""",
    "waiting": "SELECT * FROM waiting WHERE person = $1",
    "deeds": "SELECT * FROM deed WHERE person = $1",
    "bans": "SELECT * FROM ban WHERE person = $1",
    "reports": """SELECT (SELECT name FROM person WHERE id = subject) AS "user", game, what, text, created_at, verdict
        FROM report WHERE person = $1""",
}
"""Name in the export to the query that reads it. Passwords, tokens and codes are kept as hashes alone and say nothing;
what others have reported of him, and what moderators did about it, is theirs."""

_GAMES = """
    SELECT g.id, g.game, g.variant, g.rated, g.speed, g.tc, g.fen, g.status, g.result, g.reason, g.created_at,
        g.ended_at, w.name AS white, b.name AS black,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('seq', e.seq, 'kind', e.kind, 'at', e.at, 'event', e.payload)
            ORDER BY e.seq), '[]') FROM event e WHERE e.game = g.id) AS events
    FROM game g JOIN person w ON w.id = g.white JOIN person b ON b.id = g.black
    WHERE (g.white = $1 OR g.black = $1) AND (g.created_at, g.id) > ($2, $3)
    ORDER BY g.created_at, g.id LIMIT $4
"""


class Exports:
    """Who is being told everything now: one export a person at a time."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._running: set[str] = set()

    async def pieces(self, person: str) -> AsyncGenerator[bytes, None]:
        """The export in pieces; no connection to the database is held while somebody reads one.

        Raises:
            TooFast: another one of this person is under way; with the first piece.
        """
        if person in self._running:
            raise TooFast("another export of yours is under way")
        self._running.add(person)
        try:
            yield b"{"
            for name, query in PARTS.items():
                rows = await self._pool.fetch(query, person)
                yield b'"%s":%s,\n' % (name.encode(), msgspec.json.encode([dict(row) for row in rows]))
            yield b'"games":['
            async for piece in self._games(person):
                yield piece
            yield b"]}\n"
        finally:
            self._running.discard(person)

    async def _games(self, person: str) -> AsyncGenerator[bytes, None]:
        at, last, comma = _BEGINNING, "", b""
        while True:
            rows = await self._pool.fetch(_GAMES, person, at, last, PAGE)
            for row in rows:
                yield comma + msgspec.json.encode(dict(row))
                comma = b",\n"
            if len(rows) < PAGE:
                return
            at, last = rows[-1]["created_at"], rows[-1]["id"]
