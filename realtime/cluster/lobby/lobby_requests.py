"""Requests to the lobby as messages from node to node, and what the leader does for each."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.accounts.user import User
from lobby.pairing import NewGame
from lobby.pools.pools import named_pool
from lobby.proposals import Proposal
from lobby.robots.robot_lease import RobotsReport
from lobby.robots.simul_places import place_robots

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from lobby.lobby import Lobby

WAIT_S = 8.0
"""Maximum time a request waits for a leader: a dead node is detected after five seconds, and a socket's request has
ten.
"""

REQUEST_TIMEOUT_S = 4.0
"""Timeout for one answer before the question is repeated, because the leader may be dying. A question that must not be
repeated may wait as long as its request, because the leader may be busy.
"""

asker: ContextVar[str | None] = ContextVar("asker", default=None)
"""Node of the client that the lobby works for; None: the lobby acts on its own, or there is a single node."""


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
    laws: bool = False
    """The client knows the Laws as played over a board."""
    game: NewGame | None = None
    robots: RobotsReport | None = None
    levels: list[int] = []
    games: list[Proposal] = []


class LobbyReply(msgspec.Struct):
    """The outcome; ``moved``: nothing was done, because the node that was asked is not the leader."""

    reply: Any = None
    moved: bool = False


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
    "accept": lambda lobby, q: lobby.accept(_user(q), q.id, laws=q.laws, key=q.key),
    "challenge": lambda lobby, q: lobby.challenge(_user(q), _proposal(q), to=q.to, level=q.level, key=q.key),
    "challenge_accept": lambda lobby, q: lobby.challenge_accept(_user(q), q.id, laws=q.laws, key=q.key),
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
