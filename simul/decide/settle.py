"""Timed and automatic actions, one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import commands as g
from simul import events as e
from simul.decide import breaks, life_cycle, visits
from simul.decide.decision import NOTHING, Decision, Send

if TYPE_CHECKING:
    from simul import commands as c
    from simul.board import BoardState
    from simul.ports import Chance
    from simul.state import Simul, Stop


def settle(state: Simul, command: c.Settle, now_ms: int, chance: Chance) -> Decision:
    """Return the next action that is due. The caller repeats until the decision is empty."""
    if state.refused:
        return Decision((state.refused[0],))
    if state.status == "created":
        return _start(state, now_ms, chance)
    if state.status != "running":
        return NOTHING
    if not state.score.live:
        return Decision((life_cycle.finished(state, now_ms),))
    if state.break_until is not None and now_ms >= state.break_until:
        return breaks.break_over(state)
    deserted_ms = state.deserted_ms()
    if deserted_ms is not None and now_ms >= deserted_ms:
        return life_cycle.deserted(state)
    return breaks.presence(state, now_ms) or _countdown(state, now_ms) or _visit(state)


def recover(state: Simul, command: c.Recover, now_ms: int, chance: Chance) -> Decision:
    """Return the commands that games may have missed before a restart.

    The caller has observed all games first. This walks over all boards.
    """
    if state.status != "running":
        return NOTHING
    stopped = {board.number for board in state.stopped_boards()}
    effects = [
        effect
        for board in state.live_boards()
        for effect in _missed(state, board, state.stop if board.number in stopped else None)
    ]
    endings = () if state.ending is None else life_cycle.endings(state, state.ending)
    return Decision(effects=(*effects, *endings))


def _missed(state: Simul, board: BoardState, wanted: Stop | None) -> list[Send]:
    facts = board.facts
    assert facts is not None, "the caller has looked at all games"
    number, missed = board.number, []
    if board.adjudged is not None:
        return [Send(number, g.Adjudicate(board.adjudged))]
    if board.given is not None and board.given[2] == facts.seq:
        missed.append(Send(number, g.GiveTime(by=board.host, seconds=board.given[0], own_s=board.given[1])))
    if facts.stop is not None and wanted is None:
        missed.append(Send(number, g.Release()))
    if state.is_round:
        if board.is_host_there and state.at != number:
            missed.append(Send(number, g.Depart()))
        elif state.at == number and not board.is_host_there and board.ply == state.visit_ply:
            missed.append(visits.arrival(board, state.host_ms))
    if wanted is not None and facts.stop != wanted:
        missed.append(Send(number, g.Hold(wanted)))
    return missed


def _start(state: Simul, now_ms: int, chance: Chance) -> Decision:
    lapses_ms = state.lapses_ms()
    if lapses_ms is not None and now_ms >= lapses_ms:
        return Decision((e.Cancelled(at_ms=now_ms),))
    if not state.starts_now(now_ms):
        return NOTHING
    return Decision((life_cycle.started(state, now_ms, chance),))


def _countdown(state: Simul, now_ms: int) -> Decision:
    if state.stop is not None or state.countdown is None or now_ms < state.countdown[1]:
        return NOTHING
    number = state.countdown[0]
    return Decision((e.CountdownOver(board=number),), (Send(number, g.StartClock()),))


def _visit(state: Simul) -> Decision:
    return visits.next_visit(state) if state.is_round else NOTHING
