"""Decisions: events, and effects on the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.commands import Command as GameCommand
from lobby.errors import Conflict, Forbidden, GameOver, NotFound
from simul.events import AnySimulEvent

if TYPE_CHECKING:
    from simul.board import BoardState
    from simul.state import Simul


class Send(msgspec.Struct, frozen=True):
    """A command for the game at ``board``.

    If it is too late the game refuses or ignores it, which is fine. If it cannot be stored it is sent again.
    """

    board: int
    command: GameCommand


class Decision(msgspec.Struct, frozen=True):
    """``events``, stored together and applied in order, and ``effects``, carried out in order after that.

    One decision of a simul is carried out at a time; its games may continue meanwhile. An empty decision means that
    nothing has to change.
    """

    events: tuple[AnySimulEvent, ...] = ()
    effects: tuple[Send, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.events or self.effects)


NOTHING = Decision()


def require_host(state: Simul, by: str) -> None:
    """Raise ``Forbidden`` unless ``by`` is the host."""
    if by != state.host.id:
        raise Forbidden(f"only the host, {state.host.name}, can do this")


def require_acting_host(state: Simul, by: str) -> None:
    """Raise unless ``by`` plays the host's side now: the host, or the stand-in who has taken over."""
    if by == state.acting_host.id:
        return
    if by == state.host.id:
        raise Conflict(f"{state.acting_host.name} plays for you; take over first")
    if state.stand_in is not None and by == state.stand_in.id:
        raise Conflict("you have not taken over")
    require_host(state, by)


def require_created(state: Simul) -> None:
    """Raise ``Conflict`` once the simul has started or is cancelled."""
    if state.status != "created":
        raise Conflict(f"the simul is {state.status}; this is possible only before the start")


def require_running(state: Simul) -> None:
    """Raise ``Conflict`` before the start and after the end."""
    if state.status != "running":
        raise Conflict(f"the simul is {state.status}; this is possible only while it runs")


def require_board(state: Simul, number: int) -> BoardState:
    """Return board ``number``. Raises ``NotFound``."""
    board = state.board(number)
    if board is None:
        raise NotFound(f"there is no board {number}; boards are numbered from 1 to {len(state.boards)}")
    return board


def require_game(state: Simul, game: str) -> BoardState:
    """Return the board of ``game``. Raises ``NotFound``."""
    if game not in state.games:
        raise NotFound("this game does not belong to the simul")
    return state.boards[state.games[game] - 1]


def require_live(board: BoardState) -> None:
    """Raise ``GameOver`` if the game at ``board`` has ended."""
    if not board.is_live:
        raise GameOver(f"board {board.number} is over")
