"""Board outbox: decisions of a simul are applied to its boards in order and once, before the answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core import commands as g
from lobby.errors import Unavailable
from realtime.games.pending_command import PendingCommand
from realtime.simuls.store import archive
from simul import commands as c
from tests.realtime.simul_harness import House, house, refusal, settled
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.postgres.database import Pool


@pytest.fixture
async def server(pool: Pool, database_url: str) -> AsyncIterator[House]:
    async with house(pool, database_url) as server:
        yield server


async def test_only_the_unwritable_board_waits(server: House, monkeypatch: pytest.MonkeyPatch) -> None:
    actor, _ = await server.start(3)
    host = actor.state.host
    stuck = server.table(actor, 2)
    submit = type(stuck).submit

    def refuse(table: Any, ask: Any) -> None:
        if table is stuck:
            ask.answer(Unavailable("the database is overloaded; try again"))
        else:
            submit(table, ask)

    with monkeypatch.context() as patch:
        patch.setattr("realtime.simuls.live.board_outbox.RETRY_INTERVAL_S", 0.01)
        patch.setattr(type(stuck), "submit", refuse)
        answer = asyncio.create_task(actor.submit(c.End(by=host.id), host, None, "simul.end"))
        await until(lambda: actor.state.score.live == 1)
        assert [board.is_live for board in actor.state.boards] == [False, True, False]
        assert not answer.done()
    # Before the answer the requester gets all events of the request, including the end.
    assert await answer == {}
    assert actor.state.status == "finished"


async def test_answer_waits_for_boards_a_bounded_time(server: House, monkeypatch: pytest.MonkeyPatch) -> None:
    actor, _ = await server.start(2)
    host, stuck = actor.state.host, server.table(actor, 2)

    def refuse(table: Any, ask: Any) -> None:
        ask.answer(Unavailable("the database is overloaded; try again"))

    with monkeypatch.context() as patch:
        patch.setattr("realtime.simuls.live.pending_requests.ANSWER_S", 0.05)
        patch.setattr(type(stuck), "submit", refuse)
        assert await actor.submit(c.End(by=host.id), host, None, "simul.end") == {}
        assert actor.state.score.live == 2
        delayed = asyncio.create_task(actor.submit(c.Arrange(by=host.id, board=1, note="x"), host, None, "simul.edit"))
        assert await delayed == {}


async def test_added_time_in_doubt_is_given_once(server: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time was stored, but its answer was lost: the repetition has the same key."""
    actor, _ = await server.start(1)
    host, table = actor.state.host, server.table(actor, 1)
    submit = type(table).submit
    doubts = iter((True,))

    def doubt(table: Any, ask: Any) -> None:
        if next(doubts, False):
            answer = ask.answer
            lost = Unavailable("the database is not responding; try again")
            ask = msgspec.structs.replace(ask, answer=lambda _: answer(lost))
        submit(table, ask)

    with monkeypatch.context() as patch:
        patch.setattr("realtime.simuls.live.board_outbox.RETRY_INTERVAL_S", 0.01)
        patch.setattr(type(table), "submit", doubt)
        await actor.submit(c.Arrange(by=host.id, board=1, player_extra_s=60), host, None, "simul.edit")
        await settled(actor)
    assert table.game.clock is not None
    assert table.game.clock.left[1] == 660_000
    assert actor.feed.snapshot(None, 0)["boards"][0]["player_extra_s"] == 60


async def test_added_time_beyond_limit_of_game_is_refused(server: House) -> None:
    actor, _ = await server.start(1)
    host, table = actor.state.host, server.table(actor, 1)
    most = table.game.profile.most_gifts
    for s in range(1, most + 1):
        await actor.submit(c.Arrange(by=host.id, board=1, host_extra_s=s), host, f"gift {s}", "simul.edit")
        await settled(actor)
    seq = actor.feed.seq
    assert await refusal(actor, c.Arrange(by=host.id, board=1, host_extra_s=most + 1), host) == "conflict"
    await settled(actor)
    assert table.game.clock is not None
    assert table.game.clock.left[0] == 600_000 + most * 1000
    assert actor.feed.seq == seq
    assert actor.feed.snapshot(None, 0)["boards"][0]["host_extra_s"] == most
    # Asked again, the last that was granted is answered as it was.
    assert (
        await actor.submit(c.Arrange(by=host.id, board=1, host_extra_s=most), host, f"gift {most}", "simul.edit") == {}
    )


async def test_added_time_is_revoked_if_the_game_ended(server: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game ends while the added time is stored: the board is published again without it."""
    actor, _ = await server.start(2)
    host, table = actor.state.host, server.table(actor, 1)
    submit = type(table).submit

    def delayed(table: Any, ask: Any) -> None:
        if isinstance(ask.command, g.GiveTime):
            submit(table, PendingCommand(g.Resign(by="b"), ask.received_ms))
        submit(table, ask)

    with monkeypatch.context() as patch:
        patch.setattr(type(table), "submit", delayed)
        await actor.submit(c.Arrange(by=host.id, board=1, player_extra_s=60), host, None, "simul.edit")
        await settled(actor)
    assert table.game.status == "over"
    assert actor.feed.snapshot(None, 0)["boards"][0].get("player_extra_s", 0) == 0
    kinds = await server.pool.fetch("SELECT kind FROM simul_event WHERE simul = $1 ORDER BY n DESC LIMIT 2", actor.id)
    assert [row["kind"] for row in kinds] == ["gift_taken_back", "arranged"]
    state = await archive.read_state(server.pool, actor.id)
    assert state.boards[0].person.player_extra_s == 0
