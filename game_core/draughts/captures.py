"""Captures of the side to move, and the priority rules of a variant among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from game_core.draughts.field import each, nearest

if TYPE_CHECKING:
    from game_core.draughts.board import Board
    from game_core.draughts.laws import Laws
    from game_core.draughts.men import Men


class Capture(NamedTuple):
    """A complete capture."""

    start: int
    end: int
    taken: int
    path: tuple[int, ...]
    """The landing squares, the end included."""
    king: bool
    """Made by a king."""
    crowned: bool
    """A man became a king during the capture."""
    order: int
    """For each leap, the first as the highest bit, whether it captures a king. Of several paths the highest value."""


MAN_WORTH, KING_WORTH = 100, 199
"""Values of pieces where the most valuable capture is compulsory: any number of kings is worth less than twice as many
men, by less than one man."""

Leap = tuple[int, tuple[int, ...]]
"""The captured piece, and the possible landing squares."""


class Sides:
    """The pieces on a board from the view of the side to move."""

    def __init__(self, board: Board, men: Men) -> None:
        laws = board.laws
        self.board, self.laws, self.field = board, laws, board.field
        self.own, self.foes = men.sides
        self.occupied = self.own | self.foes
        self.kings = self.own & men.kings
        self.foe_kings = self.foes & men.kings
        self.prey = self.foes if laws.men_take_kings else self.foes & ~self.foe_kings
        """Pieces that men may capture."""
        self.crown = board.crown[men.turn]
        self.man_shifts = board.field.shifts if laws.men_take_back else board.forward[men.turn]

    def takers(self) -> int:
        """Return the pieces that can capture."""
        empty = self.field.all & ~self.occupied
        men = self.own & ~self.kings
        found = 0
        for shift in self.man_shifts:
            if shift > 0:
                found |= men & (self.prey & empty >> shift) >> shift
            else:
                found |= men & (self.prey & empty << -shift) << -shift
        step = self.field.step
        for shift in self.field.straight:
            found |= men & step(self.prey & step(empty, -shift), -shift)
        for king in each(self.kings):
            if self.king_leaps(king, 0, self.occupied):
                found |= king
        return found

    def man_leaps(self, at: int, taken: int, blocked: int) -> list[Leap]:
        """Return a man's captures from ``at``. ``blocked`` is everything in the way, including captured pieces."""
        step = self.field.step
        prey_here = self.prey & ~taken
        found: list[Leap] = []
        for shift in (*self.man_shifts, *self.field.straight):
            prey = step(at, shift) & prey_here
            if prey:
                end = step(prey, shift) & ~blocked
                if end:
                    found.append((prey, (end,)))
        return found

    def king_leaps(self, at: int, taken: int, blocked: int) -> list[Leap]:
        """Return a king's captures from ``at``."""
        foes = self.foes & ~taken
        field, flying = self.field, self.laws.flying
        found: list[Leap] = []
        for shift, ray in field.leap_rays[at]:
            met = ray & blocked
            if not met:
                continue
            prey = nearest(met, shift)
            beyond = field.step(prey, shift) & ~blocked
            if not prey & foes or not beyond:
                continue
            if not flying:
                if prey == field.step(at, shift):
                    found.append((prey, (beyond,)))
                continue
            free = ray & ~(prey | field.between(at, prey))
            wall = free & blocked
            if wall:
                free = field.between(prey, nearest(wall, shift))
            landings = tuple(each(free))
            # Nearest first, as PDN writes the landing squares of leaps in the same direction.
            found.append((prey, landings if shift > 0 else landings[::-1]))
        return found


def choose(found: list[Capture], laws: Laws, foe_kings: int) -> list[Capture]:
    """Return the legal ones of ``found`` by the variant's priority rules."""
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
