"""Cluster membership, and requests that end with an answer, a refusal or a failure."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core.errors import Refusal
from lobby.errors import Conflict, Forbidden
from realtime.cluster.bus import links
from realtime.cluster.bus.bus import Exchange, LocalBus
from realtime.cluster.bus.cluster import Cluster
from realtime.cluster.bus.open_requests import Unreachable
from realtime.postgres.database import create_pool
from tests.realtime.cluster.meeting import end_lease, leased, meeting, member
from tests.realtime.until import until

if TYPE_CHECKING:
    from realtime.postgres.database import Pool


class Number(msgspec.Struct):
    """Something to say."""

    n: int


async def double(sender: str, body: Number) -> Number:
    return Number(2 * body.n)


async def test_each_request_gets_its_own_answer(database_url: str, pool: Pool) -> None:
    async with meeting(database_url, pool, "a", "b", "c") as (a, b, c):
        for one in (b, c):
            one.serve("double", Number, double)
        asked = [a.request(node, "double", Number(n), Number) for n in range(50) for node in ("b", "c")]
        answers = await asyncio.gather(*asked)
        assert [answer.n for answer in answers] == [2 * n for n in range(50) for _ in "bc"]


async def test_messages_and_requests_arrive_in_sending_order(database_url: str, pool: Pool) -> None:
    heard: list[int] = []
    async with meeting(database_url, pool, "a", "b") as (a, b):
        b.subscribe("t", Number, lambda sender, body: heard.append(body.n))

        def take(sender: str, body: Number, answer: Any) -> None:
            heard.append(body.n)
            answer(body)

        b.on_request("q", Number, take)
        a.send("b", "t", Number(0))
        question = asyncio.create_task(a.request("b", "q", Number(1), Number))
        await asyncio.sleep(0)
        a.broadcast("t", Number(2))
        await question
        await until(lambda: len(heard) == 3)
        assert heard == [0, 1, 2]


@pytest.mark.parametrize("error", [Forbidden("not yours"), Conflict("somebody was faster")])
async def test_refusal_keeps_code_and_text(database_url: str, pool: Pool, error: Refusal | Conflict) -> None:
    async def refuse(sender: str, body: Number) -> None:
        raise error

    async with meeting(database_url, pool, "a", "b") as (a, b):
        b.serve("t", Number, refuse)
        with pytest.raises(Refusal) as caught:
            await a.request("b", "t", Number(1), Number)
        assert (caught.value.code, str(caught.value)) == (error.code, str(error))


@pytest.mark.parametrize("topic", ["fails", "is not known", "takes another form"])
async def test_request_that_cannot_be_answered_is_unavailable(database_url: str, pool: Pool, topic: str) -> None:
    async def fail(sender: str, body: Any) -> None:
        raise RuntimeError("a fault")

    class Other(msgspec.Struct):
        needed: str

    async with meeting(database_url, pool, "a", "b") as (a, b):
        b.serve("fails", Number, fail)
        b.serve("takes another form", Other, fail)
        with pytest.raises(Refusal) as caught:
            await a.request("b", topic, Number(1), Number)
        assert caught.value.code == "unavailable"
        b.serve("double", Number, double)
        assert (await a.request("b", "double", Number(1), Number)).n == 2, "the link is as good as before"


async def test_message_before_subscription_counts_as_lost(
    database_url: str, pool: Pool, caplog: pytest.LogCaptureFixture
) -> None:
    async with meeting(database_url, pool, "a", "b") as (a, b):
        lost: list[str] = []
        b.on_gap.append(lost.append)
        a.send("b", "t", Number(1))
        with pytest.raises(Refusal) as caught:
            await a.request("b", "u", Number(1), Number)
        assert caught.value.code == "unavailable"
        assert lost == []
        b.complete()
        assert lost == ["a"]
        assert "knows nothing" not in caplog.text
        a.send("b", "t", Number(1))
        with pytest.raises(Refusal) as caught:
            await a.request("b", "u", Number(1), Number)
        assert lost == ["a"]
        assert "this version of the server knows nothing of t" in caplog.text


async def test_request_ends_at_its_timeout(database_url: str, pool: Pool) -> None:
    async with meeting(database_url, pool, "a", "b") as (a, b):
        b.on_request("t", Number, lambda sender, body, answer: None)
        with pytest.raises(Unreachable):
            await a.request("b", "t", Number(1), Number, timeout_s=0.05)


async def test_request_to_absent_node_fails_at_once(database_url: str, pool: Pool) -> None:
    async with meeting(database_url, pool, "a") as (a,):
        with pytest.raises(Unreachable):
            await a.request("nobody", "t", Number(1), Number)


async def test_requests_to_a_dead_node_fail(database_url: str, pool: Pool) -> None:
    gone, asked, exchange = list[str](), asyncio.Event(), Exchange()
    async with (
        meeting(database_url, pool, "a", exchange=exchange) as (a,),
        leased(database_url, pool, "b") as node,
    ):
        b = Cluster("b", LocalBus(exchange), pool)
        b.on_request("t", Number, lambda sender, body, answer: asked.set())
        await b.start()
        await a.look()
        await until(lambda: a.is_reached("b"))
        a.on_gone.append(gone.append)
        question = asyncio.create_task(a.request("b", "t", Number(1), Number, timeout_s=60))
        await asked.wait()
        await b.close()
        await end_lease(node, pool)
        await a.look()
        with pytest.raises(Unreachable):
            await question
        assert gone == ["b"]
        assert a.is_alone


async def test_failing_membership_listener_does_not_stop_the_others(
    database_url: str, pool: Pool, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(node: str) -> None:
        raise KeyError(node)

    heard: list[str] = []
    exchange = Exchange()
    async with meeting(database_url, pool, "a", exchange=exchange) as (a,):
        a.on_came += [fail, heard.append]
        a.on_gone += [fail, heard.append]
        async with meeting(database_url, pool, "b", exchange=exchange):
            await a.look()
        await a.look()
        assert heard == ["b", "b"]
        assert caplog.text.count("KeyError: 'b'") == 2


async def test_new_node_is_found_and_announced(database_url: str, pool: Pool, caplog: pytest.LogCaptureFixture) -> None:
    came: list[str] = []
    exchange = Exchange()
    async with meeting(database_url, pool, "a", exchange=exchange) as (a,):
        a.on_came.append(came.append)
        assert a.is_alone
        async with meeting(database_url, pool, "b", exchange=exchange) as (b,):
            await a.look()
            assert came == ["b"]
            assert a.others == {"b"}
            await until(lambda: a.is_reached("b") and b.is_reached("a"))
            await pool.execute("UPDATE node SET is_draining = true WHERE id = 'b'")
            await a.look()
            assert a.draining == {"b"}
        await a.look()
        assert a.is_alone
        assert "gone" not in caplog.text, "that it left in good order is no warning"


async def test_gap_is_reported_only_at_its_receiver(database_url: str, pool: Pool) -> None:
    exchange = Exchange()
    async with meeting(database_url, pool, "a", "b", "c", exchange=exchange) as (a, b, c):
        gaps: list[tuple[str, str]] = []
        for one in (a, b, c):
            one.on_gap.append(lambda sender, node=one.node: gaps.append((sender, node)))  # type: ignore[misc]
        exchange.is_lost = lambda sender, node, data: (sender, node) == ("a", "b")
        a.broadcast("t", Number(1))
        await asyncio.sleep(0.01)
        exchange.is_lost = lambda sender, node, data: False
        await until(lambda: bool(gaps))  # the next beat is enough
        assert gaps == [("a", "b")]


async def test_cut_connection_makes_node_unreached(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.cluster.bus.links.SILENT_S", 1.2)
    exchange = Exchange()
    async with meeting(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        exchange.is_lost = lambda sender, node, data: True
        await until(lambda: not a.is_reached("b") and not b.is_reached("a"))
        assert not a.is_alone, "it lives as long as the database says so"
        exchange.is_lost = lambda sender, node, data: False
        await until(lambda: a.is_reached("b") and b.is_reached("a"))


async def test_too_large_request_or_answer_is_refused(database_url: str, pool: Pool) -> None:
    class Long(msgspec.Struct):
        text: str = "x" * 2_000_000

    async def work(sender: str, body: Number) -> Long:
        return Long()

    async with meeting(database_url, pool, "a", "b") as (a, b):
        b.serve("t", Number, work)
        with pytest.raises(Refusal, match="too large"):
            await a.request("b", "t", Long(), Number)
        with pytest.raises(Refusal, match="too large"):
            await a.request("b", "t", Number(1), Long)


async def test_database_outage_keeps_membership(database_url: str, pool: Pool) -> None:
    other = await create_pool(database_url)
    async with meeting(database_url, pool, "b") as (b,), member(database_url, other, "a", LocalBus()) as a:
        assert a.others == {b.node}
        other.terminate()
        await asyncio.sleep(1.2)  # at least one query of its own
        assert a.others == {b.node}


async def test_node_sends_heartbeats_while_database_hangs(database_url: str, pool: Pool) -> None:
    async def look() -> None:
        looking.set()
        await asyncio.Event().wait()

    looking = asyncio.Event()
    async with meeting(database_url, pool, "a", "b") as (a, b):
        a.look = look  # type: ignore[method-assign]
        await looking.wait()
        since_s = asyncio.get_running_loop().time()
        await until(lambda: (b._links._links["a"].heard_at or 0.0) > since_s + links.SILENT_S)
        assert b.is_reached("a")


async def test_late_membership_query_result_is_ignored(database_url: str, pool: Pool) -> None:
    class Slow:
        """The pool, whose first answer is slow."""

        def __init__(self) -> None:
            self.is_read, self.may_answer = asyncio.Event(), asyncio.Event()

        async def fetch(self, query: str) -> Any:
            rows = await pool.fetch(query)
            if not self.is_read.is_set():
                self.is_read.set()
                await self.may_answer.wait()
            return rows

    async with meeting(database_url, pool, "a") as (a,):
        gone: list[str] = []
        a.on_gone.append(gone.append)
        slow = Slow()
        a._pool = slow  # type: ignore[assignment]  # as far as it is asked
        delayed = asyncio.create_task(a.look())
        await slow.is_read.wait()
        async with member(database_url, pool, "c", LocalBus(Exchange())):
            await a.look()
            assert "c" in a.others
            slow.may_answer.set()
            await delayed
            assert "c" in a.others
            assert not gone


async def test_silent_node_without_lease_is_gone(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "SILENT_S", 0.2)
    exchange = Exchange()
    async with meeting(database_url, pool, "a", exchange=exchange) as (a,):
        gone: list[str] = []
        heard: list[int] = []
        a.on_gone.append(gone.append)
        a.subscribe("t", Number, lambda sender, body: heard.append(body.n))
        bus = LocalBus(exchange)
        ghost = links.Links("ghost", bus)
        await bus.open("ghost", ghost.receive)
        ghost.send("a", links.MESSAGE, 0, "t", msgspec.msgpack.encode(Number(7)))
        await until(lambda: heard == [7])
        assert a.others == frozenset()
        await until(lambda: gone == ["ghost"])
        await a.look()
        assert gone == ["ghost"]
        assert not a._links.silent()
