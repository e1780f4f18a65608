"""Who can still win at one table: asked in time, waited for where a result hangs on it, and dead positions ended.

Three things are done with what ``Verdicts`` find out:

- After a move that may have left nobody a way to win, both sides are asked for. If neither can, the game is over from
  that position on (Articles 5.2b, 9.6), whatever was offered since.
- Before a flag can fall, and when a player leaves, the opponent is asked for: his win on time, or for the other's being
  away, needs that he could have mated (6.9).
- A command that would end the game so before that is known waits; meanwhile the table is as it is while an append
  is in flight. Where no answer comes in time the side counts as able to win.
"""

from __future__ import annotations

import logging
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

from game_core.color import COLORS, other
from game_core.commands import CallDead
from game_core.decide.ends import winner_of
from game_core.errors import Refusal
from realtime.games.chances.solver_pool import Key
from realtime.games.pending_command import PendingCommand

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.events import AnyEvent
    from realtime.games.chances.solver_pool import Answer, Urgency
    from realtime.games.ports import LiveTable
    from realtime.games.services import Services

AHEAD_MS = 1500
"""So long before a flag can fall the question is asked: a search within its bound takes a second at most."""

WAIT_MS = 1000
"""So long a result waits for the answer."""

RETRY_MS = 1000
"""After this the end of a dead game that could not be stored is tried again."""

ASK_AGAIN_MS = 5000
"""After this it is asked again whether a game is dead, where nobody had time for the question."""

log = logging.getLogger(__name__)


class MatingChances:
    """What is known of who can win from where the table's game stands.

    Attributes:
        cannot_win: the sides of which it is certain that they cannot.
    """

    __slots__ = (
        "_again_at_ms", "_asked_ahead", "_at", "_kept", "_looking", "_position", "_questions", "_services", "_settled",
        "_until_ms", "_waiting", "cannot_win",
    )  # fmt: skip

    def __init__(self, table: LiveTable, services: Services) -> None:
        self.cannot_win: tuple[Color, ...] = ()
        self._at = weakref.ref(table)
        self._kept: LiveTable | None = None
        """The table while a command waits: it is answered, also when the game has been lost to another node."""
        self._services = services
        self._position: Any = table.game.position
        self._settled: tuple[Color, ...] = ()
        """Sides that are not asked for any more: it is known, or nobody could tell."""
        self._questions: tuple[tuple[Key, partial[None]], ...] = ()
        """What has been asked of where the game stands."""
        self._asked_ahead = False
        self._looking = False
        """Whether it is being found out if the game is dead."""
        self._waiting: tuple[PendingCommand, Color | None] | None = None
        """The command that waits, and for whose chances; None: for whether the game is dead."""
        self._until_ms = 0
        self._again_at_ms: int | None = None

    @property
    def _table(self) -> LiveTable:
        """Whose this is. The table refers to this object, which must not keep it when it leaves memory."""
        table = self._at()
        assert table is not None, "only the table asks, and whoever has it"
        return table

    @property
    def is_waiting(self) -> bool:
        """Whether a command waits for an answer: the table decides nothing else meanwhile."""
        return self._waiting is not None

    @property
    def is_idle(self) -> bool:
        """Nothing waits, is being looked at, or is to be tried again."""
        return self._waiting is None and not self._looking and self._again_at_ms is None

    def follow(self) -> None:
        """The game has come to another position, or the table has been rebuilt."""
        game = self._table.game
        self._position = game.position
        for key, done in self._questions:
            self._services.verdicts.forget(key, done)
        self._questions = ()
        self.cannot_win = self._settled = ()
        self._asked_ahead = self._looking = False
        self._again_at_ms = None
        if game.status != "over" and self._table.epoch is not None and game.rules.may_be_dead(game.position):
            self._look()

    # -- dead positions -----------------------------------------------------------------------------------

    def _look(self) -> None:
        """PendingCommand for both sides, one after the other, and end the game if neither can win."""
        self._looking = False
        for color in COLORS:
            answer = self._known(color)
            if answer == "no":
                continue
            if answer != "yes":
                self._looking = True
                self._ask(color, "whenever")
            return
        call = PendingCommand(CallDead(seq=self._table.game.seq), self._services.time.now_ms(), answer=self._called)
        # Before all that waits: the game was over when this position came about.
        self._table.go_on(call, *self._taken())

    def _called(self, outcome: Any) -> None:
        """The end was stored, was refused, or came after another event and was none."""
        if self._table.game.status == "over" or self._table.game.position is not self._position:
            return
        if isinstance(outcome, Refusal):
            self._again_at_ms = self._services.time.now_ms() + RETRY_MS
            self._services.timers.arm(self._table)
        else:
            self._look()

    # -- results that hang on it --------------------------------------------------------------------------

    def is_open(self, events: tuple[AnyEvent, ...]) -> bool:
        """Whether ``events`` end the game with a win of which it is yet to be found out whether it is one."""
        winner, by_time = winner_of(events)
        if winner is None:
            return False
        return winner not in self._settled if by_time else self._looking

    def wait(self, ask: PendingCommand, events: tuple[AnyEvent, ...]) -> None:
        """Keep ``ask``, whose ``events`` are open, until it can be decided anew; then the table gets it back."""
        winner, by_time = winner_of(events)
        assert winner is not None, "only such events are open"
        answer = self._known(winner) if by_time else None
        if answer is not None:
            self._settle(winner, answer)
            self._table.go_on(ask)
            return
        self._waiting = (ask, winner if by_time else None)
        self._kept = self._table
        self._until_ms = self._services.time.now_ms() + WAIT_MS
        if by_time:
            self._ask(winner, "now")
        self._services.timers.arm(self._table)

    def ask_ahead(self, color: Color) -> None:
        """The opponent of ``color`` may lose on time soon, or for being away."""
        if color not in self._settled and self._table.game.is_under_way:
            answer = self._known(color)
            if answer is None:
                self._ask(color, "soon")
            else:
                self._settle(color, answer)

    # -- time ---------------------------------------------------------------------------------------------

    def due_ms(self, deadline_ms: int | None) -> int | None:
        """When ``ring`` is to be called, or the table's own ``deadline_ms``, a flag's or a first move's, if sooner."""
        if self._waiting is not None:
            return self._until_ms
        if deadline_ms is not None and not self._asked_ahead and self._table.game.is_under_way:
            deadline_ms -= AHEAD_MS
        if self._again_at_ms is not None and (deadline_ms is None or self._again_at_ms < deadline_ms):
            return self._again_at_ms
        return deadline_ms

    def ring(self, now_ms: int, deadline_ms: int | None) -> None:
        """The timer rang; ``deadline_ms`` as for ``due_ms``."""
        if self._waiting is not None:
            if now_ms >= self._until_ms:
                self._services.metrics.no_verdict("late")
                self._go_on("none")
            return
        if self._again_at_ms is not None and now_ms >= self._again_at_ms:
            self._again_at_ms = None
            self._look()
        if not self._asked_ahead and deadline_ms is not None and deadline_ms - AHEAD_MS <= now_ms:
            self._asked_ahead = True
            self.ask_ahead(other(self._table.game.turn))

    # -- asking -------------------------------------------------------------------------------------------

    def _key(self, color: Color) -> Key:
        game, setup = self._table.game, self._table.game.setup
        return Key(setup.game, setup.variant, game.rules.identity(game.position), color, setup.profile)

    def _known(self, color: Color) -> Answer | None:
        """What is known without asking; None if it has to be asked."""
        if color in self.cannot_win:
            return "no"
        answer = self._services.verdicts.known(self._key(color))
        if answer is None and not self._table.game.rules.can_win(self._position, color):
            return "no"
        return answer

    def _ask(self, color: Color, urgency: Urgency) -> None:
        # Of a game against oneself nobody is wronged: it keeps no other from its answer.
        key, done = self._key(color), partial(self._answered, self._position, color, urgency)
        self._questions += ((key, done),)
        self._services.verdicts.ask(key, done, urgency, modest=self._table.seats.is_self)

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
                self._again_at_ms = self._services.time.now_ms() + ASK_AGAIN_MS
                self._services.timers.arm(self._table)
        if self._waiting is not None:
            waits_for = self._waiting[1]
            if (waits_for is None and not self._looking) or (waits_for == color and self._is_told(color, urgency)):
                self._go_on(answer)

    def _is_told(self, color: Color, urgency: Urgency) -> bool:
        """Whether more than this answer need not be waited for: it is certain, or the last."""
        return color in self._settled or urgency != "whenever"

    def _settle(self, color: Color, answer: Answer) -> None:
        """PendingCommand for ``color`` no more."""
        if color not in self._settled:
            self._settled += (color,)
            if answer == "no":
                self.cannot_win += (color,)

    def _taken(self) -> tuple[PendingCommand, ...]:
        """The command that waits, if any, which waits no longer."""
        waiting, self._waiting = self._waiting, None
        self._kept = None
        return () if waiting is None else (waiting[0],)

    def _go_on(self, answer: Answer) -> None:
        """Give back the command that waits."""
        assert self._waiting is not None, "only then it is called"
        color = self._waiting[1]
        if color is None:
            self._looking = False
        else:
            if answer == "none":
                log.warning(
                    "nobody found out in time who can win: it counts as winnable",
                    extra={"game": self._table.id, "fen": self._key(color).identity, "color": color},
                )
            self._settle(color, answer)
        self._table.go_on(*self._taken())
