"""Robots beside a server of tests: in this process with moves that cost nothing, or in one of their own."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from lobby.robots.robot_accounts import robot_tokens
from realtime.commands.service_token import read_service_token
from robots.process import LeasedRobots, RobotsOptions
from tests.robots.stub_moves import StubMoves

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.wire_client import Client, Message


@contextlib.asynccontextmanager
async def robots(url: str, token_file: Path) -> AsyncIterator[StubMoves]:
    """Play for the robots of the server at ``url``. At the end they leave as after SIGTERM."""
    moves = StubMoves()
    task = asyncio.create_task(run(url, token_file, moves), name="robots")
    yield moves
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def run(url: str, token_file: Path, moves: StubMoves) -> None:
    def tokens() -> dict[int, str]:
        return robot_tokens(read_service_token(token_file))

    await LeasedRobots(RobotsOptions(url=url, tokens=tokens, tempo=0.0), moves).run()


async def told(client: Client, *, present: bool) -> Message:
    """Wait until the lobby, to which ``client`` listens, says that robots are there, or are not."""
    return await client.wait(
        lambda m: m["t"] in ("lobby", "lobby.robots") and (m["robots"] is not None) == present,
        max(0, len(client.messages) - 1),
    )
