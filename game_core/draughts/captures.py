"""Captures: the search for all of one side, and the choice that a variant leaves among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from game_core.draughts.field import each, nearest

if TYPE_CHECKING:
    from game_core.draughts.board import Board, Men
    from game_core.draughts.laws import Laws


class Capture(NamedTuple):
    """A capture, taken to its end."""

    start: int
    end: int
    taken: int
    path: tuple[int, ...]
    """The squares landed on, the end included."""
    king: bool
    """Made by a king."""
    crowned: bool
    """A man went on as a king."""
    order: int
    """For each leap, the first as the highest bit, whether it takes a king. Of several ways the highest."""


Leap = tuple[int, tuple[int, ...], int]
"""What is taken, where one may land behind it, and in which direction."""


class Search:
    """The captures of the side to move."""

    def __init__(self, board: Board, men: Men) -> None:
        laws = board.laws
        self.board, self.laws, self.field = board, laws, board.field
        self.own, self.foes = men.sides
        self.kings = self.own & men.kings
        self.foe_kings = self.foes & men.kings
        self.prey = self.foes if laws.men_take_kings else self.foes & ~self.foe_kings
        """What men may take."""
        self.crown = board.crown[men.turn]
        self.man_shifts = board.field.shifts if laws.men_take_back else board.forward[men.turn]
        self.found: dict[tuple[int, int, int], Capture] = {}
        self._start = self._blocked = 0
        self._king = False
        self._seen: dict[tuple[int, int, int, bool, int], bool] = {}

    def takers(self) -> int:
        """Who can take something."""
        field = self.field
        empty = field.all & ~self.own & ~self.foes
        men = self.own & ~self.kings
        found = 0
        for shift in self.man_shifts:
            if shift > 0:
                found |= men & (self.prey & empty >> shift) >> shift
            else:
                found |= men & (self.prey & empty << -shift) << -shift
        self._blocked = self.own | self.foes
        for king in each(self.kings):
            if self._king_leaps(king, 0, 0):
                found |= king
        return found

    def begin(self, start: int) -> None:
        """From here on ``leaps`` are those of the piece that came from ``start``."""
        self._start = start
        self._blocked = (self.own | self.foes) & ~start

    def leaps(self, at: int, taken: int, *, king: bool, last: int) -> list[Leap]:
        """What can be taken next from ``at``.

        Args:
            taken: so far.
            king: whether it goes as a king.
            last: the direction it came from where one may not turn about, else 0.
        """
        return self._king_leaps(at, taken, last) if king else self._man_leaps(at, taken)

    def is_crowned(self, end: int) -> bool:
        """Whether a man that lands there goes on as a king."""
        return bool(end & self.crown) and self.laws.promotion == "goes_on"

    def all(self) -> list[Capture]:
        """All captures that go as far as they can and that the laws leave."""
        for start in each(self.takers()):
            self.begin(start)
            self._king = bool(start & self.kings)
            self._seen = {}
            self._go_on(start, 0, (), king=self._king, last=0, order=0)
        return choose(list(self.found.values()), self.laws, self.foe_kings)

    def _go_on(self, at: int, taken: int, path: tuple[int, ...], *, king: bool, last: int, order: int) -> bool:
        """Take on from ``at``; whether there is anything to take."""
        laws = self.laws
        leaps = self.leaps(at, taken, king=king, last=last)
        for prey, landings, shift in leaps:
            now = taken | prey
            further = order << 1 | bool(prey & self.foe_kings) if laws.choice == "italian" else 0
            turn = shift if laws.at_once else 0
            ends = []
            for end in landings:
                on_crown = not king and bool(end & self.crown)
                as_king = king or self.is_crowned(end)
                state = (end, now, turn, as_king, further)
                more = self._seen.get(state)
                if more is None:
                    more = not (on_crown and laws.promotion == "ends_move") and self._go_on(
                        end, now, (*path, end), king=as_king, last=turn, order=further
                    )
                    self._seen[state] = more
                if not more:
                    ends.append((end, as_king))
            if len(ends) == len(landings):
                for end, as_king in ends:
                    key = (self._start, end, now)
                    known = self.found.get(key)
                    if known is None or known.order < further:
                        crowned = as_king and not self._king
                        self.found[key] = Capture(self._start, end, now, (*path, end), self._king, crowned, further)
        return bool(leaps)

    def _man_leaps(self, at: int, taken: int) -> list[Leap]:
        field = self.field
        prey_here = self.prey & ~taken
        blocked = self._blocked & ~taken if self.laws.at_once else self._blocked
        found: list[Leap] = []
        for shift in self.man_shifts:
            prey = field.step(at, shift) & prey_here
            if prey:
                end = field.step(prey, shift) & ~blocked
                if end:
                    found.append((prey, (end,), shift))
        return found

    def _king_leaps(self, at: int, taken: int, last: int) -> list[Leap]:
        foes = self.foes & ~taken
        blocked = self._blocked & ~taken if self.laws.at_once else self._blocked
        found: list[Leap] = []
        for shift, ray in self.field.rays[at]:
            met = ray & blocked
            if not met or (last and shift == -last):
                continue
            prey = nearest(met, shift)
            beyond = self.field.step(prey, shift)
            if not prey & foes or not beyond & ~blocked:
                continue
            if not self.laws.flying:
                if prey == self.field.step(at, shift):
                    found.append((prey, (beyond,), shift))
                continue
            free = ray & ~(prey | self.field.between(at, prey))
            wall = free & blocked
            if wall:
                wall = nearest(wall, shift)
                free = self.field.between(prey, wall)
            found.append((prey, tuple(each(free)), shift))
        return found


def choose(found: list[Capture], laws: Laws, foe_kings: int) -> list[Capture]:
    """Those of ``found`` that are legal where one may not take as one likes."""
    if laws.choice == "any" or len(found) < 2:
        return found
    most = max(one.taken.bit_count() for one in found)
    found = [one for one in found if one.taken.bit_count() == most]
    if laws.choice == "most":
        return found
    if laws.choice == "italian" and any(one.king for one in found):
        found = [one for one in found if one.king]
    most = max((one.taken & foe_kings).bit_count() for one in found)
    found = [one for one in found if (one.taken & foe_kings).bit_count() == most]
    if laws.choice == "italian":
        first = max(one.order for one in found)
        found = [one for one in found if one.order == first]
    return found
