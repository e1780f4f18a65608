"""Requests of chaos besides moves."""

from __future__ import annotations

import random

from harness.chaos.disturbances import Disturbances
from harness.chaos.requests import Requests


class Chat(Requests):
    """Whose lines come as ``heard`` says, each in the middle of a fault that ends."""

    def __init__(self, *heard: bool) -> None:
        self.disturbances = Disturbances()
        super().__init__("", "", random.Random(1), self.disturbances)
        self.heard = list(heard)

    async def _line_arrives(self) -> bool:
        self.disturbances.begin()
        self.disturbances.end()
        return self.heard.pop(0)

    async def chat(self) -> int:
        """How many lines are left."""
        await self._chat()
        return len(self.heard)


async def test_a_line_that_a_fault_may_have_taken_is_said_again_when_all_is_calm() -> None:
    assert await Chat(False, True, False).chat() == 1


async def test_a_line_that_was_heard_is_enough() -> None:
    assert await Chat(True, True).chat() == 1
