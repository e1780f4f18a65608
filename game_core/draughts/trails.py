"""Captures where the highest value is compulsory and captured pieces stay in the way: all paths of one piece together.

Pieces that capture in eight directions have far more paths than captures. But the obstacles never change, so the leaps
from each square are known beforehand. A path is a trail: it may visit a square again, and captures each piece once.
With every leap one more piece is captured; from all squares where the piece may stand with one set captured follow
those with one more. So each set of captured pieces is expanded once, whatever its order.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from game_core.draughts.field import each, union

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.draughts.captures import Sides

Prey = int
"""A set of capturable pieces, numbered in the order in which they are found."""

Places = int
"""A set of squares where the piece may stand, numbered likewise; it begins on the first."""

FoundCapture = tuple[int, int, tuple[int, ...]]
"""The end of a capture, the captured squares and the landing squares: squares of the field."""


class Trails:
    """All captures of one piece.

    Attributes:
        leaps: the number of a place, the number of a piece capturable from there, and the places behind it.
        places: the square of each place.
        squares_of: the square of each capturable piece.
    """

    def __init__(self, sides: Sides, start: int) -> None:
        blocked = sides.occupied & ~start
        leaps_from = sides.king_leaps if start & sides.kings else sides.man_leaps
        self.leaps: list[tuple[int, int, Places]] = []
        self.places = [start]
        numbers: dict[int, int] = {start: 0}
        prey_numbers: dict[int, int] = {}
        for place, here in enumerate(self.places):
            for prey, landings in leaps_from(here, 0, blocked):
                for end in landings:
                    if end not in numbers:
                        numbers[end] = len(self.places)
                        self.places.append(end)
                behind = union(1 << numbers[end] for end in landings)
                self.leaps.append((place, prey_numbers.setdefault(prey, len(prey_numbers)), behind))
        self.squares_of = list(prey_numbers)

    def to_capture(self, taken: Prey, path: Iterable[int]) -> FoundCapture:
        """Convert a capture to squares of the field."""
        squares = tuple([self.places[place] for place in path])
        return squares[-1], union(self.squares_of[number.bit_length() - 1] for number in each(taken)), squares

    def captures(self, worth: dict[int, int], least: int) -> Iterator[FoundCapture]:
        """Yield all captures of the highest value, each with one path.

        Args:
            worth: value of a capturable piece by its square.
            least: captures of a lower value are ignored.
        """
        onward: defaultdict[int, list[tuple[Prey, Places]]] = defaultdict(list)
        for place, number, behind in self.leaps:
            onward[1 << place].append((1 << number, behind))
        standings: dict[Prey, Places] = {0: 1}
        queue = [0]
        for taken in queue:
            for place in each(standings[taken]):
                for prey, behind in onward[place]:
                    if not taken & prey:
                        known = standings.get(taken | prey, 0)
                        if not known:
                            queue.append(taken | prey)
                        standings[taken | prey] = known | behind
        values = [worth[square] for square in self.squares_of]
        worths = {taken: sum(values[number.bit_length() - 1] for number in each(taken)) for taken in queue}
        most = max(least, *worths.values())
        for taken in sorted(queue):
            if worths[taken] == most:
                for end in each(standings[taken]):
                    yield self.to_capture(taken, self._path(standings, taken, end.bit_length() - 1))

    def _path(self, standings: dict[Prey, Places], taken: Prey, end: int) -> list[int]:
        """Return the landing places, ``end`` included: the first path found."""
        path = []
        while taken:
            path.append(end)
            taken, end = self._before(standings, taken, end)
        return path[::-1]

    def _before(self, standings: dict[Prey, Places], taken: Prey, end: int) -> tuple[Prey, int]:
        """Return the captured pieces and the place one leap before ``end`` is reached."""
        place, number = min(
            (place, number)
            for place, number, behind in self.leaps
            if behind >> end & 1 and taken >> number & 1 and standings.get(taken ^ 1 << number, 0) >> place & 1
        )
        return taken ^ 1 << number, place
