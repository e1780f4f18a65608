"""Replicated feed: after any loss or death, each node has the state of every other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from realtime.cluster.bus.bus import Exchange
from realtime.cluster.bus.cluster import HEARTBEAT_S, IDLE_S
from realtime.cluster.bus.replicated_feed import BATCH_INTERVAL_S, RETRY_INTERVAL_S
from tests.realtime.cluster.feed_nodes import NODES, SEPARATE, SHARED, Node, Registry, run, two

if TYPE_CHECKING:
    from realtime.cluster.bus.replicated_feed import Topics

KEYS = "abcdefg"


def is_equal(nodes: dict[str, Node]) -> bool:
    """Whether each node knows what the others have, and nothing of nodes that are gone."""
    return all(
        {name: copy for name, copy in node.copy.others.items() if copy}
        == {other.name: other.copy.ours for other in nodes.values() if other is not node and other.copy.ours}
        for node in nodes.values()
    )


async def settle(nodes: dict[str, Node]) -> None:
    """Nothing is lost any more: a few seconds are enough."""
    for _ in range(10):
        await asyncio.sleep(RETRY_INTERVAL_S)
        if is_equal(nodes):
            break
    for node in nodes.values():
        assert not node.feed._requests or await is_quiet(node)
        assert not node.feed._missing
    assert is_equal(nodes)


async def is_quiet(node: Node) -> bool:
    """Whether it stops asking."""
    await asyncio.sleep(2 * RETRY_INTERVAL_S)
    return not node.feed._requests


numbers = st.none() | st.integers(0, 3)
steps = st.lists(
    st.tuples(st.just("set"), st.sampled_from(NODES), st.sampled_from(KEYS), numbers)
    | st.tuples(st.just("wait"), st.sampled_from([0.0, BATCH_INTERVAL_S, HEARTBEAT_S + IDLE_S, 2.0]))
    | st.tuples(st.just("die"), st.sampled_from(NODES))
    | st.tuples(st.just("lease"), st.sampled_from(NODES)),
    max_size=40,
)


@given(topics=st.sampled_from([SEPARATE, SHARED]), steps=steps, lost=st.lists(st.booleans(), max_size=120))
def test_all_nodes_converge_to_the_same_state(topics: Topics, steps: list[Any], lost: list[bool]) -> None:
    async def play() -> None:
        exchange, registry = Exchange(), Registry()
        fates = iter(lost)
        exchange.is_lost = lambda sender, node, data: next(fates, False)
        nodes = {name: Node(name, exchange, registry, topics) for name in NODES}
        for node in nodes.values():
            await node.start()
        for number, step in enumerate(steps):
            match step:
                case "set", name, key, value:
                    nodes[name].set(key, value)
                case "wait", pause_s:
                    await asyncio.sleep(pause_s)
                case "die", name:
                    await nodes[name].die()
                    again = Node(f"{name} {number}", exchange, registry, topics)
                    await again.start()
                    nodes[name] = again
                case "lease", name:  # it expires, and is renewed
                    registry.alive.discard(nodes[name].name)
                    await asyncio.sleep(1.0)
                    registry.alive.add(nodes[name].name)
        exchange.is_lost = lambda sender, node, data: False
        await settle(nodes)
        for node in nodes.values():
            await node.die()

    run(play())


def test_changes_within_one_batch_share_a_report() -> None:
    async def play(_: Exchange, one: Node, other: Node) -> None:
        before = one.copy.reports
        for value in range(10):
            one.set("a", value)
        assert one.feed.is_pending("a")
        await asyncio.sleep(BATCH_INTERVAL_S * 1.1)
        assert one.copy.reports == before + 1
        assert other.copy.others["one"] == {"a": 9}

    two(play)


def test_known_state_stays_until_replaced() -> None:
    async def play(exchange: Exchange, one: Node, other: Node) -> None:
        for key in KEYS:
            one.set(key, 1)
        await asyncio.sleep(1.0)
        exchange.is_lost = lambda sender, node, data: sender == "one"
        one.set("a", None)
        one.set("b", 2)
        one.feed.flush()
        await asyncio.sleep(0)
        exchange.is_lost = lambda sender, node, data: False
        seen = []
        for _ in range(200):
            await asyncio.sleep(0.01)
            seen.append(dict(other.copy.others["one"]))
        assert all(shown.keys() >= set(KEYS[1:]) for shown in seen)
        assert seen[-1] == one.copy.ours

    two(play)


def test_incomplete_full_report_removes_nothing() -> None:
    async def play(exchange: Exchange, one: Node, other: Node) -> None:
        for key in KEYS:
            one.set(key, 1)
        await asyncio.sleep(1.0)
        portions = 0

        def second(sender: str, node: str, data: bytes) -> bool:
            nonlocal portions
            portions += sender == "one" and b"n.all" in data
            return sender == "one" and b"n.all" in data and portions == 2

        exchange.is_lost = second
        other.feed._missed("one")
        for _ in range(300):
            await asyncio.sleep(0.01)
            assert other.copy.others["one"].keys() == set(KEYS)
        assert portions > 4
        assert not other.feed._requests

    two(play)


def test_lost_request_is_repeated() -> None:
    async def play(exchange: Exchange, one: Node, other: Node) -> None:
        exchange.is_lost = lambda sender, node, data: sender == "one" or b"n.want" in data
        one.set("a", 1)
        one.feed.flush()
        await asyncio.sleep(0.01)
        exchange.is_lost = lambda sender, node, data: b"n.want" in data
        await asyncio.sleep(HEARTBEAT_S + 2 * RETRY_INTERVAL_S)
        assert not other.copy.others["one"]
        exchange.is_lost = lambda sender, node, data: False
        await asyncio.sleep(RETRY_INTERVAL_S * 1.1)
        assert other.copy.others["one"] == {"a": 1}

    two(play)


def test_request_of_unknown_node_is_answered_later() -> None:
    async def play() -> None:
        exchange, registry = Exchange(), Registry()
        one, other = (Node(name, exchange, registry, SEPARATE) for name in NODES[:2])
        await one.start()
        await other.start()
        registry.alive.discard("two")  # a read of the database that began before
        await asyncio.sleep(BATCH_INTERVAL_S * 3)
        one.set("a", 1)
        registry.alive.add("two")
        await asyncio.sleep(2.0)
        assert other.copy.others["one"] == {"a": 1}
        await one.die()
        await other.die()

    run(play())


def test_single_node_records_no_changes() -> None:
    async def play() -> None:
        node = Node("one", Exchange(), Registry(), SEPARATE)
        await node.start()
        node.set("a", 1)
        assert not node.feed.is_pending("a")
        await node.die()

    run(play())
