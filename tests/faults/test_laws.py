"""``kill -9`` of the server in the middle of a move by the Laws: everything is where it was."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.by_laws import BLITZ, UNSUPERVISED, LawsMatch, agree
from tests.integration.match import snapshot
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.server_process import ServerProcess


class Table:
    """Two people who come back to their game after each crash."""

    def __init__(self, server: ServerProcess, **terms: Any) -> None:
        self._server = server
        self._tokens = [guest(server.url)[0] for _ in range(2)]
        self._terms = {"tc": BLITZ, **terms}
        self._game: str | None = None
        self.played: list[str] = []

    @contextlib.asynccontextmanager
    async def seated(self) -> AsyncIterator[LawsMatch]:
        """Play for a while; then the server is killed, and started again."""
        url, (one, two) = self._server.url, self._tokens
        async with Client(url, one) as white, Client(url, two, "json") as black:
            if self._game is None:
                self._game = await agree(white, black, **self._terms)
            for player in (white, black):
                await player.sub(self._game, ticks=False, laws=True)
            match = LawsMatch(self._game, white, black)
            match.played = self.played
            yield match
        before = self.shown()
        self._server.kill9()
        await asyncio.to_thread(self._server.start)
        assert self.shown() == before

    def shown(self) -> dict[str, Any]:
        """Return what must not change. Blocking."""
        assert self._game is not None
        shown = snapshot(self._server.url, self._game)
        return {name: shown[name] for name in ("seq", "moves", "position", "turn", "offers", "laws", "status")}


async def test_made_move_is_completed_after_a_kill(server: ServerProcess) -> None:
    table = Table(server)
    async with table.seated() as m:
        await m.white.request("touch", g=m.g, square="e2")
    async with table.seated() as m:
        assert await m.white.refused("move", g=m.g, move="d2d4", ply=0) == "conflict"
        await m.make("e2e4", draw=True)
    async with table.seated() as m:
        await m.press()
        m.played.append("e2e4")
        await m.make("e7e4")
    async with table.seated() as m:
        await m.press(key="p")
    async with table.seated() as m:
        await m.press(key="p")
        assert m.snapshot()["laws"]["illegal"] == {"w": 0, "b": 1}
        await m.play("e7e5")


async def test_illegal_move_is_claimed_after_a_kill(server: ServerProcess) -> None:
    table = Table(server, laws=UNSUPERVISED)
    async with table.seated() as m:
        await m.play("e2e5")
    async with table.seated() as m:
        await m.claim()
        assert (await m.told("end"))["reason"] == "illegal_move"


async def test_illegal_move_that_stands_is_there_after_a_kill(server: ServerProcess) -> None:
    table = Table(server, laws=UNSUPERVISED)
    async with table.seated() as m:
        await m.play("e2e5", "d7d5")
    async with table.seated() as m:
        await m.play("e5d6")  # en passant
        assert m.snapshot()["position"].startswith("rnbqkbnr/ppp1pppp/3P4/8/8/")


@pytest.mark.parametrize("move", [None, "e7e5"])
async def test_repeated_wrong_claim_is_answered_again_after_a_kill(server: ServerProcess, move: str | None) -> None:
    table = Table(server)
    async with table.seated() as m:
        await m.play("e2e4")
        assert await m.black.refused("draw", g=m.g, do="claim", move=move, key="c") == "conflict"
    async with table.seated() as m:
        assert await m.black.refused("draw", g=m.g, do="claim", move=move, key="c") == "conflict"
        assert "ruling" not in {event["t"] for event in m.black.events(m.g)}
