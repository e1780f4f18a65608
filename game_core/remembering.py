"""Caching of a position's answers: its outcome, and the result of a move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game_core.rules import Outcome, Played


class Remembering(ABC):
    """A position that computes each answer once."""

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
        """How the game is over by the position on the board."""
        if self._outcome is None:
            self._outcome = (self._find_outcome(),)
        return self._outcome[0]

    def play(self, text: str) -> Played:
        """Play the move that ``text`` means. Raises ``IllegalMove``.

        A move is played twice, when it is decided and when the decision is applied: the second time gets the result of
        the first. It is dropped then, otherwise a stored position would keep all that were played from it.
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
        """Compute the outcome."""

    @abstractmethod
    def _play(self, text: str) -> Played:
        """Play the move."""
