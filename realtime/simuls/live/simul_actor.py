"""A hall: the one writer of one exhibition.

    ask ──► decide ──► store ──(committed)──► apply ──► publish ──► errands to the boards ──► answer

One thing is decided at a time, by one task; the games go on meanwhile, and what happens in them is looked at when it
happens. Until a decision is stored nothing of it is visible; what cannot be stored was not decided.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any

from game_core.errors import Refused
from game_core.events import Moved, TakenBack
from realtime.games.pending_command import IdempotencyCache
from realtime.protocol.errors import WireError
from realtime.simuls.live.audience import Audience
from realtime.simuls.live.board_outbox import BoardOutbox
from realtime.simuls.live.opened_board import Opened
from realtime.simuls.live.pending_requests import HallAsk, answer_when_told, refuse
from realtime.simuls.store.store import Cause, Fenced, Page, row_after
from simul import commands as c
from simul import events as e
from simul.board import facts_of
from simul.decide import decide
from simul.errors import SimulError
from simul.evolve import gift_refused, host_came, host_left
from simul.feed import News
from simul.games import new_games

if TYPE_CHECKING:
    from game_core.commands import GiveTime
    from game_core.events import AnyEvent
    from lobby.accounts.user import User
    from lobby.pairing import NewGame
    from realtime.games.table import Table
    from realtime.simuls.live.services import SimulServices
    from realtime.simuls.live.topic import SimulTopic
    from simul.board import Facts
    from simul.decide import Decision
    from simul.feed import Feed
    from simul.state import Exhibition

ASKS = 4096
"""Requests that may wait: everybody at a thousand boards asks for something, some twice, while the database is slow."""

RETRY_S = 1.0
"""After this what was due and could not be stored is tried again."""

log = logging.getLogger(__name__)


class SimulActor:
    """One exhibition.

    Attributes:
        feed: the exhibition and what has been told of it.
        audience: who listens.
        lost: another server leads it now; this hall is dead.
    """

    def __init__(self, feed: Feed, epoch: int, last_n: int, services: SimulServices, topic: SimulTopic) -> None:
        self.feed = feed
        self.audience = Audience(feed, topic, services.people, services.time, services.timers)
        self.lost = False
        self._epoch = epoch
        self._last_n = last_n
        self._services = services
        self._answers: IdempotencyCache[dict[str, Any]] = IdempotencyCache()
        self._errands = BoardOutbox(feed.state, services.tables, self._gift_refused)
        self._asks: deque[HallAsk] = deque()
        self._is_due = False
        self._worker: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._answering: set[asyncio.Task[None]] = set()
        """Answers that wait for the boards."""
        self._resumes = False
        """After a restart: the boards that wait for the host wait until he is here."""

    @property
    def state(self) -> Exhibition:
        """The exhibition."""
        return self.feed.state

    @property
    def id(self) -> str:
        """Its id."""
        return self.feed.state.id

    @property
    def topic(self) -> SimulTopic:
        """Who listens."""
        return self.audience.topic

    @property
    def is_over(self) -> bool:
        """Nothing happens here any more."""
        return self.state.status in ("finished", "cancelled")

    @property
    def is_idle(self) -> bool:
        """Nothing is being done, and nothing waits to be done or told."""
        return self._worker is None and not self._asks and self.audience.late is None

    # -- what people ask for ------------------------------------------------------------------------------

    async def ask(self, command: c.Command, user: User, key: str | None, request: str) -> dict[str, Any]:
        """What ``user`` asks for: the fields of the reply, once it is stored and told.

        Raises:
            WireError: it is refused, or cannot be done now; then nothing has changed.
        """
        if self.lost:
            raise WireError("unavailable", "the exhibition is moving to another node; ask again")
        if len(self._asks) >= ASKS:
            raise WireError("unavailable", "too many requests wait for this exhibition; ask again")
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asks.append(HallAsk(command, user.id, key, request, answer))
        self._wake()
        # Whoever asked may be gone by then: it is done all the same.
        return await asyncio.shield(answer)

    def settle(self) -> None:
        """See whether something is due."""
        if self.lost:
            return
        if self._worker is None and not decide(self.state, c.Settle(), self._services.wall_ms(), self._services.chance):
            self._services.timers.arm(self)
            return
        self._is_due = True
        self._wake()

    def recover(self) -> None:
        """After a restart: the boards are told what they may have missed."""
        self._resumes = True
        decision = decide(self.state, c.Recover(), self._services.wall_ms(), self._services.chance)
        self._errands.send(decision.effects)
        self._resume_boards()
        self.settle()

    async def stop(self) -> None:
        """Decide nothing more; what is being stored is stored and told."""
        self.lost = True
        self._errands.close()
        self._services.timers.forget(self)
        if self._retry is not None:
            self._retry.cancel()
        if self._worker is not None:
            await asyncio.gather(self._worker, return_exceptions=True)

    async def close(self) -> None:
        """Stop, and tell nothing more."""
        self.audience.close()
        for task in self._answering:
            task.cancel()
        await self.stop()
        await asyncio.gather(*self._answering, return_exceptions=True)

    # -- what happens elsewhere ---------------------------------------------------------------------------

    def board_changed(self, table: Table, events: tuple[AnyEvent, ...]) -> None:
        """Events of a game have been published, or its clocks stand; it is one of ours if its exhibition says so."""
        number = self.state.games.get(table.id)
        if number is None:
            return  # its exhibition has not been told that it begins
        host = self.state.boards[number - 1].host
        spent_ms, position = 0, None
        for event in events:
            if isinstance(event, Moved):
                position = event.position
                spent_ms += event.spent_ms if event.by == host else 0
            elif isinstance(event, TakenBack):
                position = event.position
        self.audience.tell(self.feed.observe(number, self._facts(table, position), spent_ms))
        self.settle()

    def host_is(self, *, here: bool) -> None:
        """The host's first socket has opened, or his last one has closed."""
        if here:
            host_came(self.state)
            self._resume_boards()
        else:
            host_left(self.state, self._services.wall_ms())
        self.audience.crowd_dirty = True
        self.settle()

    def _gift_refused(self, board: int, gift: GiveTime) -> None:
        gift_refused(self.state, board, gift.seconds, gift.own_s)
        self.settle()

    def rename(self, user: User) -> None:
        """Somebody is called or counts as something else now."""
        state = self.state
        number = state.seats.get(user.id)
        shown = state.person_of(user.id) if number is None else state.boards[number - 1].person
        if shown is None or shown.user != user:
            self.audience.tell(self.feed.rename(user))
            self.audience.show_anew()

    # -- time ---------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """When something is due, on the game axis (``timers.Alarm``); what could not be stored waits for its retry."""
        if self.lost or self._retry is not None:
            return None
        wall_ms = self._services.wall_ms()
        due_ms = self.state.next_due_ms(wall_ms)
        return None if due_ms is None else self._services.time.now_ms() + max(0, due_ms - wall_ms)

    def ring(self) -> None:
        """The timer rang."""
        self._is_due = True
        self._wake()

    # -- the writer ---------------------------------------------------------------------------------------

    def _wake(self) -> None:
        if self._worker is None:
            self._worker = asyncio.create_task(self._work(), name=f"simul {self.id}")

    async def _work(self) -> None:
        while (self._is_due or self._asks) and not self.lost:
            if self._is_due:
                await self._settle_once()
            else:
                await self._handle(self._asks.popleft())
        self._worker = None
        if self.lost:
            while self._asks:
                refuse(self._asks.popleft(), WireError("unavailable", "the exhibition is elsewhere now; ask again"))
        self._services.timers.arm(self)

    async def _settle_once(self) -> None:
        """Do one thing that is due. If it cannot be stored now, it is tried again in a while."""
        self._is_due = False
        try:
            decision = decide(self.state, c.Settle(), self._services.wall_ms(), self._services.chance)
            if decision:
                await self._carry_out(decision, None, {})
                self._is_due = True
        except WireError:
            self._retry_later()
        except Exception:
            log.exception("what is due in an exhibition failed", extra={"simul": self.id})
            self._retry_later()

    def _retry_later(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
        self._retry = asyncio.get_running_loop().call_later(RETRY_S, self._try_again)

    def _try_again(self) -> None:
        self._retry = None
        self.ring()

    async def _handle(self, ask: HallAsk) -> None:
        try:
            reply, carried_out = await self._reply(ask)
        except WireError as error:
            refuse(ask, error)
        except Exception:
            log.exception("a request to an exhibition failed", extra={"simul": self.id, "request": ask.request})
            refuse(ask, WireError("unavailable", "the server failed; ask again"))
        else:
            self._answers.remember(ask.user, ask.key, reply)
            if carried_out is None:
                ask.answer.set_result(reply)
                return
            answer = answer_when_told(ask, reply, carried_out, self._end)
            task = asyncio.create_task(answer, name=f"answer of simul {self.id}")
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    def _end(self) -> asyncio.Task[None] | None:
        """What is about to tell that the last board was the last; None if nothing is."""
        is_ending = self.state.status == "running" and not self.state.score.live
        return self._worker if is_ending else None

    async def _reply(self, ask: HallAsk) -> tuple[dict[str, Any], asyncio.Future[None] | None]:
        """The reply, and what has to be done before it is given."""
        known = self._answers.known(ask.user, ask.key)
        if known is not None:
            return known, None
        try:
            decision = decide(self.state, ask.command, self._services.wall_ms(), self._services.chance)
            self._errands.check(decision.effects)
        except (SimulError, Refused) as error:
            # What was granted before is answered as it was.
            known = None if ask.key is None else await self._services.store.reply_to(ask.user, ask.key)
            if known is not None:
                return known, None
            raise WireError(error.code, str(error)) from error
        self._is_due = True
        if not decision:
            return {}, None
        return await self._carry_out(decision, Cause(ask.user, ask.key, ask.request), {})

    async def _carry_out(
        self, decision: Decision, cause: Cause | None, reply: dict[str, Any]
    ) -> tuple[dict[str, Any], asyncio.Future[None] | None]:
        """Store a decision, let it count, tell it, and do what it says. Returns the reply, and what is done when the
        boards have heard of it. Raises ``WireError``."""
        if not self._services.may_decide():
            raise WireError("unavailable", "the database does not answer; ask again")
        state, events = self.state, decision.events
        if any(event.kept != "nowhere" for event in events) or (cause is not None and cause.key is not None):
            page = Page(
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
            except Fenced as error:
                self.lost = True
                self._services.on_lost(self)
                raise WireError("unavailable", "the exhibition is moving to another node; ask again") from error
            if written.reply is not None:
                return written.reply, None
            self._last_n += sum(event.kept == "log" for event in events)
            opened = await self._open(written.games)
        else:
            opened = {}
        concerned: dict[str, None] = {}
        for place, event in enumerate(events, 1):
            seats = event.seats if isinstance(event, e.Started) else ()
            seats = (event.seat,) if isinstance(event, e.BoardAdded) else seats
            if isinstance(event, e.Started):
                self.audience.begin_late([seat.user for seat in seats])
            # Some may have moved already; the exhibition was not told so, for it did not know that they had begun.
            facts = {seat.board: opened[seat.game].now(self._facts) for seat in seats}
            news = self.feed.apply(event, facts)
            self.audience.tell(News(news.messages))
            concerned |= dict.fromkeys(news.to)
            if place % TOLD_AT_ONCE == 0:
                await asyncio.sleep(0)
        self.audience.tell(News(to=tuple(concerned)))
        carried_out = self._errands.send(decision.effects) if decision.effects else None
        if any(isinstance(event, e.Away) for event in events):
            self._tell_boards()
        self._services.on_change(self)
        return reply, carried_out

    def _tell_boards(self) -> None:
        """The host is away, or back: all who play are told soon when they may claim, or that they may not."""
        for board in self.state.live_boards():
            table = self._services.tables.peek(board.game)
            if table is not None:
                table.topic.crowd_dirty = True

    async def _open(self, games: tuple[NewGame, ...]) -> dict[str, Opened]:
        """The tables of games whose rows are stored, by id. The loop has time for others in between."""
        opened: dict[str, Opened] = {}
        for place, new in enumerate(games, 1):
            table = self._services.open_board(new)
            opened[new.id] = Opened(table, table.game, self._facts(table))
            if place % OPENED_AT_ONCE == 0:
                await asyncio.sleep(0)
        return opened

    def _facts(self, table: Table, position: str | None = None) -> Facts:
        """How a game stands now; ``position`` is that on its board."""
        now_ms = self._services.time.now_ms()
        return facts_of(table.game, now_ms, self._services.time.wall_ms(now_ms), position)

    def _resume_boards(self) -> None:
        """The host is here: where he is to move the clocks go on that stand since the restart."""
        if not self._resumes or self.state.gone_since is not None:
            return
        self._resumes = False
        for board in self.state.live_boards():
            table = self._services.tables.peek(board.game)
            if table is not None and table.is_held and table.game.turn == board.host:
                table.ring()


TOLD_AT_ONCE = 25
"""Events that are told without the loop looking at anything else: who accepts a thousand makes as many."""

OPENED_AT_ONCE = 25
"""Tables that open without the loop looking at anything else: some milliseconds."""
