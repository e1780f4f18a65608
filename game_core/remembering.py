"""What the positions of all games remember of what they were asked: how they stand, and what became of a move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game_core.rules import Outcome, Played


class Remembering(ABC):
    """A position that is worked out once, however often it is asked."""

    __slots__ = ("_outcome", "_played")

    def __init__(self) -> None:
        self._outcome: tuple[Outcome | None] | None = None
        self._played: tuple[str, Played] | None = None

    @property
    @abstractmethod
    def fen(self) -> str:
        """The position as text."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game is over on the board by itself."""
        if self._outcome is None:
            self._outcome = (self._find_outcome(),)
        return self._outcome[0]

    def play(self, text: str) -> Played:
        """Play the move that ``text`` means. Raises ``IllegalMove``.

        A move is played twice, when it is decided and when what was decided comes to pass: the second time gets what
        the first made. It is forgotten then, or a kept position would keep all those that were played from it.
        """
        if self._played is not None and self._played[0] == text:
            played = self._played[1]
            self._played = None
            return played
        played = self._play(text)
        self._played = (text, played)
        return played

    @abstractmethod
    def _find_outcome(self) -> Outcome | None:
        """The outcome, worked out."""

    @abstractmethod
    def _play(self, text: str) -> Played:
        """The move, played."""
