"""Websockets: the verbs of requests, their dispatcher, and the gateway."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from realtime.cluster.people.shared_limits import SharedLimits
from realtime.dispatch.dispatcher import Dispatcher
from realtime.dispatch.verbs.chat import ChatVerbs
from realtime.dispatch.verbs.games import GameVerbs
from realtime.dispatch.verbs.hints import HintVerbs
from realtime.dispatch.verbs.lobby import LobbyVerbs
from realtime.dispatch.verbs.simuls import SimulVerbs
from realtime.dispatch.verbs.topics import TopicVerbs
from realtime.games.rematches import Rematches
from realtime.net.gateway import Gateway
from realtime.protocol import requests as r

if TYPE_CHECKING:
    from realtime.simuls.live.simuls import Simuls
    from realtime.wiring.accounts import AccountServices
    from realtime.wiring.base import Base
    from realtime.wiring.games import GameServices
    from realtime.wiring.lobby import LobbyServices


@dataclass(frozen=True, slots=True)
class Sockets:
    """The sockets of this node, and the rate limits that all nodes share."""

    gateway: Gateway
    shared_limits: SharedLimits


def build_sockets(
    base: Base, games: GameServices, lobby: LobbyServices, simuls: Simuls, accounts: AccountServices
) -> Sockets:
    """Build the parts. Requests about games of other nodes are forwarded, and served for them."""
    limits, bans, tables = base.settings.limits, lobby.moderation.bans, games.tables
    lobby_client, forwarder = lobby.lobby.client, games.sharing.forwarder
    game_verbs = GameVerbs(tables, bans, Rematches(base.pool, lobby_client), forwarder)
    chat_verbs = ChatVerbs(tables, base.time, bans, lobby.moderation.words, forwarder)
    lobby_verbs = LobbyVerbs(lobby_client, tables.live_games, limits, bans)
    simul_verbs = SimulVerbs(simuls, tables, base.pool, bans, limits, lobby_client, base.cluster)
    hint_verbs = HintVerbs(tables, base.time, forwarder)
    forwarder.serve(game_verbs, {r.Chat: chat_verbs, r.Hint: hint_verbs, r.HintGive: hint_verbs})
    shared_limits = SharedLimits(base.cluster)
    base.stack.callback(shared_limits.close)
    shared_limits.share("lobby", lobby_verbs.rate_limiter, base.time.now_ms)
    shared_limits.share("simuls", simul_verbs.rate_limiter, base.time.now_ms)
    shared_limits.share("chat", chat_verbs.flood, base.time.now_ms)
    shared_limits.share("hints", hint_verbs.rate_limiter, base.time.now_ms)
    topic_verbs = TopicVerbs(
        tables, lobby_client, lobby.lobby.relay, lobby.people, base.time, lobby.moderation.block_lists, simuls,
        games.watching.director,
    )  # fmt: skip
    dispatcher = Dispatcher(
        identities=accounts.identities,
        people=lobby.people,
        tables=tables,
        topic_verbs=topic_verbs,
        game_verbs=game_verbs,
        lobby_verbs=lobby_verbs,
        chat_verbs=chat_verbs,
        hint_verbs=hint_verbs,
        simul_verbs=simul_verbs,
        simuls_of=simuls.hosting.of,
        limits=limits,
        time=base.time,
        metrics=base.metrics,
        fan_out=base.fan_out,
    )
    base.stack.push_async_callback(dispatcher.close)
    gateway = Gateway(
        dispatcher,
        base.time,
        limits=limits,
        trust_tcp_info=not base.settings.proxies,
        traffic=base.traffic,
        remote=lobby.remote,
    )
    return Sockets(gateway, shared_limits)
