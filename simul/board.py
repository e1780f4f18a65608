"""One board of a simul: its player, the state of its game, and a move prepared for the host's visit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core import board as core_board
from game_core.color import Color, of, other
from game_core.events import Result
from game_core.holds import COUNTDOWN
from game_core.leaps import Leaps
from simul.people import Person
from simul.wire import BoardStatus

if TYPE_CHECKING:
    from game_core.game import Game
    from simul.wire import BoardClockWire, BoardTurn


class Facts(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """State of a game after its ``seq``-th event, as far as a simul needs it."""

    seq: int
    ply: int
    turn: Color
    status: BoardStatus
    position: str
    last: str | None
    leaps: Leaps | None
    """Path of the last move's piece; None for a single step."""
    result: Result
    reason: str | None
    white_ms: int
    black_ms: int
    run: Color | None
    """The side whose clock runs, or would run if it were not held."""
    held: str | None
    delay_left_ms: int
    at_ms: int
    """The instant of the clock times (Unix ms)."""
    is_host_there: bool
    is_counting_down: bool
    """The host waits for the player's move, and no other stop is in force."""
    stop: str | None
    """The break or absence that stops the clocks, as named in the game."""
    host_moves: int
    """Number of the host's moves on the board."""

    def left_ms(self, color: Color) -> int:
        """Return the time left for ``color`` at ``at_ms``."""
        return of((self.white_ms, self.black_ms), color)


def facts_of(game: Game, now_ms: int, at_ms: int, position: str | None = None) -> Facts:
    """Return what a simul needs of ``game``, which is one of its boards.

    Args:
        now_ms: the present on the game axis; ``at_ms`` is the same instant in Unix ms.
        position: the position as text, if the caller has it. Writing it costs as much as everything else here.
    """
    simul_board, clock = game.setup.simul_board, game.clock
    assert simul_board is not None, "only boards of simuls are asked"
    assert clock is not None, "every board has a clock"
    reading = clock.reading(now_ms)
    return Facts(
        seq=game.seq,
        ply=game.ply,
        turn=game.turn,
        status=game.status,
        position=game.rules.fen(game.position) if position is None else position,
        last=game.moves[-1] if game.moves else None,
        leaps=game.last_leaps,
        result=game.result,
        reason=game.reason,
        white_ms=reading.w,
        black_ms=reading.b,
        run=reading.run,
        held=reading.held,
        delay_left_ms=clock.delay_left_ms(now_ms),
        at_ms=at_ms,
        is_host_there=core_board.is_host_there(game),
        is_counting_down=reading.held == COUNTDOWN,
        stop=core_board.stop_of(game),
        host_moves=game.moves_made(simul_board.host),
    )


class BoardState(msgspec.Struct, kw_only=True):
    """One board of a running simul. Mutable."""

    number: int
    game: str
    person: Person
    host: Color
    passes_left: int
    facts: Facts | None = None
    """None until the game has been observed for the first time."""
    prepared: tuple[int, str] | None = None
    """The player's prepared move and its ply."""
    put_off_ply: int | None = None
    """``clock`` mode: ply of the game when the host put the board off."""
    given: tuple[int, int, int] | None = None
    """The last gift of time: seconds for the player, seconds for the host, and the game's last event before the gift
    reached it."""
    adjudged: Result | None = None
    """The host's result for the game. It takes effect when the game has ended."""
    host_ms: int = 0
    """Time used by the host's moves on the board."""

    @property
    def is_live(self) -> bool:
        """Whether the game continues."""
        return self.facts is None or self.facts.status != "over"

    @property
    def waits_for_host(self) -> bool:
        """Whether the game continues and the host is to move."""
        return self.is_live and self.turn == "host"

    @property
    def is_host_there(self) -> bool:
        """Whether the game continues and the host is at the board."""
        return self.facts is not None and self.is_live and self.facts.is_host_there

    @property
    def turn(self) -> BoardTurn:
        """The side to move. Before the game has been observed it is the host, who moves first."""
        return "host" if self.facts is None or self.facts.turn == self.host else "player"

    @property
    def ply(self) -> int:
        """Half-moves on the board."""
        return 0 if self.facts is None else self.facts.ply

    @property
    def player(self) -> Color:
        """The player's colour."""
        return other(self.host)

    def prepared_move(self) -> str | None:
        """The player's prepared move, if it is for the present position."""
        if self.prepared is None or self.prepared[0] != self.ply:
            return None
        return self.prepared[1]


def clock_wire(facts: Facts) -> BoardClockWire:
    """Return the clock of a board."""
    run = facts.run if facts.held is None else None
    body: BoardClockWire = {"w": facts.white_ms, "b": facts.black_ms, "run": run, "at": facts.at_ms}
    if facts.delay_left_ms:
        body["delay_left"] = facts.delay_left_ms
    if facts.held is not None:
        body["held"] = facts.held
    return body
