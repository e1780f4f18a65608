"""A game as the score that players know: PGN."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chess.pgn import format_pgn

if TYPE_CHECKING:
    from game_core.game import Game
    from game_core.time_control import TimeControl
    from realtime.game_rows import GameRow

TERMINATIONS = {
    "timeout": "time forfeit",
    "timeout_draw": "time forfeit",
    "abandoned": "abandoned",
    "aborted": "unterminated",
    "default_time": "rules infraction",
    "illegal_move": "rules infraction",
    "arbiter": "adjudication",
}
"""The PGN standard's words for our reasons; every other end is ``normal``."""


def pgn_of(row: GameRow, game: Game, site: str) -> str:
    """The PGN of ``game`` (standard section 8), clocks as ``%clk``. ``site`` is where the game can be seen."""
    tags = {
        "Event": "Rated game" if row.setup.rated else "Casual game",
        "Site": site,
        "Date": row.created_at.strftime("%Y.%m.%d"),
        "Round": "-",
        "White": row.white.name,
        "Black": row.black.name,
        "Result": game.result,
        "UTCDate": row.created_at.strftime("%Y.%m.%d"),
        "UTCTime": row.created_at.strftime("%H:%M:%S"),
        "TimeControl": pgn_time_control(row.setup.tc),
    }
    if row.setup.black_tc is not None:
        # The standard has one control for both, and "?" for what is not known of it.
        tags |= {
            "TimeControl": "?",
            "WhiteTimeControl": pgn_time_control(row.setup.tc),
            "BlackTimeControl": pgn_time_control(row.setup.black_tc),
        }
    for name, user, rating in (("White", row.white, row.ratings[0]), ("Black", row.black, row.ratings[1])):
        if user.title is not None:
            tags[f"{name}Title"] = user.title
        if rating is not None:
            tags[f"{name}Elo"] = str(rating.rating)
    if game.status == "over":
        tags["Termination"] = TERMINATIONS.get(game.reason or "", "normal")
    else:
        tags["Termination"] = "unterminated"
    clocks: list[int | None] = list(game.times) if game.times else [None] * game.ply
    return format_pgn(tags, row.setup.fen, row.setup.variant, game.moves, game.notation, clocks, game.result)


def pgn_time_control(tc: TimeControl | None) -> str:
    """The ``TimeControl`` tag (PGN standard 9.6.1): ``40/5400+30:1800+30``, ``180+2``; ``-`` without a clock.

    The standard knows neither delay nor days: a delay is written as its base time, ``1/259200`` is three days a move.
    """
    if tc is None:
        return "-"
    if tc.days is not None:
        return f"1/{tc.days * 86_400}"
    parts = []
    for period in tc.periods:
        moves = f"{period.moves}/" if period.moves is not None else ""
        increment = f"+{period.inc_ms // 1000}" if period.inc_ms else ""
        parts.append(f"{moves}{period.base_ms // 1000}{increment}")
    return ":".join(parts)
