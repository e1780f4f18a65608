"""The games of other nodes: their cards, which are pushed, and their lines, which are fetched on demand.

owner ── card: as the game begins, is watched, ends ──► rankings
owner ── line: when a list with the game is requested ──► the list
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from realtime.protocol.wire_types import LiveGameWire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from realtime.clock.loop_time import ServerTime
    from realtime.watching.live_cards import LiveCard

    FetchEntries = Callable[[str, list[str]], Awaitable[list["RemoteEntry"]]]

FRESH_MS = 900
"""Time for which a line is fresh: a list is made once a second."""

KEPT_MS = 10_000
"""Time after which an unused line is dropped."""


class RemoteEntry(msgspec.Struct):
    """A game as a list entry from its owner; ``seq`` is the number of its last event."""

    g: str
    seq: int
    line: LiveGameWire


class _CachedEntry(msgspec.Struct):
    line: RemoteEntry
    owner: str
    got_at_ms: int


class RemoteGames:
    """All games of other nodes. On a lone node it is empty.

    Args:
        request_entries: fetches lines of games from their owner, which leaves out unknown games.

    Attributes:
        watched: games with spectators.
    """

    def __init__(self, time: ServerTime, request_entries: FetchEntries) -> None:
        self.watched: set[str] = set()
        self._request_entries = request_entries
        self._time = time
        self._cards: dict[str, tuple[str, LiveCard]] = {}
        """By game, its owner and card."""
        self._lines: dict[str, _CachedEntry] = {}
        self._fetching = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._cards)

    def __contains__(self, game: str) -> bool:
        return game in self._cards

    # -- cards --------------------------------------------------------------------------------------------

    def card(self, game: str) -> LiveCard | None:
        """Return the card of ``game``; None: no other node has it."""
        known = self._cards.get(game)
        return None if known is None else known[1]

    def owner(self, game: str) -> str | None:
        """Return the owner of ``game``; None: no other node has it."""
        known = self._cards.get(game)
        return None if known is None else known[0]

    def put(self, owner: str, card: LiveCard) -> bool:
        """Store a card of ``owner`` and return whether it is valid. A node that slept may not know that it has lost the
        game.
        """
        known = self._cards.get(card.g)
        if known is not None and known[0] != owner:
            if known[1].epoch >= card.epoch:
                return False
            self.drop(card.g)
        self._cards[card.g] = (owner, card)
        (self.watched.add if card.watching else self.watched.discard)(card.g)
        return True

    def drop(self, game: str) -> None:
        """Remove ``game``, which no other node has any more or which is no longer public."""
        if self._cards.pop(game, None) is not None:
            self.watched.discard(game)

    # -- lines --------------------------------------------------------------------------------------------

    def line(self, game: str) -> RemoteEntry | None:
        """Return the last fetched line of ``game``; None: none was fetched lately."""
        known = self._lines.get(game)
        return None if known is None else known.line

    async def fetch(self, games: Iterable[str]) -> None:
        """Fetch lines for those of ``games`` that other nodes have, unless they are fresh.

        If a node does not answer, its known lines stay.
        """
        if not self._cards and not self._lines:
            return
        wanted = list(games)
        async with self._fetching:  # a caller that has waited finds the lines of the one before
            now_ms = self._time.now_ms()
            for game in [game for game, known in self._lines.items() if now_ms - known.got_at_ms >= KEPT_MS]:
                del self._lines[game]
            requests = self._stale(wanted, now_ms)
            await asyncio.gather(*(self._fetch(owner, some) for owner, some in requests.items()))

    def _stale(self, wanted: list[str], now_ms: int) -> dict[str, list[str]]:
        by_owner: dict[str, list[str]] = {}
        for game in dict.fromkeys(wanted):
            known = self._lines.get(game)
            owner = self.owner(game) or (None if known is None else known.owner)
            if owner is None:
                continue
            if known is None or (known.line.line["status"] != "over" and now_ms - known.got_at_ms >= FRESH_MS):
                by_owner.setdefault(owner, []).append(game)
        return by_owner

    async def _fetch(self, owner: str, games: list[str]) -> None:
        for line in await self._request_entries(owner, games):
            self._lines[line.g] = _CachedEntry(line, owner, self._time.now_ms())
