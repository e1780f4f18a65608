"""The ways in which a capture may go, for those who show it or spell it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.draughts.captures import Search
from game_core.rules import Leaps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.draughts.board import Board, Men, Move


class Ways:
    """The paths of one capture that land on some squares in turn."""

    def __init__(self, board: Board, men: Men, move: Move, through: tuple[int, ...] = ()) -> None:
        """``move`` is legal for ``men``."""
        self._board, self._move, self._through = board, move, through
        self._search = Search(board, men)
        self._search.begin(move.start)
        self._kings_first = board.laws.choice == "italian"
        self._order = [bool(prey & men.kings) for prey in taken_on(board, move, move.path)]
        self._hopeless: set[tuple[int, int, int, bool, int]] = set()

    def all(self) -> Iterator[tuple[int, ...]]:
        """One after the other, in a fixed order."""
        king = bool(self._move.start & self._search.kings)
        return self._go_on(self._move.start, 0, (), king=king, last=0, met=0)

    def _go_on(
        self, at: int, taken: int, path: tuple[int, ...], *, king: bool, last: int, met: int
    ) -> Iterator[tuple[int, ...]]:
        if taken == self._move.taken:
            if at == self._move.end and met == len(self._through):
                yield path
            return
        state = (at, taken, last, king, met)
        if state in self._hopeless:
            return
        found = False
        for prey, landings, shift in self._search.leaps(at, taken, king=king, last=last):
            if not prey & self._move.taken or (
                self._kings_first and bool(prey & self._search.foe_kings) != self._order[len(path)]
            ):
                continue
            for end in landings:
                on = met < len(self._through) and end == self._through[met]
                for way in self._go_on(
                    end,
                    taken | prey,
                    (*path, end),
                    king=king or self._search.is_crowned(end),
                    last=shift if self._board.laws.at_once else 0,
                    met=met + on,
                ):
                    found = True
                    yield way
        if not found:
            self._hopeless.add(state)


def taken_on(board: Board, move: Move, path: tuple[int, ...]) -> list[int]:
    """What ``move`` takes by way of ``path``, in turn."""
    left = move.taken
    taken = []
    for start, end in zip((move.start, *path), path, strict=False):
        prey = board.field.between(start, end) & left
        taken.append(prey)
        left &= ~prey
    return taken


def leaps_of(board: Board, move: Move, path: tuple[int, ...]) -> Leaps:
    """``move`` by way of ``path``, with the names of squares."""
    names = board.field.names
    return Leaps(
        path=tuple(names[bit] for bit in path),
        taken=tuple(names[bit] for bit in taken_on(board, move, path)),
    )
