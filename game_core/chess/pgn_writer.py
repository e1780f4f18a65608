"""PGN export of whole games, comments and variations with them (standard sections 3.2 and 8).

What it writes, ``pgn_reader`` reads as the same game, with ``?`` for those of the seven tags it did not have.
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
    """``game`` as PGN, with a line's end after the result. Raises ``ValueError`` if a tag's name is none."""
    fields = (game.fen or BY_NAME[game.variant].initial).split(" ")
    first_ply = 2 * (int(fields[5]) - 1) + (fields[1] == "b")
    return format_score(_tags(game), [*_WORDS.of(game.line, first_ply), game.result])


def write_games(games: Iterable[PgnGame]) -> Iterator[str]:
    """The text of ``games``, a piece a game, with an empty line between them."""
    return write_each(games, format_game)


def _tags(game: PgnGame) -> dict[str, str]:
    """The tags that are fields of a game come from these, whatever else it has of them."""
    laws = BY_NAME[game.variant]
    fen = game.fen or laws.initial
    tags = {name: value for name, value in game.tags.items() if name not in DERIVED_TAGS} | {"Result": game.result}
    if laws.pgn_tag is not None:
        tags["Variant"] = laws.pgn_tag
    if laws.starts > 1 or fen != laws.initial:
        tags |= {"FEN": fen, "SetUp": "1"}
    return tags


def _closed(comment: str) -> list[str]:
    # A comment in braces ends at one; one to the end of the line does not.
    return [f";{comment}\n"] if "}" in comment else in_braces(comment)


_WORDS = LineWords(named=str, closed=_closed)
