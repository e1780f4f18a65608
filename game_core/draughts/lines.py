"""What may be taken along the lines of a board, for pieces that take at once (``sweep``)."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from game_core.draughts.field import each, union

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from game_core.draughts.field import Field, Line

Prey = int
"""Pieces that may be taken, numbered as bits in the order of their squares: sixteen are a number that is small."""

Leap = tuple[Prey, int, int]
"""What may be taken as the board stands, from where (a standing), and landing where (a standing)."""

MOST_TOGETHER = 6
"""Pieces on the lines of a group. The more, the fewer groups there are to look at; and the more sets of pieces that may
be left on the lines of each, which are rarely the same again."""


class Group(NamedTuple):
    """A few lines that are looked at together."""

    lines: tuple[Line, ...]
    squares: int
    prey: Prey
    before: int
    """A standing: from elsewhere nothing can be taken here, whatever is left."""


@lru_cache(maxsize=8)
def _onward(bits: int, ways: tuple[int, ...]) -> Mapping[int, int]:
    """By the way in which a piece leaps, the factor that makes of squares behind a standing: all but the way back."""
    return {way: sum(1 << bits * other for other in ways if other != 3 - way) for way in ways}


class Lines:
    """What may be taken along the lines of a board by pieces of one kind, remembered for as long as a position is.

    Attributes:
        bits: of a field of a standing.
        all: that may be taken.
        squares_of: the square of each of them.
        on: those on the squares of a line, by its mask.
    """

    def __init__(self, field: Field, blocked: int, prey: int, *, ways: tuple[int, ...], king: bool) -> None:
        """
        Args:
            blocked: where others stand that stay, the capturing piece as well.
            prey: where those stand that may be taken.
            ways: the directions in which one takes, as indices of the field's shifts.
            king: over any distance.
        """
        self.bits = field.all.bit_length()
        self.ways = ways
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
        self._onward = _onward(self.bits, ways)
        self._groups = list(self._gather())
        self._along: dict[tuple[int, int], Along] = {}
        self._looks: dict[tuple[int, int], dict[Prey, list[Leap]]] = {}

    def stand(self, squares: int, ways: tuple[int, ...]) -> int:
        """``squares`` in the fields of ``ways``."""
        return sum(squares << self.bits * way for way in ways)

    def squares(self, standing: int) -> int:
        """Where one may stand, whichever way one may go on from there."""
        bits = self.bits
        return (standing | standing >> bits | standing >> 2 * bits | standing >> 3 * bits) & (1 << bits) - 1

    def where(self, prey: Prey) -> int:
        """The squares of ``prey``."""
        return union(self.squares_of[one] for one in each(prey))

    def number(self, squares: int) -> Prey:
        """Those on ``squares``."""
        return union(one for one, square in self.squares_of.items() if square & squares)

    def _gather(self) -> Iterator[Group]:
        """The lines that have prey, a few together."""
        lines: list[Line] = []
        squares = together = before = 0
        for line in self.field.lines:
            here = self.on.get(line.mask, 0)
            if not here:
                continue
            if (together | here).bit_count() > MOST_TOGETHER and lines:
                yield Group(tuple(lines), squares, together, before)
                lines = []
                squares = together = before = 0
            lines.append(line)
            squares |= line.mask
            together |= here
            foes = self._prey & line.mask
            first, last = foes & -foes, 1 << foes.bit_length() - 1
            before |= (line.mask & last - 1) << self.bits * line.way
            before |= (line.mask & -first << 1) << self.bits * (3 - line.way)
        yield Group(tuple(lines), squares, together, before)

    def groups(self, start: int) -> list[tuple[Group, dict[Prey, list[Leap]]]]:
        """All groups, with what has been seen of each by the pieces left there, as ``look`` tells it."""
        looks = self._looks
        return [(group, looks.setdefault((group.squares, start & group.squares), {})) for group in self._groups]

    def look(self, group: Group, start: int, left: Prey) -> list[Leap]:
        """All leaps along the lines of ``group``.

        Args:
            start: who has come from there has left it.
            left: those not taken yet.
        """
        leaps: list[Leap] = []
        for line in group.lines:
            here = left & self.on[line.mask]
            if here:
                leaps += self.along(line, start)[here]
        return leaps

    def along(self, line: Line, start: int) -> Along:
        """The leaps along ``line``, as for ``look``."""
        key = (line.mask, start & line.mask)
        known = self._along.get(key)
        if known is None:
            known = self._along[key] = Along(self, line, start)
        return known

    def leaps(self, line: Line, start: int, prey: Prey) -> Iterator[Leap]:
        """All leaps along ``line`` where ``prey`` is left on it."""
        way, squares = line.way, line.squares
        foes = {self.squares_of[one]: one for one in each(prey)}
        blocked = union(foes) | self._blocked & ~start
        for towards, row in ((way, squares), (3 - way, squares[::-1])):
            onward = self._onward.get(towards)
            if onward is None:
                continue
            for at in range(1, len(row) - 1):
                if row[at] in foes and not (row[at - 1] | row[at + 1]) & blocked:
                    before, behind = self._free(row[at - 1 :: -1], blocked), self._free(row[at + 1 :], blocked)
                    yield foes[row[at]], before << self.bits * towards, behind * onward

    def _free(self, squares: tuple[int, ...], blocked: int) -> int:
        """The first of ``squares`` that nobody stands on, for kings as many as there are in a row."""
        free = 0
        for square in squares:
            if square & blocked:
                break
            free |= square
            if not self._king:
                break
        return free


class Along(dict[Prey, list[Leap]]):
    """All leaps along a line by what is left on it, found when they are asked for."""

    def __init__(self, lines: Lines, line: Line, start: int) -> None:
        super().__init__()
        self._lines, self._line, self._start = lines, line, start

    def __missing__(self, left: Prey) -> list[Leap]:
        leaps = self[left] = list(self._lines.leaps(self._line, self._start, left))
        return leaps
