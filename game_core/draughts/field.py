"""The squares of a board as bits of one integer, arranged so that a step in one direction is the same shift everywhere.

Diagonal games are played on every second square. Their squares are bits in the order of their numbers, row by row from
Black's side, with one unused bit after every two rows: so the four neighbours of a square are always the same number of
bits away, and a step over the edge lands on an unused bit. On the orthogonal board there is one such bit after each
row. Where a diagonal game also captures along rows and columns, the next square of a row is one bit away and that of a
column two rows. Only the row needs a mask, because its end is next to the start of the next.

        international                      turkish
        .  0  .  1  .  2  .  3  .  4        0  1  2 ...  7 (8)
        5  .  6  .  7  .  8  .  9  .        9 10 11 ... 16 (17)
       (10)                                18 ...
        . 11  . 12  . 13  . 14  . 15
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Naming = Literal["numbers", "letters"]
"""Names of squares: ``32``, or ``c3``."""


class BoardLine(NamedTuple):
    """A line of a board."""

    mask: int
    """Its squares."""
    squares: tuple[int, ...]
    """The same, in order."""
    direction: int
    """The index of the shift along it."""


class Field:
    """The squares of one kind of board.

    Attributes:
        bits: the bit of each square, in the order of their numbers.
        all: all squares.
        names: the name of each bit's square; ``named`` is the inverse.
        shifts: shifts to the neighbours, towards Black's side (less than 0) first.
        straight: the same along rows and columns, if pieces of a diagonal game capture along them.
        leap_shifts: ``shifts`` and ``straight``: capture directions of kings.
        rays: for each bit and each of ``shifts`` all squares in that direction.
        leap_rays: the same for ``leap_shifts``.
        rows: the squares of each row, Black's side first; ``firsts`` and ``lasts`` are their ends.
        main_road: the squares of the long diagonal.
        lines: all lines of three squares and more, adjacent ones next to each other.
        lines_through: the lines through each bit.
    """

    def __init__(
        self,
        size: int,
        *,
        naming: Naming,
        mirrored: bool = False,
        orthogonal: bool = False,
        straight: tuple[int, ...] = (),
    ) -> None:
        if orthogonal:
            places = [(row, column) for row in range(size) for column in range(size)]
            indices = [row * (size + 1) + column for row, column in places]
            self.shifts: tuple[int, ...] = (-size - 1, -1, 1, size + 1)
        else:
            half = size // 2
            odd = 0 if mirrored else 1
            places = [(row, 2 * place + (row + odd) % 2) for row in range(size) for place in range(half)]
            indices = [number + (number + half * (1 - odd)) // size for number in range(len(places))]
            self.shifts = (-half - 1, -half, half, half + 1)
        self.straight = straight
        self.leap_shifts: tuple[int, ...] = (*self.shifts, *straight)
        self.bits = tuple(1 << index for index in indices)
        self.all = sum(self.bits)
        self.names = {
            bit: str(number) if naming == "numbers" else f"{'abcdefghij'[column]}{size - row}"
            for number, (bit, (row, column)) in enumerate(zip(self.bits, places, strict=True), 1)
        }
        self.named = {name: bit for bit, name in self.names.items()}
        self.rows = tuple(
            sum(bit for bit, (at, _) in zip(self.bits, places, strict=True) if at == row) for row in range(size)
        )
        self.firsts = union(row & -row for row in self.rows)
        self.lasts = union(nearest(row, -1) for row in self.rows)
        self.main_road = sum(
            bit
            for bit, (row, column) in zip(self.bits, places, strict=True)
            if (row == column if mirrored else row + column == size - 1)
        )
        self.leap_rays = {
            bit: tuple((shift, sum(self._beyond(bit, shift))) for shift in self.leap_shifts) for bit in self.bits
        }
        self.rays = {bit: rays[: len(self.shifts)] for bit, rays in self.leap_rays.items()}
        self._between = {
            bit: {end: passed for shift in self.leap_shifts for end, passed in self._passing(bit, shift)}
            for bit in self.bits
        }

        lines = [
            BoardLine(bit | ray, (bit, *self._beyond(bit, shift)), direction)
            for bit in self.bits
            for direction, (shift, ray) in enumerate(self.rays[bit])
            if shift > 0 and not self.step(bit, -shift) and ray & (ray - 1)
        ]
        lines.sort(key=lambda line: line.direction)
        self.lines = tuple(lines)
        self.lines_through = {bit: tuple(line for line in lines if bit & line.mask) for bit in self.bits}

    def step(self, bits: int, shift: int) -> int:
        """Return ``bits`` moved by one square; those at the edge disappear."""
        return (bits << shift if shift > 0 else bits >> -shift) & self.all

    def between(self, one: int, other: int) -> int:
        """Return the squares between two squares on a line."""
        try:
            return self._between[one][other]
        except KeyError:
            raise AssertionError(f"{self.names[one]} and {self.names[other]} are on no line") from None

    def _passing(self, bit: int, shift: int) -> Iterator[tuple[int, int]]:
        """Yield each square beyond ``bit`` with the squares passed on the way."""
        passed = 0
        for end in self._beyond(bit, shift):
            yield end, passed
            passed |= end

    def _beyond(self, bit: int, shift: int) -> Iterator[int]:
        while bit := self.step(bit, shift):
            yield bit


class EightWayField(Field):
    """A diagonal board with captures along rows and columns too."""

    def __init__(self, size: int, *, naming: Naming) -> None:
        super().__init__(size, naming=naming, straight=(-size - 1, -1, 1, size + 1))

    def step(self, bits: int, shift: int) -> int:
        moved = super().step(bits, shift)
        if shift in (-1, 1):
            moved &= ~(self.firsts if shift > 0 else self.lasts)
        return moved


def union(masks: Iterable[int]) -> int:
    """Return the union of ``masks``."""
    return reduce(or_, masks, 0)


def each(bits: int) -> Iterator[int]:
    """Yield the single bits of ``bits``, lowest first."""
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit


def nearest(bits: int, shift: int) -> int:
    """Return the nearest of ``bits`` (at least one), all on one line in the direction of ``shift``."""
    return bits & -bits if shift > 0 else 1 << (bits.bit_length() - 1)
