"""A simul on two servers, played across both."""

from __future__ import annotations

import asyncio
import contextlib
import urllib.error
from typing import TYPE_CHECKING, Any

from tests.integration.running_simul import ANNOUNCED, RunningSimul, listen
from tests.realtime.until import until
from tests.wire_client import Client, Message, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Sequence

    from tests.server_process import ServerProcess

MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")


@contextlib.asynccontextmanager
async def evening(
    first: ServerProcess, second: ServerProcess, players_at: Sequence[int] = (1, 0), *, host_at: int = 1, **terms: Any
) -> AsyncIterator[RunningSimul]:
    """The simul is led by the first server; its host and one player are at the second, the other at the first."""
    home = (first, second)[host_at]
    async with contextlib.AsyncExitStack() as stack:
        token, _ = guest(first.url)
        async with Client(first.url, token) as maker:
            simul = (await maker.request("simul.create", **{**ANNOUNCED, **terms}))["simul"]
        host = await stack.enter_async_context(Client(home.url, token))
        players = [
            await stack.enter_async_context(Client(server.url, guest(server.url)[0]))
            for server in ((first, second)[at] for at in players_at)
        ]
        party = RunningSimul(home.url, simul, host, players)
        for socket in (host, *players):
            await heard(socket, simul)
        for socket in players:
            await party.ask("join", socket)
        await party.start()
        yield party


async def heard(socket: Client, simul: str, **fields: Any) -> None:
    """Subscribe, as soon as the two servers reach each other."""
    while True:
        try:
            await listen(socket, simul, **fields)
        except Refusal as error:
            if error.code != "unavailable":
                raise
        else:
            return


def numbers(socket: Client, simul: str) -> list[int]:
    """Numbers of what was heard since the last snapshot, with its own."""
    found: list[int] = []
    for message in socket.messages:
        if message.get("simul") == simul and message["t"].startswith("simul") and "seq" in message:
            found = [message["seq"]] if message["t"] == "simul" else [*found, message["seq"]]
    return found


async def sees(party: RunningSimul, socket: Client, board: int, ply: int) -> None:
    """Wait until ``socket`` has been told of half-move ``ply`` at ``board``: by an event, or by a snapshot."""

    def tells(message: Message) -> bool:
        if message.get("simul") != party.id:
            return False
        boards = message["boards"] if message["t"] == "simul" else [message] if message["t"] == "simul.board" else []
        return any(one["board"] == board and one.get("ply") == ply for one in boards)

    await socket.wait(tells)


async def has_all(party: RunningSimul, *sockets: Client) -> None:
    """Wait until each socket is told the end of the simul, and assert that it got all events in order."""
    for socket in sockets:
        await party.event("finished", socket)
        assert_no_gap(party, socket)


def assert_no_gap(party: RunningSimul, socket: Client) -> None:
    told = numbers(socket, party.id)
    assert told == list(range(told[0], told[0] + len(told)))


async def insist(party: RunningSimul, board: int, ply: int, who: Client | None = None) -> None:
    """Make a move, with a key: asked for again and again while the game is on its way to another server.

    Args:
        who: the host or the player by default.
    """
    mover = who or (party.host if ply % 2 == 0 else party.player(board))
    while True:
        try:
            await mover.request("move", g=party.boards[board], move=MOVES[ply], ply=ply, key=f"{board}-{ply}")
        except Refusal as error:
            if error.code != "unavailable":
                raise
        else:
            return


async def led_anew(party: RunningSimul, before: Message) -> Message:
    """How it stands as soon as the second server leads it, whose numbers begin with the time of that."""

    def shown() -> Message | None:
        try:
            found = party.shown()
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
            return None
        return found if found["seq"] > before["seq"] else None

    while True:
        found = await asyncio.to_thread(shown)
        if found is not None:
            return found
        await asyncio.sleep(0.1)


def insisting(party: RunningSimul, kind: str, who: Client | None = None, **fields: Any) -> Awaitable[None]:
    """A request with a key, asked for until it is done: the simul changes hands."""

    async def ask() -> bool:
        try:
            await party.ask(kind, who, key=f"{kind}-{len(fields)}", **fields)
        except Refusal as error:
            if error.code != "unavailable":
                raise
            return False
        return True

    return until(ask)
