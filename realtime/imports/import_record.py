"""A stored game of a PGN import: its list entry, its text, and the same as JSON for the game page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core.chess.pgn_writer import format_game
from game_core.scores.writer import SEVEN_TAGS

if TYPE_CHECKING:
    from game_core.chess.pgn_game import PgnGame
    from game_core.scores.lines import Line, Ply

MAX_SCORE = 2 * 1024 * 1024
"""Maximum size of a game's PGN and of its JSON, in bytes: enough for a book. It is sent and held in memory as a whole.
"""

MAX_LISTED = 200
"""Maximum length of a name or event in a list, in characters; the tags hold it in full."""

MAX_ELO = 9999


class Record(msgspec.Struct, frozen=True, array_like=True, tag="game"):
    """One game.

    Attributes:
        white, black, event, date: values of the tags, cut to ``MAX_LISTED``.
        white_elo, black_elo: None if the tag holds no number.
        plies: of the main line, without variations.
        pgn: the game in export format.
        score: the JSON of an ``ImportedScoreWire``.
    """

    white: str
    black: str
    white_elo: int | None
    black_elo: int | None
    result: str
    date: str
    event: str
    plies: int
    variant: str
    pgn: str
    score: str

    @property
    def size(self) -> int:
        """Return the bytes of both texts, which count against the owner's limit."""
        return sum(len(text) if text.isascii() else len(text.encode()) for text in (self.pgn, self.score))


class TooLarge(ValueError):
    """The game exceeds ``MAX_SCORE``."""


def record_of(game: PgnGame) -> Record:
    """Convert ``game`` to its stored form.

    Raises:
        TooLarge: it would exceed ``MAX_SCORE``.
    """
    tags = SEVEN_TAGS | game.tags
    score = {
        "tags": game.tags,
        "variant": game.variant,
        "fen": game.fen,
        "result": game.result,
        "line": _line(game.line),
    }
    json, pgn = msgspec.json.encode(score), format_game(game)
    if max(len(json), len(pgn.encode())) > MAX_SCORE:
        raise TooLarge(f"the game is larger than {MAX_SCORE // 1024 // 1024} MiB")
    return Record(
        white=tags["White"][:MAX_LISTED],
        black=tags["Black"][:MAX_LISTED],
        white_elo=_elo(tags.get("WhiteElo", "")),
        black_elo=_elo(tags.get("BlackElo", "")),
        result=game.result,
        date=tags["Date"][:MAX_LISTED],
        event=tags["Event"][:MAX_LISTED],
        plies=len(game.line.plies),
        variant=game.variant,
        pgn=pgn,
        score=json.decode(),
    )


def _elo(text: str) -> int | None:
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_ELO))
    return int(text) or None if plain else None


def _line(line: Line) -> dict[str, Any]:
    """Return an ``ImportedLineWire``."""
    found: dict[str, Any] = {"moves": [_move(ply) for ply in line.plies]}
    if line.comments:
        found["comments"] = line.comments
    return found


def _move(ply: Ply) -> dict[str, Any]:
    """Return an ``ImportedMoveWire`` without its empty fields."""
    found: dict[str, Any] = {"move": ply.move, "san": ply.san}
    if ply.nags:
        found["nags"] = ply.nags
    if ply.clock_ms is not None:
        found["clock"] = ply.clock_ms
    if ply.spent_ms is not None:
        found["spent"] = ply.spent_ms
    if ply.draw:
        found["draw"] = True
    if ply.comments:
        found["comments"] = ply.comments
    if ply.variations:
        found["variations"] = [_line(line) for line in ply.variations]
    if ply.afterwards:
        found["afterwards"] = ply.afterwards
    return found
