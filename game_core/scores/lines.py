"""The moves of a score with their annotations, as comparable values."""

from __future__ import annotations

import msgspec


class Ply(msgspec.Struct, frozen=True):
    """One move of a line, with its annotations.

    Attributes:
        move: wire notation; in chess ``NULL_MOVE`` for a null move.
        san: its name; in chess SAN with the mark of check or mate.
        nags: numbers of annotation glyphs (PGN standard, section 10); ``!`` to ``?!`` are 1 to 6.
        clock_ms: the mover's remaining time (``%clk``).
        spent_ms: the mover's time for the move (``%emt``).
        draw: whether a draw was offered with it, ``(=)``.
        comments: comments after it, without clocks and the like; white space is single blanks.
        variations: alternatives to it.
        afterwards: comments after the variations.
    """

    move: str
    san: str
    nags: tuple[int, ...] = ()
    clock_ms: int | None = None
    spent_ms: int | None = None
    draw: bool = False
    comments: tuple[str, ...] = ()
    variations: tuple[Line, ...] = ()
    afterwards: tuple[str, ...] = ()


class Line(msgspec.Struct, frozen=True):
    """A sequence of moves: the game's own, or a variation. ``comments`` stand before its first move."""

    plies: tuple[Ply, ...] = ()
    comments: tuple[str, ...] = ()
