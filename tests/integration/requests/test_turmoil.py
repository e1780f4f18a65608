"""Random requests of many clients at once. Every client's history equals the stored one."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.match import begin, snapshot
from tests.wire_client import Client, Message, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server_process import ServerProcess

TC = {"base_s": 600, "inc_s": 0}
PEOPLE = 4
GAMES = 6
ROUNDS = 40
AT_ONCE = 4
"""Requests that each socket has under way at a time."""

MAY_GET = {"conflict", "illegal_move", "not_your_turn", "stale_ply", "game_over", "forbidden"}
"""Refusals of well-formed requests about a game that is there; ``unavailable`` would be a fault."""


def fields_of(kind: str, chance: random.Random, moves: Callable[[], tuple[int, str]]) -> Message:
    """Some request of type ``kind``; often one that is right."""
    match kind:
        case "move":
            ply, move = moves()
            return {"ply": ply, "move": move, "draw": chance.random() < 0.1}
        case "draw":
            do = chance.choice(("offer", "decline", "decline", "claim", "accept"))
            return {"do": do, **({"move": moves()[1]} if do == "claim" and chance.random() < 0.5 else {})}
        case "takeback" | "rematch":
            return {"do": chance.choice(("offer", "accept", "decline"))}
        case "moretime":
            return {"seconds": chance.randint(1, 60)}
        case "claim":
            return {"what": chance.choice(("win", "draw"))}
        case "pause":
            return {"on": chance.random() < 0.5}
    return {}


KINDS = ["move"] * 40 + ["takeback"] * 6 + ["draw"] * 3 + ["moretime", "flag", "claim", "pause", "abort", "rematch"]
"""How often each is asked for; ``resign`` once in a while, or no game would last."""


class Restless:
    """One socket that asks for one thing after the other in any of the games."""

    def __init__(self, client: Client, games: list[str], chance: random.Random) -> None:
        self._client = client
        self._games = games
        self._chance = chance
        self.codes: set[str] = set()

    async def run(self) -> None:
        for _ in range(ROUNDS):
            await asyncio.gather(*(self._ask() for _ in range(AT_ONCE)))

    async def _ask(self) -> None:
        chance = self._chance
        g = chance.choice(self._games)
        kind = "resign" if chance.random() < 0.004 else chance.choice(KINDS)
        fields = fields_of(kind, chance, lambda: self._some_move(g))
        if chance.random() < 0.2:
            fields["key"] = f"{chance.randint(0, 50)}"
        try:
            await self._client.request(kind, g=g, **fields)
        except Refusal as refusal:
            self.codes.add(refusal.code)

    def _some_move(self, g: str) -> tuple[int, str]:
        """A move that was legal when this player was last told so, and its ply."""
        for message in reversed(self._client.messages):
            if message["t"] == "legal" and message["g"] == g and message["legal"]:
                return message["ply"], self._chance.choice(message["legal"])
        return 0, self._chance.choice(("e2e4", "d2d4", "g1f3", "b1c3", "e7e5"))


def told(client: Client, g: str) -> dict[str, Any]:
    """The game as ``client`` has heard of it, event by event."""
    moves: list[str] = []
    status = {"result": "*", "reason": None, "next": None}
    events = client.events(g)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    for event in events:
        match event["t"]:
            case "move":
                assert event["ply"] == len(moves)
                moves.append(event["move"])
            case "takeback":
                del moves[len(moves) - event["plies"] :]
            case "end":
                assert status["reason"] is None
                status |= {"result": event["result"], "reason": event["reason"]}
            case "offer":
                status["next"] = event.get("next", status["next"])
    return {"seq": len(events), "moves": moves, **status}


def kept(shown: Message) -> Message:
    """What of a snapshot outlives the server: all but who is here, and clocks, which stand for who is not."""
    gone = ("clock", "watchers", "players")
    return {name: value for name, value in shown.items() if name not in gone}


@pytest.mark.parametrize("seed", [1, 2])
async def test_all_clients_receive_the_same_history(server: ServerProcess, seed: int) -> None:
    url = server.url
    async with contextlib.AsyncExitStack() as stack:

        async def enter(token: str | None, codec: str) -> Client:
            return await stack.enter_async_context(Client(url, token, codec))

        tokens = [guest(url)[0] for _ in range(PEOPLE)]
        tabs = [await enter(token, codec) for token in tokens for codec in ("msgpack", "json")]
        watchers = [await enter(None, codec) for codec in ("msgpack", "json")]
        chance = random.Random(seed)
        games = []
        for _ in range(GAMES - 1):
            one, two = chance.sample(range(PEOPLE), 2)
            games.append(await begin(tabs[2 * one], tabs[2 * two], tc=TC))
        games.append((await tabs[0].request("challenge", tc=TC, to="self"))["g"])
        for client in (*tabs, *watchers):
            for g in games:
                await client.sub(g, legal=True, ticks=False)

        restless = [Restless(client, games, random.Random(seed * 100 + number)) for number, client in enumerate(tabs)]
        await asyncio.gather(*(one.run() for one in restless))
        assert set().union(*(one.codes for one in restless)) <= MAY_GET

        shown = {g: snapshot(url, g) for g in games}
        for client in (*tabs, *watchers):
            await client.request("ping")
            for g in games:
                story = told(client, g)
                assert story == {name: shown[g][name] for name in story}
        assert sum(len(body["moves"]) for body in shown.values()) > GAMES

    server.stop()
    server.start()
    for g in games:
        assert kept(snapshot(url, g)) | {"seq": 0} == kept(shown[g]) | {"seq": 0}
