"""Slow reference implementation of draughts, made from the rules alone: squares are columns and rows, and every path is
walked to its end.

It shares the names of variants and squares with the engine, but not its move generation.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Square = tuple[int, int]
"""Column and row, from the left and from Black's side."""


class Piece(NamedTuple):
    white: bool
    king: bool


Men = dict[Square, Piece]


class Way(NamedTuple):
    """A capture by one path, to its end; a plain step captures nothing."""

    start: Square
    path: tuple[Square, ...]
    taken: tuple[Square, ...]
    king: bool
    """Whether the piece is a king afterwards."""


class Rules(NamedTuple):
    """The differences of a variant."""

    size: int = 8
    mirrored: bool = False
    straight: bool = False
    flying: bool = True
    back: bool = False
    shy: bool = False
    """Men may not capture kings."""
    on_crown: Literal["passes", "stops", "goes on"] = "passes"
    choice: Literal["any", "most", "kings", "italian", "value"] = "most"
    letters: bool = False
    across: bool = False
    """Captures also along rows and columns, over every second square."""


RULES = {
    "international": Rules(size=10, back=True),
    "classic": Rules(on_crown="stops", choice="kings"),
    "english": Rules(flying=False, on_crown="stops", choice="any"),
    "italian": Rules(mirrored=True, flying=False, shy=True, on_crown="stops", choice="italian"),
    "russian": Rules(back=True, on_crown="goes on", choice="any", letters=True),
    "brazilian": Rules(back=True, letters=True),
    "turkish": Rules(straight=True, letters=True),
    "frisian": Rules(size=10, back=True, choice="value", across=True),
}


class Slow:
    """The board of one variant."""

    def __init__(self, variant: str) -> None:
        self.rules = rules = RULES[variant]
        played_on = [
            (column, row)
            for row in range(rules.size)
            for column in range(rules.size)
            if rules.straight or (column + row) % 2 != rules.mirrored
        ]
        self.names = {
            (column, row): f"{'abcdefgh'[column]}{8 - row}" if rules.letters else str(number)
            for number, (column, row) in enumerate(played_on, 1)
        }
        self.named = {name: square for square, name in self.names.items()}
        straight, diagonal = ((0, 1), (0, -1), (1, 0), (-1, 0)), ((1, 1), (1, -1), (-1, 1), (-1, -1))
        self.everywhere = straight if rules.straight else diagonal
        self.taking = (*self.everywhere, *((2 * x, 2 * y) for x, y in straight if rules.across))

    def ahead(self, *, white: bool) -> list[Square]:
        """Return the directions in which men step: not backwards."""
        return [(x, y) for x, y in self.everywhere if y != (1 if white else -1)]

    def ways(self, men: Men, *, white: bool) -> list[Way]:
        """Return all legal moves; each path of a capture is separate."""
        own = [square for square, piece in men.items() if piece.white == white]
        captures = [way for square in own for way in self._captures(men, square)]
        return self._chosen(men, captures) or [step for square in own for step in self._steps(men, square)]

    def crowns(self, square: Square, *, white: bool) -> bool:
        return square[1] == (0 if white else self.rules.size - 1)

    def _steps(self, men: Men, start: Square) -> list[Way]:
        white, king = men[start]
        steps = []
        for x, y in self.everywhere if king else self.ahead(white=white):
            end = (start[0] + x, start[1] + y)
            while end in self.names and end not in men:
                steps.append(Way(start, (end,), (), king or self.crowns(end, white=white)))
                if not (king and self.rules.flying):
                    break
                end = (end[0] + x, end[1] + y)
        return steps

    def _captures(self, men: Men, start: Square) -> list[Way]:
        others = {square: piece for square, piece in men.items() if square != start}
        first = Way(start, (), (), men[start].king)
        return [way for way in self._go_on(others, first, white=men[start].white, last=None) if way.taken]

    def _go_on(self, others: Men, way: Way, *, white: bool, last: Square | None) -> list[Way]:
        """Return all continuations of ``way``, or ``way`` itself if there are none."""
        rules = self.rules
        at = way.path[-1] if way.path else way.start
        gone = set(way.taken) if rules.straight else set()
        found: list[Way] = []
        for x, y in self.taking if way.king or rules.back else self.ahead(white=white):
            if rules.straight and way.king and last == (-x, -y):
                continue
            prey = (at[0] + x, at[1] + y)
            while way.king and rules.flying and prey in self.names and (prey not in others or prey in gone):
                prey = (prey[0] + x, prey[1] + y)
            if prey not in others or prey in way.taken or others[prey].white == white:
                continue
            if rules.shy and not way.king and others[prey].king:
                continue
            landings = []
            end = (prey[0] + x, prey[1] + y)
            while end in self.names and (end not in others or end in gone):
                landings.append(end)
                if not (way.king and rules.flying):
                    break
                end = (end[0] + x, end[1] + y)
            ends: list[Way] = []
            further: list[Way] = []
            for end in landings:
                crowned = not way.king and self.crowns(end, white=white)
                king = way.king or (crowned and rules.on_crown == "goes on")
                longer = Way(way.start, (*way.path, end), (*way.taken, prey), king)
                on = (
                    [longer]
                    if crowned and rules.on_crown == "stops"
                    else self._go_on(others, longer, white=white, last=(x, y))
                )
                (ends if on == [longer] else further).extend(on)
            found += further or ends
        if found:
            return found
        return [way]

    def _chosen(self, men: Men, captures: list[Way]) -> list[Way]:
        """Return the captures that the variant allows, promoted if they end on the last row."""

        def kings(way: Way) -> list[bool]:
            return [men[square].king for square in way.taken]

        def rank(way: Way) -> tuple[object, ...]:
            choice = self.rules.choice
            number = len(way.taken) if choice != "any" else 0
            if choice == "value":
                return sum(199 if king else 100 for king in kings(way)), men[way.start].king
            if choice == "kings":
                return number, sum(kings(way))
            if choice == "italian":
                return number, men[way.start].king, sum(kings(way)), kings(way)
            return (number,)

        best = max(map(rank, captures), default=())
        return [
            way._replace(king=way.king or self.crowns(way.path[-1], white=men[way.start].white))
            for way in captures
            if rank(way) == best
        ]
