"""Two guests with a game."""

from __future__ import annotations

import contextlib
import json
import time
import urllib.request
from typing import TYPE_CHECKING, Any

from tests.realtime.until import PAUSE_S
from tests.server_process import is_several
from tests.wire_client import WAIT_S, Client, Message, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

BLITZ = {"base_s": 300, "inc_s": 3}


class Match:
    """A game with both players subscribed to it.

    Attributes:
        g: id of the game.
        first: the player who begins.
        played: the moves so far, as sent by this object.
    """

    def __init__(self, g: str, white: Client, black: Client, first: str = "w") -> None:
        self.g = g
        self.first = first
        self.white = white
        self.black = black
        self.played: list[str] = []

    @property
    def topic(self) -> str:
        """Return the topic for ``sub``."""
        return f"game:{self.g}"

    @property
    def mover(self) -> Client:
        """Return the player to move."""
        return self.white if (len(self.played) % 2 == 0) == (self.first == "w") else self.black

    @property
    def waiter(self) -> Client:
        """Return the player who is not to move."""
        return self.black if self.mover is self.white else self.white

    async def play(self, *moves: str, **fields: Any) -> Message:
        """Play ``moves`` in turn, each answered before the next; return the last answer."""
        answer: Message = {}
        for move in moves:
            answer = await self.mover.request("move", g=self.g, move=move, ply=len(self.played), **fields)
            self.played.append(move)
        return answer

    async def heard(self, seq: int) -> Message:
        """Return event number ``seq``, once both players have it."""
        event = await self.white.event(self.g, seq)
        assert without_time(await self.black.event(self.g, seq)) == without_time(event)
        return event

    def snapshot(self, viewer: Client | None = None) -> Message:
        """Return the game as HTTP shows it to ``viewer``, with all that its players have received. Blocking."""
        told = [event["seq"] for player in (self.white, self.black) for event in player.events(self.g)]
        return snapshot(self.white.url, self.g, viewer, max(told, default=0))


@contextlib.asynccontextmanager
async def match(url: str, *moves: str, codec: str = "msgpack", **terms: Any) -> AsyncIterator[Match]:
    """Begin a game between two new guests and play ``moves``; ``terms`` as in ``challenge``."""
    async with Client(url, guest(url)[0], codec) as white, Client(url, guest(url)[0], codec) as black:
        g = await begin(white, black, **terms)
        shown = [await player.sub(g, ticks=False) for player in (white, black)]
        match = Match(g, white, black, shown[0]["turn"])
        await match.play(*moves)
        yield match


async def begin(white: Client, black: Client, **terms: Any) -> str:
    """Start a game by challenge; return its id."""
    challenge = await white.request("challenge", **{"tc": BLITZ, "color": "w", **terms})
    g: str = (await black.request("challenge.accept", challenge=challenge["challenge"]))["g"]
    return g


def snapshot(url: str, g: str, viewer: Client | None = None, seq: int = 0) -> Message:
    """Return a game as HTTP shows it. Blocking.

    ``seq``: number of the last event that a client has received. A single node shows it at once, each of several nodes
    soon.
    """
    headers = {} if viewer is None or viewer.token is None else {"Authorization": f"Bearer {viewer.token}"}
    request = urllib.request.Request(f"{url}/api/v1/games/{g}", headers=headers)
    while True:
        with urllib.request.urlopen(request, timeout=WAIT_S) as response:
            body: Message = json.load(response)
        if body["seq"] >= seq or not is_several(url):
            return body
        time.sleep(PAUSE_S)


def without_time(message: Message) -> Message:
    """Return ``message`` without its clock, which differs at each reading."""
    return {name: value for name, value in message.items() if name != "clock"}
