"""Exchange of public games between nodes: their cards are pushed (``ReplicatedFeed``).

Beginnings and ends are reported at once, numbers of spectators once a second. Only public games have cards
(``card_of``), so no game with delayed viewing leaves its owner by this route.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from realtime.cluster.bus.replicated_feed import ReplicatedFeed, Topics
from realtime.watching.live_cards import LiveCard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.watching.live_lists import LiveLists

TOPICS = Topics(delta="live.cards", portion="live.cards", want="live.again")

CROWD_S = 1.0
"""Minimum interval between two reports of spectator counts."""

PORTION = 200
"""Cards in one message: some 40 KB, a millisecond's work on either side."""


class LiveCardsReport(msgspec.Struct):
    """Games of the sender. All fields are sent: older versions of the server require the first two.

    Attributes:
        gone: games that have ended there or are not public any more.
    """

    put: list[LiveCard] = []
    gone: list[str] = []
    first: bool = False
    last: bool = False


class LiveExchange:
    """The exchange of one node."""

    def __init__(self, cluster: Cluster, lists: LiveLists) -> None:
        self._cluster = cluster
        self._lists = lists
        self._crowds: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        """Timer of the next report of spectator counts."""
        self._sent: set[str] = set()
        """Games whose cards other nodes may have."""
        self._feed = ReplicatedFeed(cluster, TOPICS, LiveCardsReport, self, portion=PORTION)
        lists.on_noted.append(self._feed.note)
        lists.on_crowd.append(self.crowd)
        cluster.on_gone.append(self._gone)

    def close(self) -> None:
        """Stop sending."""
        self._feed.close()
        if self._timer is not None:
            self._timer.cancel()

    # -- games of this node -------------------------------------------------------------------------------

    def crowd(self, game: str) -> None:
        """Announce a changed number of spectators."""
        if not self._cluster.is_alone:
            self._crowds.add(game)
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(CROWD_S, self._flush_crowds)

    def _flush_crowds(self) -> None:
        self._timer = None
        for game in self._crowds & self._sent:
            self._feed.note(game)
        self._crowds.clear()
        self._feed.flush()

    def keys(self) -> Iterable[str]:
        """Return the games of this node."""
        return self._lists.ours()

    def encode(self, games: list[str]) -> LiveCardsReport | None:
        """Return the cards of ``games``, and which of them other nodes are to remove."""
        cards = {game: self._lists.our_card(game) for game in games}
        put = [card for card in cards.values() if card is not None]
        gone = [game for game, card in cards.items() if card is None and game in self._sent]
        # A pending change is still to be sent to all: a full report goes to one node.
        self._sent.difference_update(game for game in gone if not self._feed.is_pending(game))
        self._sent.update(card.g for card in put)
        return LiveCardsReport(put, gone) if put or gone else None

    # -- games of other nodes -----------------------------------------------------------------------------

    def decode(self, cards: LiveCardsReport) -> Iterable[tuple[str, LiveCard | None]]:
        """Yield the games of another node with their cards."""
        yield from ((card.g, card) for card in cards.put)
        yield from ((game, None) for game in cards.gone)

    def replaced(self, node: str, game: str, was: LiveCard | None, card: LiveCard | None) -> None:
        """Add, update or remove a game of ``node``."""
        if card is None:
            self._lists.drop(node, game)
        else:
            self._lists.put(node, card)

    def _gone(self, node: str) -> None:
        if self._cluster.is_alone:
            self._sent.clear()
