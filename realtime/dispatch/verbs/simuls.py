"""Requests about simuls: translation from wire messages to commands of ``simul`` for their actors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from lobby.accounts.user import User
from lobby.errors import Forbidden, NotFound, RateLimited
from lobby.moderation.blocks import blocked_either_way, is_either_blocked
from realtime.dispatch.verbs.simul_robots import SimulRobots
from realtime.net.rate_limits import TokenBuckets
from realtime.protocol import simul_requests as s
from realtime.simuls.replica.forward import SimulRequestForwarder
from realtime.simuls.store.ratings import ratings_in
from simul import commands as c
from simul.decide import require_host
from simul.draft import Draft
from simul.setup import draft_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from lobby.moderation.bans import Bans
    from lobby.ports import Pool
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.lobby.lobby_client import LobbyClient
    from realtime.fanout.session import Session
    from realtime.games.tables import Tables
    from realtime.protocol.limits import Limits
    from realtime.simuls.live.simul_actor import SimulActor
    from realtime.simuls.live.simuls import Simuls

    Build = Callable[[Any, str, str], c.SimulCommand]

PLAIN: dict[type[s.OfSimul], Build] = {
    s.SimulLeave: lambda q, by, user: c.Leave(by=by),
    s.SimulAccept: lambda q, by, user: c.Accept(by=by, user=user),
    s.SimulAcceptAll: lambda q, by, user: c.AcceptAll(by=by),
    s.SimulReject: lambda q, by, user: c.Reject(by=by, user=user),
    s.SimulKick: lambda q, by, user: c.Kick(by=by, user=user),
    s.SimulStart: lambda q, by, user: c.Start(by=by),
    s.SimulCancel: lambda q, by, user: c.Cancel(by=by),
    s.SimulAt: lambda q, by, user: c.GoTo(by=by, board=q.board),
    s.SimulNext: lambda q, by, user: c.GoOn(by=by),
    s.SimulLater: lambda q, by, user: c.Later(by=by, board=q.board),
    s.SimulBreak: lambda q, by, user: c.TakeBreak(by=by, until=q.until),
    s.SimulAdjudicate: lambda q, by, user: c.Adjudicate(by=by, game=q.g, result=q.result),
    s.SimulEnd: lambda q, by, user: c.End(
        by=by, rest=q.rest, boards={int(board): how for board, how in q.boards.items()}
    ),
    s.SimulHandOver: lambda q, by, user: c.HandOver(by=by),
    s.SimulTakeOver: lambda q, by, user: c.TakeOver(by=by),
    s.SimulPass: lambda q, by, user: c.Pass(by=by, game=q.g),
}
"""Builders without lookups: they take the request, its user, and the id of the user it names."""


class SimulVerbs:
    """Delivers requests to the actors of simuls."""

    def __init__(
        self,
        simuls: Simuls,
        tables: Tables,
        pool: Pool,
        bans: Bans,
        limits: Limits,
        lobby: LobbyClient,
        cluster: Cluster | None = None,
    ) -> None:
        self._simuls = simuls
        self._tables = tables
        self._pool = pool
        self._bans = bans
        self._robots = SimulRobots(lobby, pool)
        self._forward = SimulRequestForwarder(simuls, self._do, cluster)
        self.rate_limiter = TokenBuckets(limits.burst / 2, limits.rate / 40)
        """Rate limit of requests that are broadcast even to clients that did not subscribe: announcements and
        applications.
        """

    def handle(self, session: Session, request: Any, received_ms: int) -> None:
        """Handle a request about simuls."""
        if _is_loud(request) and not self.rate_limiter.take(session.person.id, received_ms):
            raise RateLimited("too many new simuls and applications; try again later")
        session.later(request.id, self._call(session, request, session.person))

    async def _call(self, session: Session, request: Any, user: User) -> None:
        if isinstance(request, s.SimulCreate):
            session.ok(request.id, await self._create(request, user))
            return
        session.ok(request.id, await self._forward.forward(request, user))

    async def _do(self, actor: SimulActor, request: Any, user: User) -> dict[str, Any]:
        """Execute a request at an actor of this node and return the fields of the reply. Raises ``Refusal``."""
        command = await self._command(actor, request, user)
        return await actor.submit(command, user, request.key, request.t)

    async def _create(self, request: s.SimulCreate, user: User) -> dict[str, Any]:
        self._bans.check_play(user.id)
        draft = Draft(**_announced(request))
        invited = await self._people(draft.invited or (), user.id)
        stand_in = await self._stand_in(request.stand_in, user.id)
        return await self._simuls.create(user, draft, invited, request.key, stand_in)

    async def _command(self, actor: SimulActor, request: Any, user: User) -> c.SimulCommand:
        if isinstance(request, s.SimulEdit):
            return await self._edit(actor, request, user.id)
        if isinstance(request, s.SimulInvite):
            (invited,) = await self._people((request.user,), user.id)
            return c.Invite(by=user.id, user=invited)
        if isinstance(request, s.SimulJoin):
            return await self._join(actor, request, user)
        if isinstance(request, s.SimulAddRobots):
            return await self._robots.command(actor.state, request, user)
        if isinstance(request, s.SimulPrepare):
            return await self._prepare(request, user.id)
        if isinstance(request, s.SimulTakeOver) and user.id != actor.state.host.id:
            self._bans.check_play(user.id)
        return PLAIN[type(request)](request, user.id, _person(actor, getattr(request, "user", "")))

    async def _edit(self, actor: SimulActor, request: s.SimulEdit, by: str) -> c.SimulCommand:
        require_host(actor.state, by)  # before the look-ups, whose errors tell about the people it names
        changes = _announced(request)
        if request.user is not None or request.board is not None:
            return c.Arrange(
                by=by,
                user=None if request.user is None else _person(actor, request.user),
                board=request.board,
                player_extra_s=request.player_extra_s,
                host_extra_s=changes.get("host_extra_s"),
                color="announced" if request.color is None else None if request.color is UNSET else request.color,
                note=request.note,
            )
        if ("game" in changes or "variant" in changes) and "variants" not in changes:
            changes["variants"] = None
        invited = None
        if "invited" in changes:
            invited = await self._people(changes["invited"] or (), by, actor.state.invited)
        draft = msgspec.structs.replace(draft_of(actor.state.setup), **changes)
        if request.stand_in is UNSET:
            return c.Edit(by=by, draft=draft, invited=invited)
        present = actor.state.stand_in
        stand_in = await self._stand_in(request.stand_in, by, () if present is None else (present.id,))
        return c.Edit(by=by, draft=draft, invited=invited, stand_in=stand_in)

    async def _stand_in(self, name: str | None, host: str, known: Container[str] = ()) -> User | None:
        """Return the user who is to be the stand-in of ``host``. Raises like ``_people``.

        They are not compared with the players: a refusal would tell the host who has blocked whom.
        """
        if name is None:
            return None
        (user,) = await self._people((name,), host, known)
        return user

    async def _join(self, actor: SimulActor, request: s.SimulJoin, user: User) -> c.SimulCommand:
        state = actor.state
        ratings: tuple[tuple[int | None, bool], ...] = ()
        if state.role_of(user.id) is None:
            self._bans.check_play(user.id)
            for opponent in {state.host.id, state.acting_host.id}:
                if await is_either_blocked(self._pool, user.id, opponent):
                    raise Forbidden("one of you has blocked the other")
            ratings = await ratings_in(self._pool, user, state.setup)
        return c.Join(user=user, game=request.game, variant=request.variant, ratings=ratings)

    async def _prepare(self, request: s.SimulPrepare, by: str) -> c.SimulCommand:
        """Build the command for a prepared move. Only its legality is checked here; the simul checks the rest."""
        move = request.move
        table = None if move is None else await self._tables.get(request.g)
        if table is not None and move is not None:
            game = table.game
            is_their_turn = table.seats.color_of(by) == game.turn
            if game.status != "over" and is_their_turn and game.ply == request.ply:
                move = game.rules.play(game.position, move).move
        return c.Prepare(by=by, game=request.g, ply=request.ply, move=move)

    async def _people(self, names: Sequence[str], host: str, known: Container[str] = ()) -> tuple[User, ...]:
        """Return the users with these names whose accounts are open.

        Args:
            known: ids of people who are invited, or the stand-in, already. A block since then must neither show nor
                refuse an edit: it counts when they join.

        Raises:
            NotFound: there is no such user.
            Forbidden: another one of them and ``host`` have blocked each other.
        """
        if not names:
            return ()
        wanted = {name.lower(): name for name in names}
        rows = await self._pool.fetch(
            """
            SELECT id, name, kind, title FROM person
            WHERE lower(name) = ANY (SELECT lower(asked) FROM unnest($1::text[]) AS names (asked))
                AND closed_at IS NULL
            """,
            [name for name in wanted if "\0" not in name],
        )
        found = {row["name"].lower(): User(row["id"], row["name"], row["kind"], row["title"]) for row in rows}
        missing = [name for lower, name in wanted.items() if lower not in found]
        if missing:
            raise NotFound(f"there is no user {missing[0]!r}")
        blocked = await blocked_either_way(self._pool, host)
        for user in found.values():
            if user.id in blocked and user.id not in known:
                raise Forbidden(f"you and {user.name} cannot play each other")
        return tuple(found[name] for name in wanted)


def _is_loud(request: s.SimulCreate | s.OfSimul) -> bool:
    if isinstance(request, s.SimulEdit):
        return request.user is None and request.board is None
    return isinstance(request, s.SimulCreate | s.SimulJoin | s.SimulLeave | s.SimulAddRobots)


def _announced(request: s.SimulCreate | s.SimulEdit) -> dict[str, Any]:
    """Return the fields of ``Draft`` that ``request`` contains."""
    fields = {name: getattr(request, name) for name in Draft.__struct_fields__}
    return {name: value for name, value in fields.items() if value is not UNSET}


def _person(actor: SimulActor, text: str) -> str:
    """Return the id of the simul's user that ``text`` names by id or name; ``text`` itself if there is none."""
    state = actor.state
    if not text or state.role_of(text) is not None:
        return text
    people = [*state.applicants.values(), *state.players.values(), *(board.person for board in state.boards)]
    called = text.lower()
    return next((person.user.id for person in people if person.user.name.lower() == called), text)
