"""What comes of a command: events, and what is then to be done at the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.commands import Command as GameCommand
from lobby.errors import Conflict, Forbidden, GameOver, NotFound
from simul.events import AnyEvent

if TYPE_CHECKING:
    from simul.board import Board
    from simul.state import Exhibition


class Send(msgspec.Struct, frozen=True):
    """``command`` is for the game at ``board``.

    Where it comes too late it is refused, or nothing happens, and that is all right. Where it cannot be stored now it
    is sent again.
    """

    board: int
    command: GameCommand


class Decision(msgspec.Struct, frozen=True):
    """``events``, to be stored together and applied in order, and ``effects``, to be carried out in order after that.

    One decision of an exhibition is carried out at a time; its games may go on meanwhile. Nothing at all is an answer
    as well: it is so already.
    """

    events: tuple[AnyEvent, ...] = ()
    effects: tuple[Send, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.events or self.effects)


NOTHING = Decision()


def require_host(state: Exhibition, by: str) -> None:
    """Raises ``Forbidden`` unless ``by`` is the host."""
    if by != state.host.id:
        raise Forbidden(f"only the host, {state.host.name}, may do this")


def require_created(state: Exhibition) -> None:
    """Raises ``Conflict`` once it has started, or does not take place."""
    if state.status != "created":
        raise Conflict(f"the exhibition is {state.status}; this is for before the start")


def require_running(state: Exhibition) -> None:
    """Raises ``Conflict`` before the start and after the end."""
    if state.status != "running":
        raise Conflict(f"the exhibition is {state.status}; this is for while it runs")


def require_board(state: Exhibition, number: int) -> Board:
    """Board ``number``. Raises ``NotFound``."""
    board = state.board(number)
    if board is None:
        raise NotFound(f"there is no board {number}; they have numbers from 1 to {len(state.boards)}")
    return board


def require_game(state: Exhibition, game: str) -> Board:
    """The board of ``game``. Raises ``NotFound``."""
    if game not in state.games:
        raise NotFound("that game is no board of this exhibition")
    return state.boards[state.games[game] - 1]


def require_live(board: Board) -> None:
    """Raises ``GameOver`` when the game at ``board`` has ended."""
    if not board.is_live:
        raise GameOver(f"board {board.number} is over")
