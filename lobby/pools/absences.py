"""Who has been away for a while, as far as somebody may wait for him. Pure: time comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

UNSEEN_MS = 20_000
"""Without a socket for so long somebody counts as away: longer than to load a page or to change the network."""


class Absences:
    """Those who have left a moment ago, and those of whom it was told that they are away."""

    def __init__(self) -> None:
        self._left: dict[str, int] = {}
        """When each left, the first first."""
        self._told: set[str] = set()

    def left(self, person: str, now_ms: int) -> None:
        """The last socket of ``person`` is closed."""
        self._left.pop(person, None)
        self._left[person] = now_ms

    def came(self, person: str) -> bool:
        """``person`` is here; whether it was told that he is not."""
        self._left.pop(person, None)
        if person in self._told:
            self._told.discard(person)
            return True
        return False

    def due(self, now_ms: int) -> list[str]:
        """Who has been away for long enough at ``now_ms`` to be told of; ``tell`` is the answer to it."""
        due = []
        for person, left_ms in self._left.items():
            if left_ms + UNSEEN_MS > now_ms:
                break
            due.append(person)
        return due

    def tell(self, due: Iterable[str], awaited: Container[str], now_ms: int) -> set[str]:
        """Of those who were ``due`` at ``now_ms`` some are ``awaited``: who of them is away still, and told of now."""
        told = set()
        for person in due:
            # He may have come back, and even gone again, while it was looked up who is awaited.
            if self._left.get(person, now_ms) + UNSEEN_MS <= now_ms:
                del self._left[person]
                if person in awaited:
                    told.add(person)
        self._told |= told
        return told

    def is_away(self, person: str) -> bool:
        """Whether it was told of ``person``."""
        return person in self._told

    def away(self) -> list[str]:
        """All of whom it was told."""
        return list(self._told)

    def forget(self, people: Iterable[str]) -> None:
        """Nobody waits for ``people`` any more."""
        self._told.difference_update(people)
