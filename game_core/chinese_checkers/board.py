"""The star: its 121 holes, their names and neighbours.

A set of holes is an int, with hole ``i`` of ``HOLES`` as bit ``i``. A half turn of the star maps hole ``i`` to hole
``120 - i``.
"""

from __future__ import annotations

ROWS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
"""How many holes each row has, from White's tip up to Black's."""

_NAMED_ROWS = tuple(zip("abcdefghijklmnopq", ROWS, strict=True))

HOLES = tuple(f"{letter}{number}" for letter, length in _NAMED_ROWS for number in range(1, length + 1))
"""Names, row by row from White's tip, each row from the left as White sees it."""

INDEX = {name: hole for hole, name in enumerate(HOLES)}

ALL = (1 << len(HOLES)) - 1

_PLACES = tuple((row, 2 * place - length + 1) for row, length in enumerate(ROWS) for place in range(length))
"""Row, and distance to the right of the middle in half steps."""

_AT = {place: hole for hole, place in enumerate(_PLACES)}

_DIRECTIONS = ((1, -1), (1, 1), (0, -2), (0, 2), (-1, -1), (-1, 1))
"""Directions to the six neighbours, up and left first. Of hop paths of equal length the first in this order is
taken."""


def _seen_from(hole: int, times: int) -> list[int | None]:
    """Return the hole at ``times`` the distance of the neighbour in each direction; None outside the star."""
    row, right = _PLACES[hole]
    return [_AT.get((row + times * up, right + times * aside)) for up, aside in _DIRECTIONS]


NEIGHBOURS = tuple(sum(1 << near for near in _seen_from(hole, 1) if near is not None) for hole in range(len(HOLES)))
"""Neighbouring holes, by hole."""

HOPS = tuple(
    tuple(
        (1 << over | 1 << land, 1 << over, land)
        for over, land in zip(_seen_from(hole, 1), _seen_from(hole, 2), strict=True)
        if over is not None and land is not None
    )
    for hole in range(len(HOLES))
)
"""Hops by hole: the set of the hole hopped over and the landing hole; the set of the hole hopped over; the number of
the landing hole. A hop is possible if of the first set exactly the second is occupied."""


def holes_named(*names: str) -> int:
    """Return the set of the holes with these names."""
    return sum(1 << INDEX[name] for name in names)


def rows(letters: str) -> int:
    """Return the set of the holes in the rows with these letters."""
    return holes_named(*(name for name in HOLES if name[0] in letters))


def turned(holes: int) -> int:
    """Return ``holes`` after a half turn of the star."""
    return int(f"{holes:0{len(HOLES)}b}"[::-1], 2)
