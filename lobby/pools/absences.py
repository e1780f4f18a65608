"""Absences of challengers that other people have to be told of. Pure: time is an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

UNSEEN_MS = 20_000
"""Time without a socket after which a person counts as away: longer than a page load or a change of network."""


class Absences:
    """People who have just left, and people whose absence was announced."""

    def __init__(self) -> None:
        self._left: dict[str, int] = {}
        """When each left, earliest first."""
        self._announced: set[str] = set()

    def left(self, person: str, now_ms: int) -> None:
        """The last socket of ``person`` is closed."""
        self._left.pop(person, None)
        self._left[person] = now_ms

    def came(self, person: str) -> bool:
        """Note that ``person`` is connected. Returns whether their absence was announced."""
        self._left.pop(person, None)
        if person in self._announced:
            self._announced.discard(person)
            return True
        return False

    def due(self, now_ms: int) -> list[str]:
        """Return the people whose absence is long enough at ``now_ms`` to be announced. ``announce`` follows."""
        due = []
        for person, left_ms in self._left.items():
            if left_ms + UNSEEN_MS > now_ms:
                break
            due.append(person)
        return due

    def announce(self, due: Iterable[str], awaited: Container[str], now_ms: int) -> set[str]:
        """Record an announcement for those of ``due`` who are ``awaited`` and still away, and return them."""
        announced = set()
        for person in due:
            # They may have come back, and even left again, while the awaited people were looked up.
            if self._left.get(person, now_ms) + UNSEEN_MS <= now_ms:
                del self._left[person]
                if person in awaited:
                    announced.add(person)
        self._announced |= announced
        return announced

    def is_away(self, person: str) -> bool:
        """Return whether the absence of ``person`` was announced."""
        return person in self._announced

    def away(self) -> list[str]:
        """Return everybody whose absence was announced."""
        return list(self._announced)

    def forget(self, people: Iterable[str]) -> None:
        """Forget the absences of ``people``, for whom nobody waits any more."""
        self._announced.difference_update(people)
