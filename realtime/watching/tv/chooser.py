"""Which game each channel shows, from what is said of the games: pure, and no more work than there are changes.

A channel leaves a game that goes on only for one that is clearly better, only when it has shown it for a while, and
never while a side is short of time. A game that is over is seen for some seconds, so that everybody sees how it ended,
and then until there is another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from realtime.watching.tv.ranking import Ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

CLEARLY = 100
"""So much better is a game that a channel changes over to: a class of players, or sixteen times as many who watch."""

SETTLED_MS = 30_000
"""A game that goes on is shown for so long at least: nobody likes to be torn away as soon as he has seen who plays."""

SEEN_MS = 5_000
"""The end of a game is shown for so long at least."""

INTEREST = 25
"""What it is worth when twice as many watch."""

MOST_INTEREST = 10 * INTEREST
"""A thousand are as good as any number: else who is on television would stay there for being on it."""


class Shown(msgspec.Struct):
    """What a channel shows.

    Attributes:
        since_ms: from when on.
        over_ms: when the game ended, or was taken away; None: it goes on.
    """

    game: str
    since_ms: int
    over_ms: int | None = None


class Entry(msgspec.Struct, frozen=True):
    """A game that may be shown."""

    strength: int
    channels: tuple[str, ...]


class Change(msgspec.Struct, frozen=True):
    """``channel`` shows ``game`` from now on."""

    channel: str
    game: str


def interest(watchers: int) -> int:
    """What ``watchers`` add to the strength of a game."""
    return min(MOST_INTEREST, INTEREST * watchers.bit_length())


class Chooser:
    """All channels. ``begin``, ``watch`` and ``end`` tell what happens to games; ``choose`` is asked every second.

    Args:
        channels: their names, in the order in which they are told.
    """

    def __init__(self, channels: Iterable[str]) -> None:
        self._rankings = {channel: Ranking() for channel in channels}
        self._games: dict[str, Entry] = {}
        self._shown: dict[str, Shown] = {}
        self._on: dict[str, set[str]] = {}
        """By game, the channels that show it."""

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, game: str) -> bool:
        return game in self._games

    def begin(self, game: str, strength: int, channels: Iterable[str]) -> None:
        """``game`` may be shown from now on, on these channels; nothing happens if that is known."""
        if game in self._games:
            return
        entry = self._games[game] = Entry(strength, tuple(channels))
        for channel in entry.channels:
            self._rankings[channel].put(game, strength)
        for channel in self._on.get(game, set()).intersection(entry.channels):
            self._shown[channel].over_ms = None  # it is back

    def watch(self, game: str, watchers: int) -> None:
        """So many watch ``game`` now; nothing happens where that is no candidate."""
        entry = self._games.get(game)
        if entry is not None:
            score = entry.strength + interest(watchers)
            for channel in entry.channels:
                self._rankings[channel].put(game, score)

    def end(self, game: str, now_ms: int) -> None:
        """``game`` is over, or must not be shown any more."""
        entry = self._games.pop(game, None)
        if entry is not None:
            for channel in entry.channels:
                self._rankings[channel].drop(game)
            for channel in self._on.get(game, ()):
                self._shown[channel].over_ms = now_ms

    def recall(self, channel: str, game: str, now_ms: int) -> bool:
        """``channel``, which has shown nothing yet, shows ``game``, which is over; whether it does."""
        if channel in self._shown:
            return False
        self._show(channel, Shown(game, now_ms, over_ms=now_ms - SEEN_MS))
        return True

    def follow(self, channel: str, game: str, now_ms: int) -> None:
        """``channel`` shows ``game``: another chooser has decided it."""
        shown = self._shown.get(channel)
        if shown is None or shown.game != game:
            if shown is not None:
                self._leave(channel, shown.game)
            self._show(channel, Shown(game, now_ms, over_ms=None if game in self._games else now_ms))

    def shown(self) -> dict[str, str]:
        """The game of every channel that has had one."""
        return {channel: self._shown[channel].game for channel in self._rankings if channel in self._shown}

    def choose(self, now_ms: int, is_scramble: Callable[[str], bool]) -> list[Change]:
        """Look at every channel: those that show another game from now on.

        Args:
            is_scramble: whether a side of a game is short of time.
        """
        return list(self._choose(now_ms, is_scramble))

    def _choose(self, now_ms: int, is_scramble: Callable[[str], bool]) -> Iterator[Change]:
        for channel, ranking in self._rankings.items():
            best = ranking.first()
            if best is None:
                continue
            shown = self._shown.get(channel)
            if shown is None or self._may_leave(shown, best, ranking, now_ms, is_scramble):
                if shown is not None:
                    self._leave(channel, shown.game)
                self._show(channel, Shown(best, now_ms))
                yield Change(channel, best)

    def _may_leave(
        self, shown: Shown, best: str, ranking: Ranking, now_ms: int, is_scramble: Callable[[str], bool]
    ) -> bool:
        if best == shown.game:
            return False
        if shown.over_ms is not None:
            return now_ms - shown.over_ms >= SEEN_MS
        has, could_have = ranking.score(shown.game), ranking.score(best)
        assert has is not None, "it goes on"
        assert could_have is not None, "it is the first"
        if could_have - has < CLEARLY or now_ms - shown.since_ms < SETTLED_MS:
            return False
        return not is_scramble(shown.game)

    def _show(self, channel: str, shown: Shown) -> None:
        self._shown[channel] = shown
        self._on.setdefault(shown.game, set()).add(channel)

    def _leave(self, channel: str, game: str) -> None:
        channels = self._on[game]
        channels.discard(channel)
        if not channels:
            del self._on[game]
