"""Lookup of the pools in which the users of this node wait, which only the leader of the lobby knows."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import msgspec

from game_core.errors import Refusal
from lobby.errors import Unavailable
from realtime.cluster.lobby.lobby_requests import REQUEST_TIMEOUT_S, WAIT_S, LobbyReply

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.wire.lobby import PoolWire
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.lobby.lobby_leader import LobbyLeader

BATCH_INTERVAL_S = 0.05
"""Delay within which new users are collected into one question."""

USERS_PER_QUERY = 5000
"""Maximum number of users in one question."""

log = logging.getLogger(__name__)


class MessageType(msgspec.Struct):
    """The type field of a message to a user."""

    t: str


class WaitersQuery(msgspec.Struct):
    """``lobby.waiting``: the ids of users, of whom the answer has those who wait, with their pools."""

    people: list[str]


class WaitingLookup:
    """Asks the leader about users of this node, and answers other nodes."""

    def __init__(self, leader: LobbyLeader, cluster: Cluster) -> None:
        self._leader = leader
        self._cluster = cluster
        self._new: dict[str, list[Callable[[PoolWire], None]]] = {}
        """Users whose pool is to be looked up, with the callbacks to tell."""
        self._task: asyncio.Task[None] | None = None
        cluster.on_request("lobby.waiting", WaitersQuery, lambda _, query, answer: answer(self._answer(query)))

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being looked up."""
        return self._task is None

    async def close(self) -> None:
        """Stop asking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def notify(self, user: str, notify: Callable[[PoolWire], None]) -> None:
        """Call ``notify`` if ``user`` waits in a pool, at once or when the leader has answered."""
        if self._leader.is_here:
            waiting = self._leader.lobby.waiting(user)
            if waiting is not None:
                notify(waiting)
            return
        self._new.setdefault(user, []).append(notify)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="ask the lobby leader who waits")

    def note_sent(self, user: str, payload: bytes) -> None:
        """Note a message of the leader to ``user``, as MessagePack: their pool need not be reported again."""
        if user in self._new and msgspec.msgpack.decode(payload, type=MessageType).t in ("pool", "pool.gone"):
            del self._new[user]

    async def _run(self) -> None:
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
            self._new.clear()  # users in pools are told when they are paired
        except Exception:  # the top of a task
            self._new.clear()
            log.exception("the lobby's leader could not be asked who waits in pools")
        finally:
            self._task = None

    async def _waiting_of(self, people: list[str]) -> dict[str, PoolWire] | None:
        """Return the pools of ``people``; None: there is no leader to ask."""
        query = WaitersQuery(people)
        if self._leader.is_here:
            known = self._answer(query).reply
        elif self._leader.holder is None:
            return None
        else:
            try:
                done = await self._cluster.request(
                    self._leader.holder, "lobby.waiting", query, LobbyReply, REQUEST_TIMEOUT_S
                )
            except Refusal:
                return None
            known = None if done.moved else done.reply
        waiting: dict[str, PoolWire] | None = known
        return waiting

    def _answer(self, query: WaitersQuery) -> LobbyReply:
        if not self._leader.is_here:
            return LobbyReply(moved=True)
        lobby = self._leader.lobby
        return LobbyReply({name: waiting for name in query.people if (waiting := lobby.waiting(name)) is not None})
