"""A game as PGN has it, comments and variations with it: values, equal when they say the same."""

from __future__ import annotations

import msgspec

from game_core.scores.lines import Line

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


class PgnGame(msgspec.Struct, frozen=True):
    """One game.

    Attributes:
        tags: name to value, but for ``DERIVED_TAGS``.
        variant: one of chess, as on the wire.
        fen: where it began, as whole X-FEN; None for the usual position of a variant with only one.
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
