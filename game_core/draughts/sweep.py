"""Captures for variants in which captured pieces leave at once: all paths of one piece together, leap by leap.

With every leap the board changes, and there are as many boards as sets of pieces that may remain: many, but far fewer
than paths. So a layer, which is everything possible after a number of leaps, has for each set of remaining pieces the
squares where the capturing piece may stand, as bits. The next layer follows from all of them at once: a piece can be
captured if one of these squares lies before it with nothing between. The last layer that is not empty has the longest
captures.

A standing is one integer with a field of bits for each of the four directions of the next leap. A piece does not
reverse its direction: the field of the reverse direction lacks the squares just landed on.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from game_core.draughts.field import each

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.draughts.lines import Along, CaptureLines, Prey

MANY = 50
"""Number of remaining sets above which an array with a slot for each possible set pays off."""

Crossing = tuple["Prey", list[tuple["Prey", "Along"]]]
"""Capturable pieces on two lines, in total and line by line with the leaps along it."""

Path = tuple[int, ...]
"""The landing squares."""


class Sweep:
    """All captures of one piece."""

    def __init__(self, lines: CaptureLines, start: int) -> None:
        self._lines, self._start = lines, start
        self._groups = lines.groups(start)
        # Standings by remaining pieces. These tell the number of leaps, so one dict holds all layers.
        self._standings: dict[Prey, int] | list[int] = defaultdict(
            int, {lines.all: lines.stand(start, lines.directions)}
        )
        self._last: list[Prey] = [lines.all]
        while layer := self._next(self._last):
            self._last = layer
        self._crossings: dict[int, Crossing] = {}
        self._known: dict[tuple[Prey, int], Path] = {}

    def captures(self) -> Iterator[tuple[int, int, Path]]:
        """Yield the longest captures: the end, the captured squares, and the first path."""
        lines = self._lines
        anywhere = lines.stand(1, (0, 1, 2, 3))
        for left in sorted(self._last):
            taken = lines.where(lines.all ^ left)
            for end in each(lines.squares(self._standings[left])):
                yield end, taken, (*self._path(left, end * anywhere), end)

    def _path(self, left: Prey, goal: int) -> Path:
        """Return the landing squares before ``goal`` is reached with ``left`` remaining: the first path found."""
        known, everything = self._known, self._lines.all
        steps = []
        while (left, goal) not in known:
            earlier, origin = next(self._before(left, goal))
            if earlier == everything:
                known[left, goal] = ()
            else:
                steps.append((left, goal))
                left, goal = earlier, origin
        path = known[left, goal]
        for step in reversed(steps):
            path = known[step] = (*path, self._square(goal))
            goal = step[1]
        return path

    def paths(self, end: int, taken: int, through: Path = ()) -> Iterator[Path]:
        """Yield the paths of one of these captures that land on the squares of ``through`` in order."""
        left, goal = self._lines.all ^ self._lines.number(taken), self._lines.stand(end, (0, 1, 2, 3))
        return self._back(left, goal, (end,), through, set())

    def _back(
        self, left: Prey, goal: int, path: Path, through: Path, dead_ends: set[tuple[Prey, int, Path]]
    ) -> Iterator[Path]:
        """Yield the paths that end with ``path``.

        Args:
            left: the pieces remaining when its first square is reached.
            goal: bits of which a standing must have one there.
            through: squares the path must have before.
            hopeless: arguments for which there are none.
        """
        if (left, goal, through) in dead_ends:
            return
        found = False
        for earlier, origin in self._before(left, goal):
            if earlier == self._lines.all:
                paths: Iterator[Path] = iter(() if through else (path,))
            else:
                square = self._square(origin)
                still = through[:-1] if through and through[-1] == square else through
                paths = self._back(earlier, origin, (square, *path), still, dead_ends)
            for whole in paths:
                found = True
                yield whole
        if not found:
            dead_ends.add((left, goal, through))

    def _before(self, left: Prey, goal: int) -> Iterator[tuple[Prey, int]]:
        """Yield the remaining pieces and the standing (a bit) one leap before ``goal`` is reached with ``left``."""
        crossing, near = self._crossing(self._square(goal))
        for prey in each(crossing & ~left):
            earlier = left | prey
            standing = self._standings[earlier]
            if not standing:
                continue
            for here, along in near:
                for other, before, behind in along[earlier & here] if prey & here else ():
                    if other == prey and behind & goal and standing & before:
                        # If it continues straight on, right behind the previously captured piece: the lowest bit in an
                        # upward direction.
                        origins = tuple(each(standing & before))
                        for origin in origins if before >> 2 * self._lines.bits else origins[::-1]:
                            yield earlier, origin

    def _crossing(self, square: int) -> Crossing:
        """Return the capturable pieces on the lines through ``square``, in total and line by line."""
        known = self._crossings.get(square)
        if known is None:
            lines, start = self._lines, self._start
            near = [(lines.on[line.mask], lines.along(line, start)) for line in lines.field.lines_through[square]]
            known = self._crossings[square] = (near[0][0] | near[1][0], near)
        return known

    def _square(self, standing: int) -> int:
        """Return the square of one bit, or of one square's bits in several fields."""
        return 1 << (standing.bit_length() - 1) % self._lines.bits

    def _next(self, layer: list[Prey]) -> list[Prey]:
        """Return the sets that may remain after one more leap than in ``layer``."""
        standings = self._standings
        if len(layer) > MANY and isinstance(standings, dict):
            places = [0] * (self._lines.all + 1)
            for left, standing in standings.items():
                places[left] = standing
            standings = self._standings = places
        following: list[Prey] = []
        for group, known in self._groups:
            there, anywhere = group.prey, group.before
            for left in layer:
                standing = standings[left]
                if standing & anywhere:
                    try:
                        leaps = known[left & there]
                    except KeyError:
                        foes = left & there
                        leaps = known[foes] = self._lines.look(group, self._start, foes)
                    for prey, before, behind in leaps:
                        if standing & before:
                            then = left ^ prey
                            so_far = standings[then]
                            if so_far:
                                standings[then] = so_far | behind
                            else:
                                standings[then] = behind
                                following.append(then)
        return following
