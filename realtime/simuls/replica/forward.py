"""Forwarding of requests about a simul that another node leads: the leader executes the request and returns the answer.

The answer comes after all consequences have been published: links between nodes preserve order, and listeners on this
node are told at once.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.accounts.user import User
from lobby.errors import Unavailable
from realtime.cluster.bus.open_requests import Unreachable
from realtime.protocol import simul_requests as s
from realtime.simuls.replica.led_remotely import LedRemotely

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.simuls.live.simul_actor import SimulActor
    from realtime.simuls.live.simuls import Simuls

    Do = Callable[[SimulActor, Any, User], Awaitable[dict[str, Any]]]

ASK = "simul.ask"

REQUEST_TIMEOUT_S = 9.0
"""Timeout for an answer: longer than an actor's (``pending_requests.ANSWER_S``), shorter than a request's
(``session.REQUEST_S``)."""

LEADER_SEARCH_S, RETRY_INTERVAL_S = 9.0, 0.25
"""Time for which the leader is searched while a simul changes hands, and the interval between attempts."""


class ForwardedRequest(msgspec.Struct, frozen=True):
    """A request and its user."""

    kind: str
    fields: dict[str, Any]
    user: User
    now_ms: int
    """The sender's Unix ms: instants in the request are on its clock."""


class ForwardedReply(msgspec.Struct, frozen=True):
    """The fields of the reply; None: another node leads the simul."""

    fields: dict[str, Any] | None


class SimulRequestForwarder:
    """Forwards requests to the actors of this node and of others."""

    def __init__(self, simuls: Simuls, do: Do, cluster: Cluster | None) -> None:
        """``do``: executes a request at an actor of this node."""
        self._simuls = simuls
        self._do = do
        self._cluster = cluster
        if cluster is not None:
            cluster.serve(ASK, ForwardedRequest, self._serve)

    async def forward(self, request: s.OfSimul, user: User) -> dict[str, Any]:
        """Execute a request at the simul's leader and return the fields of the reply. Raises ``Refusal``."""
        cluster = self._cluster
        if cluster is None:
            return await self._do(await self._simuls.get(request.simul), request, user)
        end_s = asyncio.get_running_loop().time() + LEADER_SEARCH_S
        while True:
            try:
                actor = await self._simuls.get(request.simul)
            except LedRemotely as away:
                node = away.node
            else:
                return await self._do(actor, request, user)
            fields = msgspec.to_builtins(request)
            forwarded = ForwardedRequest(request.t, fields, user, self._simuls.wall_ms())
            refusal = Unavailable("the simul is moving to another node; try again")
            try:
                reply = await cluster.request(node, ASK, forwarded, ForwardedReply, REQUEST_TIMEOUT_S)
            except Unreachable as error:
                if request.key is None:
                    raise  # it may have been executed, and must not be executed twice
                reply, refusal = ForwardedReply(None), error
            if reply.fields is not None:
                if self._simuls.replicas is not None:
                    await self._simuls.replicas.caught_up(request.simul)
                return reply.fields
            if asyncio.get_running_loop().time() + RETRY_INTERVAL_S > end_s:
                raise refusal
            await asyncio.sleep(RETRY_INTERVAL_S)

    async def _serve(self, sender: str, forwarded: ForwardedRequest) -> ForwardedReply:
        request: Any = msgspec.convert(forwarded.fields, s.SIMUL_REQUESTS[forwarded.kind])
        if isinstance(request, s.SimulBreak) and request.until is not None:
            until = request.until + self._simuls.wall_ms() - forwarded.now_ms
            request = msgspec.structs.replace(request, until=max(0, until))
        try:
            actor = await self._simuls.get(request.simul)
        except LedRemotely:
            return ForwardedReply(None)
        return ForwardedReply(await self._do(actor, request, forwarded.user))
