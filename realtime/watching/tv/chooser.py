"""Choice of the game that each channel shows: pure, with work proportional to the number of changes.

A channel leaves a running game only for one that is clearly better, only after a minimum time, and never while a side
is short of time. A finished game stays for some seconds, so that viewers see how it ended, and then until there is
another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from realtime.watching.tv.ranking import Ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

CLEARLY = 100
"""Advantage needed to replace a running game: one rating class, or sixteen times as many spectators."""

SETTLED_MS = 30_000
"""Minimum time for a running game, so that viewers are not moved on as soon as they have seen who plays."""

SEEN_MS = 5_000
"""Minimum time for which the end of a game is shown."""

INTEREST = 25
"""Score for each doubling of spectators."""

MOST_INTEREST = 10 * INTEREST
"""Maximum score for spectators, reached by 512: otherwise being on TV would keep a game there."""


class ChannelGame(msgspec.Struct):
    """The game that a channel shows.

    Attributes:
        since_ms: when the channel began to show it.
        over_ms: when the game ended or was withdrawn; None: it is running.
        successor: the candidate that takes its place at once (``succeed``).
    """

    game: str
    since_ms: int
    over_ms: int | None = None
    successor: str | None = None


class Entry(msgspec.Struct, frozen=True):
    """A candidate game."""

    strength: int
    channels: tuple[str, ...]


class ChannelChange(msgspec.Struct, frozen=True):
    """``channel`` shows ``game`` from now on."""

    channel: str
    game: str


def interest(watchers: int) -> int:
    """Return what ``watchers`` add to the strength of a game."""
    return min(MOST_INTEREST, INTEREST * watchers.bit_length())


class Chooser:
    """All channels. ``begin``, ``watch`` and ``end`` report changes of games; ``choose`` is called every second.

    Args:
        channels: their names, in the order of the results.
    """

    def __init__(self, channels: Iterable[str]) -> None:
        self._rankings = {channel: Ranking() for channel in channels}
        self._games: dict[str, Entry] = {}
        self._shown: dict[str, ChannelGame] = {}
        self._on: dict[str, set[str]] = {}
        """By game, the channels that show it."""

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, game: str) -> bool:
        return game in self._games

    def begin(self, game: str, strength: int, channels: Iterable[str]) -> None:
        """Add ``game`` as a candidate for these channels; a known game is ignored."""
        if game in self._games:
            return
        entry = self._games[game] = Entry(strength, tuple(channels))
        for channel in entry.channels:
            self._rankings[channel].put(game, strength)
        for channel in self._on.get(game, set()).intersection(entry.channels):
            self._shown[channel].over_ms = None  # the game has returned

    def watch(self, game: str, watchers: int) -> None:
        """Set the number of spectators of ``game``; a game that is no candidate is ignored."""
        entry = self._games.get(game)
        if entry is not None:
            score = entry.strength + interest(watchers)
            for channel in entry.channels:
                self._rankings[channel].put(game, score)

    def end(self, game: str, now_ms: int) -> None:
        """Remove ``game``, which is over or must no longer be shown."""
        entry = self._games.pop(game, None)
        if entry is not None:
            for channel in entry.channels:
                self._rankings[channel].drop(game)
            for channel in self._on.get(game, ()):
                self._shown[channel].over_ms = now_ms

    def succeed(self, game: str, successor: str, strength: int, channels: Iterable[str], now_ms: int) -> None:
        """Put ``successor`` in the place of ``game``: channels that show ``game`` change to it with the next choice."""
        self.begin(successor, strength, channels)
        self.end(game, now_ms)
        for shown in self._shown.values():
            if game in (shown.game, shown.successor):
                shown.successor = None if shown.game == successor else successor

    def recall(self, channel: str, game: str, now_ms: int) -> bool:
        """Show the finished ``game`` on ``channel`` if it has shown nothing yet. Return whether it does."""
        if channel in self._shown:
            return False
        self._show(channel, ChannelGame(game, now_ms, over_ms=now_ms - SEEN_MS))
        return True

    def follow(self, channel: str, game: str, now_ms: int) -> None:
        """Show ``game`` on ``channel``, as another chooser has decided."""
        shown = self._shown.get(channel)
        if shown is None or shown.game != game:
            if shown is not None:
                self._leave(channel, shown.game)
            self._show(channel, ChannelGame(game, now_ms, over_ms=None if game in self._games else now_ms))

    def shown(self) -> dict[str, str]:
        """Return the game of every channel that has had one."""
        return {channel: self._shown[channel].game for channel in self._rankings if channel in self._shown}

    def choose(self, now_ms: int, is_scramble: Callable[[str], bool]) -> list[ChannelChange]:
        """Choose for every channel and return the changes.

        Args:
            is_scramble: whether a side of a game is short of time.
        """
        return list(self._choose(now_ms, is_scramble))

    def _choose(self, now_ms: int, is_scramble: Callable[[str], bool]) -> Iterator[ChannelChange]:
        for channel, ranking in self._rankings.items():
            best = ranking.first()
            if best is None:
                continue
            shown = self._shown.get(channel)
            if shown is not None and shown.successor is not None and shown.successor in ranking:
                self._leave(channel, shown.game)
                self._show(channel, ChannelGame(shown.successor, shown.since_ms))
                yield ChannelChange(channel, shown.successor)
            elif shown is None or self._may_leave(shown, best, ranking, now_ms, is_scramble):
                if shown is not None:
                    self._leave(channel, shown.game)
                self._show(channel, ChannelGame(best, now_ms))
                yield ChannelChange(channel, best)

    def _may_leave(
        self, shown: ChannelGame, best: str, ranking: Ranking, now_ms: int, is_scramble: Callable[[str], bool]
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

    def _show(self, channel: str, shown: ChannelGame) -> None:
        self._shown[channel] = shown
        self._on.setdefault(shown.game, set()).add(channel)

    def _leave(self, channel: str, game: str) -> None:
        channels = self._on[game]
        channels.discard(channel)
        if not channels:
            del self._on[game]
