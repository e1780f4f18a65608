"""Check of the time charged for each move against the player's own measurement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.events import ClockSet, Moved
from harness.chaos.errors import Violation

if TYPE_CHECKING:
    from harness.chaos.checker import Truth
    from harness.chaos.disturbances import Disturbances
    from harness.chaos.league import LeagueGame
    from harness.chaos.view import Thought

SLACK_MS = 1_000
"""What a move may cost beyond the thinking time: transport on a busy machine. The total of a game may exceed the
thinking time by a tenth of this for each move."""

BACK_MS = 1_500
"""Additional cost each time the player lost the socket and had to reconnect."""

SETTLED_S = 2.0
"""How long after a fault clocks may still be held."""

RENEWED_MS = 1_500
"""After a crash a node's games are charged up to the last renewal of its lease, at most this much before the crash."""

FORGIVEN_MS = 750
"""What a move may cost less than the thinking time: the highest lag compensation, and the imprecision of the player."""


class Charge(msgspec.Struct, frozen=True):
    """One move as stored.

    Attributes:
        ms: the decrease of the player's clock from the beginning of their turn to the move.
        resumed: how often the clocks were held and resumed meanwhile.
    """

    side: int
    ms: int
    resumed: int


def charges(truth: Truth) -> dict[int, Charge]:
    """Return the charges by number of half-moves before. For games without increments and takebacks."""
    states = truth.states()
    found: dict[int, Charge] = {}
    begun = states[0]
    resumed = 0
    for state, event in zip(states[1:], truth.events, strict=True):
        if isinstance(event, ClockSet):
            resumed += event.why == "resumed"
        elif isinstance(event, Moved):
            assert begun.clock is not None
            assert state.clock is not None
            side = "wb".index(event.by)
            found[event.ply] = Charge(side, begun.clock.left[side] - state.clock.left[side], resumed)
            begun, resumed = state, 0
    return found


def check_charges(match: LeagueGame, truth: Truth, disturbances: Disturbances | None = None) -> list[float]:
    """Return by how many ms more than the thinking time each move was charged.

    Args:
        disturbances: the faults; None: unknown, and then gained time is not checked.

    Raises:
        Violation: a player was charged too much, or too little.
    """
    over: list[float] = []
    sums = [0.0, 0.0]
    for ply, charge in charges(truth).items():
        player = match.players[charge.side]
        thought = player.thoughts.get(ply)
        if thought is None:
            continue  # not acknowledged
        over_ms = charge.ms - thought.ms
        over.append(over_ms)
        sums[charge.side] += over_ms - SLACK_MS / 10 - BACK_MS * thought.lost
        when = "" if disturbances is None else f" from {disturbances.seconds(thought.began_s):.1f} s on"
        name = (
            f"game {match.game}: half-move {ply + 1}, thought about for {thought.ms:.0f} ms{when}, cost {charge.ms} ms"
        )
        if over_ms > SLACK_MS + BACK_MS * thought.lost:
            raise Violation(f"{name}: too much ({thought.lost} sockets were lost)")
        if disturbances is not None and ply > 1:
            least_ms = _least_ms(thought, charge, disturbances)
            if charge.ms < least_ms:
                raise Violation(f"{name}: too little, {least_ms:.0f} ms at least were to be charged")
    for player, over_ms in zip(match.players, sums, strict=True):
        if over_ms > SLACK_MS:
            raise Violation(f"game {match.game}: {player.user} was charged {over_ms:.0f} ms too much in all")
    return over


def _least_ms(thought: Thought, charge: Charge, disturbances: Disturbances) -> float:
    """Return the least cost of the move: the whole thinking time or, if there was a fault meanwhile, the time until
    that. Zero if clocks may have been held already when the thinking began."""
    if disturbances.first_in(thought.began_s - SETTLED_S, thought.began_s) is not None:
        return 0.0
    fault_s = disturbances.first_in(thought.began_s, thought.ended_s)
    if fault_s is not None and charge.resumed <= 1:
        return (fault_s - thought.began_s) * 1000 - RENEWED_MS - FORGIVEN_MS
    return 0.0 if charge.resumed else thought.ms - FORGIVEN_MS
