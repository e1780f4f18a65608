"""Time of players at other nodes: transport costs them nothing, and no flag falls for it.

Each node has its own clock, independent of the other's.
"""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import pytest

from game_core.time_control import parse_time_control
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.games import replica_nodes
from tests.realtime.cluster.fleet import Member, Socket, fleet, tick
from tests.realtime.fake_time import FakeTime
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from realtime.postgres.database import Pool

MINUTE = parse_time_control({"base_s": 60, "inc_s": 0})


class Play:
    """White is at ``a``, where the game is, Black at ``b``; it is Black's turn, both have moved."""

    def __init__(self, a: Member, b: Member, a_time: FakeTime, b_time: FakeTime, exchange: Exchange) -> None:
        self.a = a
        self.b = b
        self.a_time = a_time
        self.b_time = b_time
        self.exchange = exchange
        self.game = ""

    async def begin(self) -> None:
        new = await self.a.new_game(MINUTE)
        self.game = new.id
        self.white, self.black = Socket(self.a, new.white), Socket(self.b, new.black)
        await self.white.sub(new.id)
        await self.black.sub(new.id)
        for ply, move in enumerate(("e2e4", "e7e5", "g1f3")):
            await (self.white, self.black)[ply % 2].ask("move", g=new.id, ply=ply, move=move)
        await until(lambda: self.black.seqs() == [1, 2, 3])

    def black_has_ms(self) -> int:
        """Return Black's remaining time at the owner."""
        clock = self.a.table(self.game).game.clock
        assert clock is not None
        return clock.left_ms("b", self.a_time.now_ms())

    def on_timer(self) -> None:
        """The owner's timer wakes up, which does not know that its time was turned."""
        self.a.timers._wake()

    async def move(self) -> dict[str, object]:
        return await self.black.ask("move", g=self.game, ply=3, move="b8c6")


@asynccontextmanager
async def play(url: str, pool: Pool) -> AsyncIterator[Play]:
    exchange, a_time, b_time = Exchange(), FakeTime(5_000_000), FakeTime(1_000)
    async with fleet(url, pool, "a", "b", exchange=exchange, times={"a": a_time, "b": b_time}) as (a, b):
        one = Play(a, b, a_time, b_time, exchange)
        await one.begin()
        yield one


async def test_transport_between_nodes_is_not_charged(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        one.b_time.advance(5_000)
        one.a_time.advance(5_400)
        assert (await one.move())["t"] == "ok"
        assert one.black_has_ms() == 55_000


async def test_charge_never_exceeds_elapsed_time(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        one.b_time.advance(9_000)
        one.a_time.advance(5_000)  # the owner was suspended for a while, which is not charged
        await one.move()
        assert one.black_has_ms() == 55_000


async def test_elapsed_time_survives_change_of_node(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        one.b_time.advance(20_000)
        one.a_time.advance(20_000)
        one.b.tables.evict(one.b.table(one.game))
        one.black.leave()
        one.black = Socket(one.b, one.black.user)
        await one.black.sub(one.game)
        one.b_time.advance(1_000)
        one.a_time.advance(1_000)
        await one.move()
        assert one.black_has_ms() == 39_000


async def test_move_made_in_time_precedes_the_flag(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        one.b_time.advance(59_900)
        one.a_time.advance(60_500)
        number = one.black.request("move", g=one.game, ply=3, move="b8c6")
        one.on_timer()  # the move is on its way
        await until(lambda: any(body.get("id") == number for body in one.black.heard))
        assert one.a.table(one.game).game.ply == 4
        assert one.black_has_ms() == 100


async def test_flag_falls_if_no_move_is_in_transit(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        one.b_time.advance(61_000)
        one.a_time.advance(61_000)
        one.on_timer()
        await until(lambda: "end" in one.black.kinds())
        assert one.a.table(one.game).game.reason == "timeout"


async def test_no_flag_falls_while_node_of_player_is_unreached(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica_nodes, "BARRIER_S", 0.01)
    async with play(database_url, pool) as one:
        monkeypatch.setattr(one.a.cluster, "is_reached", lambda node: node == "a")
        one.exchange.is_lost = lambda sender, node, data: True
        one.a_time.advance(61_000)
        one.on_timer()
        await until(lambda: one.a.table(one.game).is_held)
        assert "hold" in one.white.kinds()
        monkeypatch.undo()
        one.exchange.is_lost = lambda sender, node, data: False
        one.b.table(one.game).source.attach()  # type: ignore[union-attr]  # as after a gap
        await until(lambda: not one.a.table(one.game).is_held)
        assert one.a.table(one.game).game.status == "live"


async def test_clocks_are_held_while_the_bus_is_down(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with play(database_url, pool) as one:
        one.a_time.advance(2_000)
        with monkeypatch.context() as down:
            down.setattr(one.a.cluster, "is_reached", lambda node: node == "a")
            down.setattr(type(one.a.cluster), "is_up", False)
            one.a.games.owned.look()
            one.a_time.advance(1_000)
            one.a.games.owned.look()
        one.a_time.advance(20_000)
        assert one.black_has_ms() == 58_000
        one.a.games.owned.look()  # it is reached again
        await until(lambda: not one.a.table(one.game).is_held)
        assert one.black_has_ms() == 58_000


async def test_hold_for_unreached_node_is_bounded(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with play(database_url, pool) as one:
        monkeypatch.setattr(one.a.cluster, "is_reached", lambda node: node == "a")
        monkeypatch.setattr(type(one.a.cluster), "is_up", False)
        one.a.games.owned.look()
        one.a_time.advance(1_000)
        one.a.games.owned.look()
        assert one.a.table(one.game).is_held
        one.a_time.advance(30_000)
        one.on_timer()
        await until(lambda: not one.a.table(one.game).is_held)
        one.a.games.owned.look()
        assert not one.a.table(one.game).is_held


async def test_hold_ends_when_player_connects_to_owner(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with play(database_url, pool) as one:
        with monkeypatch.context() as down:
            down.setattr(one.a.cluster, "is_reached", lambda node: node == "a")
            down.setattr(type(one.a.cluster), "is_up", False)
            one.a.games.owned.look()
            one.a_time.advance(1_000)
            one.a.games.owned.look()
            assert one.a.table(one.game).is_held
            again = Socket(one.a, one.black.user)
            await again.sub(one.game)
            await until(lambda: not one.a.table(one.game).is_held)


async def test_release_of_game_keeps_elapsed_time(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        one.b_time.advance(7_000)
        one.a_time.advance(7_000)
        await pool.execute("UPDATE event SET at = at - interval '7 s' WHERE game = $1", one.game)
        await one.a.games.release_all()
        await until(lambda: one.b.table(one.game).epoch is not None)
        await until(lambda: not one.b.table(one.game).is_held)
        clock = one.b.table(one.game).game.clock
        assert clock is not None
        assert 50_000 < clock.left_ms("b", one.b_time.now_ms()) <= 53_000


async def test_player_sent_to_another_node_is_not_charged(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        await one.b.games.release_all()
        one.black.leave()
        await until(lambda: one.a.table(one.game).is_held)
        one.a_time.advance(4_000)
        again = Socket(one.a, one.black.user)
        await again.sub(one.game)
        await until(lambda: not one.a.table(one.game).is_held)
        assert one.black_has_ms() == 60_000


@contextmanager
def cut(one: Play) -> Iterator[None]:
    """Neither node reaches the other; each knows."""
    with pytest.MonkeyPatch.context() as down:
        for node in (one.a, one.b):
            down.setattr(node.cluster, "is_reached", lambda other: False)
        down.setattr(type(one.a.cluster), "is_up", False)
        one.a.games.owned.look()
        yield
    one.a.games.owned.look()


def shown_to_black(one: Play) -> str | None:
    """Return why Black's clock is held, as shown to them; None: it runs."""
    clock = one.b.table(one.game).game.clock
    assert clock is not None
    assert clock.run == "b"
    heard = [body for body in one.black.heard if body["t"] in ("game", "hold", "tick", "clock", "move")]
    told: str | None = heard[-1]["why"] if heard[-1]["t"] == "hold" else heard[-1]["clock"].get("held")
    assert told == clock.held
    return told


async def test_player_at_cut_off_node_sees_clock_held(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        with cut(one):
            one.a_time.advance(1_000)
            one.b_time.advance(1_000)
            one.a.games.owned.look()
            tick(one.b)
            assert shown_to_black(one) is None
            tick(one.b)
            assert shown_to_black(one) == "restart"
            one.b_time.advance(9_000)
            one.a_time.advance(9_000)
            tick(one.b)
            assert one.black.kinds().count("hold") == 1
        await until(lambda: one.black.heard[-1]["t"] == "clock")
        assert one.black.heard[-1]["why"] == "resumed"
        assert shown_to_black(one) is None
        assert one.black_has_ms() == 60_000


async def test_player_sees_clock_run_if_owner_never_held_it(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        with cut(one):
            tick(one.b)
            tick(one.b)
            assert shown_to_black(one) == "restart"
        one.a_time.advance(2_000)
        tick(one.b)
        await until(lambda: shown_to_black(one) is None)
        assert one.black.heard[-1]["t"] == "tick"
        assert one.black.heard[-1]["clock"]["b"] == 58_000


async def test_player_sees_clock_run_after_hold_limit(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        with cut(one):
            for _ in range(31):
                tick(one.b)
                shown = shown_to_black(one)
            assert shown == "restart"
            tick(one.b)
            assert shown_to_black(one) is None
            one.b_time.advance(3_000)
            tick(one.b)
            assert shown_to_black(one) is None
            assert one.black.kinds().count("hold") == 1


async def test_player_sees_clock_held_at_once_after_owner_silence(database_url: str, pool: Pool) -> None:
    """The time shown is that at the start of the silence, as the owner will report it."""
    async with play(database_url, pool) as one:
        with pytest.MonkeyPatch.context() as down:
            down.setattr(one.b.cluster, "is_reached", lambda other: False)
            one.b_time.advance(10_000)
            tick(one.b)
            assert shown_to_black(one) == "restart"
            clock = one.b.table(one.game).game.clock
            assert clock is not None
            assert clock.left_ms("b", one.b_time.now_ms()) == 53_000


async def test_waiting_player_sees_clock_of_opponent_run(database_url: str, pool: Pool) -> None:
    async with play(database_url, pool) as one:
        await one.move()
        with cut(one):
            for _ in range(3):
                tick(one.b)
            assert "hold" not in one.black.kinds()
