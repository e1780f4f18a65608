"""The command ``zeitnot users``: list accounts, set roles, create reset codes, close and reopen accounts.

Works beside a running server, which notices within seconds (``realtime/people/account_poller.py``), or without one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.closing import close_account
from lobby.accounts.identity import user_named
from lobby.accounts.resets import new_reset
from lobby.accounts.roles import ROLES, roles_of, set_roles, sorted_roles
from lobby.accounts.tokens import sessions_of
from lobby.moderation.bans import note_act
from realtime.commands.own_database import opened_own_database
from realtime.postgres.database import create_pool
from realtime.protocol.errors import BadSetting, RealtimeError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    import asyncpg

    from lobby.accounts.user import Role, User
    from realtime.commands.settings import Settings

    Pool = asyncpg.Pool[asyncpg.Record]
    Write = Callable[[str], None]
    Verb = Callable[[Pool, Write, User, Sequence[str]], Awaitable[None]]

LISTED = 100


class NoSuchUser(RealtimeError):
    """The named user does not exist, or is a guest."""


async def run_users(settings: Settings, write: Write, verb: str, arguments: Sequence[str]) -> int:
    """Run one of ``VERBS``, or ``list``; return the exit status.

    Raises:
        NoSuchUser: there is no such user.
        BadSetting: the arguments do not fit the verb.
    """
    if verb == "list":
        if len(arguments) > 1:
            raise BadSetting("users list: expected the beginning of a name, or a role, or nothing")
    elif not arguments:
        raise BadSetting(f"users {verb}: expected a name")
    async with opened_own_database(settings) as url:
        pool = await create_pool(url, max_size=1)
        try:
            if verb == "list":
                await _list(pool, write, arguments)
                return 0
            name, *rest = arguments
            user = await user_named(pool, name)
            if user is None:
                raise NoSuchUser(f"there is no user {name!r}")
            if rest and verb != "role":
                raise BadSetting(f"users {verb}: expected a name and nothing else, got {' '.join(rest)!r} too")
            await VERBS[verb](pool, write, user, rest)
        finally:
            await pool.close()
    return 0


async def _list(pool: Pool, write: Write, arguments: Sequence[str]) -> None:
    """``list [ROLE|PREFIX]``: members and bots by name."""
    wanted = arguments[0] if arguments else ""
    rows = await pool.fetch(
        """
        SELECT p.name, p.kind, p.created_at, p.closed_at,
            ARRAY(SELECT role FROM role r WHERE r.person = p.id ORDER BY role) AS roles
        FROM person p
        WHERE p.kind <> 'guest' AND CASE WHEN $1 = ANY($2::text[])
            THEN EXISTS (SELECT 1 FROM role r WHERE r.person = p.id AND r.role = $1)
            ELSE starts_with(lower(p.name), lower($1)) END
        ORDER BY lower(p.name) COLLATE "C" LIMIT $3
        """,
        wanted,
        list(ROLES),
        LISTED,
    )
    for row in rows:
        notes = [row["kind"], *row["roles"], *(["closed"] if row["closed_at"] else [])]
        write(f"{row['name']:<20}  {row['created_at']:%Y-%m-%d}  {' '.join(notes)}")
    if len(rows) == LISTED:
        write(f"… the first {LISTED}; give the beginning of a name, or a role")


async def _show(pool: Pool, write: Write, user: User, _rest: Sequence[str]) -> None:
    row = await pool.fetchrow(
        """
        SELECT p.created_at, p.closed_at, a.email, a.unconfirmed,
            (SELECT count(*) FROM game WHERE white = p.id OR black = p.id) AS games
        FROM person p LEFT JOIN account a ON a.person = p.id WHERE p.id = $1
        """,
        user.id,
    )
    assert row is not None, "the person was found a moment ago"
    roles = " ".join(sorted_roles(await roles_of(pool, user.id)))
    write(f"{user.name} ({user.kind}, {user.id})")
    write(f"since {row['created_at']:%Y-%m-%d %H:%M}, {row['games']} games")
    unconfirmed = f", unconfirmed: {row['unconfirmed']}" if row["unconfirmed"] else ""
    write(f"roles: {roles or 'none'}; mail: {row['email'] or 'none'}{unconfirmed}")
    if row["closed_at"] is not None:
        write(f"closed {row['closed_at']:%Y-%m-%d %H:%M}")
    for session in await sessions_of(pool, user.id):
        what = "session" if session.label is None else f"token {session.label!r} ({' '.join(session.scopes or [])})"
        write(f"  {what}, used {session.used:%Y-%m-%d %H:%M}, ends {session.expires:%Y-%m-%d} {session.agent or ''}")


async def _reset(pool: Pool, write: Write, user: User, _rest: Sequence[str]) -> None:
    _refuse_guest(user)
    async with pool.acquire() as connection, connection.transaction():
        code = await new_reset(connection, user.id)
        await note_act(connection, None, "reset", user.id, {})
    write(f"{code}  valid once, for an hour: {user.name} enters it on the page 'Reset password'")


async def _role(pool: Pool, write: Write, user: User, rest: Sequence[str]) -> None:
    """``role NAME +moderator -host``."""
    _refuse_guest(user)
    changes: dict[str, list[Role]] = {"+": [], "-": []}
    for change in rest:
        if change[:1] not in changes or change[1:] not in ROLES:
            raise BadSetting(f"users role: expected + or - and one of {', '.join(ROLES)}, got {change!r}")
        changes[change[0]].append(change[1:])  # type: ignore[arg-type]  # it was found among the roles
    async with pool.acquire() as connection, connection.transaction():
        await set_roles(connection, user.id, changes["+"], changes["-"])
        await note_act(connection, None, "role", user.id, {"given": changes["+"], "taken": changes["-"]})
    roles = " ".join(sorted_roles(await roles_of(pool, user.id)))
    write(f"{user.name}: {roles or 'no roles'}")


async def _close(pool: Pool, write: Write, user: User, _rest: Sequence[str]) -> None:
    async with pool.acquire() as connection, connection.transaction():
        ended = await close_account(connection, user.id)
        await note_act(connection, None, "close", user.id, {})
    write(f"{user.name} is closed; {len(ended)} sessions and tokens ended")


async def _open(pool: Pool, write: Write, user: User, _rest: Sequence[str]) -> None:
    async with pool.acquire() as connection, connection.transaction():
        opened = await connection.fetchval(
            """
            UPDATE person p SET closed_at = NULL, changed_at = now()
            WHERE p.id = $1 AND EXISTS (SELECT 1 FROM account a WHERE a.person = p.id) RETURNING true
            """,
            user.id,
        )
        await note_act(connection, None, "open", user.id, {})
    if not opened:
        raise NoSuchUser(f"{user.name} has deleted the account, or is a guest; it cannot be opened")
    write(f"{user.name} is open")


def _refuse_guest(user: User) -> None:
    if user.kind == "guest":
        raise NoSuchUser(f"{user.name} is a guest, and has no password")


VERBS: dict[str, Verb] = {"show": _show, "reset": _reset, "role": _role, "close": _close, "open": _open}
"""Actions on one account, by the first word after ``users``."""
