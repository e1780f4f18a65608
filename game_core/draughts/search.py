"""Captures for variants in which captured pieces stay in the way until the move is over: path by path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.draughts.captures import Capture, Sides
from game_core.draughts.field import each

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.draughts.board import Board, Move
    from game_core.draughts.men import Men

Path = tuple[int, ...]
"""The landing squares."""


class CaptureSearch:
    """The complete captures of the side to move."""

    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        self._found: dict[tuple[int, int, int], Capture] = {}
        self._start = self._blocked = 0
        self._king = False
        self._keeps_order = sides.laws.choice == "italian"
        self._ends_on_crown = sides.laws.promotion == "ends_move"
        self._goes_on_crowned = sides.laws.promotion == "goes_on"
        self._seen: dict[tuple[int, int, bool, int], bool] = {}

    def all(self, takers: int) -> list[Capture]:
        """Return the captures of ``takers``; of those with the same start, end and captured pieces the first path
        found."""
        for start in each(takers):
            self._start, self._king = start, bool(start & self.sides.kings)
            self._blocked = self.sides.occupied & ~start
            self._seen = {}
            self._go_on(start, 0, (), king=self._king, order=0)
        return list(self._found.values())

    def _go_on(self, at: int, taken: int, path: Path, *, king: bool, order: int) -> bool:
        """Continue the capture from ``at``. Returns whether there is anything to capture."""
        sides, seen = self.sides, self._seen
        leaps = (sides.king_leaps if king else sides.man_leaps)(at, taken, self._blocked)
        for prey, landings in leaps:
            now = taken | prey
            further = order << 1 | bool(prey & sides.foe_kings) if self._keeps_order else 0
            ends = []
            for end in landings:
                on_crown = not king and bool(end & sides.crown)
                as_king = king or (on_crown and self._goes_on_crowned)
                state = (end, now, as_king, further)
                more = seen.get(state)
                if more is None:
                    more = not (on_crown and self._ends_on_crown) and self._go_on(
                        end, now, (*path, end), king=as_king, order=further
                    )
                    seen[state] = more
                if not more:
                    ends.append((end, as_king))
            # After a leap the piece lands where it can continue, if there is such a square.
            if len(ends) == len(landings):
                for end, as_king in ends:
                    key = (self._start, end, now)
                    known = self._found.get(key)
                    if known is None or known.order < further:
                        crowned = as_king and not self._king
                        self._found[key] = Capture(self._start, end, now, (*path, end), self._king, crowned, further)
        return bool(leaps)


class Retrace:
    """The paths of one capture that land on given squares in order."""

    def __init__(self, board: Board, men: Men, move: Move, through: Path) -> None:
        self._sides = Sides(board, men)
        self._move, self._through = move, through
        self._blocked = self._sides.occupied & ~move.start
        self._goes_on_crowned = board.laws.promotion == "goes_on"
        self._order: list[bool] | None = None
        if board.laws.choice == "italian":
            self._order = [bool(prey & men.kings) for prey in board.taken_on(move, move.path)]
        self._dead_ends: set[tuple[int, int, bool, int]] = set()

    def all(self) -> Iterator[Path]:
        """Yield the paths in a fixed order."""
        return self._go_on(self._move.start, 0, (), king=bool(self._move.start & self._sides.kings), met=0)

    def _go_on(self, at: int, taken: int, path: Path, *, king: bool, met: int) -> Iterator[Path]:
        """Yield the paths that begin with ``path`` and have landed on the first ``met`` of the squares."""
        sides, move, through = self._sides, self._move, self._through
        if taken == move.taken:
            if at == move.end and met == len(through):
                yield path
            return
        state = (at, taken, king, met)
        if state in self._dead_ends:
            return
        found = False
        for prey, landings in (sides.king_leaps if king else sides.man_leaps)(at, taken, self._blocked):
            if not prey & move.taken:
                continue
            if self._order is not None and bool(prey & sides.foe_kings) != self._order[len(path)]:
                continue
            # After the last piece too it must land where it can continue: then this path belongs to another capture.
            now = taken | prey
            if (
                now == move.taken
                and len(landings) > 1
                and any(sides.king_leaps(end, now, self._blocked) for end in landings)
            ):
                continue
            for end in landings:
                crowned = king or (self._goes_on_crowned and bool(end & sides.crown))
                still_met = met + (met < len(through) and end == through[met])
                for whole in self._go_on(end, now, (*path, end), king=crowned, met=still_met):
                    found = True
                    yield whole
        if not found:
            self._dead_ends.add(state)
