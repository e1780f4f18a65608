"""Distribution of games in progress, of this node and others, to everything that ranks them, each game once.

tables of this node ──┐
                      ├──► director, book, top
cards of other nodes ─┘
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.games.game_observer import GameObserver
from realtime.watching.live_cards import card_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.watching.live_cards import LiveCard
    from realtime.watching.live_index import LiveIndex
    from realtime.watching.remote_games import RemoteGames
    from realtime.watching.top_games import TopGames
    from realtime.watching.tv.director import Director


class LiveLists(GameObserver):
    """Keeps all rankings of games in play up to date.

    A replica table counts as a game of the node that owns it.

    Args:
        is_alone: whether there is no other node: then this node owns every table.

    Attributes:
        on_noted: called with a game of this node that has begun, has ended, or has left memory.
        on_crowd: called with a game whose number of spectators has changed.
    """

    def __init__(
        self,
        tables: Tables,
        remote_games: RemoteGames,
        director: Director,
        book: LiveIndex,
        top: TopGames,
        is_alone: Callable[[], bool],
    ) -> None:
        self.on_noted: list[Callable[[str], None]] = []
        self.on_crowd: list[Callable[[str], None]] = []
        self._is_alone = is_alone
        self._tables = tables
        self._remote_games = remote_games
        self._director = director
        self._book = book
        self._top = top

    # -- tables of this node -----------------------------------------------------------------------------

    def note(self, table: Table) -> None:
        """Handle a table that has entered memory or changed its status."""
        if table.epoch is None and not self._is_alone():
            return
        card = self._remote_games.card(table.id)
        if card is not None:
            if table.epoch is None or table.epoch < card.epoch:
                return
            self._remote_games.drop(table.id)
        self._top.note(table)
        self._director.note(table)
        self._book.note(table)
        self._noted(table.id)

    def crowd(self, table: Table) -> None:
        """Handle a changed number of spectators."""
        if table.id not in self._remote_games:
            self._director.crowd(table)
            self._book.crowd(table)
            if table.topic.remote_watching:
                self._tables.live_games.watched.add(table.id)
            for call in self.on_crowd:
                call(table.id)

    def forget(self, table: Table) -> None:
        """Handle a table that leaves memory."""
        if table.id not in self._remote_games:
            self._top.forget(table.id)
            self._director.forget(table)
            self._book.forget(table)
            self._noted(table.id)

    def _noted(self, game: str) -> None:
        for call in self.on_noted:
            call(game)

    def ours(self) -> Iterator[str]:
        """Yield the ids of this node's games."""
        return (table.id for table in self._tables.all() if table.epoch is not None)

    def our_card(self, game: str) -> LiveCard | None:
        """Return the card of a game of this node for other nodes; None: it has none."""
        table = self._tables.peek(game)
        return None if table is None or table.epoch is None else card_of(table, self._director.channels_of(table))

    def visit(self, simul: str, game: str | None) -> None:
        """Handle the host's arrival at a board of a simul that this node leads; None: the simul is over."""
        for changed in self._director.visit(simul, game):
            self._noted(changed)

    # -- games of other nodes -----------------------------------------------------------------------------

    def put(self, owner: str, card: LiveCard) -> None:
        """Add or update a game of ``owner``."""
        table = self._tables.peek(card.g)
        if table is not None and table.epoch is not None and table.epoch >= card.epoch:
            return
        if self._remote_games.put(owner, card):
            self._top.put(card)
            self._director.put(card)
            self._book.put(card)

    def drop(self, owner: str, game: str) -> None:
        """Remove a game that ``owner`` no longer has or that is no longer public."""
        if self._remote_games.owner(game) == owner:
            self._remote_games.drop(game)
            self._top.forget(game)
            self._director.drop(game)
            self._book.drop(game)
