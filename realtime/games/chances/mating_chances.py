"""Mating chances at one table: which side can still win.

``SolverPool`` answers the questions. Its answers are used in three ways:

- After a move that may have left no side a way to win, both sides are examined. If neither can win, the game ended with
  that position (Articles 5.2b, 9.6), whatever was offered since.
- Before a flag can fall, and when a player leaves, their opponent is examined: a win on time, or because the player is
  away, needs a possible mate (Article 6.9).
- A command that would end the game before the answer is known waits. Meanwhile the table behaves as while an append is
  in flight. Without an answer in time the side counts as able to win.
"""

from __future__ import annotations

import logging
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

from game_core.color import COLORS, other
from game_core.commands import CallDead, ClaimIllegal
from game_core.decide.ends import winner_of
from game_core.errors import Refusal
from game_core.events import TakenBack
from realtime.games.chances.solver_lane import Key
from realtime.games.pending_command import PendingCommand

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.commands import Command
    from game_core.events import AnyEvent
    from realtime.games.chances.solver_lane import Answer
    from realtime.games.chances.solver_pool import Urgency
    from realtime.games.ports import LiveTable
    from realtime.games.services import Services

AHEAD_MS = 1500
"""The question is asked this long before a flag can fall. A bounded search takes a second at most."""

WAIT_MS = 1000
"""A command waits for the answer for this long at most."""

RETRY_MS = 1000
"""Delay before the end of a dead game is stored again, after a failed attempt."""

REQUERY_MS = 5000
"""Delay before the question whether a game is dead is asked again, when no solver was free."""

log = logging.getLogger(__name__)


class MatingChances:
    """What is known about who can win from the current position of a table.

    By the Laws it may also be the position before the last move, while the right claim that this move was illegal would
    end the game.

    Attributes:
        cannot_win: the sides that certainly cannot win.
    """

    __slots__ = (
        "_again_at_ms", "_at", "_kept", "_looking", "_position", "_queried_ahead", "_questions", "_services",
        "_settled", "_until_ms", "_waiting", "cannot_win",
    )  # fmt: skip

    def __init__(self, table: LiveTable, services: Services) -> None:
        self.cannot_win: tuple[Color, ...] = ()
        self._at = weakref.ref(table)
        self._kept: LiveTable | None = None
        """The table while a command waits. The command is answered even if another node has taken the game."""
        self._services = services
        self._position: Any = table.game.position
        self._settled: tuple[Color, ...] = ()
        """Sides that need no further question: the answer is certain, or no solver could give one."""
        self._questions: tuple[tuple[Key, partial[None]], ...] = ()
        """Open questions about the current position."""
        self._queried_ahead = False
        self._looking = False
        """Whether a check for a dead position is under way."""
        self._waiting: tuple[PendingCommand, Color | None] | None = None
        """The waiting command, and the side whose chances it needs; None: it needs to know whether the game is dead."""
        self._until_ms = 0
        self._again_at_ms: int | None = None

    @property
    def _table(self) -> LiveTable:
        """Return the table. The reference is weak: this object must not keep the table in memory."""
        table = self._at()
        assert table is not None, "only the table asks, and whoever has it"
        return table

    @property
    def is_waiting(self) -> bool:
        """Return whether a command waits for an answer. The table decides nothing else meanwhile."""
        return self._waiting is not None

    @property
    def is_idle(self) -> bool:
        """Return whether nothing waits, no check is under way, and nothing is to be retried."""
        return self._waiting is None and not self._looking and self._again_at_ms is None

    def follow(self) -> None:
        """Reset after the game has reached another position, or the table was rebuilt."""
        game = self._table.game
        self._reset(game.position)
        if game.status == "over" or self._table.epoch is None:
            return
        # An illegal move may still be taken back.
        if (game.laws is None or game.laws.pending is None) and game.rules.may_be_dead(game.position):
            self._look()

    def _reset(self, position: Any) -> None:
        self._position = position
        for key, done in self._questions:
            self._services.solver.forget(key, done)
        self._questions = ()
        self.cannot_win = self._settled = ()
        self._queried_ahead = self._looking = False
        self._again_at_ms = None

    # -- dead positions -----------------------------------------------------------------------------------

    def _look(self) -> None:
        """Examine both sides, one after the other, and end the game if neither can win."""
        self._looking = False
        for color in COLORS:
            answer = self._known(color)
            if answer == "no":
                continue
            if answer != "yes":
                self._looking = True
                self._query(color, "whenever")
            return
        call = PendingCommand(CallDead(seq=self._table.game.seq), self._services.time.now_ms(), answer=self._called)
        # Before all waiting commands: the game was over when this position arose.
        self._table.go_on(call, *self._taken())

    def _called(self, outcome: Any) -> None:
        """Handle the outcome of the end: stored, refused, or void because another event came first."""
        if self._table.game.status == "over" or self._table.game.position is not self._position:
            return
        if isinstance(outcome, Refusal):
            self._again_at_ms = self._services.time.now_ms() + RETRY_MS
            self._services.timers.arm(self._table)
        else:
            self._look()

    # -- results that depend on it ------------------------------------------------------------------------

    def known_for(self, command: Command) -> tuple[Color, ...]:
        """Return the sides that certainly cannot win, for the decision on ``command``."""
        is_before = self._position is not self._table.game.position
        return self.cannot_win if is_before == isinstance(command, ClaimIllegal) else ()

    def is_open(self, events: tuple[AnyEvent, ...]) -> bool:
        """Return whether ``events`` end the game with a win that still has to be confirmed by a possible mate."""
        winner, by_time = winner_of(events)
        if winner is None:
            return False
        self._turn_to(events)
        return winner not in self._settled if by_time else self._looking

    def _turn_to(self, events: tuple[AnyEvent, ...]) -> None:
        """Ask about the position in which ``events`` end the game from now on."""
        game, first = self._table.game, events[0]
        is_before = self._position is not game.position
        if isinstance(first, TakenBack) and not is_before:
            self._reset(game.position_at(game.ply - first.plies))
        elif is_before and not isinstance(first, TakenBack):
            self.follow()

    def wait(self, pending: PendingCommand, events: tuple[AnyEvent, ...]) -> None:
        """Keep ``pending``, whose ``events`` need an answer. The table gets it back when it can be decided again."""
        winner, by_time = winner_of(events)
        assert winner is not None, "only such events are open"
        answer = self._known(winner) if by_time else None
        if answer is not None:
            self._settle(winner, answer)
            self._table.go_on(pending)
            return
        self._waiting = (pending, winner if by_time else None)
        self._kept = self._table
        self._until_ms = self._services.time.now_ms() + WAIT_MS
        if by_time:
            self._query(winner, "now")
        self._services.timers.arm(self._table)

    def query_ahead(self, color: Color) -> None:
        """Ask whether ``color`` can win: their opponent may soon lose on time, or because they are away."""
        if color not in self._settled and self._table.game.is_under_way:
            answer = self._known(color)
            if answer is None:
                self._query(color, "soon")
            else:
                self._settle(color, answer)

    # -- time ---------------------------------------------------------------------------------------------

    def due_ms(self, deadline_ms: int | None) -> int | None:
        """Return when to call ``on_timer``, or ``deadline_ms`` if that is sooner: the table's own deadline, of a flag
        or a first move."""
        if self._waiting is not None:
            return self._until_ms
        if deadline_ms is not None and not self._queried_ahead and self._table.game.is_under_way:
            deadline_ms -= AHEAD_MS
        if self._again_at_ms is not None and (deadline_ms is None or self._again_at_ms < deadline_ms):
            return self._again_at_ms
        return deadline_ms

    def on_timer(self, now_ms: int, deadline_ms: int | None) -> None:
        """Handle the timer; ``deadline_ms`` as for ``due_ms``."""
        if self._waiting is not None:
            if now_ms >= self._until_ms:
                self._services.metrics.no_verdict("late")
                self._go_on("none")
            return
        if self._again_at_ms is not None and now_ms >= self._again_at_ms:
            self._again_at_ms = None
            self._look()
        if not self._queried_ahead and deadline_ms is not None and deadline_ms - AHEAD_MS <= now_ms:
            self._queried_ahead = True
            self.query_ahead(other(self._table.game.turn))

    # -- asking -------------------------------------------------------------------------------------------

    def _key(self, color: Color) -> Key:
        game, setup = self._table.game, self._table.game.setup
        return Key(setup.game, setup.variant, game.rules.identity(self._position), color, setup.profile)

    def _known(self, color: Color) -> Answer | None:
        """Return what is known without asking; None if a solver has to be asked."""
        if color in self.cannot_win:
            return "no"
        answer = self._services.solver.known(self._key(color))
        if answer is None and not self._table.game.rules.can_win(self._position, color):
            return "no"
        return answer

    def _query(self, color: Color, urgency: Urgency) -> None:
        # A game against oneself has low priority: a wrong result harms nobody else.
        key, done = self._key(color), partial(self._answered, self._position, color, urgency)
        self._questions += ((key, done),)
        self._services.solver.query(key, done, urgency, modest=self._table.seats.is_self)

    def _answered(self, position: Any, color: Color, urgency: Urgency, answer: Answer) -> None:
        table = self._at()
        if table is None or position is not self._position or table.game.status == "over":
            return
        if answer in {"yes", "no"}:
            self._settle(color, answer)
        if urgency == "whenever":
            self._looking = False
            if answer == "no":
                self._look()
            elif answer == "none":
                self._again_at_ms = self._services.time.now_ms() + REQUERY_MS
                self._services.timers.arm(self._table)
        if self._waiting is not None:
            waits_for = self._waiting[1]
            if (waits_for is None and not self._looking) or (waits_for == color and self._is_known(color, urgency)):
                self._go_on(answer)

    def _is_known(self, color: Color, urgency: Urgency) -> bool:
        """Return whether the answer is final: it is certain, or no better one will come."""
        return color in self._settled or urgency != "whenever"

    def _settle(self, color: Color, answer: Answer) -> None:
        """Ask about ``color`` no more."""
        if color not in self._settled:
            self._settled += (color,)
            if answer == "no":
                self.cannot_win += (color,)

    def _taken(self) -> tuple[PendingCommand, ...]:
        """Remove and return the waiting command, if any."""
        waiting, self._waiting = self._waiting, None
        self._kept = None
        return () if waiting is None else (waiting[0],)

    def _go_on(self, answer: Answer) -> None:
        """Give the waiting command back to the table."""
        assert self._waiting is not None, "only then it is called"
        color = self._waiting[1]
        if color is None:
            self._looking = False
        else:
            if answer == "none":
                log.warning(
                    "no decision in time whether a side can win: it counts as winnable",
                    extra={"game": self._table.id, "fen": self._key(color).identity, "color": color},
                )
            self._settle(color, answer)
        self._table.go_on(*self._taken())
