"""Protocols of what simuls need of the server. ``realtime`` implements them."""

from __future__ import annotations

from typing import Protocol


class Chance(Protocol):
    """Random values."""

    def randbelow(self, n: int, /) -> int:
        """Return a random integer from 0 to n - 1."""

    def new_id(self) -> str:
        """Return a new id of a game."""
