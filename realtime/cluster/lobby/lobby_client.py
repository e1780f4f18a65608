"""Access to the lobby from any node: a plain call on the leader, a question to the leader elsewhere.

    verbs, HTTP, simuls, tables ──► LobbyClient ──► Lobby                     this node is the leader
                                         └──────► lobby.do ──► leader: Lobby  another node is

An unanswered question is sent again, to a new leader if need be, if that is safe: it has a ``key`` or changes nothing.
One without a key is sent again only if it certainly was not handled.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from lobby.errors import Unavailable
from realtime.clock.shared_tasks import SharedTasks
from realtime.cluster.bus.open_requests import Unreachable
from realtime.cluster.bus.roles import RoleLost
from realtime.cluster.lobby.lobby_requests import (
    CALLS,
    REPEATABLE,
    REQUEST_TIMEOUT_S,
    WAIT_S,
    LobbyReply,
    LobbyRequest,
    asker,
)
from realtime.cluster.lobby.waiting_lookup import WaitingLookup

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.accounts.user import User
    from lobby.lobby import Lobby
    from lobby.pairing import GameFacts
    from lobby.pools.pools import PoolKey
    from lobby.proposals import Proposal
    from lobby.robots.robot_lease import RobotsReport
    from lobby.wire.lobby import ChallengeAwayWire, ChallengeCardWire, ChallengeWire, DeclineReason
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.lobby.lobby_leader import LobbyLeader

    AnyLobby: TypeAlias = "Lobby | LobbyClient"
    """The lobby itself, in tests, or a client of it."""


class LobbyClient:
    """Client with the methods of ``Lobby`` that the server uses, and the same results. Refusals are ``Refusal``.

    Args:
        before_request: called with the user's id before the leader is asked: it pairs only users known to be connected.

    Attributes:
        waiting: looks up the pools in which users wait.
    """

    def __init__(self, leader: LobbyLeader, cluster: Cluster, before_request: Callable[[str], None]) -> None:
        self.waiting = WaitingLookup(leader, cluster)
        self._leader = leader
        self._before_request = before_request
        self._cluster = cluster
        self._doing = SharedTasks[Any]()
        """Requests of other nodes that have a key and are under way, by user, key and operation."""
        cluster.serve("lobby.do", LobbyRequest, self._serve)

    async def close(self) -> None:
        """Stop the background questions, and serve other nodes no more."""
        await asyncio.gather(self._doing.close(cancels=True), self.waiting.close(), return_exceptions=True)

    # -- requests -----------------------------------------------------------------------------------------

    async def seek(self, user: User, proposal: Proposal, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.seek``."""
        return await self._reply(LobbyRequest("seek", user, key, proposal=proposal))

    async def unseek(self, user: User, seek_id: str, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.unseek``."""
        return await self._reply(LobbyRequest("unseek", user, key, id=seek_id))

    async def accept(self, user: User, seek_id: str, *, laws: bool = False, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.accept``."""
        return await self._reply(LobbyRequest("accept", user, key, id=seek_id, laws=laws))

    async def challenge(
        self,
        user: User,
        proposal: Proposal,
        *,
        to: str | None = None,
        level: int | None = None,
        key: str | None = None,
    ) -> dict[str, Any]:
        """See ``Lobby.challenge``."""
        return await self._reply(LobbyRequest("challenge", user, key, proposal=proposal, to=to, level=level))

    async def challenge_accept(
        self, user: User, challenge_id: str, *, laws: bool = False, key: str | None = None
    ) -> dict[str, Any]:
        """See ``Lobby.challenge_accept``."""
        return await self._reply(LobbyRequest("challenge_accept", user, key, id=challenge_id, laws=laws))

    async def challenge_decline(
        self, user: User, challenge_id: str, reason: DeclineReason = "generic", *, key: str | None = None
    ) -> dict[str, Any]:
        """See ``Lobby.challenge_decline``."""
        return await self._reply(LobbyRequest("challenge_decline", user, key, id=challenge_id, reason=reason))

    async def challenge_cancel(self, user: User, challenge_id: str, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.challenge_cancel``."""
        return await self._reply(LobbyRequest("challenge_cancel", user, key, id=challenge_id))

    async def pool_join(self, user: User, pool: PoolKey, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.pool_join``."""
        return await self._reply(LobbyRequest("pool_join", user, key, id=pool.name, rated=pool.rated))

    async def pool_take(self, user: User, person: str, pool: PoolKey, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.pool_take``."""
        return await self._reply(LobbyRequest("pool_take", user, key, id=pool.name, to=person))

    async def pool_leave(self, user: User, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.pool_leave``."""
        return await self._reply(LobbyRequest("pool_leave", user, key))

    async def drop(self, person: str) -> None:
        """See ``Lobby.drop``."""
        await self._do(LobbyRequest("drop", id=person))

    def is_looking(self, person: str) -> bool:
        """Return whether ``person`` may have an open seek or wait in a pool. Only the leader knows for certain."""
        return not self._leader.is_here or self._leader.lobby.is_looking(person)

    async def sits_down(self, person: str) -> None:
        """See ``Lobby.sits_down``."""
        await self._do(LobbyRequest("sits_down", id=person))

    async def rematch(self, previous: GameFacts, next_id: str) -> str:
        """See ``Lobby.rematch``."""
        made: str = await self._do(LobbyRequest("rematch", id=next_id, game=previous))
        return made

    async def report_robots(self, report: RobotsReport) -> bool:
        """See ``RobotLease.report``."""
        is_active: bool = await self._do(LobbyRequest("report_robots", robots=report))
        return is_active

    async def place_robots(self, host: User, levels: list[int], games: list[Proposal]) -> list[tuple[int, int]]:
        """See ``simul_places.place_robots``."""
        places: list[tuple[int, int]] = await self._do(LobbyRequest("place_robots", host, levels=levels, games=games))
        return places

    # -- queries ------------------------------------------------------------------------------------------

    async def reply_to(self, user: User, key: str) -> dict[str, Any] | None:
        """See ``Lobby.reply_to``. It is read from the database."""
        return await self._leader.lobby.reply_to(user, key)

    async def challenge_card(self, challenge_id: str) -> ChallengeCardWire | None:
        """See ``Lobby.challenge_card``. It is read from the database."""
        return await self._leader.lobby.challenge_card(challenge_id)

    async def challenges_of(self, user: User) -> list[ChallengeWire | ChallengeAwayWire]:
        """See ``Lobby.challenges_of``. Without a leader no user counts as away."""
        try:
            found: list[ChallengeWire | ChallengeAwayWire] = await self._do(LobbyRequest("challenges_of", user))
        except Unavailable:
            return await self._leader.lobby.challenges_of(user)
        return found

    # -- asking -------------------------------------------------------------------------------------------

    async def _reply(self, request: LobbyRequest) -> dict[str, Any]:
        reply: dict[str, Any] = await self._do(request)
        return reply

    async def _do(self, request: LobbyRequest) -> Any:
        leader = self._leader
        until_s: float | None = None
        while True:
            if leader.is_here:
                try:
                    return await self._here(request)
                except RoleLost:
                    leader.look_soon()
            elif leader.holder is not None and self._cluster.is_reached(leader.holder):
                done = await self._request(leader.holder, request)
                if not done.moved:
                    return done.reply
            if until_s is None:
                until_s = asyncio.get_running_loop().time() + WAIT_S
            await leader.wait(until_s)

    async def _here(self, request: LobbyRequest) -> Any:
        if self._cluster.others and asker.get() is None:
            asker.set(self._cluster.node)
        return await CALLS[request.what](self._leader.lobby, request)

    async def _request(self, holder: str, request: LobbyRequest) -> LobbyReply:
        """Ask the leader. Raises its refusal, or ``Unavailable`` if it may have done what must not be done twice."""
        if request.user is not None:
            self._before_request(request.user.id)
        is_repeatable = request.key is not None or request.what in REPEATABLE
        try:
            return await self._cluster.request(
                holder, "lobby.do", request, LobbyReply, REQUEST_TIMEOUT_S if is_repeatable else WAIT_S
            )
        except Unreachable as error:
            if not is_repeatable:
                raise Unavailable(
                    "the server that runs the lobby does not answer; check the state before you try again"
                ) from error
            return LobbyReply(moved=True)

    async def _serve(self, node: str, request: LobbyRequest) -> LobbyReply:
        if not self._leader.is_here or request.what not in CALLS:
            return LobbyReply(moved=True)
        asker.set(node)  # in the context of this one task
        try:
            return LobbyReply(await self._once(request))
        except RoleLost:
            self._leader.look_soon()
            return LobbyReply(moved=True)

    async def _once(self, request: LobbyRequest) -> Any:
        """Do it once. A repeated request gets the result of the one under way and does not queue twice."""
        if request.key is None or request.user is None:
            return await CALLS[request.what](self._leader.lobby, request)
        name = request.user.id, request.key, request.what
        work = partial(CALLS[request.what], self._leader.lobby, request)
        return await self._doing.run(name, work, f"{request.what} of {request.user.id}")
