"""Television on every node: the lobby leader chooses the games, and the other nodes replicate the choice.

    leader: Director ──► live.tv, numbered ──► every other node: Director.follow ──► viewers on that node
    a node that missed an event ──► live.tv.want ──► leader ──► live.tv.all: every channel

A node that becomes the leader continues from its replica, and numbers its events beyond those already seen.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import msgspec

from game_core.errors import Refusal
from lobby.errors import Unavailable
from realtime.cluster.games.live_lines import REQUEST_TIMEOUT_S, stamp
from realtime.watching.remote_games import FRESH_MS

if TYPE_CHECKING:
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.lobby.lobby_leader import LobbyLeader
    from realtime.protocol.wire_types import LiveGameWire
    from realtime.watching.tv.director import Director


class ChannelUpdate(msgspec.Struct):
    """``live.tv``: a channel has changed its game."""

    epoch: int
    seq: int
    channel: str
    game: str


class Channels(msgspec.Struct):
    """``live.tv.all``: the games of all channels after the event ``seq``."""

    epoch: int
    seq: int
    channels: dict[str, str]


class ChannelsRequest(msgspec.Struct):
    """``live.tv.want``: request for all channels; ``live.tv.cards``: with the state of the games."""


class ChannelCards(msgspec.Struct):
    """The answer to ``live.tv.cards``."""

    cards: dict[str, dict[str, Any]]


class TvRelay:
    """The television of one node.

    Attributes:
        has_led: set once this node has begun to direct.
    """

    def __init__(self, cluster: Cluster, leader: LobbyLeader, director: Director, time: ServerTime) -> None:
        self.has_led = asyncio.Event()
        self._cluster = cluster
        self._leader = leader
        self._director = director
        self._time = time
        self._epoch = 0
        """Epoch of the leader that is followed."""
        self._is_synced = False
        """All events up to the last of the topic are known."""
        self._cards: dict[str, LiveGameWire] = {}
        self._got_at_ms: int | None = None
        self._fetching = asyncio.Lock()
        director.share_with(self)
        leader.on_moved.append(self._moved)
        cluster.subscribe("live.tv", ChannelUpdate, self._receive)
        cluster.subscribe("live.tv.all", Channels, self._receive_all)
        cluster.subscribe("live.tv.want", ChannelsRequest, lambda sender, body: self._send_all_to(sender))
        cluster.serve("live.tv.cards", ChannelsRequest, lambda sender, body: self._answer())
        cluster.on_came.append(self._send_all_to)
        cluster.on_gap.append(self._missed)

    @property
    def leads(self) -> bool:
        """Return whether this node directs: it is the leader, or no other node can be."""
        return self._leader.is_here or self._cluster.is_alone

    def tick(self) -> None:
        """Do the work of one tick, once a second."""
        if self.leads:
            self.has_led.set()
            self._director.tick()
        elif not self._is_synced:
            self._want()

    # -- leader -------------------------------------------------------------------------------------------

    def _moved(self) -> None:
        self._is_synced, self._got_at_ms = False, None
        if self._leader.is_here:
            self._director.lead(self._leader.lobby.seq)
            for node in self._cluster.others:
                self._send_all_to(node)
        else:
            self._want()

    def publish(self, channel: str, game: str, seq: int) -> None:
        """Send a choice of this node to the others."""
        if not self._cluster.is_alone:
            self._cluster.broadcast("live.tv", ChannelUpdate(self._leader.epoch, seq, channel, game))

    def _send_all_to(self, node: str) -> None:
        if self._leader.is_here:
            director = self._director
            self._cluster.send(node, "live.tv.all", Channels(self._leader.epoch, director.topic.seq, director.shown()))

    async def _answer(self) -> ChannelCards:
        if not self._leader.is_here:
            raise Unavailable("another server directs television")
        return ChannelCards(cast("dict[str, dict[str, Any]]", await self._director.look()))

    # -- other nodes --------------------------------------------------------------------------------------

    def _want(self) -> None:
        """Request all channels. The request is repeated with each tick until the answer comes."""
        holder = self._leader.holder
        if holder is not None and holder != self._cluster.node:
            self._cluster.send(holder, "live.tv.want", ChannelsRequest())

    def _receive(self, sender: str, body: ChannelUpdate) -> None:
        if self._leader.is_here or body.epoch < self._epoch:
            return
        last = self._director.topic.seq
        if body.epoch > self._epoch or not self._is_synced or body.seq > last + 1:
            self._is_synced = False
            self._cluster.send(sender, "live.tv.want", ChannelsRequest())
        elif body.seq == last + 1:
            self._director.follow(body.channel, body.game, body.seq)

    def _receive_all(self, sender: str, body: Channels) -> None:
        if not self._leader.is_here and body.epoch >= self._epoch:
            self._epoch, self._is_synced = body.epoch, True
            self._director.take(body.channels, body.seq)

    def _missed(self, node: str) -> None:
        if not self._leader.is_here and node == self._leader.holder:
            self._is_synced = False
            self._want()

    async def request_cards(self) -> dict[str, LiveGameWire]:
        """Return the line of each channel's game, from the leader; the previous ones if it does not answer."""
        async with self._fetching:
            now_ms, holder = self._time.now_ms(), self._leader.holder
            if holder is not None and (self._got_at_ms is None or now_ms - self._got_at_ms >= FRESH_MS):
                await self._fetch(holder)
                self._got_at_ms = self._time.now_ms()  # even without an answer, so that queued callers do not ask again
        # The last answer may be older than the events shown since.
        shown = self._director.shown()
        reply = {channel: card for channel, card in self._cards.items() if shown.get(channel) == card["g"]}
        return reply if reply.keys() == shown.keys() else {**self._director.cards(), **reply}

    async def _fetch(self, holder: str) -> None:
        try:
            reply = await self._cluster.request(
                holder, "live.tv.cards", ChannelsRequest(), ChannelCards, REQUEST_TIMEOUT_S
            )
        except Refusal:
            return
        for line in reply.cards.values():
            stamp(line, self._time)
        self._cards = cast("dict[str, LiveGameWire]", reply.cards)
