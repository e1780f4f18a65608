"""What a table is to its parts, and what it needs of other rooms: small Protocols that keep imports one-way.

``Table`` implements ``LiveTable``, ``delay/`` implements ``DelayedGame``, and ``cluster/games/`` implements
``Replicas`` and ``ReplicaSource``. The wiring brings them together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from game_core.events import AnyEvent
    from game_core.game import Game
    from lobby.chat import Line
    from lobby.pairing import GameFacts
    from realtime.fanout.topics import Topic
    from realtime.games.chat_rooms import ChatRooms
    from realtime.games.delay.exemptions import Exempt
    from realtime.games.pending_command import PendingCommand
    from realtime.games.seats import Seats


class ShownGame(Protocol):
    """A game as some people see it: at once, or later."""

    @property
    def game(self) -> Game:
        """Its state."""

    @property
    def topic(self) -> Topic:
        """Its subscribers."""

    @property
    def delay_ms(self) -> int:
        """How much later than the players they see it."""


class DelayedGame(ShownGame, Protocol):
    """What a table shows to all but its players while the public sees the game later."""

    chat: ChatRooms | None
    exempt: Exempt

    @property
    def is_waiting(self) -> bool:
        """Something is still to be shown."""

    def recall(self, events: Iterable[AnyEvent], ages_ms: list[int], now_ms: int) -> None:
        """The table was rebuilt from ``events``; ``ages_ms`` of each."""

    def follow(self, game: Game, event: AnyEvent, at_ms: int) -> None:
        """``event`` was published at ``at_ms`` and has made ``game``."""

    def hold(self, why: str, since_ms: int | None) -> None:
        """The server has stopped the clocks; the running side was charged up to ``since_ms``, or not at all."""

    def due_ms(self) -> int | None:
        """When the next event is to be shown, on the game axis."""

    def ring(self) -> None:
        """Show what is due."""


class LiveTable(Protocol):
    """A table as its parts see it."""

    seats: Seats
    topic: Topic
    epoch: int | None
    chat: ChatRooms | None
    late: DelayedGame | None
    """What the public is shown later; None: nothing."""

    @property
    def game(self) -> Game:
        """The state after the last committed event."""

    def adjust(self, **changes: Any) -> None:
        """Replace fields of the game that change without an event."""

    @property
    def id(self) -> str:
        """The game's id."""

    @property
    def followers(self) -> Replicas | None:
        """Other nodes that show this table; None: none does."""

    @property
    def is_busy(self) -> bool:
        """Commands have to wait."""

    def shown_to(self, user: str | None) -> ShownGame:
        """What ``user`` may see."""

    def go_on(self, *asks: PendingCommand) -> None:
        """Take ``asks`` before all that wait."""

    def due_ms(self) -> int | None:
        """When the timer should ring."""

    def ring(self) -> None:
        """The timer rang."""


class Replicas(Protocol):
    """The nodes that show a game of ours. ``table`` is always that game's ``Table``."""

    is_asked: bool
    """It is being found out whether a move is on its way from one of them."""

    def tell(self, events: Sequence[AnyEvent], seq: int) -> None:
        """``events`` are published, the first of them with number ``seq``."""

    def hold(self, why: str, ago_ms: int | None) -> None:
        """The clocks stand."""

    def say(self, room: str, line: Line, *, late: bool) -> None:
        """A line of chat was written."""

    def crowd(self, table: Any) -> None:
        """Somebody has come or gone."""

    def may_ring(self, table: Any) -> bool:
        """Whether no move of the player to move is on its way; if unknown, the table's timer rings when it is known."""

    def spare(self, table: Any, since_ms: int) -> bool:
        """Hold the clock of a player whose node is not reached, once. Whether it is held."""


class ReplicaSource(Protocol):
    """Where a replica gets its events from: the node that has the game."""

    owner: str | None
    is_attached: bool

    def attend(self) -> None:
        """Tell the owner who listens here."""

    def attend_soon(self) -> None:
        """The same, once for all who come in this moment."""

    def beat(self) -> None:
        """Once a second."""

    def detach(self) -> None:
        """The table leaves memory."""

    def read(self) -> None:
        """Read what may be missing from the journal."""

    async def wait(self, seq: int, timeout_s: float) -> None:
        """Wait until event ``seq`` is shown here."""

    async def wait_attached(self, timeout_s: float) -> None:
        """Wait until it is known how the game stands."""

    async def wait_moved(self, timeout_s: float) -> None:
        """Wait until another node has the game."""

    async def look(self) -> None:
        """Look up which node has the game."""

    @property
    def is_waited_for(self) -> bool:
        """Somebody waits for one of its events."""


class RematchLobby(Protocol):
    """The lobby, as far as rematches need it."""

    async def rematch(self, previous: GameFacts, next_id: str) -> str:
        """Create the rematch of a game that is over, and return its id."""
