"""A game as PGN has it, comments and variations with it: values, equal when they say the same."""

from __future__ import annotations

import msgspec

NULL_MOVE = "0000"
"""A turn that is passed, in wire notation: only annotators do that, in variations."""

NULL_SAN = "--"

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

TERMINATIONS = frozenset(
    {
        "abandoned",
        "adjudication",
        "death",
        "emergency",
        "normal",
        "rules infraction",
        "time forfeit",
        "unterminated",
    }
)
"""The words of the standard's ``Termination`` tag (9.8.1)."""

DERIVED_TAGS = frozenset({"Result", "Variant", "SetUp", "FEN"})
"""Tags that are fields of a game here."""


class Ply(msgspec.Struct, frozen=True):
    """One move of a line, and what stands there about it.

    Attributes:
        move: in wire notation; ``NULL_MOVE`` for a turn that is passed.
        san: its name, with the mark of check or mate.
        nags: numbers of annotation glyphs (standard section 10); ``!`` to ``?!`` are 1 to 6.
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


class PgnGame(msgspec.Struct, frozen=True):
    """One game.

    Attributes:
        tags: name to value, but for ``DERIVED_TAGS``.
        variant: ``standard`` or ``chess960``.
        fen: where it began, as whole X-FEN; None for the usual position of the standard game.
        line: its moves.
        result: one of ``RESULTS``.
    """

    tags: dict[str, str]
    variant: str = "standard"
    fen: str | None = None
    line: Line = Line()
    result: str = "*"

    @property
    def termination(self) -> str | None:
        """How it ended, in the standard's words; None if it does not say, or says something else."""
        word = self.tags.get("Termination", "").lower()
        return word if word in TERMINATIONS else None
