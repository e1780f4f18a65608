"""A PDN game with comments and variations, as a comparable value."""

from __future__ import annotations

import msgspec

from game_core.scores.lines import Line

RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "*")
"""Results in whatever form. ``0-0`` is lost by both."""

DERIVED_TAGS = frozenset({"Result", "GameType", "Variant", "SetUp", "FEN"})
"""Tags that are fields of ``PdnGame``."""


class PdnGame(msgspec.Struct, frozen=True):
    """One game.

    Attributes:
        tags: name to value, without ``DERIVED_TAGS``.
        game, variant: as in the registry.
        fen: the start position; None for the usual one.
        line: its moves in our notation.
        result: one of ``RESULTS``.
    """

    tags: dict[str, str]
    game: str = "draughts"
    variant: str = "international"
    fen: str | None = None
    line: Line = Line()
    result: str = "*"
