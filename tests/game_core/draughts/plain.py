"""Plain reference move generator for draughts: squares are rows and columns, and every path is walked.

It shares only the declarations of the variants with the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.draughts.laws import Laws

Square = tuple[int, int]
"""Row, from Black's side, and column."""

Standing = dict[Square, str]
"""``w`` and ``b`` men, ``W`` and ``B`` kings."""


class Taking(NamedTuple):
    """A capture: start, end, the captured squares in order, and whether the piece is a king at the end."""

    start: Square
    end: Square
    taken: tuple[Square, ...]
    king: bool


class Plain:
    """Moves of one side."""

    def __init__(self, laws: Laws, standing: Standing, turn: str) -> None:
        self.laws, self.standing, self.turn = laws, standing, turn
        ahead = -1 if turn == "w" else 1
        if laws.orthogonal:
            self.all_ways = [(-1, 0), (1, 0), (0, -1), (0, 1)]
            self.ahead = [(ahead, 0), (0, -1), (0, 1)]
        else:
            self.all_ways = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
            self.ahead = [(ahead, -1), (ahead, 1)]
        straight = [(-2, 0), (2, 0), (0, -2), (0, 2)] if laws.takes_straight else []
        self.taking_ways = self.all_ways + straight
        self.last_row = 0 if turn == "w" else laws.size - 1

    def is_free(self, standing: Standing, square: Square) -> bool:
        return all(0 <= place < self.laws.size for place in square) and square not in standing

    def steps(self) -> set[tuple[Square, Square]]:
        found = set()
        for square, piece in self.standing.items():
            if piece.lower() != self.turn:
                continue
            for way in self.all_ways if piece.isupper() else self.ahead:
                end = (square[0] + way[0], square[1] + way[1])
                while self.is_free(self.standing, end):
                    found.add((square, end))
                    if not (piece.isupper() and self.laws.flying):
                        break
                    end = (end[0] + way[0], end[1] + way[1])
        return found

    def captures(self) -> set[tuple[Square, Square, frozenset[Square]]]:
        """Return start, end and captured squares of all legal captures."""
        found: list[Taking] = []
        for square, piece in self.standing.items():
            if piece.lower() == self.turn:
                others = {at: who for at, who in self.standing.items() if at != square}
                found += self.walk(others, square, square, (), piece.isupper(), None)
        kings = {square for square, piece in self.standing.items() if piece.isupper()}
        if found and self.laws.choice == "value":

            def rank(one: Taking) -> tuple[int, bool]:
                return sum(199 if square in kings else 100 for square in one.taken), one.start in kings

            best_rank = max(map(rank, found))
            found = [one for one in found if rank(one) == best_rank]
        elif found and self.laws.choice != "any":
            most = max(len(one.taken) for one in found)
            found = [one for one in found if len(one.taken) == most]
        if self.laws.choice == "italian" and any(one.start in kings for one in found):
            found = [one for one in found if one.start in kings]
        if found and self.laws.choice in ("most_kings", "italian"):
            best = max(len(kings & set(one.taken)) for one in found)
            found = [one for one in found if len(kings & set(one.taken)) == best]
        if found and self.laws.choice == "italian":
            first = max([square in kings for square in one.taken] for one in found)
            found = [one for one in found if [square in kings for square in one.taken] == first]
        return {(one.start, one.end, frozenset(one.taken)) for one in found}

    def walk(
        self,
        others: Standing,
        start: Square,
        at: Square,
        taken: tuple[Square, ...],
        king: bool,
        came: tuple[int, int] | None,
    ) -> list[Taking]:
        found: list[Taking] = []
        for way in self.taking_ways if king or self.laws.men_take_back else self.ahead:
            if self.laws.at_once and came == (-way[0], -way[1]):
                continue
            for prey, landings in self.leap(others, at, taken, king, way):
                further: list[Taking] = []
                for end in landings:
                    crowned = king or (end[0] == self.last_row and self.laws.promotion == "goes_on")
                    if king or end[0] != self.last_row or self.laws.promotion != "ends_move":
                        left = {one: who for one, who in others.items() if not (self.laws.at_once and one == prey)}
                        further += self.walk(left, start, end, (*taken, prey), crowned, way)
                found += further or [Taking(start, end, (*taken, prey), king) for end in landings]
        return found

    def leap(
        self, others: Standing, at: Square, taken: tuple[Square, ...], king: bool, way: tuple[int, int]
    ) -> Iterator[tuple[Square, list[Square]]]:
        far = king and self.laws.flying
        square = (at[0] + way[0], at[1] + way[1])
        while far and self.is_free(others, square):
            square = (square[0] + way[0], square[1] + way[1])
        piece = others.get(square, self.turn)
        if piece.lower() == self.turn or square in taken:
            return
        if piece.isupper() and not king and not self.laws.men_take_kings:
            return
        landings: list[Square] = []
        end = (square[0] + way[0], square[1] + way[1])
        while self.is_free(others, end) and (far or not landings):
            landings.append(end)
            end = (end[0] + way[0], end[1] + way[1])
        if landings:
            yield square, landings
