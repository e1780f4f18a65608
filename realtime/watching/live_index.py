"""Search index of the games in progress: the best first, by speed, variant, rating, title and players.

Each game is in a few rankings. An update costs one move in each of them; a query costs as much as it shows.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from game_core.time_control import Speed
from realtime.watching.listed_games import FRESH_MS, listed_table, with_boards
from realtime.watching.live_cards import LiveCard, card_of
from realtime.watching.top_games import BOARDS_OF_ONE
from realtime.watching.tv.chooser import interest
from realtime.watching.tv.ranking import Ranking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from realtime.clock.loop_time import ServerTime
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.protocol.wire_types import LiveGameWire
    from realtime.watching.remote_games import RemoteGames

SCANNED = 2000
"""Maximum number of games examined for one list, a millisecond's work. The rankings are sorted, so further games would
hardly be shown.
"""

MOST_ANSWERS = 200
"""Maximum number of different lists cached for the second in which they are valid."""


class LiveFilter(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for games in progress; a field that is None selects everything.

    Attributes:
        min_rating: minimum rating of both players.
        title: at least one player has a title.
        people: ids; at least one of these users plays.
    """

    speed: Speed | None = None
    variant: str | None = None
    min_rating: int | None = None
    title: bool = False
    people: frozenset[str] | None = None


class LiveIndex:
    """The index of all public games in progress.

    Args:
        remote_games: the games of other nodes; None: there are no other nodes.

    Attributes:
        playing: the number of games by pool, without those that have none.
        boards: the number of games by simul.
    """

    def __init__(self, tables: Tables, time: ServerTime, remote_games: RemoteGames | None = None) -> None:
        self._tables = tables
        self._time = time
        self._remote_games = remote_games
        self._all = Ranking()
        self._titled = Ranking()
        self._by: dict[str, Ranking] = {}
        """Rankings by speed and by variant, whose names never coincide."""
        self.playing: Counter[str] = Counter()
        self.boards: Counter[str] = Counter()
        self._in: dict[str, tuple[LiveCard, tuple[Ranking, ...]]] = {}
        """By game, its card and the rankings it is in."""
        self._answers: dict[tuple[LiveFilter, int], list[LiveGameWire]] = {}
        self._totals: dict[LiveFilter, int] = {}
        self._cards: dict[str, LiveGameWire] = {}
        """Entries made in the present second: a game is on many lists."""
        self._answered_at_ms = -FRESH_MS

    def __len__(self) -> int:
        return len(self._all)

    # -- updates ------------------------------------------------------------------------------------------

    def note(self, table: Table) -> None:
        """Handle a table that has entered memory or changed its status."""
        if table.id in self._in and table.game.status == "live":
            return
        card = card_of(table)
        if card is None:
            self.drop(table.id)
        else:
            self.put(card)

    def crowd(self, table: Table) -> None:
        """Handle a changed number of spectators."""
        self.watch(table.id, table.topic.watching)

    def forget(self, table: Table) -> None:
        """Handle a table that leaves memory or is no longer public."""
        self.drop(table.id)

    def put(self, card: LiveCard) -> None:
        """Add or update a game in progress, of this node or another."""
        if card.g not in self._in:
            rankings = [self._all]
            rankings += (self._by.setdefault(name, Ranking()) for name in (card.speed, card.variant))
            if card.titled:
                rankings.append(self._titled)
            self._in[card.g] = (card, tuple(rankings))
            for counter, name in ((self.playing, card.pool), (self.boards, card.simul)):
                if name is not None:
                    counter[name] += 1
        self.watch(card.g, card.watching)

    def watch(self, game: str, watchers: int) -> None:
        """Set the number of spectators of ``game``; an unknown game is ignored."""
        known = self._in.get(game)
        if known is not None:
            card, rankings = known
            score = card.strength + interest(watchers)
            for ranking in rankings:
                ranking.put(game, score)

    def drop(self, game: str) -> None:
        """Remove ``game``, which is no longer public or in progress."""
        known = self._in.pop(game, None)
        if known is not None:
            for ranking in known[1]:
                ranking.drop(game)
            for counter, name in ((self.playing, known[0].pool), (self.boards, known[0].simul)):
                if name is not None:
                    counter[name] -= 1
                    if not counter[name]:
                        del counter[name]

    # -- queries ------------------------------------------------------------------------------------------

    async def look(self, wanted: LiveFilter, count: int) -> list[LiveGameWire]:
        """Return the same as ``find``, after updating the games of other nodes."""
        remote_games = self._remote_games
        if remote_games is not None and len(remote_games) and not self._is_answered(wanted, count):
            await remote_games.fetch(self._found(wanted, count))
        return self.find(wanted, count)

    def _is_answered(self, wanted: LiveFilter, count: int) -> bool:
        return (wanted, count) in self._answers and self._time.now_ms() - self._answered_at_ms < FRESH_MS

    def find(self, wanted: LiveFilter, count: int) -> list[LiveGameWire]:
        """Return entries of the best ``count`` games that match ``wanted``; computed at most once a second."""
        now_ms = self._time.now_ms()
        if now_ms - self._answered_at_ms >= FRESH_MS:
            self._answers.clear()
            self._totals.clear()
            self._cards.clear()
            self._answered_at_ms = now_ms
        key = (wanted, count)
        answer = self._answers.get(key)
        if answer is None:
            cards = (self._card(game, now_ms) for game in self._found(wanted, count))
            # The boards of friends are listed one by one.
            boards: Mapping[str, int] = self.boards if wanted.people is None else {}
            answer = [with_boards(card, boards) for card in cards if card is not None]
            if len(self._answers) < MOST_ANSWERS:
                self._answers[key] = answer
        return answer

    def count(self, wanted: LiveFilter) -> int:
        """Return how many games match ``wanted``, each board of a simul included; at most ``SCANNED`` are looked at if
        no ranking tells. Valid for as long as the lists of ``find``.
        """
        total = self._totals.get(wanted)
        if total is None:
            kinds = LiveFilter(speed=wanted.speed), LiveFilter(variant=wanted.variant), LiveFilter(title=wanted.title)
            if wanted in kinds:
                total = len(self._ranking(wanted))
            else:
                total = sum(_fits(self._in[game][0], wanted) for game in islice(self._candidates(wanted), SCANNED))
            if len(self._totals) < MOST_ANSWERS:
                self._totals[wanted] = total
        return total

    def _card(self, game: str, now_ms: int) -> LiveGameWire | None:
        card = self._cards.get(game)
        if card is None:
            table = self._tables.peek(game)
            if table is not None:
                created_ms = self._tables.live_games.created_ms(game)
                card = listed_table(table, created_ms, now_ms, self._time.wall_ms(now_ms))
            else:
                line = None if self._remote_games is None else self._remote_games.line(game)
                card = None if line is None else line.line
            if card is None or card["status"] != "live":
                return None  # its owner has not sent its state yet
            self._cards[game] = card
        return card

    def _found(self, wanted: LiveFilter, count: int) -> Iterator[str]:
        boards: Counter[str] = Counter()
        found = 0
        for scanned, game in enumerate(self._candidates(wanted)):
            if found >= count or scanned >= SCANNED:
                return
            card = self._in[game][0]
            if not _fits(card, wanted):
                continue
            if card.simul is not None and wanted.people is None:
                # A simul has its own page: a thousand boards must not hide all other games.
                boards[card.simul] += 1
                if boards[card.simul] > BOARDS_OF_ONE:
                    continue
            found += 1
            yield game

    def _candidates(self, wanted: LiveFilter) -> Iterable[str]:
        """Return the smallest set of games that includes all matches, the best first."""
        if wanted.people is not None:
            games = {game for person in wanted.people for game in self._tables.live_games.of(person)} & self._in.keys()
            return sorted(games, key=lambda game: (-(self._all.score(game) or 0), game))
        return self._ranking(wanted)

    def _ranking(self, wanted: LiveFilter) -> Ranking:
        """Return the smallest ranking that includes all matches."""
        none = Ranking()
        rankings = [self._all]
        rankings += (self._by.get(name, none) for name in (wanted.speed, wanted.variant) if name is not None)
        if wanted.title:
            rankings.append(self._titled)
        return min(rankings, key=len)


def _fits(card: LiveCard, wanted: LiveFilter) -> bool:
    if wanted.speed not in (None, card.speed) or wanted.variant not in (None, card.variant):
        return False
    if wanted.title and not card.titled:
        return False
    return wanted.min_rating is None or (card.least is not None and card.least >= wanted.min_rating)
