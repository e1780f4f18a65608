"""A game as PDN has it, comments and variations with it: values, equal when they say the same."""

from __future__ import annotations

import msgspec

from game_core.scores.lines import Line

RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "*")
"""However they are written. ``0-0`` is lost by both."""

DERIVED_TAGS = frozenset({"Result", "GameType", "Variant", "SetUp", "FEN"})
"""Tags that are fields of a game here."""


class PdnGame(msgspec.Struct, frozen=True):
    """One game.

    Attributes:
        tags: name to value, but for ``DERIVED_TAGS``.
        game, variant: as the registry calls them.
        fen: where it began; None for the usual position.
        line: its moves, with names as our notation has them.
        result: one of ``RESULTS``.
    """

    tags: dict[str, str]
    game: str = "draughts"
    variant: str = "international"
    fen: str | None = None
    line: Line = Line()
    result: str = "*"
