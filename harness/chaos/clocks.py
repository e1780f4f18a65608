"""What each move has cost its player, against how long they thought about it by their own watch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.events import ClockSet, Moved
from harness.chaos.errors import Violation

if TYPE_CHECKING:
    from harness.chaos.checker import Truth
    from harness.chaos.disturbances import Disturbances
    from harness.chaos.league import Match
    from harness.chaos.view import Thought

SLACK_MS = 1_000
"""What a move may cost beyond the thinking: the way to a busy machine's socket and back. The sum of a game may have a
tenth of it for each move."""

BACK_MS = 1_500
"""And each time that its player lost the socket and had to come back."""

SETTLED_S = 2.0
"""So long after a fault clocks may still stand for it."""

RENEWED_MS = 1_500
"""After a crash a node's games are charged up to the last renewal of its lease: so much before it, at most."""

FORGIVEN_MS = 750
"""What a move may cost less than the thinking: the most that is forgiven for the network, and the player's watch."""


class Charge(msgspec.Struct, frozen=True):
    """One move, as the database has it.

    Attributes:
        ms: by how much less the player's clock showed after it than when their turn began.
        resumed: how often the clocks stood meanwhile and went on.
    """

    side: int
    ms: int
    resumed: int


def charges(truth: Truth) -> dict[int, Charge]:
    """By the number of half-moves before it. Of games without increments and takebacks."""
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


def check_charges(match: Match, truth: Truth, disturbances: Disturbances | None = None) -> list[float]:
    """By how many ms more than was thought each move was charged.

    Args:
        disturbances: when there were faults; None: it is not known, so that nobody is found to have gained time.

    Raises:
        Violation: somebody was charged too much, or too little.
    """
    over: list[float] = []
    sums = [0.0, 0.0]
    for ply, charge in charges(truth).items():
        player = match.players[charge.side]
        thought = player.thoughts.get(ply)
        if thought is None:
            continue  # not answered
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
    """What the move has to cost: all that was thought, or, if there was a fault meanwhile, up to that. Nothing where
    clocks may have stood already when the thinking began.
    """
    if disturbances.first_in(thought.began_s - SETTLED_S, thought.began_s) is not None:
        return 0.0
    fault_s = disturbances.first_in(thought.began_s, thought.ended_s)
    if fault_s is not None and charge.resumed <= 1:
        return (fault_s - thought.began_s) * 1000 - RENEWED_MS - FORGIVEN_MS
    return 0.0 if charge.resumed else thought.ms - FORGIVEN_MS
