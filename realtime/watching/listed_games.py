"""Games as list entries: stored games from their rows, games in progress from their tables."""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING

from game_core.color import COLORS
from game_core.laws.terms import format_laws_terms
from game_core.time_control import speed
from realtime.games.seats import seat_body
from realtime.journal.game_rows import unix_ms
from realtime.protocol.wire_game import add_delay, clock_body, handicap_body, tc_body
from realtime.watching.top_games import BOARDS_OF_ONE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from game_core.game import Setup
    from realtime.clock.loop_time import ServerTime
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.journal.game_rows import GameRow
    from realtime.journal.live_games import LiveGames
    from realtime.protocol.wire_types import GameTermsWire, ListedGameWire, LiveGameWire
    from realtime.watching.live_cards import LiveCard
    from realtime.watching.remote_games import RemoteGames

MOST = 100
"""Maximum number of games in a list: at some 500 bytes each, an answer blocks the loop for at most a millisecond."""

FRESH_MS = 1000
"""Time for which a list of live games is cached: it is made once a second, however many lobbies ask for it."""

SCANNED = 1000
"""Number of recent games examined for the newest in progress; most recently begun games still are."""


def listed_row(row: GameRow) -> ListedGameWire:
    """Return a list entry: a snapshot's fields without the moves, and ``plies``, ``created`` and ``ended``."""
    line: ListedGameWire = {
        **terms_body(row.setup),  # type: ignore[typeddict-item]  # which has no key "simul"
        "players": {"w": seat_body(row.white, row.ratings[0]), "b": seat_body(row.black, row.ratings[1])},
        "status": row.status,
        "result": row.result,
        "reason": row.reason,
        "plies": row.plies,
        "created": unix_ms(row.created_at),
        "ended": None if row.ended_at is None else unix_ms(row.ended_at),
        "ratings": row.ratings_after,
    }
    if row.setup.simul_board is not None:
        line["simul"] = row.setup.simul_board.id
    if row.setup.laws is not None:
        line["laws"] = format_laws_terms(row.setup.laws)
    return line


def listed_table(table: Table, created_ms: int, now_ms: int, at_wall_ms: int) -> LiveGameWire:
    """Return the list entry of a game in progress, with the fields of a mini board."""
    game, seats = table.game, table.seats
    reading = None if game.clock is None else game.clock.reading(now_ms)
    line: LiveGameWire = {
        **terms_body(game.setup),  # type: ignore[typeddict-item]  # which has none of the optional keys
        "players": {color: seat_body(seats[color].user, seats[color].rating) for color in COLORS},
        "status": game.status,
        "result": game.result,
        "reason": game.reason,
        "plies": game.ply,
        "created": created_ms,
        "ended": None,
        "ratings": game.ratings,
        "position": game.rules.fen(game.position),
        "last": game.moves[-1] if game.moves else None,
        "turn": game.turn,
        "watchers": table.topic.watching,
        "clock": clock_body(game.setup, reading, at_wall_ms),
    }
    if game.setup.simul_board is not None:
        line["simul"] = game.setup.simul_board.id
    if game.setup.laws is not None:
        line["laws"] = format_laws_terms(game.setup.laws)
    return line


def with_boards(card: LiveGameWire, boards: Mapping[str, int]) -> LiveGameWire:
    """Return ``card`` with the number of boards of its simul, if it is a board of one; ``boards``: by simul."""
    number = boards.get(card.get("simul") or "")
    return card if number is None else {**card, "boards": number}


class LiveList:
    """The games in progress, the most watched first, then the newest. Games against oneself are private, and games with
    a delayed view are left out, because their absence would reveal their end too early.
    """

    def __init__(self, tables: Tables, time: ServerTime, remote_games: RemoteGames | None = None) -> None:
        self._tables = tables
        self._live: LiveGames = tables.live_games
        self._time = time
        self._remote_games = remote_games
        self._made_at_ms = -FRESH_MS
        self._list: list[LiveGameWire] = []

    def first(self, count: int) -> list[LiveGameWire]:
        """Return the first ``count`` of them, at most ``MOST``."""
        now_ms = self._time.now_ms()
        if now_ms - self._made_at_ms >= FRESH_MS:
            self._made_at_ms = now_ms
            self._list = self._make(now_ms)
        return self._list[:count]

    async def look(self, count: int) -> list[LiveGameWire]:
        """Return the same as ``first``, after updating the games of other nodes."""
        remote_games = self._remote_games
        if remote_games is not None and len(remote_games) and self._time.now_ms() - self._made_at_ms >= FRESH_MS:
            await remote_games.fetch(game for _, _, game, table in self._best() if table is None)
        return self.first(count)

    def _best(self) -> list[tuple[int, int, str, Table | None]]:
        return heapq.nlargest(MOST, self._candidates())

    def _make(self, now_ms: int) -> list[LiveGameWire]:
        at_wall_ms = self._time.wall_ms(now_ms)
        found = []
        for _, created_ms, game_id, table in self._best():
            if table is not None:
                found.append(listed_table(table, created_ms, now_ms, at_wall_ms))
            elif self._remote_games is not None:
                line = self._remote_games.line(game_id)
                if line is not None and line.line["status"] == "live":
                    found.append(line.line)
        return found

    def _candidates(self) -> Iterator[tuple[int, int, str, Table | None]]:
        """Yield the newest games and every game with spectators, each with its sort keys."""
        seen = set()
        for game_id in tuple(self._live.watched):
            table = self._tables.peek(game_id)
            if table is None or not table.topic.watching:
                self._live.watched.discard(game_id)
            elif _is_shown(table):
                seen.add(game_id)
                yield table.topic.watching, self._live.created_ms(game_id), game_id, table
        for game_id in () if self._remote_games is None else self._remote_games.watched - seen:
            card = self._remote_card(game_id)
            if card is not None and self._tables.peek(game_id) is None:
                seen.add(game_id)
                yield card.watching, self._live.created_ms(game_id), game_id, None
        newest = scanned = 0
        boards: Counter[str] = Counter()
        for game_id in self._live.newest():
            if newest >= MOST or scanned >= SCANNED:
                return
            table = self._tables.peek(game_id)
            card = self._remote_card(game_id) if table is None else None
            simul = _simul_of(table, card)
            if simul is not None:
                # A simul has its own page: a thousand boards must not hide all other games.
                boards[simul] += 1
                if boards[simul] > BOARDS_OF_ONE:
                    continue
            scanned += 1
            is_shown = card is not None if table is None else _is_shown(table)
            if is_shown and game_id not in seen:
                newest += 1
                yield 0, self._live.created_ms(game_id), game_id, table

    def _remote_card(self, game_id: str) -> LiveCard | None:
        return None if self._remote_games is None else self._remote_games.card(game_id)


def _simul_of(table: Table | None, card: LiveCard | None) -> str | None:
    if table is not None:
        place = table.game.setup.simul_board
        return None if place is None else place.id
    return None if card is None else card.simul


def _is_shown(table: Table) -> bool:
    return table.game.status == "live" and not table.seats.is_self and table.delayed is None


def terms_body(setup: Setup) -> GameTermsWire:
    """Return the agreed terms of a game."""
    terms: GameTermsWire = {
        "g": setup.id,
        "game": setup.game,
        "variant": setup.variant,
        "rated": setup.rated,
        "rules": setup.profile,
        "speed": speed(setup.pace),
        "tc": tc_body(setup),
    }
    tcs = handicap_body(setup)
    if tcs is not None:
        terms["tcs"] = tcs
    if setup.simul_board is not None:
        terms["simul_host"] = setup.simul_board.host
    add_delay(setup, terms)
    return terms
