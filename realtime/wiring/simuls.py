"""Simuls, and their subscriptions to boards, presence and the lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.simuls.live.simuls import Simuls

if TYPE_CHECKING:
    from realtime.wiring.base import Base
    from realtime.wiring.games import GameServices
    from realtime.wiring.lobby import LobbyServices


def build_simuls(base: Base, games: GameServices, lobby: LobbyServices) -> Simuls:
    """Build the simuls of this node."""
    simuls = Simuls(
        pool=base.pool,
        node=base.node,
        tables=games.tables,
        people=lobby.people,
        lobby=lobby.lobby.client,
        time=base.time,
        timers=base.timers,
        fan_out=base.fan_out,
        cluster=base.cluster,
        release_boards=games.sharing.release,
    )
    base.stack.push_async_callback(simuls.close)
    games.tables.observe(simuls)
    games.tables.hosts.ask(simuls.acting_hosts)
    lobby.people.on_presence.append(simuls.presence)
    games.watching.simul_cards.append(simuls.open_cards)
    simuls.on_visit.append(games.watching.lists.visit)
    return simuls
