"""Interfaces between a table and its parts, and to other packages: small Protocols that keep imports one-way.

``Table`` implements ``LiveTable``, ``delay/`` implements ``DelayedGame``, and ``cluster/games/`` implements
``GameReplicaNodes`` and ``ReplicaSource``. The wiring connects them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from game_core.color import Color
    from game_core.events import AnyEvent
    from game_core.game import Game
    from lobby.chat import ChatLine
    from lobby.pairing import GameFacts
    from realtime.fanout.topics import Topic
    from realtime.games.chat_rooms import ChatRooms
    from realtime.games.delay.exemptions import Exempt
    from realtime.games.pending_command import PendingCommand
    from realtime.games.seats import Seats


class ShownGame(Protocol):
    """A game as one group of people sees it: at once, or with a delay."""

    @property
    def game(self) -> Game:
        """State of the game."""

    @property
    def topic(self) -> Topic:
        """Topic of its subscribers."""

    @property
    def delay_ms(self) -> int:
        """Delay against the players, in ms."""


class DelayedGame(ShownGame, Protocol):
    """What a table shows to everybody but its players while the game has a public delay."""

    chat: ChatRooms | None
    exempt: Exempt

    @property
    def is_waiting(self) -> bool:
        """Return whether something is still to be shown."""

    def recall(self, events: Iterable[AnyEvent], ages_ms: list[int], now_ms: int) -> None:
        """Rebuild from ``events``; ``ages_ms`` of each."""

    def follow(self, game: Game, event: AnyEvent, at_ms: int) -> None:
        """Handle ``event``, which was published at ``at_ms`` and led to ``game``."""

    def hold(self, why: str, since_ms: int | None) -> None:
        """Handle a clock hold by the server. The running side was charged up to ``since_ms``; None: not since the last
        event."""

    def due_ms(self) -> int | None:
        """Return when the next event is to be shown, on the game axis."""

    def on_timer(self) -> None:
        """Show what is due."""


class LiveTable(Protocol):
    """A table as its parts see it."""

    seats: Seats
    topic: Topic
    epoch: int | None
    chat: ChatRooms | None
    delayed: DelayedGame | None
    """What the public sees with a delay; None: there is no delay."""

    @property
    def game(self) -> Game:
        """State after the last committed event."""

    def adjust(self, **changes: Any) -> None:
        """Replace fields of the game that change without an event."""

    @property
    def id(self) -> str:
        """Id of the game."""

    @property
    def replica_nodes(self) -> GameReplicaNodes | None:
        """Other nodes that show this table; None: there are none."""

    @property
    def is_busy(self) -> bool:
        """Return whether commands have to wait."""

    def shown_to(self, user: str | None) -> ShownGame:
        """Return what ``user`` may see."""

    def submit(self, pending: PendingCommand) -> None:
        """Take a command."""

    def go_on(self, *pending: PendingCommand) -> None:
        """Handle ``pending`` before all waiting commands."""

    def due_ms(self) -> int | None:
        """Return when the timer is due."""

    def on_timer(self) -> None:
        """Handle the timer."""


class GameReplicaNodes(Protocol):
    """The nodes with replicas of a game of this node. ``table`` is always the ``Table`` of that game."""

    is_barrier_pending: bool
    """Whether they are being asked if a move is on its way."""

    def publish(self, events: Sequence[AnyEvent], seq: int) -> None:
        """Send published ``events``, the first of which has number ``seq``."""

    def hold(self, why: str, ago_ms: int | None) -> None:
        """Send a clock hold, which began ``ago_ms`` ago."""

    def publish_chat(self, room: str, line: ChatLine, *, delayed: bool) -> None:
        """Send a chat line."""

    def ask_hint(self, nodes: Collection[str], robot: Color, ply: int) -> None:
        """Ask the robot at ``nodes``, which plays the side ``robot``, for a hint."""

    def crowd(self, table: Any) -> None:
        """Handle a changed number of spectators."""

    def may_expire(self, table: Any) -> bool:
        """Return whether no move of the player to move is on its way. If unknown, ask; the table's timer rings with the
        answer."""

    def hold_for_unreachable(self, table: Any, since_ms: int) -> bool:
        """Hold the clock of a player whose node is unreachable, once. Return whether it is held."""


class ReplicaSource(Protocol):
    """Where a replica gets its events from: the node that owns the game."""

    owner: str | None
    is_attached: bool

    def attend(self) -> None:
        """Tell the owner who is subscribed here."""

    def attend_soon(self) -> None:
        """Do the same soon, once for all who subscribe in the same moment."""

    def tick(self) -> None:
        """Do the periodic work, once a second."""

    def detach(self) -> None:
        """Handle that the table leaves memory."""

    def read(self) -> None:
        """Read missing events from the journal."""

    async def wait(self, seq: int, timeout_s: float) -> None:
        """Wait until event ``seq`` is shown here."""

    async def wait_attached(self, timeout_s: float) -> None:
        """Wait for the state of the game at its owner."""

    async def wait_moved(self, timeout_s: float) -> None:
        """Wait until another node owns the game."""

    async def look(self) -> None:
        """Look up which node owns the game."""

    @property
    def is_waited_for(self) -> bool:
        """Return whether a client waits for one of its events."""


class RematchLobby(Protocol):
    """The part of the lobby that rematches need."""

    async def rematch(self, previous: GameFacts, next_id: str) -> str:
        """Create the rematch of a game that is over, and return its id."""
