"""Robots in simuls, by the public interface: at empty boards, and as a host."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import pytest

from game_core.registry import registered, rules_for
from tests.integration.robots.robots_beside import robots
from tests.integration.robots.test_robots import play, snapshot_of
from tests.integration.running_simul import RunningSimul, announced, fetch
from tests.realtime.until import until
from tests.wire_client import Client, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.robots.stub_moves import StubMoves
    from tests.wire_client import Message

ROBOTS = True

OFFERED = [{"game": "chess", "variant": "standard"}, {"game": "draughts", "variant": "russian"}]

HOST = "Robot-5"


@pytest.fixture
async def moves(url: str, token_file: Path) -> AsyncIterator[StubMoves]:
    async with robots(url, token_file) as moves:
        async with announced(url, 0, max_boards=8) as x:
            await fill(x, 8)  # all are connected
            await x.ask("cancel")
        yield moves


class Boards:
    """The boards of a simul as its host sees them."""

    def __init__(self, x: RunningSimul) -> None:
        self._x = x

    def now(self, number: int) -> Message:
        board: Message = {}
        for message in self._x.host.messages:
            if message["t"] == "simul.started":
                board = dict(message["boards"][number - 1])
            elif message["t"] == "simul.board" and message["board"] == number:
                board |= message
        return board

    async def answered(self, number: int, ply: int) -> None:
        """Wait until the host is to move after ``ply`` half-moves."""
        await until(lambda: (self.now(number)["ply"], self.now(number)["turn"]) == (ply, "host"))

    async def move(self, number: int) -> None:
        board = self.now(number)
        rules = rules_for(board.get("game", "chess"), board.get("variant", "standard"))
        move = rules.legal_moves(rules.start(board["position"]))[0]
        await self._x.host.request("move", g=board["g"], move=move, ply=board["ply"])


async def test_there_are_no_robots_for_a_simul_while_none_plays(url: str) -> None:
    async with announced(url, 0) as x:
        assert await x.refused("add_robots", level=3) == "unavailable"
        assert await x.refused("add_robots", level=9) == "bad_message"


@pytest.mark.usefixtures("moves")
async def test_robots_play_at_the_empty_boards(url: str) -> None:
    async with announced(url, 1, max_boards=4, variants=OFFERED) as x:
        assert await x.refused("add_robots", x.player(1), level=3) == "forbidden"
        await x.ask("add_robots", level=3, key="once")
        await x.ask("add_robots", level=3, key="once")
        assert await x.refused("add_robots", level=3) == "conflict", "it is full"
        people = x.shown()["players"]
        assert [person["name"] for person in people[1:]] == ["Robot-3", "Robot-2", "Robot-4"]
        assert [person.get("variant") for person in people[1:]] == [None, "russian", None]
        await x.start()
        boards = Boards(x)
        for ply in (0, 2):
            for number in (2, 3, 4):
                await boards.answered(number, ply)
                await boards.move(number)
        for number in (2, 3, 4):
            await boards.answered(number, 4)
        # They play on when the host has gone, and at boards of a host who is away nobody's time runs out.
        await boards.move(2)
        await x.host.close()
        await x.event("board", x.player(1), board=2, ply=6)


async def test_robots_prepare_their_moves_while_the_host_is_elsewhere(url: str, token_file: Path) -> None:
    async with announced(url, 0, mode="round", max_boards=3, countdown_s=300, passes=0) as x:
        boards = Boards(x)
        async with robots(url, token_file):
            await fill(x, 3)
            await x.start()
            await visit(x, boards, range(3))
        # Another process goes on, and nobody moves in a break.
        async with robots(url, token_file) as moves:
            await visit(x, boards, range(3, 5))
            await until(lambda: len(prepared_at(x, boards)) == 2)  # the host is at the third
            await x.ask("break", until=(await x.host.request("ping"))["now"] + 600_000)
            thought = len(moves.jobs)
            await x.event("break")
            await asyncio.sleep(0.3)
            assert len(moves.jobs) <= thought + 3, "boards are looked at once more"
            await x.ask("break", until=None)
            await visit(x, boards, range(5, 6))
        await x.ask("end", rest="draw")


def prepared_at(x: RunningSimul, boards: Boards) -> list[int]:
    return [number for number in x.boards if boards.now(number)["turn"] == "player"]


async def fill(x: RunningSimul, boards: int) -> None:
    """Fill the boards with robots, as soon as they are connected."""

    async def is_full() -> bool:
        try:
            await x.ask("add_robots", level=1)
        except Refusal as refusal:
            if refusal.code != "unavailable":
                raise
        return len(x.shown()["players"]) == boards

    await until(is_full)


async def visit(x: RunningSimul, boards: Boards, rounds: range) -> None:
    for number in rounds:
        for board in (1, 2, 3):
            # The host has to wait at no board: what is prepared is played when they arrive.
            await boards.answered(board, 2 * number)
            await until(lambda board=board: arrived(x) == board)
            await boards.move(board)


def arrived(x: RunningSimul) -> int | None:
    at: int | None = next((m["board"] for m in reversed(x.host.messages) if m["t"] == "simul.at"), None)
    return at


async def open_simul(url: str, *but: str) -> Message:
    """Return the simul that the robot gives now."""
    found: list[Message] = []

    async def is_there() -> bool:
        lines = [line for status in ("open", "running") for line in fetch(url, f"simuls?status={status}")["simuls"]]
        found[:] = [one for one in lines if one["host"]["name"] == HOST and one["simul"] not in but]
        return bool(found)

    await until(is_there)
    return found[0]


async def seat(client: Client, simul: str, **wanted: Any) -> str:
    """Join, and return the game of the board."""
    await client.request("simul.join", simul=simul, **wanted)
    game: str = (await client.wait(lambda m: m["t"] == "paired"))["g"]
    await client.sub(game)
    return game


async def test_robot_gives_a_simul_of_thirty_boards_of_mixed_games(url: str, token_file: Path) -> None:
    kinds = list(islice(cycle(registered()), 30))
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url, guest(url)[0])) for _ in kinds]
        async with robots(url, token_file):
            simul = await open_simul(url)
            assert {(one["game"], one["variant"]) for one in simul["variants"]} == set(registered())
            assert (simul["status"], simul["boards"]) == ("created", 0)
            games = await asyncio.gather(
                *(
                    seat(client, simul["simul"], game=game, variant=variant)
                    for client, (game, variant) in zip(clients, kinds, strict=True)
                )
            )
            both = list(zip(clients, games, strict=True))
            await asyncio.gather(*(play(client, game, snapshot_of(client, game), most=3) for client, game in both))
        shown = fetch(url, f"simuls/{simul['simul']}")
        assert (shown["status"], len(shown["boards"])) == ("running", 30)
        assert sorted(
            (board.get("game", shown["game"]), board.get("variant", shown["variant"])) for board in shown["boards"]
        ) == sorted(kinds)
        assert {board["color"] for board in shown["boards"]} == {"w", "b"}
        # Another process gives it to the end, and then the next one.
        async with robots(url, token_file):
            for client, game in both:
                await client.request("sub", topic=f"game:{game}")
            await asyncio.gather(*(play_on(client, game) for client, game in both))
            await asyncio.gather(
                *(client.request("resign", g=game) for client, game in both if not ended(client, game))
            )
            following = await open_simul(url, simul["simul"])
            assert following["status"] == "created"
        assert fetch(url, f"simuls/{simul['simul']}")["status"] == "finished"


async def play_on(client: Client, game: str) -> None:
    snapshot = [m for m in client.messages if m["t"] == "game" and m["g"] == game][-1]
    if snapshot["status"] != "over":
        await play(client, game, snapshot, most=2)


def ended(client: Client, game: str) -> bool:
    return any(m["t"] == "end" and m["g"] == game for m in client.messages)


async def test_applicants_wait_until_there_is_room(url: str, moves: StubMoves) -> None:
    async with Client(url, guest(url)[0]) as first, Client(url, guest(url)[0]) as second:
        simul = (await open_simul(url))["simul"]
        game = await seat(first, simul, game="chess", variant="standard")
        await until(lambda: game in moves.games)
        moves.has_room = False
        await second.request("simul.join", simul=simul, game="draughts", variant="russian")
        await until(lambda: len(fetch(url, f"simuls/{simul}")["applicants"]) == 1)
        moves.has_room = True
        other = (await second.wait(lambda m: m["t"] == "paired"))["g"]
        await until(lambda: {game, other} <= set(moves.games))
        assert not [place for place in moves.games if place.startswith(simul)], (
            "a place is kept until the board is counted"
        )
        await first.request("resign", g=game)
        await second.request("resign", g=other)
        await open_simul(url, simul)
        await until(lambda: not {game, other} & set(moves.games))
