"""Scores in file formats: PGN for chess, PDN for draughts and Chinese checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from game_core.chess import pgn_writer
from game_core.chess.pgn_game import PgnGame
from game_core.control_text import pgn_control
from game_core.draughts.notation import pdn_writer
from game_core.draughts.notation.pdn_game import PdnGame
from game_core.registry import registered, rules_for
from game_core.scores.lines import Line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from realtime.games.scores.score import Sheet
    from realtime.journal.game_rows import GameRow

PGN = "application/vnd.chess-pgn"
"""Media type registered with IANA."""

PDN = "application/x-draughts-pdn"
"""Media type that draughts sites send; it is not registered."""

Form = Literal["pgn", "pdn"]
"""Suffix of the address of a score, and of the name of a file with scores."""


class ScoreFormat(NamedTuple):
    """Differences between the forms."""

    media: str
    """Media type of a file with many games."""
    other: Form
    rating: str
    """Name of a rating tag, with a placeholder for the colour."""
    control: str
    round: Mapping[str, str]
    """Round tag of a game without a round (PGN standard 8.1.1.4)."""


FORMS: Mapping[Form, ScoreFormat] = {
    "pgn": ScoreFormat(PGN, "pdn", "{}Elo", "{}TimeControl", {"Round": "-"}),
    "pdn": ScoreFormat(PDN, "pgn", "{}Rating", "TimeControl{}", {}),
}

_FORM_OF: Mapping[str, Form] = {"san": "pgn", "pdn": "pdn"}
"""The form for each notation of the rules."""

GAMES: Mapping[Form, tuple[str, ...]] = {
    form: tuple({game: None for game, variant in registered() if _FORM_OF[rules_for(game, variant).notation] == form})
    for form in FORMS
}
"""The games whose scores have each form."""

TERMINATIONS = {
    "timeout": "time forfeit",
    "timeout_draw": "time forfeit",
    "abandoned": "abandoned",
    "aborted": "unterminated",
    "wrong_position": "unterminated",
    "wrong_colors": "unterminated",
    "default_time": "rules infraction",
    "both_flags": "time forfeit",
    "illegal_move": "rules infraction",
    "arbiter": "adjudication",
}
"""``Termination`` tags of the PGN standard by our reason, valid in PDN too; every other end is ``normal``."""


def form_of(game: str) -> Form:
    """Return the form of scores of ``game``."""
    return "pgn" if game in GAMES["pgn"] else "pdn"


def score_text(row: GameRow, sheet: Sheet, site: str, event: str | None = None) -> str:
    """Return the score of a game in its form: clocks as ``%clk``, move times as ``%emt``, draw offers as ``(=)``.

    An illegal move that was let stand, and all after it, stand in a comment after the last legal move, because no
    reader could replay them.

    Args:
        site: where the game can be seen.
        event: name of the event that the game belongs to, if any.
    """
    setup = row.setup
    line = _line(sheet)
    form = form_of(setup.game)
    tags = _tags(row, FORMS[form], site, event)
    tags["Termination"] = "unterminated" if sheet.reason is None else TERMINATIONS.get(sheet.reason, "normal")
    if form == "pgn":
        return pgn_writer.format_game(PgnGame(tags, setup.variant, setup.fen, line, sheet.result))
    return pdn_writer.format_game(PdnGame(tags, setup.game, setup.variant, setup.fen, line, sheet.result))


def _line(sheet: Sheet) -> Line:
    if sheet.irregular is None:
        return Line(tuple(sheet.plies))
    legal, others = sheet.plies[: sheet.irregular], sheet.plies[sheet.irregular :]
    remark = f"an illegal move was let stand: {' '.join(ply.san for ply in others)}"
    if not legal:
        return Line(comments=(remark,))
    return Line((*legal[:-1], msgspec.structs.replace(legal[-1], comments=(remark,))))


def _tags(row: GameRow, words: ScoreFormat, site: str, event: str | None) -> dict[str, str]:
    setup = row.setup
    white_tc, black_tc = setup.tc_of("w"), setup.tc_of("b")
    tags = {
        "Event": event or ("Rated game" if setup.rated else "Casual game"),
        "Site": site,
        "Date": row.created_at.strftime("%Y.%m.%d"),
        **words.round,
        "White": row.white.name,
        "Black": row.black.name,
        "UTCDate": row.created_at.strftime("%Y.%m.%d"),
        "UTCTime": row.created_at.strftime("%H:%M:%S"),
        "TimeControl": pgn_control(white_tc),
    }
    if setup.simul_board is not None:
        tags["Board"] = str(setup.simul_board.board)  # PGN standard 9.2.5
    if white_tc != black_tc:
        # PGN has one time control for both sides, and "?" if it is unknown.
        tags |= {
            "TimeControl": "?",
            words.control.format("White"): pgn_control(white_tc),
            words.control.format("Black"): pgn_control(black_tc),
        }
    for name, user, rating in (("White", row.white, row.ratings[0]), ("Black", row.black, row.ratings[1])):
        if user.title is not None:
            tags[f"{name}Title"] = user.title
        if rating is not None:
            tags[words.rating.format(name)] = str(rating.rating)
    return tags
