"""The games being played now, to be looked through: the best first, by speed, variant, rating, title and people.

Each game stands in a few rankings; what changes costs as much as a move in them, what is asked for as much as is shown.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from game_core.color import COLORS
from game_core.time_control import Speed, speed
from realtime.listed_games import FRESH_MS, listed_table
from realtime.top_games import BOARDS_OF_ONE
from realtime.tv.chooser import interest
from realtime.tv.ranking import Ranking
from realtime.tv.standing import is_public, strength_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from realtime.loop_time import ServerTime
    from realtime.table import Table
    from realtime.tables import Tables
    from realtime.wire_types import LiveGameWire

SCANNED = 2000
"""Games looked at for one list, a millisecond's worth: the rankings have the best first, so that more would only find
what nobody gets to see."""

MOST_ANSWERS = 200
"""Different lists that are kept for the second for which they are good."""


class LiveFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which games somebody wants to see; what is None does not matter.

    Attributes:
        min_rating: both players have at least this.
        title: at least one of them has a title.
        people: ids, of whom at least one plays.
    """

    speed: Speed | None = None
    variant: str | None = None
    min_rating: int | None = None
    title: bool = False
    people: frozenset[str] | None = None


class LiveBook:
    """All games that everybody may see being played."""

    def __init__(self, tables: Tables, time: ServerTime) -> None:
        self._tables = tables
        self._time = time
        self._all = Ranking()
        self._titled = Ranking()
        self._by: dict[str, Ranking] = {}
        """By speed and by variant: no speed is called as a variant is."""
        self._in: dict[str, tuple[int, tuple[Ranking, ...]]] = {}
        """By game, its strength and the rankings that it stands in."""
        self._answers: dict[tuple[LiveFilter, int], list[LiveGameWire]] = {}
        self._cards: dict[str, LiveGameWire] = {}
        """Of this second: the same game is on many lists."""
        self._answered_at_ms = -FRESH_MS

    def __len__(self) -> int:
        return len(self._all)

    # -- what happens to games ----------------------------------------------------------------------------

    def note(self, table: Table) -> None:
        """``table`` has entered memory, or its status has changed."""
        if not is_public(table):
            self.forget(table)
        elif table.id not in self._in:
            setup = table.game.setup
            rankings = [self._all]
            rankings += (self._by.setdefault(name, Ranking()) for name in (speed(setup.pace), setup.variant))
            if any(table.seats[color].user.title is not None for color in COLORS):
                rankings.append(self._titled)
            self._in[table.id] = (strength_of(table), tuple(rankings))
            self.crowd(table)

    def crowd(self, table: Table) -> None:
        """More watch ``table``, or fewer."""
        known = self._in.get(table.id)
        if known is not None:
            strength, rankings = known
            score = strength + interest(table.topic.watching)
            for ranking in rankings:
                ranking.put(table.id, score)

    def forget(self, table: Table) -> None:
        """``table`` leaves memory, or is not to be seen any more."""
        known = self._in.pop(table.id, None)
        if known is not None:
            for ranking in known[1]:
                ranking.drop(table.id)

    # -- what is asked for --------------------------------------------------------------------------------

    def find(self, wanted: LiveFilter, count: int) -> list[LiveGameWire]:
        """The best ``count`` games that are ``wanted``, as lines of a list; made at most once a second."""
        now_ms = self._time.now_ms()
        if now_ms - self._answered_at_ms >= FRESH_MS:
            self._answers.clear()
            self._cards.clear()
            self._answered_at_ms = now_ms
        key = (wanted, count)
        answer = self._answers.get(key)
        if answer is None:
            answer = [self._card(table, now_ms) for table in self._found(wanted, count)]
            if len(self._answers) < MOST_ANSWERS:
                self._answers[key] = answer
        return answer

    def _card(self, table: Table, now_ms: int) -> LiveGameWire:
        card = self._cards.get(table.id)
        if card is None:
            created_ms = self._tables.live_games.created_ms(table.id)
            card = self._cards[table.id] = listed_table(table, created_ms, now_ms, self._time.wall_ms(now_ms))
        return card

    def _found(self, wanted: LiveFilter, count: int) -> Iterator[Table]:
        boards: Counter[str] = Counter()
        found = 0
        for scanned, game_id in enumerate(self._candidates(wanted)):
            if found >= count or scanned >= SCANNED:
                return
            table = self._tables.peek(game_id)
            if table is None or not _fits(table, wanted):
                continue
            place = table.game.setup.exhibition
            if place is not None:
                # An exhibition has a page of its own: a thousand boards must not hide all other games.
                boards[place.id] += 1
                if boards[place.id] > BOARDS_OF_ONE:
                    continue
            found += 1
            yield table

    def _candidates(self, wanted: LiveFilter) -> Iterable[str]:
        """The fewest games among which all are that are wanted, the best first."""
        if wanted.people is not None:
            games = {game for person in wanted.people for game in self._tables.live_games.of(person)} & self._in.keys()
            return sorted(games, key=lambda game: (-(self._all.score(game) or 0), game))
        none = Ranking()
        rankings = [self._all]
        rankings += (self._by.get(name, none) for name in (wanted.speed, wanted.variant) if name is not None)
        if wanted.title:
            rankings.append(self._titled)
        return min(rankings, key=len)


def _fits(table: Table, wanted: LiveFilter) -> bool:
    setup = table.game.setup
    seats = [table.seats[color] for color in COLORS]
    if wanted.speed not in (None, speed(setup.pace)) or wanted.variant not in (None, setup.variant):
        return False
    if wanted.title and all(seat.user.title is None for seat in seats):
        return False
    least = wanted.min_rating
    return least is None or all(seat.rating is not None and seat.rating.rating >= least for seat in seats)
