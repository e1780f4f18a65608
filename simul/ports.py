"""What exhibitions need of the server around them; ``realtime`` provides these."""

from __future__ import annotations

from typing import Protocol


class Chance(Protocol):
    """What nobody can foretell."""

    def randbelow(self, n: int, /) -> int:
        """A random integer from 0 to n - 1."""

    def new_id(self) -> str:
        """A fresh id of a game."""
