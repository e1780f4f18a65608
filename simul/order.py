"""In which order the host comes to his boards. Nothing here walks over all of them.

In a round it is a queue: a board that the host has been at goes to its end. So he comes to the one he has not been at
for longest, and between two visits to a board every other is visited once, however he jumps about in between.

In ``clock`` mode the boards that wait for him are the bits of a number, bit ``n`` for board ``n``: the next one after
the present is found by shifting and masking, a hundred bytes for a thousand boards.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Round:
    """The boards still played, in the order in which the host will come to them, and those he has put off."""

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
        """Where the host goes next; None when no board is left."""
        return next(iter(self._queue), None)

    def first_but(self, board: int | None) -> int | None:
        """Where he goes next from ``board``: there again only if it is the last one left."""
        found = self.first
        if found != board:
            return found
        others = iter(self._queue)
        next(others, None)
        return next(others, found)

    def add(self, board: int) -> None:
        """A new board comes last."""
        self._queue[board] = None

    def visit(self, board: int) -> None:
        """The host is at ``board``: it comes last, and is not put off any more."""
        self._queue.move_to_end(board)
        self._later.discard(board)

    def put_off(self, board: int) -> None:
        """The host will come to ``board`` after all others."""
        self._queue.move_to_end(board)
        self._later.add(board)

    def is_later(self, board: int) -> bool:
        """Whether the host has put ``board`` off."""
        return board in self._later

    def drop(self, board: int) -> None:
        """``board`` is over."""
        self._queue.pop(board, None)
        self._later.discard(board)


class Waiting:
    """The boards where the host has the move (``clock`` mode), and those of them that he has put off."""

    __slots__ = ("_later", "_waiting")

    def __init__(self) -> None:
        self._waiting = 0
        self._later = 0

    def __contains__(self, board: int) -> bool:
        return bool(self._waiting >> board & 1)

    def set(self, board: int, *, waits: bool) -> None:
        """Whether ``board`` waits for the host now. One that does not is not put off any more."""
        bit = 1 << board
        if waits:
            self._waiting |= bit
        else:
            self._waiting &= ~bit
            self._later &= ~bit

    def put_off(self, board: int) -> None:
        """The host wants to see all others that wait before ``board``."""
        self._later |= 1 << board

    def is_later(self, board: int) -> bool:
        """Whether the host has put ``board`` off."""
        return bool(self._later >> board & 1)

    def take_up(self, board: int) -> None:
        """The host is at ``board``: it is not put off any more."""
        self._later &= ~(1 << board)

    def next_after(self, board: int) -> int | None:
        """The next board after ``board`` that waits, by number and round again, ``board`` itself last.

        Those put off come when no other waits; None when none waits.
        """
        return _next_after(self._waiting & ~self._later, board) or _next_after(self._waiting & self._later, board)


def _next_after(bits: int, board: int) -> int | None:
    if not bits:
        return None
    chosen = bits >> board + 1 << board + 1 or bits
    return (chosen & -chosen).bit_length() - 1
