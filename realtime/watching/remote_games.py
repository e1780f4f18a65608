"""The games of other nodes: their cards, which come by themselves, and how they stand, which is asked for.

owner ── card: as the game begins, is watched, ends ──► rankings
owner ── line: when a list is looked at that it is on ──► the list
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

    Ask = Callable[[str, list[str]], Awaitable[list["Line"]]]

FRESH_MS = 900
"""How long a line is good: a list is made once a second."""

KEPT_MS = 10_000
"""A line that nobody has asked for so long is forgotten."""


class Line(msgspec.Struct):
    """A game as a line of a list, as its owner had it; ``seq`` is the number of its last event."""

    g: str
    seq: int
    line: LiveGameWire


class _Known(msgspec.Struct):
    line: Line
    owner: str
    got_at_ms: int


class RemoteGames:
    """All of them. Where there is one node it is empty.

    Attributes:
        watched: those that somebody watches.
        ask: gets lines of games from the node that has them; what it does not know it leaves out.
    """

    def __init__(self, time: ServerTime) -> None:
        self.watched: set[str] = set()
        self.ask: Ask | None = None
        self._time = time
        self._cards: dict[str, tuple[str, LiveCard]] = {}
        """By game, with its owner."""
        self._of: dict[str, set[str]] = {}
        """By owner."""
        self._lines: dict[str, _Known] = {}
        self._asking = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._cards)

    def __contains__(self, game: str) -> bool:
        return game in self._cards

    # -- cards --------------------------------------------------------------------------------------------

    def card(self, game: str) -> LiveCard | None:
        """What is known of ``game``; None: no other node has it."""
        known = self._cards.get(game)
        return None if known is None else known[1]

    def owner(self, game: str) -> str | None:
        """Who has it."""
        known = self._cards.get(game)
        return None if known is None else known[0]

    def of(self, owner: str) -> set[str]:
        """The games of one node."""
        return set(self._of.get(owner, ()))

    def put(self, owner: str, card: LiveCard) -> bool:
        """``owner`` tells of a game; whether that is so. A node that slept may not know yet that it has lost it."""
        known = self._cards.get(card.g)
        if known is not None and known[0] != owner:
            if known[1].epoch >= card.epoch:
                return False
            self.drop(card.g)
        self._cards[card.g] = (owner, card)
        self._of.setdefault(owner, set()).add(card.g)
        (self.watched.add if card.watching else self.watched.discard)(card.g)
        return True

    def drop(self, game: str) -> None:
        """No other node has ``game`` any more, or not to be seen."""
        known = self._cards.pop(game, None)
        if known is not None:
            self.watched.discard(game)
            games = self._of[known[0]]
            games.discard(game)
            if not games:
                del self._of[known[0]]

    # -- lines --------------------------------------------------------------------------------------------

    def line(self, game: str) -> Line | None:
        """``game`` as it was when it was asked for last; None: nobody has, lately."""
        known = self._lines.get(game)
        return None if known is None else known.line

    async def fetch(self, games: Iterable[str]) -> None:
        """See to it that ``line`` is of this second for those of ``games`` that other nodes have.

        Whoever does not answer has those lines that are known.
        """
        if not self._cards and not self._lines:
            return
        wanted = list(games)
        async with self._asking:  # whoever has waited finds the lines of the one before him
            now_ms = self._time.now_ms()
            for game in [game for game, known in self._lines.items() if now_ms - known.got_at_ms >= KEPT_MS]:
                del self._lines[game]
            ask = self.ask
            if ask is not None:
                asked = self._stale(wanted, now_ms)
                await asyncio.gather(*(self._fetch(ask, owner, some) for owner, some in asked.items()))

    def _stale(self, wanted: list[str], now_ms: int) -> dict[str, list[str]]:
        asked: dict[str, list[str]] = {}
        for game in dict.fromkeys(wanted):
            known = self._lines.get(game)
            owner = self.owner(game) or (None if known is None else known.owner)
            if owner is None:
                continue
            if known is None or (known.line.line["status"] != "over" and now_ms - known.got_at_ms >= FRESH_MS):
                asked.setdefault(owner, []).append(game)
        return asked

    async def _fetch(self, ask: Ask, owner: str, games: list[str]) -> None:
        for line in await ask(owner, games):
            self._lines[line.g] = _Known(line, owner, self._time.now_ms())
