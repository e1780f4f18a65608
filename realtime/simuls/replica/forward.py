"""Requests about an exhibition that another node leads: they go there whole, and the answer comes back.

The answer is given after what follows from the request has been told: links between nodes keep the order, and whoever
listens here is told at once.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.accounts.user import User
from realtime.cluster.bus.cluster import Unreachable
from realtime.protocol import simul_requests as s
from realtime.protocol.errors import WireError
from realtime.simuls.replica.led_elsewhere import LedElsewhere

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.simuls.live.simul_actor import SimulActor
    from realtime.simuls.live.simuls import Simuls

    Do = Callable[[SimulActor, Any, User], Awaitable[dict[str, Any]]]

ASK = "simul.ask"

ASK_S = 9.0
"""So long an answer is waited for: longer than a hall lets one wait (``asks.ANSWER_S``), shorter than a request may
take (``session.REQUEST_S``)."""

PATIENCE_S, AGAIN_S = 9.0, 0.25
"""So long the leader is looked for while an exhibition changes hands, and so often."""

NAMES = {kind: name for name, kind in s.SIMUL_REQUESTS.items()}


class Asked(msgspec.Struct, frozen=True):
    """A request, and who makes it."""

    kind: str
    fields: dict[str, Any]
    user: User
    now_ms: int
    """The asker's Unix ms: instants in the request are by its clock."""


class Told(msgspec.Struct, frozen=True):
    """The fields of the reply; None: the exhibition is led elsewhere."""

    fields: dict[str, Any] | None


class Forward:
    """To the halls of this node and of others."""

    def __init__(self, halls: Simuls, do: Do, cluster: Cluster | None) -> None:
        """``do``: what a request asks of a hall of this node."""
        self._halls = halls
        self._do = do
        self._cluster = cluster
        if cluster is not None:
            cluster.serves(ASK, Asked, self._serve)

    async def ask(self, request: s.OfSimul, user: User) -> dict[str, Any]:
        """Have it done where the exhibition is; the fields of the reply. Raises ``WireError``."""
        cluster = self._cluster
        if cluster is None:
            return await self._do(await self._halls.get(request.simul), request, user)
        end_s = asyncio.get_running_loop().time() + PATIENCE_S
        while True:
            try:
                hall = await self._halls.get(request.simul)
            except LedElsewhere as away:
                node = away.node
            else:
                return await self._do(hall, request, user)
            fields = msgspec.to_builtins(request)
            asked = Asked(NAMES[type(request)], fields, user, self._halls.wall_ms())
            refusal = WireError("unavailable", "the exhibition is moving to another node; ask again")
            try:
                told = await cluster.ask(node, ASK, asked, Told, ASK_S)
            except Unreachable as error:
                if request.key is None:
                    raise  # it may have been done, and must not be done twice
                told, refusal = Told(None), error
            if told.fields is not None:
                if self._halls.mirrors is not None:
                    await self._halls.mirrors.caught_up(request.simul)
                return told.fields
            if asyncio.get_running_loop().time() + AGAIN_S > end_s:
                raise refusal
            await asyncio.sleep(AGAIN_S)

    async def _serve(self, sender: str, asked: Asked) -> Told:
        request: Any = msgspec.convert(asked.fields, s.SIMUL_REQUESTS[asked.kind])
        if isinstance(request, s.SimulBreak) and request.until is not None:
            until = request.until + self._halls.wall_ms() - asked.now_ms
            request = msgspec.structs.replace(request, until=max(0, until))
        try:
            hall = await self._halls.get(request.simul)
        except LedElsewhere:
            return Told(None)
        return Told(await self._do(hall, request, asked.user))
