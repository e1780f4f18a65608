"""The moves of a score, with all that stands there about them: values, equal when they say the same."""

from __future__ import annotations

import msgspec


class Ply(msgspec.Struct, frozen=True):
    """One move of a line, and what stands there about it.

    Attributes:
        move: in wire notation; in chess ``NULL_MOVE`` for a turn that is passed.
        san: its name; in chess SAN with the mark of check or mate.
        nags: numbers of annotation glyphs (PGN standard, section 10); ``!`` to ``?!`` are 1 to 6.
        clock_ms: what was left after it to him who made it (``%clk``).
        spent_ms: what he took for it (``%emt``).
        draw: whether a draw was offered with it, ``(=)``.
        comments: what follows it, without clocks and the like; blanks and ends of line are single blanks.
        variations: what might have been played in its place.
        afterwards: comments that follow the variations.
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
    """Moves in a row: the game's own, or a variation. ``comments`` stand before its first move."""

    plies: tuple[Ply, ...] = ()
    comments: tuple[str, ...] = ()
