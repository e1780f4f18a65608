"""Account poller: changes of accounts in the database apply to the server and to open sockets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.closing import close_account
from lobby.accounts.identity import Identities, create_guest, token_hash
from lobby.accounts.profile import set_invisible
from lobby.accounts.roles import set_roles
from lobby.accounts.tokens import create_token
from lobby.accounts.user import Grant, User
from realtime.people import account_poller
from realtime.people.account_poller import AccountPoller
from realtime.people.presence import LOGGED_OUT, Presence
from realtime.postgres import database, migrate
from tests.empty_tables import clear

if TYPE_CHECKING:
    from realtime.postgres.database import Pool
    from tests.conftest import Server


class Socket:
    """An open socket as far as the watch needs one."""

    def __init__(self, grant: Grant) -> None:
        self.grant, self.user = grant, grant.user
        self.closed_with: int | None = None
        self.closing = asyncio.Event()

    def close(self, code: int, reason: str) -> None:
        self.closed_with = code
        self.closing.set()


class Scene:
    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.identities = Identities(pool)
        self.people = Presence(lambda user, here: None)
        self.changed: list[str] = []
        self.watch = AccountPoller(self.identities, self.people, lambda user: self.changed.append(user.name))

    async def arrive(self) -> Socket:
        """Somebody new opens a socket."""
        _, token = await create_guest(self.pool)
        grant = await self.identities.grant_of_token(token)
        assert grant is not None
        return self.enter(grant)

    def enter(self, grant: Grant) -> Socket:
        """A socket of whoever ``grant`` is of."""
        socket: Any = Socket(grant)
        self.people.add(socket)
        entered: Socket = socket
        return entered


@pytest.fixture
async def scene(pool: Pool) -> Scene:
    await clear(pool, "person")
    scene = Scene(pool)
    await scene.watch.look()
    return scene


async def test_unchanged_accounts_are_not_reported(scene: Scene) -> None:
    socket = await scene.arrive()
    before = socket.grant
    await scene.watch.look()
    assert scene.changed == []
    assert socket.grant is before
    assert socket.closed_with is None


async def test_new_role_applies_to_open_sockets(scene: Scene) -> None:
    socket, other = await scene.arrive(), await scene.arrive()
    async with scene.pool.acquire() as connection, connection.transaction():
        await set_roles(connection, socket.user.id, ["moderator"], [])
    await scene.watch.look()
    assert socket.grant.roles == {"moderator"}
    assert other.grant.roles == frozenset()
    async with scene.pool.acquire() as connection, connection.transaction():
        await set_roles(connection, socket.user.id, [], ["moderator"])
    await scene.watch.look()
    assert socket.grant.roles == frozenset()


async def test_closed_account_ends_its_sockets(scene: Scene) -> None:
    socket, other = await scene.arrive(), await scene.arrive()
    async with scene.pool.acquire() as connection, connection.transaction():
        await close_account(connection, socket.user.id)
    await scene.watch.look()
    assert socket.closed_with == LOGGED_OUT
    assert other.closed_with is None


async def test_new_name_applies_to_open_sockets(scene: Scene) -> None:
    socket = await scene.arrive()
    await scene.pool.execute("UPDATE person SET name = 'Renamed', changed_at = now() WHERE id = $1", socket.user.id)
    await scene.watch.look()
    assert socket.user.name == socket.grant.user.name == "Renamed"
    assert "Renamed" in scene.changed


async def test_change_of_slow_transaction_is_seen(scene: Scene) -> None:
    socket = await scene.arrive()
    await scene.watch.look()
    async with scene.pool.acquire() as connection:
        slow = connection.transaction()
        await slow.start()
        await set_roles(connection, socket.user.id, ["host"], [])
        await scene.watch.look()  # later than changed_at, and sees nothing of it
        await slow.commit()
    assert socket.grant.roles == frozenset()
    await scene.watch.look()
    assert socket.grant.roles == {"host"}


async def test_changed_person_is_read_again_for_cached_token(scene: Scene) -> None:
    user, token = await create_guest(scene.pool)
    assert await scene.identities.user_of_token(token) == user
    await scene.pool.execute("UPDATE person SET title = 'GM', changed_at = now() WHERE id = $1", user.id)
    assert (await scene.identities.user_of_token(token)) == user
    await scene.watch.look()
    assert (await scene.identities.user_of_token(token)) == User(user.id, user.name, "guest", "GM")
    assert token_hash(token) in scene.identities._cache


async def test_changes_of_more_than_a_page_are_all_read(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_poller, "PAGE", 3)
    sockets = [await scene.arrive() for _ in range(8)]
    await scene.pool.execute("UPDATE person SET title = 'GM', changed_at = now()")
    await scene.watch.look()
    assert sorted(scene.changed) == sorted(socket.user.name for socket in sockets)
    assert {socket.grant.user.title for socket in sockets} == {"GM"}
    await scene.watch.look()
    assert len(scene.changed) == 8


async def test_migration_marks_existing_people_unchanged(postgres: Server) -> None:
    """Otherwise the first poll would report every person."""
    name = postgres.create(template="template1")
    try:
        older, newer = migrate.bundled()[:5], migrate.bundled()
        await migrate.migrate(postgres.url(name), older)
        connection = await database.connect(postgres.url(name), name="test")
        try:
            await connection.execute("INSERT INTO person (id, name, kind) VALUES ('old', 'Guest-OLD', 'guest')")
            await migrate.migrate(postgres.url(name), newer)
            await connection.execute("INSERT INTO person (id, name, kind) VALUES ('new', 'Guest-NEW', 'guest')")
            changed = "SELECT count(*) FROM person WHERE changed_at > created_at"
            assert await connection.fetchval(changed) == 0
            await connection.execute("UPDATE person SET changed_at = now()")
            assert await connection.fetchval(changed) == 2
        finally:
            await connection.close()
    finally:
        postgres.drop(name)


async def test_expired_token_ends_its_sockets(scene: Scene) -> None:
    user, _ = await create_guest(scene.pool)
    row, token = await create_token(scene.pool, user.id, "a program", ["read"], 1)
    _, other = await create_token(scene.pool, user.id, "another", ["read"], 1)
    await scene.pool.execute("UPDATE session SET expires_at = now() + interval '0.2 s' WHERE id = $1", row.id)
    sockets = []
    for each in (token, other):
        grant = await scene.identities.grant_of_token(each)
        assert grant is not None
        sockets.append(scene.enter(grant))
    assert [socket.closed_with for socket in sockets] == [None, None]
    async with asyncio.timeout(10):
        await sockets[0].closing.wait()
    assert [socket.closed_with for socket in sockets] == [LOGGED_OUT, None]
    for socket in sockets:
        gone: Any = socket
        scene.people.remove(gone)
    assert scene.people._ends == {}


async def test_socket_opened_with_a_grant_from_before_the_change_is_noticed(scene: Scene) -> None:
    """Its handshake has looked up the token, and the change comes before it is open."""
    user, token = await create_guest(scene.pool)
    grant = await scene.identities.grant_of_token(token)
    assert grant is not None
    await set_invisible(scene.pool, user.id, invisible=True)
    await scene.watch.look()
    socket = scene.enter(grant)
    assert scene.people.is_shown(user.id)
    await scene.watch.look()
    assert not scene.people.is_shown(user.id)
    assert socket.grant.is_invisible
    changed = len(scene.changed)
    await scene.watch.look()
    assert len(scene.changed) == changed


async def test_who_becomes_invisible_is_not_shown_online_any_more(scene: Scene) -> None:
    first, second = await scene.arrive(), await scene.arrive()
    assert scene.people.online == 2
    await set_invisible(scene.pool, first.user.id, invisible=True)
    await scene.watch.look()
    assert scene.people.shown_users() == [second.user.id]
    assert scene.people.online == 1
    assert scene.people.is_here(first.user.id)
    socket: Any = first
    scene.people.remove(socket)
    assert scene.people.online == 1
    scene.people.add(socket)
    assert scene.people.online == 1
    await set_invisible(scene.pool, first.user.id, invisible=False)
    await scene.watch.look()
    assert scene.people.is_shown(first.user.id)
    assert scene.people.online == 2
