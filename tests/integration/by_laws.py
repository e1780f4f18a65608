"""Two guests with a game by the Laws as played over a board."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from tests.integration.match import Match
from tests.wire_client import Client, Message, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

BLITZ = {"base_s": 300, "inc_s": 3}
RAPID = {"base_s": 1200}

UNSUPERVISED = {"supervised": False}

SEATED = 2
"""Events before the first move: both players have come."""


class LawsMatch(Match):
    """A game whose moves are made and then completed by the clock."""

    async def make(self, move: str, **fields: Any) -> Message:
        """Make a move of the side to move, without the clock."""
        return await self.mover.request("move", g=self.g, move=move, ply=len(self.played), **fields)

    async def press(self, **fields: Any) -> Message:
        """Press the clock of the side to move."""
        return await self.mover.request("press", g=self.g, ply=len(self.played), **fields)

    async def play(self, *moves: str, **fields: Any) -> Message:
        """Make and complete ``moves`` in turn; return the last answer."""
        answer: Message = {}
        for move in moves:
            await self.make(move, **fields)
            answer = await self.press()
            self.played.append(move)
        return answer

    async def claim(self) -> Message:
        """Claim, as the side to move, that the last move was illegal."""
        return await self.mover.request("claim", g=self.g, what="illegal_move")

    async def told(self, kind: str, number: int = 1) -> Message:
        """Return the event of ``kind``, counted from 1, once both players have it."""

        def is_it(message: Message) -> bool:
            return message["t"] == kind and message.get("g") == self.g

        async def of(player: Client) -> Message:
            found, after = {}, 0
            for _ in range(number):
                found = await player.wait(is_it, after)
                after = player.messages.index(found) + 1
            return found

        event = await of(self.white)
        assert (await of(self.black))["seq"] == event["seq"]
        return event


@contextlib.asynccontextmanager
async def by_laws(url: str, *moves: str, **terms: Any) -> AsyncIterator[LawsMatch]:
    """Begin a game by the Laws between two new guests, who are both at the board, and play ``moves``."""
    async with Client(url, guest(url)[0]) as white, Client(url, guest(url)[0], "json") as black:
        g = await agree(white, black, **terms)
        shown = [await player.sub(g, ticks=False, laws=True) for player in (white, black)]
        match = LawsMatch(g, white, black, shown[0]["turn"])
        await match.heard(SEATED)
        await match.play(*moves)
        yield match


async def agree(white: Client, black: Client, **terms: Any) -> str:
    """Start a game by challenge between clients that know the Laws; return its id."""
    fields = {"tc": BLITZ, "color": "w", "rules": "fide", "laws": {}, **terms}
    challenge = await white.request("challenge", **fields)
    g: str = (await black.request("challenge.accept", challenge=challenge["challenge"], laws=True))["g"]
    return g
