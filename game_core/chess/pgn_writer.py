"""PGN export of whole games with comments and variations (standard sections 3.2 and 8).

``pgn_reader`` reads the output as the same game, with ``?`` for those of the seven tags it did not have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chess.pgn_game import DERIVED_TAGS
from game_core.chess.variants import BY_NAME
from game_core.scores.writer import LineWords, format_score, in_braces, write_each

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.chess.pgn_game import PgnGame


def format_game(game: PgnGame) -> str:
    """Return ``game`` as PGN with a final newline. Raises ``ValueError`` if a tag's name is invalid."""
    fields = (game.fen or BY_NAME[game.variant].initial).split(" ")
    first_ply = 2 * (int(fields[5]) - 1) + (fields[1] == "b")
    return format_score(_tags(game), [*_WORDS.of(game.line, first_ply), game.result])


def write_games(games: Iterable[PgnGame]) -> Iterator[str]:
    """Yield the text of ``games`` one by one, with an empty line between them."""
    return write_each(games, format_game)


def _tags(game: PgnGame) -> dict[str, str]:
    """Return the tags. Fields of the game override the ``DERIVED_TAGS``."""
    laws = BY_NAME[game.variant]
    fen = game.fen or laws.initial
    tags = {name: value for name, value in game.tags.items() if name not in DERIVED_TAGS} | {"Result": game.result}
    if laws.pgn_tag is not None:
        tags["Variant"] = laws.pgn_tag
    if laws.starts > 1 or fen != laws.initial:
        tags |= {"FEN": fen, "SetUp": "1"}
    return tags


def _closed(comment: str) -> list[str]:
    # A comment in braces ends at a closing brace; one to the end of the line does not.
    return [f";{comment}\n"] if "}" in comment else in_braces(comment)


_WORDS = LineWords(named=str, closed=_closed)
