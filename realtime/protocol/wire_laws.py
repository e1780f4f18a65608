"""Wire form of the state of a game by the Laws as played over a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.decide.laws.claims import may_claim
from game_core.laws.kinds import kind_of
from game_core.laws.terms import format_laws_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from game_core.game import Game
    from game_core.laws.state import LawsState, MadeMove, SheetEntry
    from realtime.protocol.wire_types import LawsWire, MadeMoveWire, SheetEntryWire


def laws_body(game: Game, laws: LawsState) -> LawsWire:
    """Return the ``laws`` of a snapshot for spectators. For the side to move the caller adds ``bound``."""
    white, black = laws.seated
    by_white, by_black = laws.illegal
    has_sheets, (sheet_of_white, sheet_of_black) = laws.terms.score_sheet, laws.sheets
    signed_by_white, signed_by_black = laws.signed
    return {
        **format_laws_terms(laws.terms),
        "kind": kind_of(game.setup.pace),
        "rulings": laws.articles.rulings,
        "flag": laws.articles.flag,
        "seated": {"w": white, "b": black},
        "adjusting": laws.adjusting,
        "touched": laws.touched,
        "bound": None,
        "made": None if laws.made is None else _made_body(game, laws.made),
        "illegal": {"w": by_white, "b": by_black},
        "may_claim": may_claim(game),
        "positions": laws.irregular[:-1] if _is_hidden(game, laws) else laws.irregular,
        "sheets": {"w": _sheet_body(sheet_of_white), "b": _sheet_body(sheet_of_black)} if has_sheets else None,
        "signed": {"w": signed_by_white, "b": signed_by_black},
    }


def _is_hidden(game: Game, laws: LawsState) -> bool:
    """Return whether the last move is illegal and the opponent has to see that themselves: it may be claimed."""
    return laws.pending is not None and game.status != "over"


def _sheet_body(sheet: Iterable[SheetEntry]) -> list[SheetEntryWire]:
    return [{"text": entry.text, "right": entry.right} for entry in sheet]


def _made_body(game: Game, made: MadeMove) -> MadeMoveWire:
    # Without ``irregular``: the opponent has to see it themselves.
    body: MadeMoveWire = {"move": made.move, "position": made.position, "draw": game.offers.draw == game.turn}
    body[game.rules.notation] = made.san
    return body
