"""What is changed about people beside the server counts in it, and for the sockets that are open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lobby.identity import Grant, Identities, User, create_guest, token_hash
from lobby.leaving import close_account
from lobby.roles import set_roles
from realtime.people import LOGGED_OUT, People
from realtime.person_watch import PersonWatch

if TYPE_CHECKING:
    from realtime.database import Pool


class Socket:
    """An open socket as far as the watch needs one."""

    def __init__(self, grant: Grant) -> None:
        self.grant, self.user = grant, grant.user
        self.closed_with: int | None = None

    def close(self, code: int, reason: str) -> None:
        self.closed_with = code


class Scene:
    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.identities = Identities(pool)
        self.people = People(lambda user, here: None)
        self.changed: list[str] = []
        self.watch = PersonWatch(self.identities, self.people, lambda user: self.changed.append(user.name))

    async def arrive(self) -> Socket:
        """Somebody new opens a socket."""
        _, token = await create_guest(self.pool)
        grant = await self.identities.grant_of_token(token)
        assert grant is not None
        socket: Any = Socket(grant)
        self.people.add(socket)
        entered: Socket = socket
        return entered


@pytest.fixture
async def scene(pool: Pool) -> Scene:
    await pool.execute("TRUNCATE person CASCADE")
    scene = Scene(pool)
    await scene.watch.look()
    return scene


async def test_nothing_has_changed(scene: Scene) -> None:
    socket = await scene.arrive()
    before = socket.grant
    await scene.watch.look()
    assert scene.changed == []
    assert socket.grant is before
    assert socket.closed_with is None


async def test_a_role_counts_for_open_sockets(scene: Scene) -> None:
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


async def test_a_closed_account_leaves(scene: Scene) -> None:
    socket, other = await scene.arrive(), await scene.arrive()
    async with scene.pool.acquire() as connection, connection.transaction():
        await close_account(connection, socket.user.id)
    await scene.watch.look()
    assert socket.closed_with == LOGGED_OUT
    assert other.closed_with is None


async def test_a_new_name_is_everywhere(scene: Scene) -> None:
    socket = await scene.arrive()
    await scene.pool.execute("UPDATE person SET name = 'Renamed', changed_at = now() WHERE id = $1", socket.user.id)
    await scene.watch.look()
    assert socket.user.name == socket.grant.user.name == "Renamed"
    assert "Renamed" in scene.changed


async def test_a_transaction_that_takes_its_time_is_seen(scene: Scene) -> None:
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


async def test_a_token_is_looked_up_anew(scene: Scene) -> None:
    user, token = await create_guest(scene.pool)
    assert await scene.identities.user_of_token(token) == user
    await scene.pool.execute("UPDATE person SET title = 'GM', changed_at = now() WHERE id = $1", user.id)
    assert (await scene.identities.user_of_token(token)) == user
    await scene.watch.look()
    assert (await scene.identities.user_of_token(token)) == User(user.id, user.name, "guest", "GM")
    assert token_hash(token) in scene.identities._cache
