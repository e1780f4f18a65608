"""Life cycle of a simul: create, edit, start, cancel, end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from game_core import commands as g
from lobby.errors import Conflict, Forbidden, NotFound
from lobby.robots.robot_accounts import is_robot
from simul import events as e
from simul.decide.decision import (
    NOTHING,
    Decision,
    Send,
    require_acting_host,
    require_created,
    require_game,
    require_host,
    require_live,
    require_running,
)
from simul.decide.stand_in import check_stand_in, replaced
from simul.score import Final, loss_of
from simul.setup import agree

if TYPE_CHECKING:
    from game_core.events import Result
    from lobby.accounts.user import User
    from simul import commands as c
    from simul.board import BoardState
    from simul.draft import Draft
    from simul.ports import Chance
    from simul.setup import SimulSetup
    from simul.state import Simul
    from simul.wire import BoardEnd

WHILE_IT_RUNS = ("name", "text", "auto_next", "late_join")
"""Fields of an announcement that may change after the start: none that affects play."""


def create(
    simul_id: str, host: User, draft: Draft, invited: tuple[User, ...], now_ms: int, stand_in: User | None = None
) -> e.Created:
    """Return the first event of a simul that ``host`` announces. Raises like ``setup.agree``."""
    setup = agree(host, draft, now_ms)
    check_stand_in(host, setup, stand_in)
    return e.Created(id=simul_id, host=host, setup=setup, invited=invited, stand_in=stand_in, at_ms=now_ms)


def edit(state: Simul, command: c.Edit, now_ms: int, chance: Chance) -> Decision:
    """Edit the announcement. Changes that exclude people who have already joined are refused."""
    require_host(state, command.by)
    if state.status not in ("created", "running"):
        require_created(state)
    setup = agree(state.host, command.draft, now_ms, state.setup)
    if state.status == "running":
        changed = [name for name in setup.__struct_fields__ if getattr(setup, name) != getattr(state.setup, name)]
        fixed = [name for name in changed if name not in WHILE_IT_RUNS]
        if fixed or command.invited is not None:
            raise Conflict(
                f"{(*fixed, 'invited')[0]}: the simul is running; "
                f"only {', '.join(WHILE_IT_RUNS)}, stand_in can be changed"
            )
    else:
        _require_fitting(state, setup)
    before, stand_in = state.stand_in, command.stand_in
    if stand_in is UNSET or _id_of(stand_in) == _id_of(before):
        check_stand_in(state.host, setup, before)
        if setup == state.setup and command.invited is None:
            return NOTHING
        return Decision((e.Edited(setup=setup, invited=command.invited),))
    check_stand_in(state.host, setup, stand_in)
    return Decision((*replaced(state, stand_in), e.Edited(setup=setup, invited=command.invited, stand_in=stand_in)))


def _id_of(user: User | None) -> str | None:
    return None if user is None else user.id


def start(state: Simul, command: c.Start, now_ms: int, chance: Chance) -> Decision:
    """Start with all accepted players, in the order of their acceptance."""
    require_host(state, command.by)
    require_created(state)
    if not state.players:
        raise Conflict("the host has accepted no players yet")
    return Decision((started(state, now_ms, chance),))


def started(state: Simul, now_ms: int, chance: Chance) -> e.Started:
    """Return the start event of ``state``, which is announced and has players."""
    seats = (
        e.BoardSeat(number, chance.new_id(), person.user.id, state.color_at(number, person.color, chance))
        for number, person in enumerate(state.players.values(), 1)
    )
    return e.Started(seats=tuple(seats), at_ms=now_ms)


def cancel(state: Simul, command: c.Cancel, now_ms: int, chance: Chance) -> Decision:
    """Cancel the simul before its start."""
    require_host(state, command.by)
    if state.status == "cancelled":
        return NOTHING
    require_created(state)
    return Decision((e.Cancelled(at_ms=now_ms),))


def finished(state: Simul, now_ms: int) -> e.Finished:
    """Return the end of ``state``, which has no live boards any more."""
    assert state.started_ms is not None, "only what has hardly ends"
    moves = sum(0 if board.facts is None else board.facts.host_moves for board in state.boards)
    host_ms = sum(board.host_ms for board in state.boards)
    final = Final(moves=moves, host_ms=host_ms, duration_ms=max(0, now_ms - state.started_ms))
    return e.Finished(at_ms=now_ms, score=state.score, final=final)


def adjudicate(state: Simul, command: c.Adjudicate, now_ms: int, chance: Chance) -> Decision:
    """Adjudicate a board: never against the player, and without a result only if the game has hardly begun."""
    board = require_game(state, command.game)
    require_acting_host(state, command.by)
    require_live(board)
    if command.result == "*":
        _require_abortable(board)
    elif command.result not in ("1/2-1/2", loss_of(board.host)):
        raise Forbidden("result: the host can adjudicate only a draw or their own loss")
    adjudicated = e.Adjudicated(board=board.number, result=command.result)
    return Decision((adjudicated,), (Send(board.number, g.Adjudicate(command.result)),))


def end(state: Simul, command: c.End, now_ms: int, chance: Chance) -> Decision:
    """End all live boards as the host says. Repeating the command meanwhile has no effect."""
    require_host(state, command.by)
    require_acting_host(state, command.by)
    require_running(state)
    if state.ending is not None:
        return NOTHING
    unknown = [number for number in command.boards if state.board(number) is None]
    if unknown:
        raise NotFound(f"boards: there is no board {unknown[0]}")
    ending = e.Ending(rest=command.rest, boards=command.boards)
    if state.setup.rated:
        for board in state.live_boards():
            if _how(ending, board) == "abort":
                _require_abortable(board)
    return Decision((ending,), endings(state, ending))


def deserted(state: Simul) -> Decision:
    """End a simul whose host does not return: the host loses where both have moved, as each player could have
    claimed."""
    unbegun: dict[int, BoardEnd] = {board.number: "abort" for board in state.live_boards() if _is_abortable(board)}
    ending = e.Ending(rest="resign", boards=unbegun)
    return Decision((ending,), endings(state, ending))


def endings(state: Simul, ending: e.Ending) -> tuple[Send, ...]:
    """Return what ends the live boards."""
    return tuple(Send(board.number, g.Adjudicate(_result(board, _how(ending, board)))) for board in state.live_boards())


def _how(ending: e.Ending, board: BoardState) -> BoardEnd:
    return ending.boards.get(board.number, ending.rest)


def _result(board: BoardState, how: BoardEnd) -> Result:
    if how == "draw":
        return "1/2-1/2"
    return loss_of(board.host) if how == "resign" else "*"


def _is_abortable(board: BoardState) -> bool:
    return board.facts is None or board.facts.status == "created"


def _require_abortable(board: BoardState) -> None:
    if not _is_abortable(board):
        raise Conflict(f"board {board.number}: both players have moved; expected a draw or a loss, not no result")


def _require_fitting(state: Simul, setup: SimulSetup) -> None:
    """Raise ``Conflict`` if ``setup`` would exclude a person who has joined."""
    people = [*state.players.values(), *state.applicants.values()]
    gone = [person for person in people if person.offer not in setup.offers]
    if gone:
        raise Conflict(f"variants: {gone[0].user.name} wants to play {gone[0].offer.variant}; remove them first")
    if setup.rated and any(person.user.kind == "guest" for person in people):
        raise Conflict("rated: guests can play casual games only; remove them first")
    if setup.rated and any(is_robot(person.user.id) for person in people):
        raise Conflict("rated: robots play casual games only; remove them first")
    if setup.rated and any(person.player_extra_s or person.host_extra_s for person in people):
        raise Conflict("rated: a game with a handicap cannot be rated, and some boards have one")
    if len(state.players) > setup.max_boards:
        raise Conflict(f"max_boards: {len(state.players)} players are already accepted")
    if (setup.mode == "round" or setup.tc is None) and any(person.host_extra_s for person in people):
        raise Conflict(
            "mode: the host has more time at some boards, which needs a clock at each board; remove it first"
        )
