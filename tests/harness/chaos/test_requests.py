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


async def test_chat_line_lost_in_a_fault_is_sent_again_afterwards() -> None:
    assert await Chat(False, True, False).chat() == 1


async def test_delivered_chat_line_is_not_sent_again() -> None:
    assert await Chat(True, True).chat() == 1
