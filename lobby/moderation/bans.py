"""Play and chat bans: who is banned, why, and until when.

The database holds all bans. The present ones are also in memory, because every seek and every line of chat checks
them. ``refresh`` reads changes, including those of other nodes and of commits in doubt. Only ``refresh`` notifies
people, so a ban that is announced is stored.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from lobby.accounts.roles import roles_of
from lobby.errors import Forbidden
from lobby.wire.moderation import BanCause

if TYPE_CHECKING:
    from collections.abc import Callable

    import asyncpg

    from lobby.accounts.user import User
    from lobby.ports import Connection, Pool
    from lobby.wire.moderation import BanWire, NoticeWire

LOOK_BACK = timedelta(seconds=60)
"""``changed_at`` is set before the commit. No transaction here takes as long as this."""

MAX_MINUTES = 527_040
"""A year, the longest ban by a moderator."""

WHY: dict[BanCause, str] = {
    "aborted": "too many aborted games",
    "no_show": "too many games without a first move",
    "let_run": "too many games in which the clock was left running",
    "left": "too many abandoned games",
}
"""Reasons of automatic bans."""

_COLUMNS = "id, person, what, why, (extract(epoch FROM until) * 1000)::bigint AS until_ms"


class Ban(msgspec.Struct, frozen=True):
    """One ban. ``until_ms`` is Unix ms."""

    id: int
    person: str
    what: BanCause
    why: str
    until_ms: int


def ban_wire(ban: Ban) -> BanWire:
    """Return ``{"until","why","what"}``."""
    return {"until": ban.until_ms, "why": ban.why, "what": ban.what}


def ban_notice(ban: Ban) -> NoticeWire:
    """Return the notice for a banned person."""
    sentence = _refusal_text(ban)
    text = sentence[0].upper() + sentence[1:]
    return {"t": "notice", "code": "ban", "text": text, "until": ban.until_ms, "what": ban.what}


def unban_notice() -> NoticeWire:
    """Return the notice for a person whose ban was lifted early."""
    return {"t": "notice", "code": "unban", "text": "You can play again.", "until": None, "what": None}


class Bans:
    """The present bans.

    Args:
        pool: the database.
        now_ms: the wall clock, Unix ms.

    Attributes:
        on_change: called with a person's id and their ban, or None when it was lifted. Not called when a ban
            expires.
    """

    def __init__(self, pool: Pool, now_ms: Callable[[], int]) -> None:
        self._pool = pool
        self._now_ms = now_ms
        self._bans: dict[str, dict[int, Ban]] = {}
        self._refreshing = asyncio.Lock()
        """Serialises refreshes: the result of an older one must not overwrite that of a newer one."""
        self._seen_at: datetime | None = None
        """Changes have been read up to this instant of the database's clock."""
        self.on_change: list[Callable[[str, Ban | None], None]] = []

    def of(self, person: str) -> Ban | None:
        """Return the ban of ``person`` that ends last; None if they may play."""
        return self._last(person, chat=False)

    def people(self) -> list[str]:
        """Return the ids of all banned people."""
        return [person for person in tuple(self._bans) if self.of(person) is not None]

    def check_play(self, person: str) -> None:
        """Check that ``person`` may begin a game. Raises ``Forbidden``."""
        ban = self.of(person)
        if ban is not None:
            raise Forbidden(_refusal_text(ban))

    def check_chat(self, person: str) -> None:
        """Check that ``person`` may chat. Raises ``Forbidden``."""
        ban = self._last(person, chat=True)
        if ban is not None:
            raise Forbidden(f"you are banned from chat until {_instant(ban.until_ms)}: {ban.why}")

    async def load(self) -> None:
        """Read the present bans without notifying anybody: each person is told when they connect."""
        self._seen_at = await self._pool.fetchval("SELECT now()")
        for row in await self._pool.fetch(f"SELECT {_COLUMNS} FROM ban WHERE until > now()"):  # noqa: S608  a constant
            ban = Ban(*row)
            self._bans.setdefault(ban.person, {})[ban.id] = ban

    async def refresh(self) -> None:
        """Read changes and notify the people concerned."""
        async with self._refreshing:
            await self._refresh()

    async def _refresh(self) -> None:
        if self._seen_at is None:
            await self.load()
            return
        seen_at: datetime = await self._pool.fetchval("SELECT now()")
        rows = await self._pool.fetch(
            f"SELECT until <= now(), {_COLUMNS} FROM ban WHERE changed_at > $1 ORDER BY id",  # noqa: S608  a constant
            self._seen_at - LOOK_BACK,
        )
        self._seen_at = seen_at
        changed: dict[str, list[tuple[bool, Ban]]] = {}
        for is_over, *row in rows:
            ban = Ban(*row)
            changed.setdefault(ban.person, []).append((is_over, ban))
        for person, bans in changed.items():
            self._take_in(person, bans)
        self.people()  # removes the bans that have ended

    def _take_in(self, person: str, changed: list[tuple[bool, Ban]]) -> None:
        """Apply changed bans of ``person``. They get one notice: of the last new ban, or that they have none."""
        was_banned = self.of(person) is not None
        known = self._bans.setdefault(person, {})
        new: Ban | None = None
        for is_over, ban in changed:
            if is_over:
                known.pop(ban.id, None)
            elif known.get(ban.id) != ban:
                known[ban.id] = new = ban
        is_banned = self.of(person) is not None
        if new is not None or (was_banned and not is_banned):
            for call in self.on_change:
                call(person, new)

    def _last(self, person: str, *, chat: bool) -> Ban | None:
        bans = self._bans.get(person)
        if bans is None:
            return None
        now_ms = self._now_ms()
        for ban in tuple(bans.values()):
            if ban.until_ms <= now_ms:
                del bans[ban.id]
        if not bans:
            del self._bans[person]
        matching = [ban for ban in bans.values() if ban.what == "moderator" or not chat]
        return max(matching, key=lambda ban: ban.until_ms, default=None)


async def insert_play_ban(connection: Connection, person: str, what: BanCause, game: str, minutes: int) -> None:
    """Insert an automatic ban for the conduct of ``person`` in ``game``; at most one a game."""
    await connection.execute(
        """
        INSERT INTO ban (person, what, why, game, until) VALUES ($1, $2, $3, $4, now() + make_interval(mins => $5))
        ON CONFLICT (game, person) DO NOTHING
        """,
        person,
        what,
        WHY[what],
        game,
        minutes,
    )


async def time_out(pool: Pool, moderator: User, subject: User, minutes: int, why: str) -> None:
    """Ban ``subject`` from playing and chat for ``minutes``; 0 ends all their bans.

    A moderator's ban replaces the previous one and is recorded in ``audit``.

    Raises:
        Forbidden: oneself; or a moderator or admin, unless ``moderator`` is an admin.
    """
    if moderator.id == subject.id:
        raise Forbidden("you cannot moderate yourself")
    async with pool.acquire() as connection, connection.transaction():
        if await roles_of(connection, subject.id) & {"moderator", "admin"} and "admin" not in await roles_of(
            connection, moderator.id
        ):
            raise Forbidden("only an admin can do this to a moderator")
        await connection.execute(
            """
            UPDATE ban SET until = now(), changed_at = now()
            WHERE person = $1 AND until > now() AND ($2 = 0 OR what = 'moderator')
            """,
            subject.id,
            minutes,
        )
        if minutes:
            await connection.execute(
                """
                INSERT INTO ban (person, what, why, until)
                VALUES ($1, 'moderator', $2, now() + make_interval(mins => $3))
                """,
                subject.id,
                why,
                minutes,
            )
        await note_act(connection, moderator.id, "timeout", subject.id, {"minutes": minutes, "why": why})


async def note_act(
    connection: Connection, actor: str | None, act: str, subject: str, detail: dict[str, object]
) -> None:
    """Record an action of a moderator or admin in ``audit``, inside the caller's transaction. None is the command
    line."""
    await connection.execute(
        "INSERT INTO audit (actor, act, subject, detail) VALUES ($1, $2, $3, $4)", actor, act, subject, detail
    )


async def ban_of(reader: asyncpg.Pool[asyncpg.Record] | Connection, person: str) -> Ban | None:
    """Return the stored ban of ``person``; None if they may play."""
    row = await reader.fetchrow(
        f"SELECT {_COLUMNS} FROM ban WHERE person = $1 AND until > now() ORDER BY until DESC LIMIT 1",  # noqa: S608  a constant
        person,
    )
    return None if row is None else Ban(*row)


async def ban_wire_of(reader: asyncpg.Pool[asyncpg.Record] | Connection, person: str) -> BanWire | None:
    """Return the ban of ``person`` in its HTTP form."""
    ban = await ban_of(reader, person)
    return None if ban is None else ban_wire(ban)


def _refusal_text(ban: Ban) -> str:
    taken = "start games or write in chat" if ban.what == "moderator" else "start games"
    return f"you cannot {taken} until {_instant(ban.until_ms)}: {ban.why}"


def _instant(unix_ms: int) -> str:
    return datetime.fromtimestamp(unix_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
