"""Replay of many events at once, with the same result as one after the other, but faster.

Nobody sees the states in between. So if the rules can restore a position from its stored texts, no move is played, and
a move costs only the decoding of its event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core import lag
from game_core.clock import Clock
from game_core.color import of, other, replace
from game_core.events import Moved, TakenBack
from game_core.evolve import evolve, moved_to
from game_core.game import NO_OFFERS
from game_core.holds import STOPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from game_core.color import Pair
    from game_core.events import AnyEvent
    from game_core.game import Game
    from game_core.rules import Recall

_change = msgspec.structs.replace


def replay_events(game: Game, events: Iterable[AnyEvent], at_ms: int) -> Game:
    """Return the game after all of ``events``, which are stored; a running clock is charged from ``at_ms``.

    Raises ``CorruptLog``: an event does not fit the state before it.
    """
    recall = game.rules.recall
    if recall is None or game.laws is not None:
        for event in events:
            game = evolve(game, event, at_ms)
        return game
    run: list[Moved] = []
    """Moves that are not applied to the game yet."""
    stood: list[Moved] = []
    """Moves since the one that led to ``game.position``, which is out of date until they are recalled."""
    for event in events:
        if isinstance(event, Moved):
            run.append(event)
            continue
        game = _moved_on(game, run, at_ms)
        stood += run
        run = []
        game = evolve(game, event, at_ms)
        if isinstance(event, TakenBack):
            stood = []  # the game was replayed from its start
    game = _moved_on(game, run, at_ms)
    return _recalled(game, recall, [*stood, *run])


def _recalled(game: Game, recall: Recall, stood: Sequence[Moved]) -> Game:
    """Return ``game`` with the position after the last of ``stood``."""
    if not stood:
        return game
    evaded = stood[-2].check if len(stood) > 1 else game.rules.is_check(game.position)
    texts = [event.position for event in stood]
    return _change(game, position=recall(game.position, texts, evaded=evaded))


def _moved_on(game: Game, run: Sequence[Moved], at_ms: int) -> Game:
    """Return ``game`` after the moves of ``run``, except for its position."""
    if not run:
        return game
    if not _is_plain(game, run):
        for event in run:
            game = moved_to(game, event, at_ms, game.position, other(event.by), None)
        return game
    tells_time = game.setup.simul_board is None or game.setup.has_clock
    readings = [(event.by, event.clock) for event in run if event.clock is not None]
    clock = game.clock
    if clock is not None and readings:
        clock = Clock.from_reading(clock.control, readings[-1][1], at_ms, clock.black)
    seq = game.seq + len(run)
    quota, unmeasured_quota = _quotas(game, run)
    return _change(
        game,
        turn=other(run[-1].by),
        seq=seq,
        moves=(*game.moves, *[event.move for event in run]),
        notation=(*game.notation, *[event.san for event in run]),
        times=(*game.times, *[reading.w if by == "w" else reading.b for by, reading in readings if tells_time]),
        move_seqs=(*game.move_seqs, *range(game.seq + 1, seq + 1)),
        clock=clock,
        quota=quota,
        unmeasured_quota=unmeasured_quota,
        turn_since_ms=at_ms,
        status="live" if game.ply + len(run) > 1 else game.status,
    )


def _is_plain(game: Game, run: Sequence[Moved]) -> bool:
    """Return whether nothing but the moves themselves changes: no offer is open or made, and no stop is in force."""
    held = None if game.clock is None else game.clock.held
    return (
        game.offers == NO_OFFERS
        and held not in STOPS
        and not any(event.draw or (event.clock is not None and event.clock.held in STOPS) for event in run)
    )


def _quotas(game: Game, run: Sequence[Moved]) -> tuple[Pair[int], Pair[int]]:
    """Return the lag quotas and the unmeasured quotas after ``run``."""
    clock, quota, unmeasured_quota = game.clock, game.quota, game.unmeasured_quota
    if clock is None:
        return quota, unmeasured_quota
    gains = lag.gain_ms(clock.control_of("w")), lag.gain_ms(clock.control_of("b"))
    running = clock.run
    for event in run:
        if running is not None:
            by = event.by
            quota = replace(quota, by, lag.refill(of(quota, by), of(gains, by), event.lag_ms))
            unmeasured_quota = replace(
                unmeasured_quota, by, lag.refill_unmeasured(of(unmeasured_quota, by), event.lag_ms)
            )
        if event.clock is not None:
            running = event.clock.run
    return quota, unmeasured_quota
