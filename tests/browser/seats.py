"""People with the pages of games that are under way."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

TEN_MINUTES = {"base_s": 600, "inc_s": 5}
TO_AND_FRO = ("g1f3", "g8f6", "f3g1", "f6g8")
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


class Seat:
    """A guest with a socket to the server, in addition to their page."""

    def __init__(self, token: str, user: dict[str, Any], client: Client) -> None:
        self.token = token
        self.user = user
        self.client = client

    async def sit(self, person: Person, path: str) -> None:
        """Make ``person`` this guest and open ``path``."""
        await person.context.add_cookies([{"name": "zeitnot", "value": self.token, "url": person.home}])
        await person.open(path)


async def seat(server: ServerProcess) -> Seat:
    token, user = await asyncio.to_thread(guest, server.url)
    return Seat(token, user, Client(server.url, token))


async def alone(server: ServerProcess, person: Person, moves: tuple[str, ...] = (), **terms: Any) -> None:
    """Open a game of ``person`` against themselves in which ``moves`` are made."""
    one = await seat(server)
    async with one.client as client:
        g = (await client.request("challenge", to="self", **{"tc": None, **terms}))["g"]
        await played(g, moves, client, client)
    await one.sit(person, f"/game/{g}")
    await person.sees_plies(len(moves))


async def together(
    server: ServerProcess, white: Person, black: Person, moves: tuple[str, ...] = (), **terms: Any
) -> str:
    """Open a game of two people in which ``moves`` are made; return its path."""
    first, second = await seat(server), await seat(server)
    async with first.client, second.client:
        challenge = await first.client.request("challenge", **{"tc": TEN_MINUTES, "color": "w", **terms})
        await second.client.request("challenge.accept", challenge=challenge["challenge"], laws=True)
        g = (await first.client.wait(lambda m: m["t"] == "paired"))["g"]
        await played(g, moves, first.client, second.client)
    await asyncio.gather(first.sit(white, f"/game/{g}"), second.sit(black, f"/game/{g}"))
    for person in (white, black):
        await person.sees_plies(len(moves))
    return f"/game/{g}"


async def played(g: str, moves: tuple[str, ...], white: Client, black: Client) -> None:
    for ply, move in enumerate(moves):
        await (white, black)[ply % 2].request("move", g=g, move=move, ply=ply)


async def middle(person: Person, square: str) -> tuple[float, float]:
    """Return the middle of ``square`` on the person's screen."""
    board = person.see("board")
    box = await board.locator("cg-board").bounding_box()
    assert box is not None
    column, row = ord(square[0]) - 97, 8 - int(square[1])
    if await board.get_attribute("data-bottom") == "b":
        column, row = 7 - column, 7 - row
    side = box["width"] / 8
    return box["x"] + (column + 0.5) * side, box["y"] + (row + 0.5) * side
