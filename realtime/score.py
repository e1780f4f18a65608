"""A game as the score that players know: PGN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from game_core.chess.pgn import format_pgn
from game_core.events import Ended, Moved, TakenBack

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from game_core.events import AnyEvent
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


class Played(Protocol):
    """What a score tells of a game; ``Game`` has it, and so has a ``Sheet``."""

    @property
    def moves(self) -> Sequence[str]:
        """In wire notation."""

    @property
    def notation(self) -> Sequence[str]:
        """The same in SAN."""

    @property
    def times(self) -> Sequence[int]:
        """What was left after each to him who made it, in ms; none without a clock."""

    @property
    def result(self) -> str:
        """``*`` while it goes on."""

    @property
    def reason(self) -> str | None:
        """How it ended; None while it goes on."""


class Sheet(msgspec.Struct):
    """The moves of a game as its players would have written them down."""

    moves: list[str] = msgspec.field(default_factory=list)
    notation: list[str] = msgspec.field(default_factory=list)
    times: list[int] = msgspec.field(default_factory=list)
    result: str = "*"
    reason: str | None = None


def sheet_of(events: Iterable[AnyEvent]) -> Sheet:
    """The sheet of a game's ``events``. The events carry what there is to write, so no move is played: a tenth of the
    time that it takes to bring the game back.
    """
    sheet = Sheet()
    for event in events:
        if isinstance(event, Moved):
            sheet.moves.append(event.move)
            sheet.notation.append(event.san)
            if event.clock is not None:
                sheet.times.append(event.clock.w if event.by == "w" else event.clock.b)
        elif isinstance(event, TakenBack):
            kept = len(sheet.moves) - event.plies
            for column in (sheet.moves, sheet.notation, sheet.times):
                del column[kept:]
        elif isinstance(event, Ended):
            sheet.result, sheet.reason = event.result, event.reason
    return sheet


def pgn_of(row: GameRow, game: Played, site: str) -> str:
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
    tags["Termination"] = "unterminated" if game.reason is None else TERMINATIONS.get(game.reason, "normal")
    clocks: list[int | None] = list(game.times) if game.times else [None] * len(game.moves)
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
