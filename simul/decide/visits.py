"""Visits of the host to the boards, and the moves and passes of players who wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import commands as g
from lobby.errors import Conflict, Forbidden, NotYourTurn, StalePly
from simul import events as e
from simul.decide.decision import (
    NOTHING,
    Decision,
    Send,
    require_acting_host,
    require_board,
    require_game,
    require_live,
    require_running,
)

if TYPE_CHECKING:
    from simul import commands as c
    from simul.board import BoardState
    from simul.ports import Chance
    from simul.state import Simul


def go_to(state: Simul, command: c.GoTo, now_ms: int, chance: Chance) -> Decision:
    """Go to a board: to any in ``clock`` mode, to a live one in ``round`` mode."""
    require_acting_host(state, command.by)
    require_running(state)
    board = require_board(state, command.board)
    if not state.is_round:
        return NOTHING if state.at == board.number else Decision((e.At(board=board.number),))
    require_live(board)
    return _go(state, board)


def go_on(state: Simul, command: c.GoOn, now_ms: int, chance: Chance) -> Decision:
    """Go to the next board: in ``round`` mode the least recently visited one, in ``clock`` mode one where the host is
    to move."""
    require_acting_host(state, command.by)
    require_running(state)
    if not state.is_round:
        number = state.waiting.next_after(state.at or 0)
        if number is None:
            raise Conflict("no board is waiting for you")
        return NOTHING if number == state.at else Decision((e.At(board=number),))
    number = state.round.first_but(state.at)
    if number is None:
        raise Conflict("no board is in progress")
    return _go(state, state.boards[number - 1])


def later(state: Simul, command: c.Later, now_ms: int, chance: Chance) -> Decision:
    """Put a board off until after all others. A host who is at it moves on."""
    require_acting_host(state, command.by)
    require_running(state)
    board = require_board(state, command.board)
    require_live(board)
    put_off = e.PutOff(board=board.number, ply=board.ply)
    if not state.is_round:
        if not board.waits_for_host:
            raise Conflict(f"board {board.number} is not waiting for you")
        return Decision((put_off,))
    if state.at != board.number:
        return Decision((put_off,))
    _require_going(state)
    other = state.round.first_but(board.number)
    if other == board.number:
        raise Conflict("there is no other board to visit first")
    leaving = leave_for(state, other)
    return Decision((put_off, *leaving.events), leaving.effects)


def prepare(state: Simul, command: c.Prepare, now_ms: int, chance: Chance) -> Decision:
    """Prepare a move for the host's visit, or withdraw it."""
    board = _own_board(state, command.game, command.by)
    require_live(board)
    if command.move is not None and command.ply != board.ply:
        raise StalePly(f"ply: there are {board.ply} half-moves on the board")
    if command.move is not None and board.turn == "host":
        raise NotYourTurn("the host is to move")
    if not state.is_round:
        raise Conflict("both clocks are running; play the move")
    if board.is_host_there or (state.at == board.number and not _has_moved(state, board)):
        raise Conflict("the host is at your board; play the move")
    if board.prepared_move() == command.move:
        return NOTHING
    return Decision((e.Prepared(board=board.number, ply=command.ply, move=command.move),))


def pass_on(state: Simul, command: c.Pass, now_ms: int, chance: Chance) -> Decision:
    """Pass: the player lets the host move on."""
    board = _own_board(state, command.game, command.by)
    require_running(state)
    require_live(board)
    if board.turn == "host":
        raise NotYourTurn("the host is to move")
    if not state.is_round:
        raise Conflict("passing is possible only where the host goes from board to board")
    if state.stop is not None:
        raise Conflict("the simul is paused")
    if state.at != board.number or not board.is_host_there:
        raise Conflict("the host is not at your board")
    if board.passes_left < 1:
        raise Conflict("you have no passes left")
    to = state.round.first_but(board.number) if state.setup.auto_next else None
    leaving = leave_for(state, to)
    return Decision((e.TurnPassed(board=board.number), *leaving.events), leaving.effects)


def leave_for(state: Simul, number: int | None) -> Decision:
    """Leave the present board for board ``number``; None: for no board yet.

    If the visit is not over, the board first has to report how much of the host's time is left. Until then the host is
    on the way.
    """
    here = state.board_at()
    # The board may not have reported the arrival yet. It then learns of the departure after the arrival. The host is at
    # the next board by then, and the time spent here, at most as long as storing the arrival took, is not charged.
    if here is not None and here.is_live and not _has_moved(state, here):
        return Decision((e.At(board=None, to=number),), (Send(here.number, g.Depart()),))
    if here is None and is_leaving(state):
        return Decision((e.At(board=None, to=number),))
    assert number is not None, "only where the host is can they be let go nowhere"
    return arrive(state, state.boards[number - 1])


def arrive(state: Simul, board: BoardState) -> Decision:
    """Bring the host, who is at no other board, to ``board``, and play the move that is prepared there."""
    host_ms = None if state.host_ms is None else state.host_ms + state.bonus_ms
    seq = 0 if board.facts is None else board.facts.seq
    at = e.At(board=board.number, seq=seq, ply=board.ply, host_ms=host_ms)
    return Decision((at,), (arrival(board, host_ms),))


def arrival(board: BoardState, host_ms: int | None) -> Send:
    """Return the command that tells ``board`` of the host's arrival with ``host_ms`` on their one clock."""
    return Send(board.number, g.Arrive(host_ms=host_ms, prepared=board.prepared_move()))


def is_leaving(state: Simul) -> bool:
    """Return whether the board that the host has left has not confirmed it yet."""
    return state.at is None and state.visited is not None and state.boards[state.visited - 1].is_host_there


def next_visit(state: Simul) -> Decision:
    """Return the automatic next visit in ``round`` mode; empty if the host stays or has to decide."""
    if state.stop is not None or state.gone_since is not None:
        return Decision()
    here = state.board_at()
    if here is not None:
        if not state.setup.auto_next or (here.is_live and not _has_moved(state, here)):
            return Decision()
        number = state.round.first
    elif state.to is None or is_leaving(state):
        return Decision()
    else:
        number = state.to if state.to in state.round else state.round.first
    return Decision() if number is None else arrive(state, state.boards[number - 1])


def _has_moved(state: Simul, here: BoardState) -> bool:
    """Return whether the host has arrived at ``here`` and moved, so that the visit is over."""
    return not here.is_host_there and here.ply > state.visit_ply


def _go(state: Simul, board: BoardState) -> Decision:
    """Go to ``board``, which is live, in ``round`` mode."""
    _require_going(state)
    is_here = state.at == board.number and not _has_moved(state, board)
    is_coming = state.at is None and state.to == board.number
    return NOTHING if is_here or is_coming else leave_for(state, board.number)


def _require_going(state: Simul) -> None:
    if state.stop is not None:
        why = "there is a break; end it first" if state.stop == "break" else "you were away; the simul is just resuming"
        raise Conflict(f"the simul is paused: {why}")


def _own_board(state: Simul, game: str, by: str) -> BoardState:
    board = require_game(state, game)
    if board.person.user.id != by:
        raise Forbidden("this is not your board")
    return board
