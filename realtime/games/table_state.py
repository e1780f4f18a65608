"""The state of a table: its game, and the publication of each event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core.evolve import evolve
from realtime.fanout.message import Message
from realtime.protocol.wire_game import event_body

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.events import AnyEvent
    from game_core.game import Game
    from realtime.fanout.topics import Topic
    from realtime.games.ports import DelayedGame


class TableState:
    """The only place that assigns a table's game.

    Attributes:
        game: the state after the last committed event.
        delayed: the delayed view for the public; None: there is no delay, or all has been shown.
        published_at_ms: instant at which the last event was published.
    """

    __slots__ = ("delayed", "game", "published_at_ms", "topic")

    def __init__(self, game: Game, topic: Topic, now_ms: int) -> None:
        self.game = game
        self.topic = topic
        self.delayed: DelayedGame | None = None
        self.published_at_ms = now_ms

    def apply(self, events: Sequence[AnyEvent], at_ms: int, at_wall_ms: int) -> None:
        """Apply committed ``events`` to the game and publish each of them."""
        for event in events:
            game = self.game = evolve(self.game, event, at_ms)
            self.topic.publish(Message(event_body(game, event, game.seq, at_wall_ms), game.seq))
            if self.delayed is not None:
                self.delayed.follow(game, event, at_ms)
        self.published_at_ms = at_ms

    def adjust(self, **changes: Any) -> None:
        """Replace fields of the game that change without an event: a held clock, ratings counted later."""
        self.game = msgspec.structs.replace(self.game, **changes)

    def restore(self, game: Game) -> None:
        """Set the game to what the journal has, when the table is loaded."""
        self.game = game
        self.topic.seq = game.seq
