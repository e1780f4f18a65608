"""Access to the lobby from any node: a plain call on the leader, a question to the leader elsewhere.

    verbs, HTTP, simuls, tables ──► LobbyClient ──► Lobby                     this node is the leader
                                         └──────► lobby.do ──► leader: Lobby  another node is

An unanswered question is sent again, to a new leader if need be, if that is safe: it has a ``key`` or changes nothing.
One without a key is sent again only if it certainly was not handled.
"""

from __future__ import annotations

import asyncio
import logging
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from game_core.errors import Refusal
from lobby.accounts.user import User
from lobby.errors import Unavailable
from lobby.pairing import NewGame
from lobby.pools.pools import named_pool
from lobby.proposals import Proposal
from lobby.robots.robot_lease import RobotsReport
from lobby.robots.simul_places import place_robots
from realtime.clock.shared_tasks import SharedTasks
from realtime.cluster.bus.cluster import Unreachable
from realtime.cluster.bus.roles import RoleLost

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from lobby.lobby import Lobby
    from lobby.pairing import GameFacts
    from lobby.pools.pools import PoolKey
    from lobby.wire.lobby import ChallengeAwayWire, ChallengeCardWire, ChallengeWire, DeclineReason, PoolWire
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.lobby.lobby_leader import LobbyLeader

    AnyLobby: TypeAlias = "Lobby | LobbyClient"
    """The lobby itself, in tests, or a client of it."""

WAIT_S = 8.0
"""Maximum time a request waits for a leader: a dead node is detected after five seconds, and a socket's request has
ten.
"""

REQUEST_TIMEOUT_S = 4.0
"""Timeout for one answer before the question is repeated, because the leader may be dying. A question that must not be
repeated may wait as long as its request, because the leader may be busy.
"""

BATCH_INTERVAL_S = 0.05
"""Delay within which new users are collected into one question."""

USERS_PER_QUERY = 5000
"""Maximum number of users in one question."""

asker: ContextVar[str | None] = ContextVar("asker", default=None)
"""Node of the client that the lobby works for; None: the lobby acts on its own, or there is a single node."""

log = logging.getLogger(__name__)


class MessageType(msgspec.Struct):
    """The type field of a message to a user."""

    t: str


class LobbyRequest(msgspec.Struct, omit_defaults=True):
    """A request to the lobby: the operation and its arguments."""

    what: str
    user: User | None = None
    key: str | None = None
    id: str = ""
    """The id of a seek, challenge, pool, person or game."""
    proposal: Proposal | None = None
    to: str | None = None
    level: int | None = None
    reason: str = "generic"
    rated: bool = False
    game: NewGame | None = None
    robots: RobotsReport | None = None
    levels: list[int] = []
    games: list[Proposal] = []


class LobbyReply(msgspec.Struct):
    """The outcome; ``moved``: nothing was done, because the node that was asked is not the leader."""

    reply: Any = None
    moved: bool = False


class People(msgspec.Struct):
    """A list of user ids."""

    people: list[str]


def _user(request: LobbyRequest) -> User:
    assert request.user is not None, "only users ask for this"
    return request.user


def _proposal(request: LobbyRequest) -> Proposal:
    assert request.proposal is not None, "this is asked with a proposal"
    return request.proposal


async def _rematch(lobby: Lobby, request: LobbyRequest) -> str:
    assert request.game is not None, "this is asked of a game"
    return await lobby.rematch(request.game, request.id)


async def _report_robots(lobby: Lobby, request: LobbyRequest) -> bool:
    assert request.robots is not None, "this is asked with a report"
    return lobby.robots.report(request.robots)


CALLS: dict[str, Callable[[Lobby, LobbyRequest], Coroutine[Any, Any, Any]]] = {
    "seek": lambda lobby, q: lobby.seek(_user(q), _proposal(q), key=q.key),
    "unseek": lambda lobby, q: lobby.unseek(_user(q), q.id, key=q.key),
    "accept": lambda lobby, q: lobby.accept(_user(q), q.id, key=q.key),
    "challenge": lambda lobby, q: lobby.challenge(_user(q), _proposal(q), to=q.to, level=q.level, key=q.key),
    "challenge_accept": lambda lobby, q: lobby.challenge_accept(_user(q), q.id, key=q.key),
    "challenge_decline": lambda lobby, q: lobby.challenge_decline(_user(q), q.id, q.reason, key=q.key),  # type: ignore[arg-type]  # checked by the protocol
    "challenge_cancel": lambda lobby, q: lobby.challenge_cancel(_user(q), q.id, key=q.key),
    "pool_join": lambda lobby, q: lobby.pool_join(_user(q), named_pool(q.id, rated=q.rated), key=q.key),
    "pool_take": lambda lobby, q: lobby.pool_take(_user(q), q.to or "", named_pool(q.id, rated=False), key=q.key),
    "pool_leave": lambda lobby, q: lobby.pool_leave(_user(q), key=q.key),
    "challenges_of": lambda lobby, q: lobby.challenges_of(_user(q)),
    "drop": lambda lobby, q: lobby.drop(q.id),
    "sits_down": lambda lobby, q: lobby.sits_down(q.id),
    "rematch": _rematch,
    "report_robots": _report_robots,
    "place_robots": lambda lobby, q: place_robots(lobby.robots, _user(q), q.levels, q.games),
}

REPEATABLE = {"challenges_of", "drop", "sits_down", "rematch", "report_robots", "place_robots"}
"""Operations that may be repeated without a key."""


class LobbyClient:
    """Client with the methods of ``Lobby`` that the server uses, and the same results. Refusals are ``Refusal``.

    Args:
        before_request: called with the user's id before the leader is asked: it pairs only users known to be connected.
    """

    def __init__(self, leader: LobbyLeader, cluster: Cluster, before_request: Callable[[str], None]) -> None:
        self._leader = leader
        self._before_request = before_request
        self._cluster = cluster
        self._new: dict[str, list[Callable[[PoolWire], None]]] = {}
        """Users whose pool is to be looked up at the leader, with the callbacks to tell."""
        self._is_requesting = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._doing = SharedTasks[Any]()
        """Requests of other nodes that have a key and are under way, by user, key and operation."""
        cluster.serve("lobby.do", LobbyRequest, self._serve)
        cluster.on_request("lobby.waiting", People, lambda _, who, answer: answer(self._who_waits(who)))

    async def close(self) -> None:
        """Stop the background questions, and serve other nodes no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(self._doing.close(cancels=True), *self._tasks, return_exceptions=True)

    # -- requests -----------------------------------------------------------------------------------------

    async def seek(self, user: User, proposal: Proposal, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.seek``."""
        return await self._reply(LobbyRequest("seek", user, key, proposal=proposal))

    async def unseek(self, user: User, seek_id: str, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.unseek``."""
        return await self._reply(LobbyRequest("unseek", user, key, id=seek_id))

    async def accept(self, user: User, seek_id: str, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.accept``."""
        return await self._reply(LobbyRequest("accept", user, key, id=seek_id))

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

    async def challenge_accept(self, user: User, challenge_id: str, *, key: str | None = None) -> dict[str, Any]:
        """See ``Lobby.challenge_accept``."""
        return await self._reply(LobbyRequest("challenge_accept", user, key, id=challenge_id))

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

    def notify_waiting(self, user: str, notify: Callable[[PoolWire], None]) -> None:
        """Call ``notify`` if ``user`` waits in a pool, at once or when the leader has answered."""
        if self._leader.is_here:
            waiting = self._leader.lobby.waiting(user)
            if waiting is not None:
                notify(waiting)
            return
        self._new.setdefault(user, []).append(notify)
        if not self._is_requesting:
            self._is_requesting = True
            task = asyncio.create_task(self._request_waiting(), name="ask the lobby leader who waits")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def note_sent(self, user: str, payload: bytes) -> None:
        """Note a message of the leader to ``user``, as MessagePack: their pool need not be reported again."""
        if user in self._new and msgspec.msgpack.decode(payload, type=MessageType).t in ("pool", "pool.gone"):
            del self._new[user]

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

    async def _request_waiting(self) -> None:
        """Ask about all collected users, then end."""
        await asyncio.sleep(BATCH_INTERVAL_S)
        until_s = asyncio.get_running_loop().time() + WAIT_S
        try:
            while self._new:
                some = [name for name, _ in zip(self._new, range(USERS_PER_QUERY), strict=False)]
                waiting = await self._waiting_of(some)
                if waiting is None:
                    await self._leader.wait(until_s)
                    continue
                for name in some:
                    for notify in self._new.pop(name, ()):
                        if name in waiting:
                            notify(waiting[name])
        except Unavailable:
            self._new.clear()  # users who wait are told when they are paired
        except Exception:  # the top of a task
            self._new.clear()
            log.exception("the lobby's leader could not be asked who waits in pools")
        finally:
            self._is_requesting = False

    async def _waiting_of(self, people: list[str]) -> dict[str, PoolWire] | None:
        """Return the pools of ``people``; None: there is no leader to ask."""
        if self._leader.is_here:
            known = self._who_waits(People(people)).reply
        elif self._leader.holder is None:
            return None
        else:
            try:
                done = await self._cluster.request(
                    self._leader.holder, "lobby.waiting", People(people), LobbyReply, REQUEST_TIMEOUT_S
                )
            except Refusal:
                return None
            known = None if done.moved else done.reply
        waiting: dict[str, PoolWire] | None = known
        return waiting

    def _who_waits(self, who: People) -> LobbyReply:
        if not self._leader.is_here:
            return LobbyReply(moved=True)
        lobby = self._leader.lobby
        return LobbyReply({name: waiting for name in who.people if (waiting := lobby.waiting(name)) is not None})
