"""Publication of the stored decisions of one simul: its state, its listeners, and the tables of new boards."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from realtime.simuls.live.opened_board import Opened
from simul import events as e
from simul.board import facts_of
from simul.feed import FeedUpdate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lobby.pairing import NewGame
    from realtime.games.table import Table
    from realtime.simuls.live.audience import Audience
    from realtime.simuls.live.services import SimulServices
    from simul.board import Facts
    from simul.feed import Feed

TOLD_AT_ONCE = 25
"""Events published in one batch, without yielding to the loop: accepting a thousand players makes as many."""

OPENED_AT_ONCE = 25
"""Tables opened in one batch, without yielding to the loop: some milliseconds."""


class Publication:
    """Applies events of one simul to its state, and tells its listeners."""

    def __init__(self, feed: Feed, audience: Audience, services: SimulServices) -> None:
        self._feed = feed
        self._audience = audience
        self._services = services

    async def publish(self, events: Sequence[e.AnySimulEvent], games: tuple[NewGame, ...]) -> None:
        """Open the tables of the stored ``games``, then apply and publish ``events``, which begin these games."""
        opened = await self._open(games)
        concerned: dict[str, None] = {}
        for place, event in enumerate(events, 1):
            seats = event.seats if isinstance(event, e.Started) else ()
            seats = (event.seat,) if isinstance(event, e.BoardAdded) else seats
            if isinstance(event, e.Started):
                self._audience.begin_delayed([seat.user for seat in seats])
            # Some players may have moved already: the simul ignored it, since it did not know these games yet.
            facts = {seat.board: opened[seat.game].now(self.facts) for seat in seats}
            news = self._feed.apply(event, facts)
            self._audience.publish(FeedUpdate(news.messages))
            concerned |= dict.fromkeys(news.to)
            if place % TOLD_AT_ONCE == 0:
                await asyncio.sleep(0)
        self._audience.publish(FeedUpdate(to=tuple(concerned)))

    def facts(self, table: Table, position: str | None = None) -> Facts:
        """Return the current state of a game; ``position`` is that on its board."""
        now_ms = self._services.time.now_ms()
        return facts_of(table.game, now_ms, self._services.time.wall_ms(now_ms), position)

    async def _open(self, games: tuple[NewGame, ...]) -> dict[str, Opened]:
        """Open the tables of stored games and return them by id. Yields to the loop between batches."""
        opened: dict[str, Opened] = {}
        for place, new in enumerate(games, 1):
            table = self._services.open_board(new)
            opened[new.id] = Opened(table, table.game, self.facts(table))
            if place % OPENED_AT_ONCE == 0:
                await asyncio.sleep(0)
        return opened
