"""Requests about one game: translation from wire messages to the core's commands for the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core import commands as c
from game_core.color import Color, of, other
from lobby.errors import Conflict, Forbidden, NotFound, Unsupported
from lobby.proposals import UNAWARE
from realtime.games.pending_command import PendingCommand
from realtime.games.seats import HERE
from realtime.protocol import requests as r

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.moderation.bans import Bans
    from realtime.cluster.games.forward import RequestForwarder
    from realtime.fanout.session import Session
    from realtime.games.rematches import Rematches
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.protocol.request_fields import Request

    Build = Callable[[Any, Table, Color, Session, int], c.Command]


def _move(request: r.Move, table: Table, by: Color, session: Session, received_ms: int) -> c.Command:
    if table.seats.is_self:
        # Not for the side to move: the previous move may still be on its way into the journal.
        by = table.game.mover_of(request.ply)
    seat = table.seats[by]
    unmeasured_quota_ms = of(table.game.unmeasured_quota, by)
    seat.touch(session.connection, received_ms, unmeasured_quota_ms)
    if not seat.is_here:
        table.topic.crowd_dirty = True  # the claim is possible later than was announced
    return c.PlayMove(
        by=by,
        move=request.move,
        ply=request.ply,
        draw=request.draw,
        seen=request.seen,
        claimed_lag_ms=request.lag,
        ceiling_ms=session.connection.ceiling_ms(unmeasured_quota_ms),
    )


def _press(request: r.Press, table: Table, by: Color, session: Session, received_ms: int) -> c.Command:
    if table.seats.is_self:
        by = table.game.mover_of(request.ply)  # as in ``move``
    unmeasured_quota_ms = of(table.game.unmeasured_quota, by)
    table.seats[by].touch(session.connection, received_ms, unmeasured_quota_ms)
    return c.Press(
        by=by,
        ply=request.ply,
        move=request.move,
        seen=request.seen,
        claimed_lag_ms=request.lag,
        ceiling_ms=session.connection.ceiling_ms(unmeasured_quota_ms),
    )


def _draw(request: r.Draw, table: Table, by: Color, session: Session, received_ms: int) -> c.Command:
    ceiling_ms = session.connection.ceiling_ms(of(table.game.unmeasured_quota, by))
    return c.Draw(by=by, do=request.do, move=request.move, ceiling_ms=ceiling_ms)


def _flag(request: r.Flag, table: Table, by: Color, session: Session, received_ms: int) -> c.Command:
    if table.seats.is_self and table.game.laws is not None:
        clock, turn = table.game.clock, table.game.turn
        is_down_before = clock is not None and not of(clock.left, other(turn))
        by = turn if is_down_before else other(turn)  # whose opponent's flag is down
    return c.ClaimFlag(by=by, ceiling_ms=table.seats[other(by)].ceiling_ms)


def _sign(request: r.Sign, table: Table, by: Color, session: Session, received_ms: int) -> c.Command:
    laws = table.game.laws
    if table.seats.is_self and laws is not None and of(laws.signed, by):
        by = other(by)
    return c.Sign(by=by)


def _claim(request: r.Claim, table: Table, by: Color, session: Session, received_ms: int) -> c.Command:
    if request.what == "illegal_move":
        return c.ClaimIllegal(by=by)
    place = table.game.setup.simul_board
    if place is not None and by != place.host:
        # The host need not listen to all their boards: the simul tells whether they are away.
        gone_ms, limit_ms = table.seats.hosts.absence(place.id) or (HERE, None)
        return c.ClaimLeft(by=by, what=request.what, gone_ms=gone_ms, limit_ms=limit_ms)
    opponent = table.seats[other(by)]
    return c.ClaimLeft(by=by, what=request.what, gone_ms=opponent.gone_ms(received_ms), goodbye=opponent.goodbye)


BUILDERS: dict[type[Request], Build] = {
    r.Move: _move,
    r.Touch: lambda request, table, by, session, received_ms: c.Touch(
        by=by, square=request.square, ply=request.ply, seen=request.seen
    ),
    r.Signal: lambda request, table, by, session, received_ms: c.Signal(
        by=by, on=request.on, ply=request.ply, seen=request.seen
    ),
    r.Press: _press,
    r.Write: lambda request, table, by, session, received_ms: c.Write(
        by=by, ply=request.ply, text=request.text, language=request.language
    ),
    r.Sign: _sign,
    r.Restart: lambda request, table, by, session, received_ms: c.Restart(by=by, do=request.do, what=request.what),
    r.Resign: lambda request, table, by, session, received_ms: c.Resign(by=by),
    r.Abort: lambda request, table, by, session, received_ms: c.Abort(by=by),
    r.Draw: _draw,
    r.Takeback: lambda request, table, by, session, received_ms: c.Takeback(by=by, do=request.do),
    r.MoreTime: lambda request, table, by, session, received_ms: c.GiveTime(by=by, seconds=request.seconds),
    r.Flag: _flag,
    r.Claim: _claim,
    r.Rematch: lambda request, table, by, session, received_ms: c.Rematch(by=by, do=request.do),
    r.Pause: lambda request, table, by, session, received_ms: c.Pause(by=by, on=request.on),
}
"""Command builders by request type. Each of these requests needs a seat at the game it names."""

_OFFER_OF: dict[type[Request], str] = {r.Draw: "draw", r.Takeback: "takeback", r.Rematch: "rematch"}


class GameVerbs:
    """Delivers requests to their tables.

    Args:
        forwarder: forwards requests to the nodes that own their games; None: a lone node.
    """

    def __init__(
        self, tables: Tables, bans: Bans, rematches: Rematches, forwarder: RequestForwarder | None = None
    ) -> None:
        self._tables = tables
        self._bans = bans
        self._rematches = rematches
        self._forwarder = forwarder

    def handle(self, session: Session, request: Any, received_ms: int) -> None:
        """Handle a request of ``BUILDERS``: at once if this node owns the table and knows who plays, else after loading
        or forwarding."""
        table = self._tables.peek(request.g)
        is_owned = table is not None and table.epoch is not None
        if table is not None:
            _check_client(session, request, table)
        if table is not None and is_owned and table.seats.knows_side(session.person.id, table.game, owned=True):
            self._submit(session, request, table, received_ms)
        else:
            session.later(request.id, self._load_and_submit(session, request, received_ms))

    async def _load_and_submit(self, session: Session, request: Any, received_ms: int) -> None:
        table = await self._tables.get(request.g)
        if table is None:
            raise NotFound(f"there is no game {request.g!r}")
        user = session.person.id
        # Whether a stand-in plays for the host of a simul is known to the owner of its boards.
        if not table.seats.may_act(user, table.game):
            raise Forbidden("this is not your game")
        _check_client(session, request, table)
        if table.epoch is None and self._forwarder is not None:
            request = await self._forwarder.forward(session, request, table, received_ms)
            if request is None:
                return
            table = await self._tables.own(request.g)
        elif table.epoch is None:
            table = await self._tables.own(request.g)
        if not table.seats.knows_side(user, table.game, owned=True):
            await table.seats.until_side_known(owned=True)
            table = await self._tables.own(request.g)
        self._submit(session, request, table, received_ms)

    def _submit(self, session: Session, request: Any, table: Table, received_ms: int) -> None:
        kind = type(request)
        what = _OFFER_OF.get(kind)
        if kind is r.Draw and request.do == "claim":
            what = None
        if kind is r.Restart:
            what = request.what
        by = table.seats.speaker(table.game, session.person.id, what)
        if by is None and table.seats.color_of(session.person.id) is not None:
            raise Forbidden("your stand-in plays; take over first")
        if by is None:
            raise Forbidden("this is not your game")
        table.clock_hold.found(by)
        if kind is r.Rematch and request.do != "decline":
            self._submit_rematch(session, request, table, by, received_ms)
            return
        command = BUILDERS[kind](request, table, by, session, received_ms)
        table.submit(self._ask(session, request, command, received_ms))

    def _submit_rematch(self, session: Session, request: r.Rematch, table: Table, by: Color, received_ms: int) -> None:
        def is_offered() -> bool:
            return table.game.offers.rematch == other(by)

        def accept() -> None:
            session.later(request.id, self._accept_rematch(session, request, table, by))

        def answer(outcome: Any) -> None:
            if isinstance(outcome, Conflict) and is_offered():
                accept()  # both offer: the opponent's offer was being stored when this one came
            else:
                session.answer(request.id, outcome)

        known = table.answers.known(session.person.id, request.key)
        if known is not None:
            # Checked first: a repeat of a declined offer must not become an acceptance.
            session.answer(request.id, known)
            return
        if table.seats.is_between_people:
            self._bans.check_play(session.person.id)
        if is_offered():
            accept()
        else:
            command = self._ask(session, request, c.Rematch(by=by, do=request.do), received_ms)
            table.submit(msgspec.structs.replace(command, answer=answer))

    async def _accept_rematch(self, session: Session, request: r.Rematch, table: Table, by: Color) -> None:
        """Create the game of an accepted rematch: first its row, then the event that names it.

        In this order no client hears of a game that does not exist. When retried after a crash between the two, the
        lobby returns the game it has already created.
        """
        next_id = await self._rematches.start(table)
        command = c.Rematch(by=by, do=request.do, next=next_id)
        table.submit(self._ask(session, request, command, self._tables.now_ms()))

    def _ask(self, session: Session, request: Any, command: c.Command, received_ms: int) -> PendingCommand:
        request_id = request.id
        return PendingCommand(
            command=command,
            received_ms=received_ms,
            user=session.person.id,
            key=request.key,
            request=request.t,
            answer=lambda outcome: session.answer(request_id, outcome),
            connection=session.connection,
        )


def _check_client(session: Session, request: Any, table: Table) -> None:
    """Check that a client that moves in a game by the Laws can complete the move. Raises ``Unsupported``."""
    if type(request) is not r.Move or table.game.laws is None:
        return
    if table.seats.color_of(session.person.id) is not None and not session.knows_laws(table.topic):
        raise Unsupported(UNAWARE)
