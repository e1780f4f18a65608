"""The state of a game by the Laws after each event."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color, of, replace
from game_core.laws.state import LawsState, MadeMove, SheetEntry, UnclaimedMove

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.events import Made, Moved, Ruled, Signalled, Touched, WrittenDown
    from game_core.game import Game

_change = msgspec.structs.replace


def touched(laws: LawsState, event: Touched) -> LawsState:
    """Return the state after a piece was touched."""
    return _change(seated(laws, event.by), touched=(*laws.touched, event.square))


def signalled(laws: LawsState, event: Signalled) -> LawsState:
    """Return the state after a player began or ended to adjust pieces."""
    return _change(seated(laws, event.by), adjusting=event.on, acts=laws.acts + 1)


def made(laws: LawsState, event: Made, seq: int) -> LawsState:
    """Return the state after a piece was put down. The opponent's last move can no longer be claimed."""
    move = MadeMove(event.move, event.san, event.position, event.irregular, seq)
    acts = laws.acts + 1
    return _change(
        seated(laws, event.by),
        adjusting=False,
        touched=event.touched,
        made=move,
        has_made=True,
        pending=None,
        has_offered=laws.has_offered or event.draw,
        acts=acts,
    )


def moved(game: Game, laws: LawsState, event: Moved, clock: Clock | None) -> LawsState:
    """Return the state after a move was completed; ``clock`` is that after it, ``game`` the game before."""
    pending, irregular, acts = None, laws.irregular, 0
    if event.irregular:
        gained_ms, spent_ms = _gained_ms(game.clock, clock, event)
        pending = UnclaimedMove(event.by, event.move, laws.touched, gained_ms, spent_ms)
        acts = laws.acts
        irregular = (*irregular, (event.ply + 1, event.position))
    return _change(
        seated(laws, event.by),
        adjusting=False,
        touched=(),
        made=None,
        has_made=False,
        pending=pending,
        irregular=irregular,
        has_offered=False,
        offered=(*laws.offered, event.ply) if laws.has_offered else laws.offered,
        positions=(*laws.positions, game.rules.fen(game.position)) if laws.terms.score_sheet else (),
        acts=acts,
        corrections=(0, 0),
    )


def taken_back(laws: LawsState, kept: int) -> LawsState:
    """Return the state after an illegal move was taken back, with ``kept`` half-moves left on the board."""
    white, black = laws.sheets
    return _change(
        laws,
        adjusting=False,
        touched=(),
        made=None,
        has_made=True,
        pending=None,
        has_offered=False,
        irregular=tuple(entry for entry in laws.irregular if entry[0] <= kept),
        offered=tuple(ply for ply in laws.offered if ply < kept),
        positions=laws.positions[:kept],
        sheets=(white[:kept], black[:kept]),
    )


def ruled(laws: LawsState, event: Ruled, seq: int) -> LawsState:
    """Return the state after a ruling. It takes no claim away: only a move that was made does (A4c)."""
    illegal = replace(laws.illegal, event.by, event.times)
    return _change(
        laws,
        touched=event.touched,
        made=None,
        illegal=illegal,
        ruling_seq=seq,
        acts=laws.acts + 1,
    )


def written(laws: LawsState, event: WrittenDown) -> LawsState:
    """Return the state after a move was written on a score sheet, or corrected there."""
    sheet = of(laws.sheets, event.by)
    sheet = (*sheet[: event.ply], SheetEntry(event.text, event.right), *sheet[event.ply + 1 :])
    corrections = laws.corrections
    if len(sheet) == len(of(laws.sheets, event.by)):
        corrections = replace(corrections, event.by, of(corrections, event.by) + 1)
    return _change(laws, sheets=replace(laws.sheets, event.by, sheet), corrections=corrections)


def signed(laws: LawsState, by: Color) -> LawsState:
    """Return the state after ``by`` has signed."""
    return _change(laws, signed=replace(laws.signed, by, value=True))


def draw_offered(laws: LawsState) -> LawsState:
    """Return the state after a draw was offered on one's turn."""
    return _change(laws, has_offered=True)


def restart_refused(laws: LawsState, offerer: Color) -> LawsState:
    """Return the state after an offer to play anew was declined."""
    refused = replace(laws.restarts_refused, offerer, of(laws.restarts_refused, offerer) + 1)
    return _change(laws, restarts_refused=refused)


def seated(laws: LawsState, by: Color) -> LawsState:
    """Return the state when ``by`` is at the board."""
    return laws if of(laws.seated, by) else _change(laws, seated=replace(laws.seated, by, value=True))


def _gained_ms(before: Clock | None, after: Clock | None, event: Moved) -> tuple[int, int]:
    """Return what a player got for a move, nothing if their flag had fallen, and how much of its delay was used."""
    by = event.by
    if before is None or after is None or not of(after.left, by):
        return 0, 0
    control = before.control_of(by)
    given_back_ms = min(control.bronstein_ms, before.spent + min(of(before.left, by), event.spent_ms))
    gained_ms = control.period(of(before.period, by)).inc_ms + given_back_ms
    return gained_ms, min(control.step_ms, before.spent + event.spent_ms)
