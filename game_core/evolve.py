"""State transition: from an event to the next state. Events are facts and cannot be refused here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core import lag
from game_core.board import underlying_hold
from game_core.clock import Clock
from game_core.color import Color, Pair, of, other, replace
from game_core.errors import CorruptLog, Refused
from game_core.events import (
    AnyEvent,
    ClockReading,
    ClockSet,
    Ended,
    Made,
    Moved,
    Offered,
    Ruled,
    Seated,
    Signalled,
    Signed,
    TakenBack,
    Touched,
    WrittenDown,
)
from game_core.game import NO_OFFERS, Game
from game_core.laws import state_after

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.laws.state import LawsState

_change = msgspec.structs.replace


def evolve(game: Game, event: AnyEvent, at_ms: int) -> Game:
    """Return the game after ``event``.

    Args:
        at_ms: when the event became visible to the players: a clock that it starts runs from then.

    Raises:
        CorruptLog: the event does not fit ``game``.
    """
    try:
        return _EVOLVERS[type(event)](game, event, at_ms)
    except Refused as error:
        raise CorruptLog(f"event {game.seq + 1} of game {game.setup.id}: {error}") from error


def _moved(game: Game, event: Moved, at_ms: int) -> Game:
    if event.irregular:
        assert game.rules.hand is not None, "only hands make irregular moves"
        position = game.rules.hand.lie(event.position)
        return moved_to(game, event, at_ms, position, game.rules.turn(position), None)
    played = game.rules.play(game.position, event.move)
    return moved_to(game, event, at_ms, played.position, game.rules.turn(played.position), played.before)


def moved_to(game: Game, event: Moved, at_ms: int, position: Any, turn: Color, before: str | None) -> Game:
    """Return the game after a move to ``position``, where ``turn`` is to move; ``before`` is as in ``Played``."""
    by = event.by
    opponent = other(by)
    seq = game.seq + 1
    clock = _clock(game, event.clock, at_ms)
    quota, unmeasured_quota = game.quota, game.unmeasured_quota
    if clock is not None and game.clock is not None and game.clock.run is not None:
        gain_ms = lag.gain_ms(clock.control_of(by))
        quota = replace(quota, by, lag.refill(of(quota, by), gain_ms, event.lag_ms))
        if event.lag_ms or of(unmeasured_quota, by) < lag.UNMEASURED_QUOTA_MS:
            unmeasured_quota = replace(
                unmeasured_quota, by, lag.refill_unmeasured(of(unmeasured_quota, by), event.lag_ms)
            )
    offers = game.offers
    draw_refused_at = game.draw_refused_at
    takebacks_refused = game.takebacks_refused
    if offers is not NO_OFFERS:
        # A move declines the opponent's open offers (9.1: an offer is refused by moving); the mover's own stand.
        if offers.draw == opponent:
            draw_refused_at = replace(draw_refused_at, opponent, game.moves_made(opponent))
        if offers.takeback == opponent:
            takebacks_refused = _counted(takebacks_refused, opponent)
        offers = _change(
            offers,
            draw=by if offers.draw == by else None,
            takeback=by if offers.takeback == by else None,
        )
    if event.draw:
        offers = _change(offers, draw=by)
    reading = event.clock
    if game.setup.simul_board is not None:
        game = _change(game, underlying_hold=underlying_hold(game, clock))
        if not game.setup.has_clock:
            reading = None  # it tells why the board waits, and has no times
    return _change(
        game,
        position=position,
        turn=turn,
        seq=seq,
        moves=(*game.moves, event.move),
        notation=(*game.notation, event.san),
        times=game.times if reading is None else (*game.times, reading.w if by == "w" else reading.b),
        move_seqs=(*game.move_seqs, seq),
        leaps=game.leaps if event.leaps is None else (*game.leaps, (event.ply, event.leaps)),
        befores=game.befores if before is None else (*game.befores, (event.ply, before)),
        clock=clock,
        quota=quota,
        unmeasured_quota=unmeasured_quota,
        offers=offers,
        draw_refused_at=draw_refused_at,
        takebacks_refused=takebacks_refused,
        turn_since_ms=at_ms,
        status="live" if game.ply >= 1 else game.status,
        laws=None if game.laws is None else state_after.moved(game, game.laws, event, clock),
    )


def _offered(game: Game, event: Offered, at_ms: int) -> Game:
    seq = game.seq + 1
    standing = event.by if event.do == "offer" else None
    offers = _change(game.offers, **{event.what: standing})
    if event.do == "decline":
        return _change(game, seq=seq, offers=offers, **_refused(game, event))
    laws = game.laws
    if laws is not None and event.what == "draw" and event.do == "offer":
        laws = state_after.draw_offered(laws)
    return _change(game, seq=seq, offers=offers, next=event.next if event.next is not None else game.next, laws=laws)


def _refused(game: Game, event: Offered) -> dict[str, Any]:
    """Return what is stored of a declined offer, or of a withdrawn request: that counts as refused, so that they are
    limited too."""
    offerer = other(event.by)
    if event.what == "draw":
        return {"draw_refused_at": replace(game.draw_refused_at, offerer, game.moves_made(offerer))}
    if event.what == "takeback":
        return {"takebacks_refused": _counted(game.takebacks_refused, game.offers.takeback or offerer)}
    if event.what == "rematch":
        return {"rematches_refused": _counted(game.rematches_refused, offerer)}
    assert game.laws is not None
    return {"laws": state_after.restart_refused(game.laws, offerer)}


def _counted(counts: Pair[int], color: Color) -> Pair[int]:
    return replace(counts, color, of(counts, color) + 1)


def _taken_back(game: Game, event: TakenBack, at_ms: int) -> Game:
    kept = game.ply - event.plies
    moves = game.moves[:kept]
    position = game.position_at(kept)
    clock = _clock(game, event.clock, at_ms)
    return _change(
        game,
        position=position,
        turn=game.rules.turn(position),
        seq=game.seq + 1,
        moves=moves,
        notation=game.notation[:kept],
        times=game.times[:kept],
        move_seqs=game.move_seqs[:kept],
        leaps=tuple(entry for entry in game.leaps if entry[0] < kept),
        befores=tuple(entry for entry in game.befores if entry[0] < kept),
        clock=clock,
        underlying_hold=underlying_hold(game, clock),
        offers=_change(game.offers, draw=None, takeback=None),
        takebacks_refused=(0, 0),
        takeback_seq=game.seq + 1,
        turn_since_ms=at_ms,
        laws=None if game.laws is None else state_after.taken_back(game.laws, kept),
    )


def _clock_set(game: Game, event: ClockSet, at_ms: int) -> Game:
    clock = _clock(game, event.clock, at_ms)
    held = None if game.clock is None else game.clock.held
    since_ms = game.turn_since_ms
    if held is not None and (event.clock.held is None or _is_visit(game, event)):
        # A hold prevents nobody from making a first move: the time for it begins anew.
        since_ms = at_ms
    gifts = game.gifts
    if event.why in ("moretime", "owntime") and event.by is not None:
        gifts = _counted(gifts, event.by)
    return _change(
        game,
        seq=game.seq + 1,
        clock=clock,
        underlying_hold=underlying_hold(game, clock),
        turn_since_ms=since_ms,
        gifts=gifts,
    )


def _is_visit(game: Game, event: ClockSet) -> bool:
    """Return whether a board in ``round`` mode begins to wait, for its host's move or the participant's."""
    return game.setup.simul_board is not None and event.why in ("arrived", "countdown")


def _ended(game: Game, event: Ended, at_ms: int) -> Game:
    return _change(
        game,
        seq=game.seq + 1,
        status="over",
        result=event.result,
        reason=event.reason,
        ratings=event.ratings,
        unrated=event.unrated,
        no_show=event.no_show,
        clock=_clock(game, event.clock, at_ms),
        underlying_hold=None,
        offers=NO_OFFERS,
    )


def _touched(game: Game, event: Touched, at_ms: int) -> Game:
    del at_ms
    assert game.laws is not None
    return _acted(game, event.by, state_after.touched(game.laws, event))


def _signalled(game: Game, event: Signalled, at_ms: int) -> Game:
    del at_ms
    assert game.laws is not None
    return _change(game, seq=game.seq + 1, laws=state_after.signalled(game.laws, event))


def _made(game: Game, event: Made, at_ms: int) -> Game:
    del at_ms
    assert game.laws is not None
    game = _acted(game, event.by, state_after.made(game.laws, event, game.seq + 1))
    return _change(game, offers=_change(game.offers, draw=event.by)) if event.draw else game


def _ruled(game: Game, event: Ruled, at_ms: int) -> Game:
    assert game.laws is not None
    clock = _clock(game, event.clock, at_ms)
    seq = game.seq + 1
    return _change(game, seq=seq, clock=clock, laws=state_after.ruled(game.laws, event, seq))


def _seated(game: Game, event: Seated, at_ms: int) -> Game:
    del at_ms
    assert game.laws is not None
    return _change(game, seq=game.seq + 1, laws=state_after.seated(game.laws, event.by))


def _written(game: Game, event: WrittenDown, at_ms: int) -> Game:
    del at_ms
    assert game.laws is not None
    return _change(game, seq=game.seq + 1, laws=state_after.written(game.laws, event))


def _signed(game: Game, event: Signed, at_ms: int) -> Game:
    del at_ms
    assert game.laws is not None
    return _change(game, seq=game.seq + 1, laws=state_after.signed(game.laws, event.by))


def _acted(game: Game, by: Color, laws: LawsState) -> Game:
    """Return ``game`` after ``by`` has touched a piece, with which they decline an offer of a draw (9.1a)."""
    offers, opponent = game.offers, other(by)
    draw_refused_at = game.draw_refused_at
    if offers.draw == opponent:
        draw_refused_at = replace(draw_refused_at, opponent, game.moves_made(opponent))
        offers = _change(offers, draw=None)
    return _change(game, seq=game.seq + 1, offers=offers, draw_refused_at=draw_refused_at, laws=laws)


def _clock(game: Game, reading: ClockReading | None, at_ms: int) -> Clock | None:
    """Return the clock of ``reading``, running from ``at_ms``; without a reading the game's present clock."""
    if reading is None or game.clock is None:
        return game.clock
    return Clock.from_reading(game.clock.control, reading, at_ms, game.clock.black)


_EVOLVERS: dict[type[AnyEvent], Callable[[Game, Any, int], Game]] = {
    Moved: _moved,
    Offered: _offered,
    TakenBack: _taken_back,
    ClockSet: _clock_set,
    Ended: _ended,
    Touched: _touched,
    Signalled: _signalled,
    Made: _made,
    Ruled: _ruled,
    Seated: _seated,
    WrittenDown: _written,
    Signed: _signed,
}
