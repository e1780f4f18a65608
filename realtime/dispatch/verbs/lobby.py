"""Requests about seeks and challenges: translation from wire messages to calls of the lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from game_core.errors import Refusal, UnknownVariant
from game_core.registry import rules_for
from lobby.errors import BadMessage, Conflict, Forbidden, RateLimited
from lobby.moderation.bans import ban_notice
from lobby.pools.pools import PoolKey
from lobby.proposals import Proposal
from lobby.robots.robot_accounts import is_robot
from lobby.robots.robot_lease import RobotsReport
from realtime.net.rate_limits import TokenBuckets
from realtime.protocol import requests as r

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from lobby.accounts.user import User
    from lobby.moderation.bans import Bans
    from realtime.cluster.lobby.lobby_client import LobbyClient
    from realtime.fanout.session import Session
    from realtime.journal.live_games import LiveGames
    from realtime.net.connection import Connection
    from realtime.protocol.limits import Limits
    from realtime.protocol.request_fields import Request

    Call = Callable[[LobbyClient, User, Any], Awaitable[dict[str, Any]]]


def _proposal(request: r.Seek | r.Challenge) -> Proposal:
    return Proposal(
        tc=request.tc,
        game=request.game,
        variant=request.variant,
        rated=request.rated,
        color=request.color,
        rules=request.rules,
        min_rating=request.min_rating,
        max_rating=request.max_rating,
        position=request.position,
        fen=request.fen if isinstance(request, r.Challenge) else None,
        opponent_tc=request.opponent_tc if isinstance(request, r.Challenge) else None,
        delay_s=request.delay_s,
        delay_moves=request.delay_moves,
        hints=request.hints if isinstance(request, r.Challenge) else False,
        laws=request.laws,
    )


def _pool(request: r.PoolJoin | r.PoolTake, *, rated: bool = False) -> PoolKey:
    try:
        rules_for(request.game, request.variant)
    except UnknownVariant as error:
        raise BadMessage(str(error)) from error
    return PoolKey(request.pool, rated, request.game, request.variant)


CALLS: dict[type[Request], Call] = {
    r.Seek: lambda lobby, user, q: lobby.seek(user, _proposal(q), key=q.key),
    r.Unseek: lambda lobby, user, q: lobby.unseek(user, q.seek, key=q.key),
    r.Accept: lambda lobby, user, q: lobby.accept(user, q.seek, laws=q.laws, key=q.key),
    r.Challenge: lambda lobby, user, q: lobby.challenge(user, _proposal(q), to=q.to, level=q.level, key=q.key),
    r.ChallengeAccept: lambda lobby, user, q: lobby.challenge_accept(user, q.challenge, laws=q.laws, key=q.key),
    r.ChallengeDecline: lambda lobby, user, q: lobby.challenge_decline(user, q.challenge, q.reason, key=q.key),
    r.ChallengeCancel: lambda lobby, user, q: lobby.challenge_cancel(user, q.challenge, key=q.key),
    r.PoolJoin: lambda lobby, user, q: lobby.pool_join(user, _pool(q, rated=q.rated), key=q.key),
    r.PoolTake: lambda lobby, user, q: lobby.pool_take(user, q.user, _pool(q), key=q.key),
    r.PoolLeave: lambda lobby, user, q: lobby.pool_leave(user, key=q.key),
}
"""Lobby calls by request type. Each of these requests needs an authenticated user."""

BEGINNINGS = (r.Seek, r.Accept, r.Challenge, r.ChallengeAccept, r.PoolJoin, r.PoolTake)
"""Requests that lead to a game."""

UNFINISHED = 1000
"""Maximum number of unfinished games of one user: the boards of the largest simul. Games without a clock never end by
themselves, and each is listed in every ``welcome`` and loaded at every start.
"""


class LobbyVerbs:
    """Delivers requests to the lobby, which waits for the database."""

    def __init__(self, lobby: LobbyClient, live_games: LiveGames, limits: Limits, bans: Bans) -> None:
        self._lobby = lobby
        self._live_games = live_games
        self._bans = bans
        self.rate_limiter = TokenBuckets(limits.burst / 2, limits.rate / 40)

    def greet(self, connection: Connection) -> None:
        """Tell a new socket in which pool its user waits: the request may have come from another device, or before a
        restart.

        Also report a ban, since the user may have been offline when it was announced. That needs no scope.
        """
        grant = connection.grant
        if grant is None:
            return
        ban = self._bans.of(grant.user.id)
        if ban is not None:
            connection.send(ban_notice(ban))
        if "read" in grant.scopes:
            self._lobby.waiting.notify(grant.user.id, connection.send)

    def handle(self, session: Session, request: Any, received_ms: int) -> None:
        """Handle a request of ``CALLS``."""
        # Each of these is broadcast to the lobby or sent to a user. Since it costs others, the user's rate across all
        # sockets is limited as well as the socket's.
        if not self.rate_limiter.take(session.person.id, received_ms):
            raise RateLimited("too many seeks and challenges; try again later")
        session.later(request.id, self._call(session, request, session.person))

    def report_robots(self, session: Session, request: r.Robots, received_ms: int) -> None:
        """Handle ``robots``, which costs others nothing and has no rate limit of its own."""
        if not is_robot(session.person.id):
            raise Forbidden("only the robots of this server can do this")
        report = RobotsReport(
            holder=request.holder,
            active=request.active,
            leaving=request.leaving,
            games=request.games,
            free=request.free,
            least_s=request.least_s,
            laws=request.laws,
        )
        session.later(request.id, self._report_robots(session, request.id, report))

    async def _report_robots(self, session: Session, request_id: int | None, report: RobotsReport) -> None:
        session.ok(request_id, {"active": await self._lobby.report_robots(report)})

    async def _call(self, session: Session, request: Any, user: User) -> None:
        refusal = self._why_not(request, user) if type(request) in BEGINNINGS else None
        if refusal is None:
            session.ok(request.id, await CALLS[type(request)](self._lobby, user, request))
            return
        # A repeated request gets the stored answer.
        reply = None if request.key is None else await self._lobby.reply_to(user, request.key)
        if reply is None:
            raise refusal
        session.ok(request.id, reply)

    def _why_not(self, request: Any, user: User) -> Refusal | None:
        """Return why ``user`` may not begin any game now; None if they may."""
        if self._live_games.count(user.id) >= UNFINISHED:
            return Conflict(f"you have {UNFINISHED} games in progress; finish some first")
        if isinstance(request, r.Challenge) and request.to in ("self", "robot"):
            return None  # a ban protects other players
        try:
            self._bans.check_play(user.id)
        except Refusal as error:
            return error
        return None
