"""PDN 3.0 export of whole games with comments and variations.

``pdn_reader`` reads the output as the same game, with ``?`` for those of the seven tags it did not have. PDN has only
comments in braces: a closing brace within one is written as a parenthesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.draughts.notation.pdn_builder import variant_tag
from game_core.draughts.notation.pdn_game import DERIVED_TAGS
from game_core.draughts.notation.pdn_types import GAME_TYPES
from game_core.registry import rules_for
from game_core.scores.writer import LineWords, format_score, in_braces, write_each

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.draughts.notation.pdn_game import PdnGame
    from game_core.draughts.notation.pdn_types import GameType
    from game_core.rules import Rules

SEPARATOR = "*"
"""The end of every game: "Only the symbol ``*`` is allowed as a game separator." The result is in its tag."""

_TWO_POINTS = {"1-0": "2-0", "0-1": "0-2", "1/2-1/2": "1-1"}


def format_game(game: PdnGame) -> str:
    """Return ``game`` as PDN with a final newline. Raises ``ValueError`` if a tag's name is invalid."""
    rules = rules_for(game.game, game.variant)
    game_type = GAME_TYPES.get(game.variant)
    begins_second = rules.turn(rules.start(game.fen)) != rules.turn(rules.start(None))
    words = _COLON if game_type is not None and game_type.takes == ":" else _CROSS
    return format_score(_tags(game, game_type, rules), [*words.of(game.line, int(begins_second)), SEPARATOR])


def write_games(games: Iterable[PdnGame]) -> Iterator[str]:
    """Yield the text of ``games`` one by one, with an empty line between them."""
    return write_each(games, format_game)


def _tags(game: PdnGame, game_type: GameType | None, rules: Rules) -> dict[str, str]:
    """Return the tags. Fields of the game override the ``DERIVED_TAGS``."""
    tags = {name: value for name, value in game.tags.items() if name not in DERIVED_TAGS}
    two_points = game_type is not None and game_type.two_points
    tags["Result"] = _TWO_POINTS.get(game.result, game.result) if two_points else game.result
    if game_type is None:
        tags["Variant"] = variant_tag(rules)
    else:
        tags["GameType"] = game_type.tag
    if game.fen is not None:
        tags |= {"FEN": game.fen, "SetUp": "1"}
    return tags


def _closed(comment: str) -> list[str]:
    return in_braces(comment.replace("}", ")"))


_CROSS = LineWords(named=str, closed=_closed)

_COLON = LineWords(named=lambda name: name.replace("x", ":"), closed=_closed)
