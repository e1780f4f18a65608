"""Forwarding of requests about games that other nodes own: the owner executes the request and returns the answer.

    player's node                                     owner
    frame ──► GameVerbs ──► RequestForwarder.forward ──────► RequestForwarder ──► GameVerbs ──► table ──► journal
                  answer ◄── (its events are shown) ◄── answer ◄──────────────────────── events

A player is charged for the time from the event they were shown to their answer, as measured by their own node; the
transit between the nodes, both ways, is free. The owner knows when it published that event and never charges more than
the time passed since.

A retry after a lost answer carries the same key, so nothing is done twice.

The player's node has checked scopes and roles. The owner does not check them again: it trusts the bus
(``docs/operations.md``). It does check the player's seat.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from game_core.color import COLORS, of
from game_core.errors import Refusal
from lobby.errors import NotFound, Unavailable
from lobby.ids import new_id
from realtime.clock.shared_tasks import SharedTasks
from realtime.cluster.bus.open_requests import Lost, Unreachable
from realtime.cluster.games import messages as w
from realtime.cluster.games.remote_session import RemoteSession
from realtime.ops.log import REQUEST
from realtime.protocol.requests import decode_request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lobby.accounts.user import User
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.fanout.session import Session
    from realtime.games.ports import ReplicaSource
    from realtime.games.table import Table
    from realtime.games.tables import Tables

    Answer = Callable[[Any], None]

REQUEST_TIMEOUT_S = 8.0
"""Total time for retries before the answer is ``unavailable``; a session gives a request ten seconds."""

ANSWER_S = 5.0
"""Timeout for one answer."""

FIRST_S, LAST_S = 0.05, 1.0
"""Interval between two attempts: the first, doubled up to the last."""

SHOWN_S = 1.0
"""Maximum time an answer waits for the events before it."""

MOST = 5000
"""Maximum number of requests under way to other nodes. People who hold no seat get the first half only: they chat, or
say that they play for the host of a simul."""

log = logging.getLogger(__name__)


class Verbs(Protocol):
    """Verbs that write to tables (``dispatch/verbs``)."""

    def handle(self, session: Session, request: Any, received_ms: int) -> None:
        """Execute ``request`` and answer it. Raises ``Refusal``."""


class RequestForwarder:
    """Forwarder of requests, at both the player's node and the owner."""

    def __init__(self, cluster: Cluster, tables: Tables, time: ServerTime) -> None:
        self._cluster = cluster
        self._tables = tables
        self._time = time
        self._under_way = 0
        self._sessions: set[RemoteSession] = set()
        self._looks = SharedTasks[None]()
        """Lookups of owners under way, by game."""
        self._keys, self._numbers = new_id(), itertools.count(1)
        """Keys for requests without one: a prefix and a counter, since a fresh id for each costs as much as the
        request.
        """

    def serve(self, games: Verbs, others: Mapping[type[Any], Verbs]) -> None:
        """Execute the requests of other nodes by these verbs from now on: ``others`` by type, all else by ``games``."""
        self._games = games
        self._others = others
        self._cluster.on_request("game.ask", w.GameRequest, self._serve)

    async def close(self) -> None:
        """Stop, once the requests of other nodes are answered."""
        await self._looks.close(cancels=True)
        await asyncio.gather(*(session.finish() for session in tuple(self._sessions)), return_exceptions=True)

    # -- player's node ------------------------------------------------------------------------------------

    async def forward(self, session: Session, request: Any, table: Table, received_ms: int) -> Any | None:
        """Forward ``request`` to the owner of ``table``, and answer with the reply.

        Returns:
            None if it was answered. Otherwise this node owns the game now: the request as it was forwarded. It may have
            been executed; its key is known here in that case.

        Raises:
            Refusal: the owner refused; ``unavailable``: no owner of the game was reached.
        """
        seq, spent_ms = table.game.seq, received_ms - table.published_at_ms
        if request.key is None:
            # If the answer is lost the request is sent again and must not be executed twice.
            request = msgspec.structs.replace(request, key=f"{self._keys}{next(self._numbers)}")
        message = {"t": request.t, **msgspec.to_builtins(request)}
        is_players = table.seats.color_of(session.person.id) is not None
        if self._under_way >= (MOST if is_players else MOST // 2):
            raise Unavailable("too many forwarded requests are in progress; try again")
        self._under_way += 1
        try:
            is_answered = await self._try(session, table.id, request.id, message, seq, spent_ms, received_ms)
        finally:
            self._under_way -= 1
        return None if is_answered else request

    async def _try(
        self, session: Session, game: str, request_id: int | None, message: dict[str, Any], seq: int, spent_ms: int,
        received_ms: int,
    ) -> bool:  # fmt: skip
        loop = asyncio.get_running_loop()
        until, pause_s = loop.time() + REQUEST_TIMEOUT_S, FIRST_S
        while True:
            table = await self._tables.get(game)
            if table is None:
                raise NotFound(f"there is no game {game!r}")
            if table.epoch is not None:
                return False
            owner = None if table.source is None else table.source.owner
            if owner is not None and self._cluster.is_reached(owner):
                age_ms = self._time.now_ms() - received_ms
                ceiling_ms = session.connection.ceiling_ms(_unmeasured_ms(table, session.person))
                body = w.GameRequest(game, message, session.person, ceiling_ms, seq, spent_ms, age_ms)
                try:
                    timeout_s = min(ANSWER_S, until - loop.time())
                    reply = await self._cluster.request(
                        owner, "game.ask", body, w.GameReply, timeout_s, may_repeat=True
                    )
                except Lost:
                    continue  # safe: it has a key
                except Unreachable:
                    log.info("node %s does not answer", owner, extra={"game": game})
                else:
                    if reply.fields is not None:
                        await self._answer(session, request_id, game, reply)
                        return True
            if loop.time() + pause_s >= until:
                raise Unreachable
            if not await self._find(game, owner, pause_s):
                pause_s = min(LAST_S, 2 * pause_s)

    async def _find(self, game: str, owner: str | None, pause_s: float) -> bool:
        """Find the owner of the game, or take the game over if it has none. Return whether to retry at once; if not, a
        pause has passed.
        """
        table = self._tables.peek(game)
        source = None if table is None else table.source
        is_lost = owner is None or not self._cluster.is_reached(owner)
        if table is not None and table.game.setup.simul_board is not None and source is not None and is_lost:
            # Only the leader of its simul takes a board, and announces it. A thousand queries would delay that node.
            await source.wait_moved(pause_s)
            return self._has_left(game, owner)
        if self._has_left(game, owner):
            return True
        await self._look_or_hear(game, owner, source)
        if self._has_left(game, owner):
            return True
        await asyncio.sleep(pause_s)
        return False

    async def _look_or_hear(self, game: str, owner: str | None, source: ReplicaSource | None) -> None:
        """Look up the owner, or hear from it: the database may not answer this node while the other nodes go on."""
        look = self._looks.begin(game, partial(self._look, game, owner), f"owner of game {game}")
        if source is None:
            await asyncio.wait((look,))
        else:
            heard = asyncio.create_task(source.wait_moved(ANSWER_S), name=f"owner of game {game} reports")
            try:
                await asyncio.wait((look, heard), return_when=asyncio.FIRST_COMPLETED)
            finally:
                heard.cancel()
        if look.done():
            look.result()

    def _has_left(self, game: str, owner: str | None) -> bool:
        """Return whether ``game`` is known to have left ``owner``."""
        table = self._tables.peek(game)
        return table is None or table.epoch is not None or (table.source is not None and table.source.owner != owner)

    async def _look(self, game: str, owner: str | None) -> None:
        with suppress(Unavailable):
            await self._tables.own(game)
        table = self._tables.peek(game)
        if table is not None and table.source is not None and table.source.owner == owner:
            await table.source.look()

    async def _answer(self, session: Session, request_id: int | None, game: str, reply: w.GameReply) -> None:
        table = self._tables.peek(game)
        if table is not None and table.source is not None:
            await table.source.wait(reply.seq, SHOWN_S)
        session.ok(request_id, reply.fields or {})

    # -- owner --------------------------------------------------------------------------------------------

    def _serve(self, sender: str, body: w.GameRequest, answer: Answer) -> None:
        if sender not in self._cluster.others:
            # The database counts that node as dead, so it gets no game events: its player would not see what follows.
            answer(w.GameReply())
            return
        table = self._tables.peek(body.g)
        if table is not None and table.epoch is not None:
            self._do(table, body, self._session(body, answer))
            return
        session = self._session(body, answer)
        session.later(None, self._load(body, session))

    async def _load(self, body: w.GameRequest, session: RemoteSession) -> None:
        table = await self._tables.get_adopted(body.g)
        if table is not None and table.epoch is not None:
            self._do(table, body, session)
        else:
            session.say(w.GameReply())

    def _do(self, table: Table, body: w.GameRequest, session: RemoteSession) -> None:
        try:
            request = decode_request(body.request)
            REQUEST.set(body.request["t"])
            verbs = self._others.get(type(request), self._games)
            verbs.handle(session, request, self._received_ms(table, body))
        except Refusal as error:
            session.error(None, error)

    def _session(self, body: w.GameRequest, answer: Answer) -> RemoteSession:
        def say(outcome: Any) -> None:
            self._sessions.discard(session)
            if isinstance(outcome, dict):
                table = self._tables.peek(body.g)
                answer(w.GameReply(outcome, 0 if table is None else table.game.seq))
            else:
                answer(outcome)

        session = RemoteSession(body.user, body.ceiling_ms, say)
        self._sessions.add(session)
        return session

    def _received_ms(self, table: Table, body: w.GameRequest) -> int:
        """Return when the frame counts as received, on this node's time axis."""
        now_ms = self._time.now_ms()
        if body.seq == table.game.seq:
            return min(now_ms, table.published_at_ms + max(0, body.spent_ms))
        return now_ms - max(0, body.age_ms)


def _unmeasured_ms(table: Table, person: User) -> int:
    """Return a player's remaining unmeasured quota; the larger one if they play both sides. Who has no seat at a board
    of a simul can only play for its host."""
    board, quota = table.seats.simul_board, table.game.unmeasured_quota
    quotas = [of(quota, color) for color in COLORS if table.seats[color].user.id == person.id]
    return max(quotas, default=0 if board is None else of(quota, board.host))
