"""Robots in games by the Laws as played over a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.by_laws import BLITZ, UNSUPERVISED
from tests.integration.robots.robots_beside import robots
from tests.realtime.until import until
from tests.wire_client import Client, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.robots.stub_moves import StubMoves

ROBOTS = True

CASES: dict[str, dict[str, Any]] = {
    "fide": {"rules": "fide", "laws": {}},
    "fide, not supervised": {"rules": "fide", "laws": UNSUPERVISED},
    "uscf": {"rules": "uscf", "laws": {}, "tc": {"base_s": 1200}},
    "official": {"game": "draughts", "variant": "international", "rules": "official", "laws": {}},
}


@pytest.fixture
async def moves(url: str, token_file: Path) -> AsyncIterator[StubMoves]:
    async with robots(url, token_file) as moves:
        yield moves


class Opponent:
    """A person in a game against a robot of level 3. They are White."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.g = ""

    async def begin(self, **terms: Any) -> None:
        """Begin, as soon as there are robots."""

        async def has_begun() -> bool:
            try:
                fields = {"tc": BLITZ, "to": "robot", "level": 3, "color": "w", **terms}
                self.g = (await self.client.request("challenge", **fields))["g"]
            except Refusal as refusal:
                if refusal.code != "unavailable":
                    raise
            return bool(self.g)

        await until(has_begun)
        await self.client.sub(self.g, laws=True, ticks=False, legal=True)

    async def move(self, ply: int, move: str) -> None:
        """Make and complete a move."""
        await self.client.request("move", g=self.g, move=move, ply=ply)
        await self.client.request("press", g=self.g, ply=ply, move=move)

    async def answer(self, ply: int) -> str:
        """Return the move of the robot."""
        event = await self.client.wait(lambda m: m["t"] == "move" and m.get("g") == self.g and m["ply"] == ply)
        move: str = event["move"]
        return move


@pytest.mark.usefixtures("moves")
@pytest.mark.parametrize("case", CASES)
async def test_robot_makes_and_completes_its_moves(url: str, case: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        opponent = Opponent(client)
        await opponent.begin(**CASES[case])
        shown = next(m for m in client.messages if m["t"] == "game")
        assert "pausable" not in shown
        await opponent.move(0, shown["legal"][0])
        await opponent.answer(1)
        kinds = [event["t"] for event in client.events(opponent.g)]
        assert [kind for kind in kinds if kind not in ("seated", "clock")] == ["made", "move", "made", "move"]


@pytest.mark.usefixtures("moves")
async def test_robot_claims_what_was_illegal_and_plays_on(url: str) -> None:
    """Article 35: it lets nothing stand."""
    async with Client(url, guest(url)[0]) as client:
        opponent = Opponent(client)
        await opponent.begin(**CASES["official"])
        await opponent.move(0, "34-23")
        await client.wait(lambda m: m["t"] == "ruling")
        await opponent.move(0, "34-29")
        await opponent.answer(1)


@pytest.mark.usefixtures("moves")
async def test_robot_wins_unsupervised_blitz_by_its_claim(url: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        opponent = Opponent(client)
        await opponent.begin(**CASES["fide, not supervised"])
        await opponent.move(0, "e2e5")
        end = await client.wait(lambda m: m["t"] == "end")
        assert (end["result"], end["reason"]) == ("0-1", "illegal_move")


@pytest.mark.usefixtures("moves")
async def test_robot_claims_a_fallen_flag(url: str) -> None:
    async with Client(url, guest(url)[0]) as client:
        opponent = Opponent(client)
        await opponent.begin(rules="fide", laws=UNSUPERVISED, tc={"base_s": 10})
        end = await client.wait(lambda m: m["t"] == "end")
        assert (end["result"], end["reason"]) == ("0-1", "timeout")
