"""Who may not play now, why, and until when.

The database has all bans there ever were; those of the moment are in memory, where every seek and every line of chat
asks. What another node has written, or this one without hearing of the commit, comes in with ``refresh``, which is also
the one place from where people are told: a ban that is announced is one that is stored.
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
"""A row's ``changed_at`` is from before its commit; no transaction here takes as long as this."""

MAX_MINUTES = 527_040
"""A year, the longest that a moderator bans for."""

WHY: dict[BanCause, str] = {
    "aborted": "too many games aborted",
    "no_show": "too many games without a first move",
    "let_run": "too many games in which the clock was left to run out",
    "left": "too many games left before their end",
}
"""The server's own reasons."""

_COLUMNS = "id, person, what, why, (extract(epoch FROM until) * 1000)::bigint AS until_ms"


class Ban(msgspec.Struct, frozen=True):
    """One ban. ``until_ms`` is Unix ms."""

    id: int
    person: str
    what: BanCause
    why: str
    until_ms: int


def ban_wire(ban: Ban) -> BanWire:
    """``{"until","why","what"}``."""
    return {"until": ban.until_ms, "why": ban.why, "what": ban.what}


def ban_notice(ban: Ban) -> NoticeWire:
    """What the person is told."""
    sentence = _sentence(ban)
    text = sentence[0].upper() + sentence[1:]
    return {"t": "notice", "code": "ban", "text": text, "until": ban.until_ms, "what": ban.what}


def unban_notice() -> NoticeWire:
    """What the person is told when he may play again before his time."""
    return {"t": "notice", "code": "unban", "text": "You may play again.", "until": None, "what": None}


class Bans:
    """The bans of the moment.

    Args:
        pool: the database.
        now_ms: the wall clock, Unix ms.

    Attributes:
        on_change: called with a person's id and his ban, or None when it was lifted; not when it just ends.
    """

    def __init__(self, pool: Pool, now_ms: Callable[[], int]) -> None:
        self._pool = pool
        self._now_ms = now_ms
        self._bans: dict[str, dict[int, Ban]] = {}
        self._refreshing = asyncio.Lock()
        """One look after the other: what an older one has seen must not undo what a newer one has told."""
        self._seen_at: datetime | None = None
        """Until when changes have been read, by the database's clock."""
        self.on_change: Callable[[str, Ban | None], None] = lambda person, ban: None

    def of(self, person: str) -> Ban | None:
        """The ban of ``person`` that ends last; None if he may play."""
        return self._last(person, chat=False)

    def people(self) -> list[str]:
        """Ids of all who may not play now."""
        return [person for person in tuple(self._bans) if self.of(person) is not None]

    def check_play(self, person: str) -> None:
        """Raises ``Forbidden`` when ``person`` may not begin a game now."""
        ban = self.of(person)
        if ban is not None:
            raise Forbidden(_sentence(ban))

    def check_chat(self, person: str) -> None:
        """Raises ``Forbidden`` when a moderator does not let ``person`` write now."""
        ban = self._last(person, chat=True)
        if ban is not None:
            raise Forbidden(f"you may not write until {_instant(ban.until_ms)}: {ban.why}")

    async def load(self) -> None:
        """Read the bans of the moment; nobody is told, each hears of his when he comes."""
        self._seen_at = await self._pool.fetchval("SELECT now()")
        for row in await self._pool.fetch(f"SELECT {_COLUMNS} FROM ban WHERE until > now()"):  # noqa: S608  a constant
            ban = Ban(*row)
            self._bans.setdefault(ban.person, {})[ban.id] = ban

    async def refresh(self) -> None:
        """Take in what has changed, and tell whom it concerns."""
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
        self.people()  # which forgets those that have ended

    def _take_in(self, person: str, changed: list[tuple[bool, Ban]]) -> None:
        """Some bans of ``person`` as they are now. He is told once: of the last that is new, or that he has none."""
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
            self.on_change(person, new)

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
    """The server's own ban for what ``person`` did in ``game``; a game brings one at most."""
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
    """A moderator keeps ``subject`` from playing and writing for ``minutes``, or with 0 ends all bans he has.

    A moderator's ban takes the place of the one before. It is written down in ``audit``.

    Raises:
        Forbidden: himself; or another moderator or an admin, unless he is an admin.
    """
    if moderator.id == subject.id:
        raise Forbidden("nobody judges himself")
    async with pool.acquire() as connection, connection.transaction():
        if await roles_of(connection, subject.id) & {"moderator", "admin"} and "admin" not in await roles_of(
            connection, moderator.id
        ):
            raise Forbidden("only an admin may do this to a moderator")
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
    """Write down what a moderator or admin did, inside the caller's transaction; None is the command line."""
    await connection.execute(
        "INSERT INTO audit (actor, act, subject, detail) VALUES ($1, $2, $3, $4)", actor, act, subject, detail
    )


async def ban_of(reader: asyncpg.Pool[asyncpg.Record] | Connection, person: str) -> Ban | None:
    """The ban of ``person`` as the database has it; None if he may play."""
    row = await reader.fetchrow(
        f"SELECT {_COLUMNS} FROM ban WHERE person = $1 AND until > now() ORDER BY until DESC LIMIT 1",  # noqa: S608  a constant
        person,
    )
    return None if row is None else Ban(*row)


async def told_ban(reader: asyncpg.Pool[asyncpg.Record] | Connection, person: str) -> BanWire | None:
    """The ban of ``person`` as he is told of it by HTTP."""
    ban = await ban_of(reader, person)
    return None if ban is None else ban_wire(ban)


def _sentence(ban: Ban) -> str:
    taken = "begin games or write in chat" if ban.what == "moderator" else "begin games"
    return f"you may not {taken} until {_instant(ban.until_ms)}: {ban.why}"


def _instant(unix_ms: int) -> str:
    return datetime.fromtimestamp(unix_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
