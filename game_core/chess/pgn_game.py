"""A PGN game with comments and variations, as a comparable value."""

from __future__ import annotations

import msgspec

from game_core.scores.lines import Line

NULL_MOVE = "0000"
"""A null move in wire notation, which occurs only in variations of annotators."""

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
"""The values of the standard's ``Termination`` tag (9.8.1)."""

DERIVED_TAGS = frozenset({"Result", "Variant", "SetUp", "FEN"})
"""Tags that are fields of ``PgnGame``."""


class PgnGame(msgspec.Struct, frozen=True):
    """One game.

    Attributes:
        tags: name to value, without ``DERIVED_TAGS``.
        variant: a variant of chess, as on the wire.
        fen: the start position as complete X-FEN; None for the usual position of a variant with only one.
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
        """The termination in the standard's words; None if it is missing or another."""
        word = self.tags.get("Termination", "").lower()
        return word if word in TERMINATIONS else None
