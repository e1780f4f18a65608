"""The way to the lobby, wherever it is: here by a plain call, else by a question to the hub.

    verbs, HTTP, halls, tables ──► LobbyClient ──► Lobby                      this node is the hub
                                       └──────► lobby.do ──► hub: Lobby     it is not

A question that the hub has not answered is asked again, of the next hub if need be, where that is safe: where it has a
``key``, or changes nothing. One without is asked again only if it certainly was not taken up.
"""

from __future__ import annotations

import asyncio
import logging
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from lobby import errors
from lobby.accounts.user import User
from lobby.errors import LobbyError, Unavailable
from lobby.pairing import NewGame
from lobby.proposals import Proposal
from realtime.cluster.bus.cluster import Unreachable
from realtime.cluster.bus.roles import Fenced
from realtime.protocol.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from lobby.lobby import Lobby
    from lobby.pairing import GameFacts
    from lobby.wire.lobby import ChallengeAwayWire, ChallengeCardWire, ChallengeWire, DeclineReason, PoolName, PoolWire
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.lobby.lobby_leader import LobbyLeader

    AnyLobby: TypeAlias = "Lobby | LobbyClient"
    """The lobby itself, in tests, or the way to it."""

WAIT_S = 8.0
"""How long a request waits for a hub: a node that died is known to be dead after five seconds, and a socket's request
has ten."""

ASK_S = 4.0
"""How long one answer is waited for, before the question is put again: the hub may be dying. What may not be put again
is waited for as long as a request has: the hub may be busy."""

GATHER_S = 0.05
"""Who comes within this is asked about at once."""

ASKED_ABOUT = 5000
"""People in one question."""

asker: ContextVar[str | None] = ContextVar("asker", default=None)
"""The node of the one for whom the lobby does something; None: it does it by itself, or there is one node only."""

log = logging.getLogger(__name__)


class Told(msgspec.Struct):
    """Of a message for somebody: what it is."""

    t: str


class Asked(msgspec.Struct, omit_defaults=True):
    """A request to the lobby: what, and as much as it needs."""

    what: str
    user: User | None = None
    key: str | None = None
    id: str = ""
    """Of a seek, a challenge, a pool, a person, a game."""
    proposal: Proposal | None = None
    to: str | None = None
    level: int | None = None
    reason: str = "generic"
    rated: bool = False
    game: NewGame | None = None


class Done(msgspec.Struct):
    """What came of it; ``moved``: nothing, the one who was asked is not the hub."""

    reply: Any = None
    moved: bool = False


class People(msgspec.Struct):
    """Ids."""

    people: list[str]


def _user(asked: Asked) -> User:
    assert asked.user is not None, "this is asked by somebody"
    return asked.user


def _proposal(asked: Asked) -> Proposal:
    assert asked.proposal is not None, "this is asked with a proposal"
    return asked.proposal


async def _rematch(lobby: Lobby, asked: Asked) -> str:
    assert asked.game is not None, "this is asked of a game"
    return await lobby.rematch(asked.game, asked.id)


CALLS: dict[str, Callable[[Lobby, Asked], Awaitable[Any]]] = {
    "seek": lambda lobby, q: lobby.seek(_user(q), _proposal(q), key=q.key),
    "unseek": lambda lobby, q: lobby.unseek(_user(q), q.id, key=q.key),
    "accept": lambda lobby, q: lobby.accept(_user(q), q.id, key=q.key),
    "challenge": lambda lobby, q: lobby.challenge(_user(q), _proposal(q), to=q.to, level=q.level, key=q.key),
    "challenge_accept": lambda lobby, q: lobby.challenge_accept(_user(q), q.id, key=q.key),
    "challenge_decline": lambda lobby, q: lobby.challenge_decline(_user(q), q.id, q.reason, key=q.key),  # type: ignore[arg-type]  # of the protocol, as it was asked
    "challenge_cancel": lambda lobby, q: lobby.challenge_cancel(_user(q), q.id, key=q.key),
    "pool_join": lambda lobby, q: lobby.pool_join(_user(q), q.id, rated=q.rated, key=q.key),  # type: ignore[arg-type]  # the same
    "pool_leave": lambda lobby, q: lobby.pool_leave(_user(q), key=q.key),
    "challenges_of": lambda lobby, q: lobby.challenges_of(_user(q)),
    "drop": lambda lobby, q: lobby.drop(q.id),
    "sits_down": lambda lobby, q: lobby.sits_down(q.id),
    "rematch": _rematch,
}

REPEATABLE = {"challenges_of", "drop", "sits_down", "rematch"}
"""What may be asked again without a key."""

_REFUSALS: dict[str, Callable[[str], LobbyError]] = {
    "bad_message": errors.BadProposal,
    "forbidden": errors.Forbidden,
    "not_found": errors.NotFound,
    "conflict": errors.Conflict,
    "rate_limited": errors.TooFast,
    "unavailable": errors.Unavailable,
}


class LobbyClient:
    """Has the methods of ``Lobby`` that the server asks for, and answers as it does. Refusals are ``LobbyError``.

    Attributes:
        on_ask: called with the id of who asks something of the hub, before that: the hub pairs nobody who is not here.
    """

    def __init__(self, hub: LobbyLeader, cluster: Cluster) -> None:
        self.on_ask: Callable[[str], None] = lambda user: None
        self._hub = hub
        self._cluster = cluster
        self._new: dict[str, list[Callable[[PoolWire], None]]] = {}
        """People of whom the hub is asked in which pool they wait, and whom to tell."""
        self._is_asking = False
        self._asking: set[asyncio.Task[None]] = set()
        self._doing: dict[tuple[str, str, str], asyncio.Future[Any]] = {}
        """What others have asked for with a key, by who asks, that, and for what."""
        cluster.serves("lobby.do", Asked, self._serve)
        cluster.answers("lobby.waiting", People, lambda _, who, answer: answer(self._who_waits(who)))

    async def close(self) -> None:
        """Ask nothing more by itself, and do nothing more for others."""
        tasks = [*self._asking, *self._doing.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- requests -----------------------------------------------------------------------------------------

    async def seek(self, user: User, proposal: Proposal, *, key: str | None = None) -> dict[str, Any]:
        """As ``Lobby.seek``."""
        return await self._reply(Asked("seek", user, key, proposal=proposal))

    async def unseek(self, user: User, seek_id: str, *, key: str | None = None) -> dict[str, Any]:
        """As ``Lobby.unseek``."""
        return await self._reply(Asked("unseek", user, key, id=seek_id))

    async def accept(self, user: User, seek_id: str, *, key: str | None = None) -> dict[str, Any]:
        """As ``Lobby.accept``."""
        return await self._reply(Asked("accept", user, key, id=seek_id))

    async def challenge(
        self,
        user: User,
        proposal: Proposal,
        *,
        to: str | None = None,
        level: int | None = None,
        key: str | None = None,
    ) -> dict[str, Any]:
        """As ``Lobby.challenge``."""
        return await self._reply(Asked("challenge", user, key, proposal=proposal, to=to, level=level))

    async def challenge_accept(self, user: User, challenge_id: str, *, key: str | None = None) -> dict[str, Any]:
        """As ``Lobby.challenge_accept``."""
        return await self._reply(Asked("challenge_accept", user, key, id=challenge_id))

    async def challenge_decline(
        self, user: User, challenge_id: str, reason: DeclineReason = "generic", *, key: str | None = None
    ) -> dict[str, Any]:
        """As ``Lobby.challenge_decline``."""
        return await self._reply(Asked("challenge_decline", user, key, id=challenge_id, reason=reason))

    async def challenge_cancel(self, user: User, challenge_id: str, *, key: str | None = None) -> dict[str, Any]:
        """As ``Lobby.challenge_cancel``."""
        return await self._reply(Asked("challenge_cancel", user, key, id=challenge_id))

    async def pool_join(
        self, user: User, pool: PoolName, *, rated: bool = False, key: str | None = None
    ) -> dict[str, Any]:
        """As ``Lobby.pool_join``."""
        return await self._reply(Asked("pool_join", user, key, id=pool, rated=rated))

    async def pool_leave(self, user: User, *, key: str | None = None) -> dict[str, Any]:
        """As ``Lobby.pool_leave``."""
        return await self._reply(Asked("pool_leave", user, key))

    async def drop(self, person: str) -> None:
        """As ``Lobby.drop``."""
        await self._do(Asked("drop", id=person))

    def is_looking(self, person: str) -> bool:
        """Whether ``person`` may have a seek open or wait in a pool: elsewhere that is only known to the hub."""
        return not self._hub.is_here or self._hub.lobby.is_looking(person)

    async def sits_down(self, person: str) -> None:
        """As ``Lobby.sits_down``."""
        await self._do(Asked("sits_down", id=person))

    async def rematch(self, previous: GameFacts, next_id: str) -> str:
        """As ``Lobby.rematch``."""
        made: str = await self._do(Asked("rematch", id=next_id, game=previous))
        return made

    # -- what there is ------------------------------------------------------------------------------------

    async def reply_to(self, user: User, key: str) -> dict[str, Any] | None:
        """As ``Lobby.reply_to``: the database knows."""
        return await self._hub.lobby.reply_to(user, key)

    async def challenge_card(self, challenge_id: str) -> ChallengeCardWire | None:
        """As ``Lobby.challenge_card``: the database knows."""
        return await self._hub.lobby.challenge_card(challenge_id)

    async def challenges_of(self, user: User) -> list[ChallengeWire | ChallengeAwayWire]:
        """As ``Lobby.challenges_of``. Without a hub nobody counts as away."""
        try:
            found: list[ChallengeWire | ChallengeAwayWire] = await self._do(Asked("challenges_of", user))
        except Unavailable:
            return await self._hub.lobby.challenges_of(user)
        return found

    def tell_waiting(self, user: str, tell: Callable[[PoolWire], None]) -> None:
        """Call ``tell`` if ``user`` waits in a pool, as soon as that is known, which may be now."""
        if self._hub.is_here:
            waiting = self._hub.lobby.waiting(user)
            if waiting is not None:
                tell(waiting)
            return
        self._new.setdefault(user, []).append(tell)
        if not self._is_asking:
            self._is_asking = True
            task = asyncio.create_task(self._ask_who_waits(), name="ask the hub who waits")
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)

    def told(self, user: str, payload: bytes) -> None:
        """The hub has told ``user`` something, as MessagePack: of his pool he need not be told once more."""
        if user in self._new and msgspec.msgpack.decode(payload, type=Told).t in ("pool", "pool.gone"):
            del self._new[user]

    # -- asking -------------------------------------------------------------------------------------------

    async def _reply(self, asked: Asked) -> dict[str, Any]:
        reply: dict[str, Any] = await self._do(asked)
        return reply

    async def _do(self, asked: Asked) -> Any:
        hub = self._hub
        until_s: float | None = None
        while True:
            if hub.is_here:
                try:
                    return await self._here(asked)
                except Fenced:
                    hub.look_soon()
            elif hub.holder is not None and self._cluster.is_reached(hub.holder):
                done = await self._ask(hub.holder, asked)
                if not done.moved:
                    return done.reply
            if until_s is None:
                until_s = asyncio.get_running_loop().time() + WAIT_S
            await hub.wait(until_s)

    async def _here(self, asked: Asked) -> Any:
        if self._cluster.others and asker.get() is None:
            asker.set(self._cluster.node)
        return await CALLS[asked.what](self._hub.lobby, asked)

    async def _ask(self, holder: str, asked: Asked) -> Done:
        """Raises what the hub refuses with, and ``Unavailable`` where it may have done what is not to be done twice."""
        if asked.user is not None:
            self.on_ask(asked.user.id)
        is_repeatable = asked.key is not None or asked.what in REPEATABLE
        try:
            return await self._cluster.ask(holder, "lobby.do", asked, Done, ASK_S if is_repeatable else WAIT_S)
        except Unreachable as error:
            if not is_repeatable:
                raise Unavailable(
                    "the server that runs the lobby does not answer; look before you ask again"
                ) from error
            return Done(moved=True)
        except WireError as error:
            raise _REFUSALS.get(error.code, Unavailable)(str(error)) from error

    async def _serve(self, node: str, asked: Asked) -> Done:
        if not self._hub.is_here or asked.what not in CALLS:
            return Done(moved=True)
        asker.set(node)  # in the context of this one task
        try:
            return Done(await self._once(asked))
        except Fenced:
            self._hub.look_soon()
            return Done(moved=True)

    async def _once(self, asked: Asked) -> Any:
        """Do it. Who asks again while that is under way gets what comes of it, and stands in no line twice."""
        if asked.key is None or asked.user is None:
            return await CALLS[asked.what](self._hub.lobby, asked)
        name = asked.user.id, asked.key, asked.what
        doing = self._doing.get(name)
        if doing is None:
            doing = self._doing[name] = asyncio.ensure_future(CALLS[asked.what](self._hub.lobby, asked))
            doing.add_done_callback(lambda done: self._done(name, done))
        try:
            return await asyncio.shield(doing)
        finally:
            del doing  # it has the error, whose trace has this frame: only the collector could free them

    def _done(self, name: tuple[str, str, str], done: asyncio.Future[Any]) -> None:
        del self._doing[name]
        if not done.cancelled():
            done.exception()  # whoever still waits raises it

    async def _ask_who_waits(self) -> None:
        """Until there is nobody left to be asked about."""
        await asyncio.sleep(GATHER_S)
        until_s = asyncio.get_running_loop().time() + WAIT_S
        try:
            while self._new:
                some = [name for name, _ in zip(self._new, range(ASKED_ABOUT), strict=False)]
                waiting = await self._waiting_of(some)
                if waiting is None:
                    await self._hub.wait(until_s)
                    continue
                for name in some:
                    for tell in self._new.pop(name, ()):
                        if name in waiting:
                            tell(waiting[name])
        except Unavailable:
            self._new.clear()  # whoever waits is told when he is paired
        except Exception:  # the top of a task
            self._new.clear()
            log.exception("who waits could not be asked")
        finally:
            self._is_asking = False

    async def _waiting_of(self, people: list[str]) -> dict[str, PoolWire] | None:
        """None: there is no hub to ask."""
        if self._hub.is_here:
            known = self._who_waits(People(people)).reply
        elif self._hub.holder is None:
            return None
        else:
            try:
                done = await self._cluster.ask(self._hub.holder, "lobby.waiting", People(people), Done, ASK_S)
            except WireError:
                return None
            known = None if done.moved else done.reply
        waiting: dict[str, PoolWire] | None = known
        return waiting

    def _who_waits(self, who: People) -> Done:
        if not self._hub.is_here:
            return Done(moved=True)
        lobby = self._hub.lobby
        return Done({name: waiting for name in who.people if (waiting := lobby.waiting(name)) is not None})
