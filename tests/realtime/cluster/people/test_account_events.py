"""Account events: a logout, ban, block or new name at one node applies at the others at once."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.identity import Identities, create_guest
from lobby.accounts.user import User
from lobby.moderation.bans import Bans
from lobby.moderation.blocks import block, unblock
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.people.account_events import AccountEvents
from realtime.people.account_poller import AccountPoller
from realtime.people.block_lists import BlockLists
from tests.empty_tables import clear
from tests.realtime.cluster.party import Guest, Socket, meet
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.postgres.database import Pool


class House(Guest):
    """A node that knows its people."""

    def __init__(self, url: str, pool: Pool, name: str, exchange: Exchange) -> None:
        super().__init__(url, pool, name, exchange)
        self.identities = Identities(pool)
        self.renamed: list[str] = []
        self.banned: list[tuple[str, bool]] = []
        self.watch = AccountPoller(self.identities, self.people, lambda user: self.renamed.append(user.id))
        self.bans = Bans(pool, lambda: 0)
        self.bans.on_change.append(lambda person, ban: self.banned.append((person, ban is not None)))
        self.blocks = BlockLists(pool)

    async def come(self) -> None:
        await self.bans.load()
        await self.watch.look()
        self.news = AccountEvents(self.cluster, self.identities, self.people, self.watch, self.bans, self.blocks)
        self.watching = asyncio.create_task(self.watch.run())
        await super().come()

    async def die(self) -> None:
        self.watching.cancel()
        await asyncio.gather(self.watching, return_exceptions=True)
        await self.news.close()
        await self.blocks.close()
        await super().die()

    async def arrive(self, token: str) -> Any:
        """A socket with ``token``."""
        grant = await self.identities.grant_of_token(token)
        assert grant is not None
        socket: Any = Socket(grant.user)
        socket.grant = grant
        self.people.add(socket)
        return socket


@asynccontextmanager
async def houses(url: str, pool: Pool, *names: str, exchange: Exchange | None = None) -> AsyncIterator[list[House]]:
    await clear(pool, "person", "ban", "node")
    exchange = exchange or Exchange()
    async with AsyncExitStack() as stack:
        found = [House(url, pool, name, exchange) for name in names]
        for house in found:
            await house.come()
            stack.push_async_callback(house.die)
        await meet(*found)
        yield found


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is not asked by itself while a test runs."""
    monkeypatch.setattr("realtime.people.account_poller.EVERY_S", 1000.0)


async def test_logout_applies_at_every_node(database_url: str, pool: Pool) -> None:
    async with houses(database_url, pool, "a", "b") as (a, b):
        _, token = await create_guest(pool)
        at_a, at_b = await a.arrive(token), await b.arrive(token)
        await a.identities.revoke(token)
        assert at_a.closed
        await until(lambda: at_b.closed)
        assert await b.identities.grant_of_token(token) is None


async def test_account_change_is_read_by_other_nodes_at_once(database_url: str, pool: Pool) -> None:
    async with houses(database_url, pool, "a", "b") as (a, b):
        user, token = await create_guest(pool)
        at_b = await b.arrive(token)
        await pool.execute("UPDATE person SET name = 'Anna', changed_at = now() WHERE id = $1", user.id)
        a.news.changed(User(user.id, "Anna", "guest"))
        await until(lambda: user.id in b.renamed)
        assert at_b.user.name == "Anna"


async def test_ban_counts_at_all_nodes_and_is_announced_once_each(database_url: str, pool: Pool) -> None:
    async with houses(database_url, pool, "a", "b", "c") as (a, b, c):
        user, _ = await create_guest(pool)
        await pool.execute(
            "INSERT INTO ban (person, what, why, until) VALUES ($1, 'moderator', 'x', now() + interval '1 h')", user.id
        )
        await a.bans.refresh()
        await until(lambda: all(node.banned for node in (a, b, c)))
        await pool.execute("UPDATE ban SET until = now() - interval '1 s', changed_at = now()")
        await c.bans.refresh()
        await until(lambda: all(len(node.banned) == 2 for node in (a, b, c)))
        for node in (a, b, c):
            assert node.banned == [(user.id, True), (user.id, False)]


async def test_blocks_count_at_all_nodes_and_lost_ones_are_read(database_url: str, pool: Pool) -> None:
    exchange = Exchange()
    async with houses(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        (anna, _), (bert, _) = await create_guest(pool), await create_guest(pool)
        at_b = b.blocks.of(anna.id)
        await until(lambda: at_b.ids == set())
        await block(pool, anna.id, bert.id)
        a.blocks.changed(anna.id, bert.id, blocked=True)
        await until(lambda: at_b.hides(bert.id))
        exchange.is_lost = lambda sender, node, data: True
        await unblock(pool, anna.id, bert.id)
        a.blocks.changed(anna.id, bert.id, blocked=False)
        await asyncio.sleep(0)  # it is sent at the end of this turn
        await asyncio.sleep(0)
        assert at_b.hides(bert.id)
        exchange.is_lost = lambda sender, node, data: False
        await until(lambda: not at_b.hides(bert.id))
