"""Mating chances over sockets: dead positions, and flag falls against a side that cannot mate.

Every answer here needs a search; what the rules tell at once is tested where the rules are.
"""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

import pytest

from tests.integration.match import match
from tests.processes import descendants
from tests.realtime.until import until

if TYPE_CHECKING:
    import psutil

    from tests.integration.match import Match
    from tests.server_process import ServerProcess
    from tests.wire_client import Message

EMBEDDED = True

SECOND = {"base_s": 1, "inc_s": 0}

DEAD_BY_A_MOVE = [
    ("8/1p6/kPp5/1pP3p1/2P3Pb/1P4p1/6P1/7K b - - 0 1", "b5b4"),
    ("k1b5/1p1p4/3P4/1PK5/8/8/8/8 w - - 0 1", "b5b6"),
    ("8/8/5p2/2p1p3/2PbPPkb/2pBp1p1/2P1P1P1/5BRK w - - 0 1", "f4f5"),
    ("8/8/p7/P7/KP6/1R6/1R6/k7 w - - 0 1", "b4b5"),
]

BLACK_CANNOT_WIN = "K1k3b1/P1Pp1p2/3P1Pp1/6P1/8/8/1P6/8 w - - 0 1"
"""Nor after b2-b3 Bg8-h7, although Black has a bishop and pawns."""

MOVES = ("b2b3", "g8h7")


async def play_on(m: Match, *moves: str) -> None:
    """Play ``moves``, whoever begins."""
    for move in moves:
        game = await asyncio.to_thread(m.snapshot)
        mover = m.white if game["turn"] == "w" else m.black
        await mover.request("move", g=m.g, move=move, ply=len(m.played))
        m.played.append(move)


async def end_of(m: Match, seq: int) -> Message:
    """Event number ``seq``, the game's end, which both players hear."""
    event = await m.heard(seq)
    assert event["t"] == "end", event
    return event


def workers(server: ServerProcess) -> list[psutil.Process]:
    """The processes that find out who can win."""
    return descendants(server.pid, lambda process: "realtime.games.chances.solver_worker" in process.cmdline())


@pytest.mark.parametrize(("fen", "move"), DEAD_BY_A_MOVE)
async def test_dead_position_ends_the_game(url: str, fen: str, move: str) -> None:
    async with match(url, fen=fen) as m:
        await play_on(m, move)
        event = await end_of(m, 2)
        assert (event["result"], event["reason"]) == ("1/2-1/2", "dead_position")


async def test_flag_fall_is_a_draw_when_opponent_cannot_mate(url: str) -> None:
    async with match(url, fen=BLACK_CANNOT_WIN, tc=SECOND) as m:
        await play_on(m, *MOVES)
        event = await end_of(m, 3)
        assert (event["result"], event["reason"]) == ("1/2-1/2", "timeout_draw")


async def test_flag_fall_loses_when_opponent_can_mate(url: str) -> None:
    async with match(url, "e2e4", "e7e5", tc=SECOND) as m:
        event = await end_of(m, 3)
        assert (event["result"], event["reason"]) == ("0-1", "timeout")


async def test_killed_solver_process_is_replaced(url: str, server: ServerProcess) -> None:
    async with match(url, "e2e4", "e7e5", tc=SECOND) as m:
        await end_of(m, 3)
    for worker in workers(server):
        worker.kill()
    async with match(url, fen=BLACK_CANNOT_WIN, tc=SECOND) as m:
        await play_on(m, "b2b4", "g8h7")
        assert (await end_of(m, 3))["reason"] == "timeout_draw"


async def test_hung_solver_process_delays_no_flag_fall(url: str, server: ServerProcess) -> None:
    """Mating chances stay unknown, so the flag fall counts as a win: the game does not wait forever."""
    async with match(url, "d2d4", "d7d5", tc=SECOND) as m:
        await end_of(m, 3)
    stopped = workers(server)
    assert stopped
    for worker in stopped:
        worker.send_signal(signal.SIGSTOP)
    try:
        async with match(url, "g1f3", "g8f6", tc=SECOND) as m:
            assert (await end_of(m, 3))["reason"] == "timeout"
    finally:
        for worker in stopped:
            worker.kill()


async def test_server_killed_during_a_search_repeats_it_after_restart(server: ServerProcess) -> None:
    fen, move = DEAD_BY_A_MOVE[0]
    async with match(server.url, fen=DEAD_BY_A_MOVE[2][0]) as m:
        await play_on(m, DEAD_BY_A_MOVE[2][1])
        await end_of(m, 2)
    for worker in workers(server):
        worker.send_signal(signal.SIGSTOP)
    stopped = workers(server)
    async with match(server.url, fen=fen.replace("7K b", "6K1 b")) as m:
        await play_on(m, move)
        server.kill9()
        for worker in stopped:
            worker.kill()
        await asyncio.to_thread(server.start)

        async def is_over() -> bool:
            game = await asyncio.to_thread(m.snapshot)
            return bool(game["status"] == "over")

        await until(is_over)
        game = await asyncio.to_thread(m.snapshot)
        assert (game["result"], game["reason"]) == ("1/2-1/2", "dead_position")
