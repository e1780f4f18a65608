"""Pages of one game on two nodes, when a node dies or the nodes lose each other."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.async_api import expect

from harness.chaos.breakable_link import BreakableLink
from harness.chaos.local_cluster import LocalCluster
from realtime.postgres.database import connect
from tests.browser.games.test_game import paired
from tests.browser.person import Person
from tests.server_process import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

    from harness.chaos.breakable_link import Streams
    from harness.chaos.local_node import LocalNode

pytestmark = [pytest.mark.timeout(180), pytest.mark.slow("long outages in a cluster")]

DIES_MS = 30_000
"""A dead node's games are others' after five seconds, on a machine that has nothing else to do."""


class Evening(NamedTuple):
    """A game under way, White's turn."""

    cluster: LocalCluster
    white: Person
    black: Person
    path: str

    async def owner(self) -> LocalNode:
        """The node that has the game."""
        connection = await connect(self.cluster.database, name="tests")
        try:
            owner = await connection.fetchval("SELECT owner FROM game WHERE id = $1", self.path.rpartition("/")[2])
        finally:
            await connection.close()
        return next(node for node in self.cluster.nodes if node.id == owner)

    async def sees_plies(self, plies: int) -> None:
        """Wait until both see so many, which may be at another node by then."""
        for person in (self.white, self.black):
            await expect(person.see("moves")).to_have_attribute("data-plies", str(plies), timeout=DIES_MS)


def door(cluster: LocalCluster, first: LocalNode) -> BreakableLink:
    """A balancer that leads to ``first`` as long as that listens."""

    async def dial() -> Streams:
        for node in (first, *cluster.nodes):
            with contextlib.suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", node.port)
        raise ConnectionRefusedError("no node listens")

    return BreakableLink(dial)


@asynccontextmanager
async def evening(browser: Browser) -> AsyncIterator[Evening]:
    assert (ROOT / "realtime/static/index.html").exists(), "the page is not built; run make setup"
    async with AsyncExitStack() as stack:
        cluster = await stack.enter_async_context(LocalCluster(nodes=2, chance=random.Random(1)))
        people = []
        for node in cluster.nodes:
            home = (await stack.enter_async_context(door(cluster, node))).url
            context = await browser.new_context()
            stack.push_async_callback(context.close)
            context.set_default_timeout(10_000)
            people.append(Person(context, await context.new_page(), home))
        white, black = people
        one = Evening(cluster, white, black, await paired(white, black))
        await one.white.play("e2e4")
        await one.black.play("e7e5")
        await one.sees_plies(2)
        yield one
        assert [fault for person in people for fault in person.faults] == []
        assert not any("Traceback" in node.read_log() for node in cluster.nodes)


async def test_a_game_goes_on_after_its_node_has_died(browser: Browser) -> None:
    async with evening(browser) as one:
        (await one.owner()).signal(signal.SIGKILL)
        await one.white.play("g1f3")
        await one.sees_plies(3)
        for person in (one.white, one.black):
            await person.connected()
            await expect(person.see("held")).to_have_count(0)
        await one.black.play("b8c6")
        await one.sees_plies(4)
        assert await one.white.score() == await one.black.score() == ["e4", "e5", "Nf3", "Nc6"]


async def test_clocks_stop_while_the_nodes_are_separated(browser: Browser) -> None:
    async with evening(browser) as one:
        # Whose turn it is is not at the node that has the game.
        plies = 2
        if (await one.owner()) is one.cluster.nodes[0]:
            await one.white.play("g1f3")
            plies = 3
            await one.sees_plies(plies)
        for node in one.cluster.nodes:
            node.nats.pull()
        for person in (one.white, one.black):
            await expect(person.see("held")).to_have_text("Clocks paused while a server restarts", timeout=DIES_MS)
        # They can move all the same, and it counts when they do.
        if plies == 2:
            await one.white.play("g1f3")
        else:
            await one.black.play("b8c6")
        for node in one.cluster.nodes:
            node.nats.plug()
        await one.sees_plies(plies + 1)
        for person in (one.white, one.black):
            await expect(person.see("held")).to_have_count(0)
