"""Factory of tables: for new games, and for games rebuilt from their events."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import msgspec

from game_core.public_delay import NO_DELAY
from game_core.replay import replay_events
from game_core.start import new_game
from realtime.fanout.message import Message
from realtime.fanout.topics import Topic
from realtime.games.delay.delayed_view import DelayedView
from realtime.games.pending_command import answer_again, needs_game
from realtime.games.ratings.rated_table import RatedTable
from realtime.games.seats import Seats, seats_of
from realtime.games.table import Table
from realtime.protocol.wire_game import event_body

if TYPE_CHECKING:
    from game_core.events import AnyEvent
    from game_core.game import Game, Setup
    from lobby.pairing import NewGame
    from realtime.games.board_hosts import BoardHosts
    from realtime.games.delay.delayed_reads import RecordedDelay
    from realtime.games.delay.exemptions import DelayExemptions
    from realtime.games.seats import IsShown
    from realtime.games.services import Services
    from realtime.journal.game_rows import GameRow, Log
    from realtime.journal.storage import Storage


class TableFactory:
    """Creates tables from a game, its seats and the services of the server.

    Args:
        services: for tables of unrated games; the ends of rated games go to ``storage`` instead of the journal.
        exemptions: exemptions from the public delay.
        hosts: the hosts of simuls.
        is_shown: whether a user is shown online.
    """

    def __init__(
        self,
        services: Services,
        storage: Storage,
        exemptions: DelayExemptions,
        hosts: BoardHosts,
        is_shown: IsShown,
    ) -> None:
        self._services = services
        self._rated = dataclasses.replace(services, journal=storage)
        self._exemptions = exemptions
        self._hosts = hosts
        self._is_shown = is_shown

    def new(self, game: Game, seats: Seats, epoch: int | None, topic: Topic | None = None) -> Table:
        """Return the table of ``game``, with the subscribers of ``topic``."""
        if topic is None:
            topic = Topic(f"game:{game.setup.id}", fan_out=self._services.fan_out)
        if game.setup.rated:
            table: Table = RatedTable(game, seats, epoch, topic, self._rated)
        else:
            table = Table(game, seats, epoch, topic, self._services)
        if game.setup.public_delay != NO_DELAY:
            table.delayed = DelayedView(table, self._exemptions.of(game.setup), self._services)
        return table

    def begun(self, new: NewGame, setup: Setup, now_ms: int) -> Table:
        """Return the table of a game that begins now, at this node."""
        match = None if new.rematch_of is None else new.match
        seats = Seats(
            new.white,
            new.black,
            now_ms,
            new.ratings,
            match,
            self._hosts,
            new.simul_board,
            self._is_shown,
            new.countries,
        )
        return self.new(new_game(setup, now_ms), seats, 1)

    def rebuilt(
        self, row: GameRow, events: Log, epoch: int | None, past: RecordedDelay | None, topic: Topic | None
    ) -> Table:
        """Return the table of a stored game. Events that ``topic`` has not seen are published there.

        Args:
            row: if the game is ours, read after the takeover under ``epoch``: it has the thinking time since the last
                event.
            past: ages of the events, for a game with a public delay.
        """
        time = self._services.time
        now_ms = time.now_ms()
        at_wall_ms = time.wall_ms(now_ms)
        game = new_game(row.setup, now_ms)
        seen = None if topic is None else topic.seq
        table = self.new(game, seats_of(row, now_ms, self._hosts, self._is_shown), epoch, topic)
        topic = table.topic
        passed: list[AnyEvent] = []
        """Events after which the state of the game is not needed."""
        for seq, (event, cause) in enumerate(events, 1):
            passed.append(event)
            is_new = seen is not None and seq > seen
            if is_new or (cause is not None and needs_game(event, cause.request)):
                game = replay_events(game, passed, now_ms)
                passed.clear()
            if cause is not None:
                table.answers.remember(cause.user, cause.key, answer_again(game, event, cause.request, seq))
            if is_new:
                topic.publish(Message(event_body(game, event, seq, at_wall_ms), seq))
        game = replay_events(game, passed, now_ms)
        if game.unrated == "later" and (row.ratings_after or row.unrated):
            game = msgspec.structs.replace(game, ratings=row.ratings_after, unrated=row.unrated)
        if epoch is not None and game.clock is not None:
            game = msgspec.structs.replace(game, clock=row.charged(game.clock))
        table.restore(game)
        for connection in topic.subscribers():
            table.seats.join(connection)
        if past is not None and table.delayed is not None:
            table.delayed.recall([event for event, _ in events], past.ages_ms, now_ms)
        return table
