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

Prey = int
"""Pieces that may be taken, numbered as bits in the order of their squares: sixteen are a number that is small."""

Leap = tuple[Prey, int, int]
"""What may be taken as the board stands, from where (a standing), and landing where (a standing)."""

Outlook = tuple[int, list[Leap]]
"""From where any leap along some lines can be made, and all of them."""

Path = tuple[int, ...]
"""The squares landed on."""


class Lines:
    """What may be taken along the lines of a board by pieces of one kind, remembered for as long as a position is.

    Attributes:
        bits: of a field of a standing.
        all: that may be taken.
        squares_of: the square of each of them.
        on: those on the squares of a line, or of a few lines together.
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
            for mask in field.masks_through[square]:
                self.on[mask] |= one
            one <<= 1
        self.all = one - 1
        self._blocked, self._king = blocked, king
        self._onward = {way: self.stand(1, tuple(other for other in ways if other != 3 - way)) for way in ways}
        self._known: dict[tuple[int, Prey, int], list[Leap]] = {}
        self._outlooks: dict[tuple[Prey, int], dict[Prey, Outlook]] = {}

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

    def groups(self, start: int) -> list[tuple[Prey, tuple[Line, ...], dict[Prey, Outlook]]]:
        """Lines that have prey, a few together, with what has been seen of them by the pieces left there."""
        outlooks = self._outlooks
        return [
            (self.on[mask], group, outlooks.setdefault((mask, start & mask), {}))
            for mask, group in zip(self.field.line_masks, self.field.lines, strict=True)
            if mask in self.on
        ]

    def look(self, group: tuple[Line, ...], start: int, left: Prey) -> Outlook:
        """From where any leap along the lines of ``group`` can be made, and all of them.

        Args:
            start: who has come from there has left it.
            left: those not taken yet.
        """
        leaps: list[Leap] = []
        for line in group:
            leaps += self.leaps(line, start, left)
        anywhere = 0
        for _, before, _ in leaps:
            anywhere |= before
        return anywhere, leaps

    def leaps(self, line: Line, start: int, left: Prey) -> list[Leap]:
        """All leaps along ``line``, as for ``look``."""
        here = left & self.on[line.mask]
        if not here:
            return []
        key = (line.mask, here, start & line.mask)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = list(self._along(line, here, start))
        return known

    def _along(self, line: Line, prey: Prey, start: int) -> Iterator[Leap]:
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


class Sweep:
    """All that one piece can take.

    Attributes:
        layers: by what is left, where it may stand then: after no leap, after one and so on. The last is not empty.
    """

    def __init__(self, lines: Lines, start: int) -> None:
        self._lines, self._start = lines, start
        self._groups = lines.groups(start)
        self._known: dict[tuple[Prey, int], Path] = {}
        self.layers = [{lines.all: lines.stand(start, lines.ways)}]
        while layer := self._next(self.layers[-1]):
            self.layers.append(layer)

    def captures(self) -> Iterator[tuple[int, int, Path]]:
        """Where it may end, which squares are taken then, and the first way to do so: of all that take most."""
        lines = self._lines
        for left, standing in self.layers[-1].items():
            taken = lines.where(lines.all ^ left)
            for end in each(lines.squares(standing)):
                yield end, taken, (*self._way(left, lines.stand(end, (0, 1, 2, 3))), end)

    def _way(self, left: Prey, goal: int) -> Path:
        """The squares landed on before ``goal`` is come to with ``left``, the first way that is found."""
        known = self._known
        steps = []
        for at in range(len(self.layers) - 2, 0, -1):
            if (left, goal) in known:
                break
            steps.append((left, goal))
            left, goal = next(self._before(at, left, goal))
        way = known.get((left, goal), ())
        for step in reversed(steps):
            way = known[step] = (*way, self._square(goal))
            goal = step[1]
        return way

    def paths(self, end: int, taken: int, through: Path = ()) -> Iterator[Path]:
        """The ways of one of these captures that land on the squares of ``through`` one after the other."""
        left, goal = self._lines.all ^ self._lines.number(taken), self._lines.stand(end, (0, 1, 2, 3))
        return self._back(len(self.layers) - 2, left, goal, (end,), through, set())

    def _back(
        self, at: int, left: Prey, goal: int, path: Path, through: Path, hopeless: set[tuple[Prey, int, Path]]
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
        for earlier, origin in self._before(at, left, goal):
            if at == 0:
                ways: Iterator[Path] = iter(() if through else (path,))
            else:
                square = self._square(origin)
                still = through[:-1] if through and through[-1] == square else through
                ways = self._back(at - 1, earlier, origin, (square, *path), still, hopeless)
            for way in ways:
                found = True
                yield way
        if not found:
            hopeless.add((left, goal, through))

    def _before(self, at: int, left: Prey, goal: int) -> Iterator[tuple[Prey, int]]:
        """What was left and where it stood in layer ``at`` (a bit) if it then came to ``goal``, with ``left``."""
        lines, layer = self._lines, self.layers[at]
        near = [(lines.on[line.mask], line) for line in lines.field.lines_through[self._square(goal)]]
        crossing: Prey = 0
        for here, _ in near:
            crossing |= here
        for prey in each(crossing & ~left):
            earlier = left | prey
            standing = layer.get(earlier, 0)
            for here, line in near if standing else ():
                for other, before, behind in lines.leaps(line, self._start, earlier) if prey & here else ():
                    if other == prey and standing & before and behind & goal:
                        # Where it goes straight on, from right behind what was taken before: the lowest of a way up.
                        origins = tuple(each(standing & before))
                        for origin in origins if before >> 2 * lines.bits else origins[::-1]:
                            yield earlier, origin

    def _square(self, standing: int) -> int:
        """The square of one bit, or of one square's bits in several fields."""
        return 1 << (standing.bit_length() - 1) % self._lines.bits

    def _next(self, layer: dict[Prey, int]) -> dict[Prey, int]:
        following: dict[Prey, int] = {}
        so_far = following.get
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
                            then = left ^ prey
                            following[then] = so_far(then, 0) | behind
        return following
