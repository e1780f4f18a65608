"""The actor of a simul: the one writer of its events.

    ask ──► decide ──► store ──(committed)──► apply ──► publish ──► commands to the boards ──► answer

One task makes one decision at a time. The games continue meanwhile, and their events are observed as they happen. A
decision is visible only once it is stored; a decision that cannot be stored is discarded.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any

from game_core.errors import Refusal
from game_core.events import Moved, TakenBack
from lobby.errors import Unavailable
from realtime.games.pending_command import IdempotencyCache
from realtime.journal.appends import Cause
from realtime.simuls.live.audience import Audience
from realtime.simuls.live.board_outbox import BoardOutbox
from realtime.simuls.live.pending_requests import PendingRequest, answer_when_published, refuse
from realtime.simuls.live.publication import Publication
from realtime.simuls.store.store import SimulAppend, SimulFenced, row_after
from simul import commands as c
from simul import events as e
from simul.decide import decide
from simul.evolve import gift_refused, note_presence
from simul.games import new_games

if TYPE_CHECKING:
    from game_core.commands import GiveTime
    from game_core.events import AnyEvent
    from lobby.accounts.user import User
    from lobby.pairing import NewGame
    from realtime.games.table import Table
    from realtime.simuls.live.services import SimulServices
    from realtime.simuls.live.topic import SimulTopic
    from simul.decide import Decision
    from simul.feed import Feed
    from simul.state import Simul

MAX_PENDING = 4096
"""Maximum number of pending requests: each of a thousand players makes one or two while the database is slow."""

RETRY_S = 1.0
"""Delay before due work that could not be stored is retried."""

log = logging.getLogger(__name__)


class SimulActor:
    """The actor of one simul.

    Attributes:
        feed: the simul and its published state.
        audience: the listeners.
        lost: another server leads the simul now; this actor has ended.
    """

    def __init__(self, feed: Feed, epoch: int, last_n: int, services: SimulServices, topic: SimulTopic) -> None:
        self.feed = feed
        self.audience = Audience(feed, topic, services.people, services.time, services.timers)
        self.lost = False
        self._epoch = epoch
        self._last_n = last_n
        self._services = services
        self._answers: IdempotencyCache[dict[str, Any]] = IdempotencyCache()
        self._publication = Publication(feed, self.audience, services)
        self._outbox = BoardOutbox(feed.state, services.tables, self._gift_refused)
        self._pending: deque[PendingRequest] = deque()
        self._is_due = False
        self._worker: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._answering: set[asyncio.Task[None]] = set()
        """Tasks of answers that wait for the boards."""
        self._resumes = False
        """After a restart: boards that wait for the host's move stay held until the host is connected."""

    @property
    def state(self) -> Simul:
        """Return the simul."""
        return self.feed.state

    @property
    def id(self) -> str:
        """Return its id."""
        return self.feed.state.id

    @property
    def topic(self) -> SimulTopic:
        """Return the topic of its listeners."""
        return self.audience.topic

    @property
    def is_over(self) -> bool:
        """Return whether the simul has ended."""
        return self.state.status in ("finished", "cancelled")

    @property
    def is_idle(self) -> bool:
        """Return whether no work is under way or pending."""
        return self._worker is None and not self._pending and self.audience.delayed is None

    # -- requests -----------------------------------------------------------------------------------------

    async def submit(self, command: c.SimulCommand, user: User, key: str | None, request: str) -> dict[str, Any]:
        """Execute a request of ``user`` and return the fields of the reply, once it is stored and published.

        Raises:
            Refusal: it is refused or impossible now; nothing has changed.
        """
        if self.lost:
            raise Unavailable("the simul is moving to another node; try again")
        if len(self._pending) >= MAX_PENDING:
            raise Unavailable("too many requests are queued for this simul; try again")
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._pending.append(PendingRequest(command, user.id, key, request, answer))
        self._wake()
        # The client may be gone by then; the request is executed anyway.
        return await asyncio.shield(answer)

    def settle(self) -> None:
        """Check whether work is due."""
        if self.lost:
            return
        if self._worker is None and not decide(self.state, c.Settle(), self._services.wall_ms(), self._services.chance):
            self._services.timers.arm(self)
            return
        self._is_due = True
        self._wake()

    def recover(self) -> None:
        """After a restart, send the boards the commands they may have missed."""
        self._resumes = True
        decision = decide(self.state, c.Recover(), self._services.wall_ms(), self._services.chance)
        self._outbox.send(decision.effects)
        self._resume_boards()
        self.settle()

    async def stop(self) -> None:
        """Stop deciding. A decision that is being stored is still published."""
        self.lost = True
        self._outbox.close()
        self._services.timers.forget(self)
        if self._retry is not None:
            self._retry.cancel()
        if self._worker is not None:
            await asyncio.gather(self._worker, return_exceptions=True)

    async def close(self) -> None:
        """Stop, and publish nothing more."""
        self.audience.close()
        for task in self._answering:
            task.cancel()
        await self.stop()
        await asyncio.gather(*self._answering, return_exceptions=True)

    # -- external events ----------------------------------------------------------------------------------

    def board_changed(self, table: Table, events: tuple[AnyEvent, ...]) -> None:
        """Handle published events or a clock hold of a game. The simul itself tells whether the game is one of its
        boards.
        """
        number = self.state.games.get(table.id)
        if number is None:
            return  # the simul does not know yet that this game begins
        host = self.state.boards[number - 1].host
        spent_ms, position = 0, None
        for event in events:
            if isinstance(event, Moved):
                position = event.position
                spent_ms += event.spent_ms if event.by == host else 0
            elif isinstance(event, TakenBack):
                position = event.position
        self.audience.publish(self.feed.observe(number, self._publication.facts(table, position), spent_ms))
        self.settle()

    def person_is(self, user: str, *, here: bool) -> None:
        """Handle the opening of the first socket of the host or the stand-in, or the closing of their last."""
        note_presence(self.state, user, self._services.wall_ms(), here=here)
        self._resume_boards()
        # Whether the other of the two is connected concerns nobody else.
        self.audience.crowd_dirty |= user == self.state.acting_host.id
        self.settle()

    def _gift_refused(self, board: int, gift: GiveTime) -> None:
        gift_refused(self.state, board, gift.seconds, gift.own_s)
        self.settle()

    def rename(self, user: User) -> None:
        """Apply a changed name or rank of ``user``."""
        state = self.state
        number = state.seats.get(user.id)
        shown = state.person_of(user.id) if number is None else state.boards[number - 1].person
        if shown is None or shown.user != user:
            self.audience.publish(self.feed.rename(user))
            self.audience.show_anew()

    # -- time ---------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """Return when work is due, on the game axis (``timers.Alarm``). Work that could not be stored waits for its
        retry.
        """
        if self.lost or self._retry is not None:
            return None
        wall_ms = self._services.wall_ms()
        due_ms = self.state.next_due_ms(wall_ms)
        return None if due_ms is None else self._services.time.now_ms() + max(0, due_ms - wall_ms)

    def on_timer(self) -> None:
        """Handle the alarm."""
        self._is_due = True
        self._wake()

    # -- the writer ---------------------------------------------------------------------------------------

    def _wake(self) -> None:
        if self._worker is None:
            self._worker = asyncio.create_task(self._work(), name=f"simul {self.id}")

    async def _work(self) -> None:
        while (self._is_due or self._pending) and not self.lost:
            if self._is_due:
                await self._settle_once()
            else:
                await self._handle(self._pending.popleft())
        self._worker = None
        if self.lost:
            while self._pending:
                refuse(self._pending.popleft(), Unavailable("another node owns this simul now; try again"))
        self._services.timers.arm(self)

    async def _settle_once(self) -> None:
        """Do one piece of due work. If it cannot be stored now, it is retried later."""
        self._is_due = False
        try:
            decision = decide(self.state, c.Settle(), self._services.wall_ms(), self._services.chance)
            if decision:
                await self._carry_out(decision, None, {})
                self._is_due = True
        except Unavailable:
            self._retry_later()
        except Exception:
            log.exception("a timed action of a simul failed", extra={"simul": self.id})
            self._retry_later()

    def _retry_later(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
        self._retry = asyncio.get_running_loop().call_later(RETRY_S, self._try_again)

    def _try_again(self) -> None:
        self._retry = None
        self.on_timer()

    async def _handle(self, pending: PendingRequest) -> None:
        try:
            reply, carried_out = await self._reply(pending)
        except Refusal as error:
            refuse(pending, error)
        except Exception:
            log.exception("a request to a simul failed", extra={"simul": self.id, "request": pending.request})
            refuse(pending, Unavailable("internal server error; try again"))
        else:
            self._answers.remember(pending.user, pending.key, reply)
            if carried_out is None:
                pending.answer.set_result(reply)
                return
            answer = answer_when_published(pending, reply, carried_out, self._end)
            task = asyncio.create_task(answer, name=f"answer of simul {self.id}")
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    def _end(self) -> asyncio.Task[None] | None:
        """Return the task that publishes the end of the last board; None if there is none."""
        is_ending = self.state.status == "running" and not self.state.score.live
        return self._worker if is_ending else None

    async def _reply(self, pending: PendingRequest) -> tuple[dict[str, Any], asyncio.Future[None] | None]:
        """Return the reply, and what must finish before it is sent."""
        known = self._answers.known(pending.user, pending.key)
        if known is not None:
            return known, None
        try:
            decision = decide(self.state, pending.command, self._services.wall_ms(), self._services.chance)
            self._outbox.check(decision.effects)
        except Refusal:
            # A repeated request gets the stored answer.
            known = None if pending.key is None else await self._services.store.reply_to(pending.user, pending.key)
            if known is not None:
                return known, None
            raise
        self._is_due = True
        if not decision:
            return {}, None
        return await self._carry_out(decision, Cause(pending.user, pending.key, pending.request), {})

    async def _carry_out(
        self, decision: Decision, cause: Cause | None, reply: dict[str, Any]
    ) -> tuple[dict[str, Any], asyncio.Future[None] | None]:
        """Store a decision, apply it, publish it, and send its commands. Returns the reply, and a future that is done
        when the boards have received the commands. Raises ``Refusal``.
        """
        if not self._services.may_decide():
            raise Unavailable("the database is not responding; try again")
        state, events, acting_host = self.state, decision.events, self.state.acting_host.id
        games: tuple[NewGame, ...] = ()
        if any(event.kept != "nowhere" for event in events) or (cause is not None and cause.key is not None):
            page = SimulAppend(
                simul=self.id,
                host=state.host.id,
                epoch=self._epoch,
                last_n=self._last_n,
                events=events,
                row=row_after(state, events),
                games=tuple(new_games(state, events, self._services.chance.randbelow)),
                prepared=tuple(
                    (state.boards[event.board - 1].game, event) for event in events if isinstance(event, e.Prepared)
                ),
                cause=cause,
            )
            try:
                written = await self._services.store.write(page, reply)
            except SimulFenced as error:
                self.lost = True
                self._services.on_lost(self)
                raise Unavailable("the simul is moving to another node; try again") from error
            if written.reply is not None:
                return written.reply, None
            self._last_n += sum(event.kept == "log" for event in events)
            games = written.games
        await self._publication.publish(events, games)
        carried_out = self._outbox.send(decision.effects) if decision.effects else None
        if any(isinstance(event, e.Away) for event in events):
            self._mark_attendance_changed(by_another=state.acting_host.id != acting_host)
            self._resume_boards()
        self._services.on_change(self)
        return reply, carried_out

    def _mark_attendance_changed(self, *, by_another: bool) -> None:
        """Handle a change of the host's presence, or of who plays for them (``by_another``): soon tell all whether they
        are connected, and the players when they may claim, or that they may not."""
        self.audience.crowd_dirty |= by_another
        for board in self.state.live_boards():
            table = self._services.tables.peek(board.game)
            if table is not None:
                if by_another:
                    table.seats.change_host(table.topic.subscribers())
                table.topic.crowd_dirty = True

    def _resume_boards(self) -> None:
        """Resume the clocks of the host's moves, held since the restart: the host is connected."""
        if not self._resumes or self.state.gone_since is not None:
            return
        self._resumes = False
        for board in self.state.live_boards():
            table = self._services.tables.peek(board.game)
            if table is not None and table.is_held and table.game.turn == board.host:
                table.on_timer()
