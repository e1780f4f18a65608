"""Possible captures along the lines of a board, for variants in which captured pieces leave at once (``sweep``)."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from game_core.draughts.field import each, union

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from game_core.draughts.field import BoardLine, Field

Prey = int
"""A set of capturable pieces, numbered in the order of their squares: sixteen fit a small integer."""

Leap = tuple[Prey, int, int]
"""The captured pieces, the standings before the leap, and the standings after it."""

MOST_TOGETHER = 6
"""Most pieces on the lines of a group. More pieces make fewer groups, but more subsets of remaining pieces in each,
which recur less often."""


class CaptureGroup(NamedTuple):
    """A few lines that are examined together."""

    lines: tuple[BoardLine, ...]
    squares: int
    prey: Prey
    before: int
    """The standings from which anything can be captured here, whatever is left."""


@lru_cache(maxsize=8)
def _onward(bits: int, directions: tuple[int, ...]) -> Mapping[int, int]:
    """Return, by direction of a leap, the factor that copies landing squares into the fields of all directions but the
    reverse."""
    return {
        direction: sum(1 << bits * other for other in directions if other != 3 - direction) for direction in directions
    }


class CaptureLines:
    """Captures along the lines of a board by one kind of piece, cached for a position.

    Attributes:
        bits: width of one field of a standing.
        all: all capturable pieces.
        squares_of: the square of each of them.
        on: the capturable pieces on a line, by its mask.
    """

    def __init__(self, field: Field, blocked: int, prey: int, *, directions: tuple[int, ...], king: bool) -> None:
        """
        Args:
            blocked: where others stand that stay, the capturing piece as well.
            prey: where those stand that may be taken.
            ways: the directions in which one takes, as indices of the field's shifts.
            king: over any distance.
        """
        self.bits = field.all.bit_length()
        self.directions = directions
        self.field = field
        self.squares_of: dict[Prey, int] = {}
        self.on: dict[int, Prey] = defaultdict(int)
        one = 1
        for square in each(prey):
            self.squares_of[one] = square
            for line in field.lines_through[square]:
                self.on[line.mask] |= one
            one <<= 1
        self.all = one - 1
        self._blocked, self._prey, self._king = blocked, prey, king
        self._onward = _onward(self.bits, directions)
        self._groups = list(self._gather())
        self._along: dict[tuple[int, int], Along] = {}
        self._looks: dict[tuple[int, int], dict[Prey, list[Leap]]] = {}

    def stand(self, squares: int, directions: tuple[int, ...]) -> int:
        """Return ``squares`` in the fields of ``directions``."""
        return sum(squares << self.bits * direction for direction in directions)

    def squares(self, standing: int) -> int:
        """Return the squares of a standing, in whatever direction."""
        bits = self.bits
        return (standing | standing >> bits | standing >> 2 * bits | standing >> 3 * bits) & (1 << bits) - 1

    def where(self, prey: Prey) -> int:
        """Return the squares of ``prey``."""
        return union(self.squares_of[one] for one in each(prey))

    def number(self, squares: int) -> Prey:
        """Return the set of pieces on ``squares``."""
        return union(one for one, square in self.squares_of.items() if square & squares)

    def _gather(self) -> Iterator[CaptureGroup]:
        """Yield the lines with capturable pieces in groups."""
        lines: list[BoardLine] = []
        squares = together = before = 0
        for line in self.field.lines:
            here = self.on.get(line.mask, 0)
            if not here:
                continue
            if (together | here).bit_count() > MOST_TOGETHER and lines:
                yield CaptureGroup(tuple(lines), squares, together, before)
                lines = []
                squares = together = before = 0
            lines.append(line)
            squares |= line.mask
            together |= here
            foes = self._prey & line.mask
            first, last = foes & -foes, 1 << foes.bit_length() - 1
            before |= (line.mask & last - 1) << self.bits * line.direction
            before |= (line.mask & -first << 1) << self.bits * (3 - line.direction)
        yield CaptureGroup(tuple(lines), squares, together, before)

    def groups(self, start: int) -> list[tuple[CaptureGroup, dict[Prey, list[Leap]]]]:
        """Return all groups with a cache of ``look``'s answers by remaining pieces."""
        looks = self._looks
        return [(group, looks.setdefault((group.squares, start & group.squares), {})) for group in self._groups]

    def look(self, group: CaptureGroup, start: int, left: Prey) -> list[Leap]:
        """Return all leaps along the lines of ``group``.

        Args:
            start: the start square of the capturing piece, which is empty now.
            left: the pieces not captured yet.
        """
        leaps: list[Leap] = []
        for line in group.lines:
            here = left & self.on[line.mask]
            if here:
                leaps += self.along(line, start)[here]
        return leaps

    def along(self, line: BoardLine, start: int) -> Along:
        """Return the leaps along ``line``, as for ``look``."""
        key = (line.mask, start & line.mask)
        known = self._along.get(key)
        if known is None:
            known = self._along[key] = Along(self, line, start)
        return known

    def leaps(self, line: BoardLine, start: int, prey: Prey) -> Iterator[Leap]:
        """Yield all leaps along ``line`` if ``prey`` is left on it."""
        direction, squares = line.direction, line.squares
        foes = {self.squares_of[one]: one for one in each(prey)}
        blocked = union(foes) | self._blocked & ~start
        for towards, row in ((direction, squares), (3 - direction, squares[::-1])):
            onward = self._onward.get(towards)
            if onward is None:
                continue
            for at in range(1, len(row) - 1):
                if row[at] in foes and not (row[at - 1] | row[at + 1]) & blocked:
                    before, behind = self._free(row[at - 1 :: -1], blocked), self._free(row[at + 1 :], blocked)
                    yield foes[row[at]], before << self.bits * towards, behind * onward

    def _free(self, squares: tuple[int, ...], blocked: int) -> int:
        """Return the free squares at the beginning of ``squares``: the first, for kings all up to the next piece."""
        free = 0
        for square in squares:
            if square & blocked:
                break
            free |= square
            if not self._king:
                break
        return free


class Along(dict[Prey, list[Leap]]):
    """Leaps along a line by remaining pieces, computed on demand."""

    def __init__(self, lines: CaptureLines, line: BoardLine, start: int) -> None:
        super().__init__()
        self._lines, self._line, self._start = lines, line, start

    def __missing__(self, left: Prey) -> list[Leap]:
        leaps = self[left] = list(self._lines.leaps(self._line, self._start, left))
        return leaps
