"""A game under test with its time: decides commands, applies events, keeps the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core import commands as c
from game_core.decide import decide
from game_core.errors import Refused
from game_core.evolve import evolve
from game_core.game import Game, Setup
from game_core.start import new_game
from game_core.time_control import Period, TimeControl

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.events import AnyEvent
    from game_core.laws.terms import LawsTerms
    from game_core.simul_board import SimulBoard

BULLET = TimeControl((Period(None, 60_000),))
BLITZ = TimeControl((Period(None, 180_000, 2_000),))
RAPID = TimeControl((Period(None, 900_000),))
CLASSICAL = TimeControl((Period(40, 5_400_000), Period(None, 1_800_000)))
DELAY = TimeControl((Period(None, 180_000),), delay_ms=3_000)
BRONSTEIN = TimeControl((Period(None, 180_000),), bronstein_ms=3_000)
NO_BASE = TimeControl((Period(None, 0, 5_000),))
TWO_MOVES = TimeControl((Period(2, 60_000), Period(None, 30_000)))
DAYS = TimeControl(days=3)

DAY_MS = 86_400_000

BLACK_BEGINS = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 30"
LONE_BLACK_KING = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
"""White can win, Black cannot."""


class Scene:
    """A game as a table keeps it, with a time that the test sets.

    Attributes:
        fresh: the game before its first event.
        log: all events so far.
        now_ms: the present; events are published at once.
    """

    def __init__(
        self,
        tc: TimeControl | None = BLITZ,
        *,
        fen: str | None = None,
        game: str = "chess",
        variant: str = "standard",
        pausable: bool = False,
        moves: str = "",
        black_tc: TimeControl | None = None,
        simul_board: SimulBoard | None = None,
        profile: str = "online",
        laws: LawsTerms | None = None,
    ) -> None:
        self.now_ms = 1_000_000
        setup = Setup(
            id="g",
            game=game,
            variant=variant,
            tc=tc,
            fen=fen,
            pausable=pausable,
            black_tc=black_tc,
            simul_board=simul_board,
            profile=profile,
            laws=laws,
        )
        self.fresh = new_game(setup, self.now_ms)
        self.game: Game = self.fresh
        self.log: list[AnyEvent] = []
        self.play(moves)

    def do(self, command: c.Command, after_ms: int = 0) -> tuple[AnyEvent, ...]:
        """Let ``after_ms`` pass, then carry out the command."""
        self.now_ms += after_ms
        events = decide(self.game, command, self.now_ms)
        self._fold(events)
        return events

    def refused(self, command: c.Command, code: str, after_ms: int = 0) -> Refused:
        """Let ``after_ms`` pass, then expect a refusal with ``code``. Events that come with it are applied."""
        self.now_ms += after_ms
        with pytest.raises(Refused) as caught:
            decide(self.game, command, self.now_ms)
        assert caught.value.code == code
        self._fold(caught.value.events)
        return caught.value

    def play(self, moves: str, each_ms: int = 0) -> None:
        """Play ``moves``, each ``each_ms`` after the one before."""
        for move in moves.split():
            self.do(self.move(move), each_ms)

    def move(self, move: str, *, draw: bool = False, lag_ms: int | None = None, ceiling_ms: int = 0) -> c.PlayMove:
        """Return the command that plays ``move`` now."""
        return c.PlayMove(
            by=self.game.turn,
            move=move,
            ply=self.game.ply,
            draw=draw,
            claimed_lag_ms=lag_ms,
            ceiling_ms=ceiling_ms,
        )

    def left(self, color: Color) -> int:
        """Return the present time of ``color``'s clock."""
        assert self.game.clock is not None
        return self.game.clock.left_ms(color, self.now_ms)

    @property
    def flag_in_ms(self) -> int:
        """Return the time until the running clock reaches zero."""
        assert self.game.clock is not None
        flag_at_ms = self.game.clock.flag_at_ms()
        assert flag_at_ms is not None
        return flag_at_ms - self.now_ms

    @property
    def end(self) -> tuple[str, str | None]:
        """Return result and reason."""
        return self.game.result, self.game.reason

    def _fold(self, events: tuple[AnyEvent, ...]) -> None:
        for event in events:
            self.game = evolve(self.game, event, self.now_ms)
            self.log.append(event)
