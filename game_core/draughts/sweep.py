"""Captures where what is taken leaves the board at once: all ways of one piece together, leap by leap.

With every leap the board changes, and there are as many boards as there are sets of pieces that may be left: many, but
far fewer than ways to come to them. So a layer, all that can be after so many leaps, has for each set of pieces left
the squares where the capturing piece may stand then, as bits. From all of them at once the next layer follows: a piece
can be taken if one of these squares lies before it with nothing between. The last layer that is not empty has the
captures that take most.

Such a standing is one integer with a field of bits for each of the four ways in which to go on. Nobody turns about: the
field of the way back has not got the squares just landed on.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from game_core.draughts.field import each, union

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.draughts.field import Field, Line

Leap = tuple[int, int, int]
"""What may be taken as the board stands, from where (a standing), and landing where (a standing)."""

Outlook = tuple[int, list[Leap]]
"""From where any leap along some lines can be made, and all of them."""

Path = tuple[int, ...]
"""The squares landed on."""


class Lines:
    """What may be taken along the lines of a board by pieces of one kind, remembered for as long as a position is."""

    def __init__(self, field: Field, blocked: int, *, ways: tuple[int, ...], king: bool) -> None:
        """
        Args:
            blocked: where others stand that stay, the capturing piece as well.
            ways: the directions in which one takes, as indices of the field's shifts.
            king: over any distance.
        """
        self.bits = field.all.bit_length()
        self.crossing = field.crossing
        self.ways = ways
        self._blocked, self._king = blocked, king
        self.groups, self.masks = field.lines, field.line_masks
        self._known: dict[tuple[int, int, int], list[Leap]] = {}
        self._outlooks: dict[tuple[int, int], dict[int, Outlook]] = {}

    def stand(self, squares: int, ways: tuple[int, ...]) -> int:
        """``squares`` in the fields of ``ways``."""
        return sum(squares << self.bits * way for way in ways)

    def squares(self, standing: int) -> int:
        """Where one may stand, whichever way one may go on from there."""
        bits = self.bits
        return (standing | standing >> bits | standing >> 2 * bits | standing >> 3 * bits) & (1 << bits) - 1

    def outlooks(self, mask: int, start: int) -> dict[int, Outlook]:
        """What has been seen of a group of lines with the squares ``mask``, by the pieces left there."""
        return self._outlooks.setdefault((mask, start & mask), {})

    def look(self, group: tuple[Line, ...], start: int, foes: int) -> Outlook:
        """From where any leap along the lines of ``group`` can be made, and all of them.

        Args:
            start: who has come from there has left it.
            foes: those left on these lines.
        """
        leaps: list[Leap] = []
        for line in group:
            mask = line.mask
            if foes & mask:
                key = (mask, foes & mask, start & mask)
                known = self._known.get(key)
                if known is None:
                    known = self._known[key] = list(self._along(line, foes & mask, start))
                leaps += known
        return union(before for _, before, _ in leaps), leaps

    def _along(self, line: Line, foes: int, start: int) -> Iterator[Leap]:
        way, squares = line.way, line.squares
        blocked = foes | self._blocked & ~start
        for towards, row in ((way, squares), (3 - way, squares[::-1])):
            if towards not in self.ways:
                continue
            on = tuple(other for other in self.ways if other != 3 - towards)
            for at in range(1, len(row) - 1):
                if row[at] & foes:
                    before, behind = self._free(row[at - 1 :: -1], blocked), self._free(row[at + 1 :], blocked)
                    if before and behind:
                        yield row[at], self.stand(before, (towards,)), self.stand(behind, on)

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


class Sweep:
    """All that one piece can take.

    Attributes:
        layers: by what is left, where it may stand then: after no leap, after one and so on. The last is not empty.
    """

    def __init__(self, lines: Lines, start: int, prey: int) -> None:
        self._lines, self._start, self._prey = lines, start, prey
        self._groups = [
            (mask, group, lines.outlooks(mask, start)) for mask, group in zip(lines.masks, lines.groups, strict=True)
        ]
        self.layers = [{prey: lines.stand(start, lines.ways)}]
        while layer := self._next(self.layers[-1]):
            self.layers.append(layer)

    def ends(self) -> Iterator[tuple[int, int]]:
        """Where it may end and what is left then, of all captures that take most."""
        for left, standing in self.layers[-1].items():
            for end in each(self._lines.squares(standing)):
                yield end, left

    def paths(self, end: int, left: int, through: Path = ()) -> Iterator[Path]:
        """The ways of one of these captures that land on the squares of ``through`` one after the other."""
        goal = self._lines.stand(end, (0, 1, 2, 3))
        return self._back(len(self.layers) - 2, left, goal, (end,), through, set())

    def _back(
        self, at: int, left: int, goal: int, path: Path, through: Path, hopeless: set[tuple[int, int, Path]]
    ) -> Iterator[Path]:
        """The paths that end with ``path``, and come to its first square from layer ``at``.

        Args:
            left: what is left when that square is reached.
            goal: bits of which a standing must have one there.
            through: what the path must have before.
            hopeless: for which there are none.
        """
        if (left, goal, through) in hopeless:
            return
        found = False
        crossing = self._lines.crossing[1 << (goal.bit_length() - 1) % self._lines.bits]
        for prey in each(self._prey & ~left & crossing):
            standing = self.layers[at].get(left | prey, 0)
            for before, behind in self._leaps(left | prey, prey) if standing else ():
                if not behind & goal:
                    continue
                origins = tuple(each(standing & before))
                # Where it goes straight on, from right behind what was taken before: the lowest bit of a way upward.
                for origin in origins if before >> 2 * self._lines.bits else origins[::-1]:
                    if at == 0:
                        ways: Iterator[Path] = iter(() if through else (path,))
                    else:
                        square = 1 << (origin.bit_length() - 1) % self._lines.bits
                        still = through[:-1] if through and through[-1] == square else through
                        ways = self._back(at - 1, left | prey, origin, (square, *path), still, hopeless)
                    for way in ways:
                        found = True
                        yield way
        if not found:
            hopeless.add((left, goal, through))

    def _leaps(self, left: int, prey: int) -> Iterator[tuple[int, int]]:
        """From where and landing where ``prey`` is taken when there is ``left``."""
        for mask, _, known in self._groups:
            if prey & mask:
                for other, before, behind in known[left & mask][1]:
                    if other == prey:
                        yield before, behind

    def _next(self, layer: dict[int, int]) -> dict[int, int]:
        following: dict[int, int] = defaultdict(int)
        for mask, group, known in self._groups:
            for left, standing in layer.items():
                try:
                    anywhere, leaps = known[left & mask]
                except KeyError:
                    foes = left & mask
                    anywhere, leaps = known[foes] = self._lines.look(group, self._start, foes)
                if standing & anywhere:
                    for prey, before, behind in leaps:
                        if standing & before:
                            following[left ^ prey] |= behind
        return following
