"""Order of the host's visits. Nothing here walks over all boards.

In ``round`` mode it is a queue: a visited board goes to its end. So the host next visits the least recently visited
board, and between two visits to a board every other is visited once, whatever detours the host makes.

In ``clock`` mode the boards that wait for the host are the bits of an integer, bit ``n`` for board ``n``. The next
board is found by shifting and masking: a hundred bytes for a thousand boards.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class VisitQueue:
    """The live boards in the order of the coming visits, and those put off."""

    __slots__ = ("_later", "_queue")

    def __init__(self) -> None:
        self._queue: OrderedDict[int, None] = OrderedDict()
        self._later: set[int] = set()

    def __len__(self) -> int:
        return len(self._queue)

    def __iter__(self) -> Iterator[int]:
        return iter(self._queue)

    def __contains__(self, board: int) -> bool:
        return board in self._queue

    @property
    def first(self) -> int | None:
        """Return the next board; None if none is left."""
        return next(iter(self._queue), None)

    def first_but(self, board: int | None) -> int | None:
        """Return the next board after ``board``, which is itself the next only if it is the last one left."""
        found = self.first
        if found != board:
            return found
        others = iter(self._queue)
        next(others, None)
        return next(others, found)

    def add(self, board: int) -> None:
        """Append a new board."""
        self._queue[board] = None

    def visit(self, board: int) -> None:
        """Note a visit: the board goes to the end and is not put off any more."""
        self._queue.move_to_end(board)
        self._later.discard(board)

    def put_off(self, board: int) -> None:
        """Put ``board`` off until after all others."""
        self._queue.move_to_end(board)
        self._later.add(board)

    def is_later(self, board: int) -> bool:
        """Return whether the host has put ``board`` off."""
        return board in self._later

    def drop(self, board: int) -> None:
        """Remove a finished board."""
        self._queue.pop(board, None)
        self._later.discard(board)


class WaitingBoards:
    """The boards where the host is to move (``clock`` mode), and those of them that are put off."""

    __slots__ = ("_later", "_waiting")

    def __init__(self) -> None:
        self._waiting = 0
        self._later = 0

    def __contains__(self, board: int) -> bool:
        return bool(self._waiting >> board & 1)

    def set(self, board: int, *, waits: bool) -> None:
        """Set whether ``board`` waits for the host. A board that does not wait is not put off any more."""
        bit = 1 << board
        if waits:
            self._waiting |= bit
        else:
            self._waiting &= ~bit
            self._later &= ~bit

    def put_off(self, board: int) -> None:
        """Put ``board`` off until no other board waits."""
        self._later |= 1 << board

    def is_later(self, board: int) -> bool:
        """Return whether the host has put ``board`` off."""
        return bool(self._later >> board & 1)

    def take_up(self, board: int) -> None:
        """Note that the host is at ``board``, which is not put off any more."""
        self._later &= ~(1 << board)

    def next_after(self, board: int) -> int | None:
        """Return the next waiting board after ``board`` in cyclic order, ``board`` itself last.

        Boards put off come when no other waits. None if none waits.
        """
        return _next_after(self._waiting & ~self._later, board) or _next_after(self._waiting & self._later, board)


def _next_after(bits: int, board: int) -> int | None:
    if not bits:
        return None
    chosen = bits >> board + 1 << board + 1 or bits
    return (chosen & -chosen).bit_length() - 1
