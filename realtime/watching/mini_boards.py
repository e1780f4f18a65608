"""Mini boards: a game's position and clock, for viewers of many games at once.

    topic ──(event published)──► board ──(at once, or 200 ms after the last)──► encode once ──► its listeners

Each message is the whole state, so none has to arrive: a slow reader is skipped and sent the newest message when it has
room again. Messages go out in the next iteration of the loop: players and full subscribers are served first, and a move
that ends the game is one message with its end.
"""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from game_core.leaps import leaps_wire
from realtime.fanout.message import Message
from realtime.games.shared_snapshot import COUNTED
from realtime.games.table_view import online_of
from realtime.protocol.wire_game import clock_body
from realtime.watching.listed_games import terms_body

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.color import Color
    from game_core.game import Game
    from realtime.clock.loop_time import ServerTime
    from realtime.fanout.session import Session
    from realtime.fanout.topics import Topic
    from realtime.games.ports import ShownGame
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.net.connection import Connection
    from realtime.protocol.requests import Sub
    from realtime.protocol.wire_watching import MiniChangeWire, MiniWire

GAP_S = 0.2
"""Minimum interval between two messages about a game: more than five a second cannot be followed on one of many boards.
"""

AT_ONCE = 100
"""Sockets written to without yielding to the loop: a millisecond, as for the lobby."""

ENCODING = 5
"""Number of writes that take as long as encoding one game."""


class Loop(Protocol):
    """The part of an event loop that is needed here."""

    def time(self) -> float:
        """Return the loop's time in seconds."""

    def call_soon(self, call: Callable[[], None], /) -> Any:
        """Call once the loop has polled its sockets."""

    def call_later(self, delay_s: float, call: Callable[..., None], /, *args: Any) -> Any:
        """Call after this many seconds."""


class MiniBoards:
    """The mini boards of all games, with the queues of boards to send and of sockets that lag behind."""

    def __init__(self, tables: Tables, time: ServerTime, loop: Loop | None = None) -> None:
        """``loop``: for tests; by default the running one."""
        self._given = loop
        self._tables = tables
        self._time = time
        self._ready: deque[MiniBoard] = deque()
        """Boards whose games have changed, to be sent in the next iteration of the loop."""
        self._pouring: dict[MiniBoard, None] = {}
        """Boards being sent, the most recently served last."""
        self._works = False
        """The next slice is scheduled."""
        self._behind: dict[Connection, dict[MiniBoard, None]] = {}
        """Sockets without buffer space, and the boards they have missed."""
        self._looks = False
        """A check of these sockets is scheduled."""

    @property
    def _loop(self) -> Loop:
        return self._given or asyncio.get_running_loop()

    # -- listening ----------------------------------------------------------------------------------------

    def sub(self, session: Session, request: Sub, table: Table) -> None:
        """Subscribe to the position alone, replacing the socket's other subscription to the game."""
        connection = session.connection
        if connection.closed:
            return
        shown = table.shown_to(None if session.user is None else session.user.id)
        # A player who views their game as a mini board has left the table.
        self._tables.leave(table.id, connection)
        topic = shown.topic
        board = topic.minis
        if not isinstance(board, MiniBoard):
            board = topic.minis = MiniBoard(self, topic, table.id)
        session.topics[request.topic] = lambda: self._tables.leave(table.id, connection)
        session.ok(request.id, {"seq": shown.game.seq})
        board.add(connection, table, shown, self._time)

    def forget(self, connection: Connection, board: MiniBoard) -> None:
        """Forget that ``connection`` missed ``board``: it has left it, or was just sent the newest message."""
        missed = self._behind.get(connection)
        if missed is not None:
            missed.pop(board, None)
            if not missed:
                del self._behind[connection]

    # -- sending ------------------------------------------------------------------------------------------

    def due(self, board: MiniBoard) -> None:
        """Schedule a message after a change: now, or when the minimum interval has passed."""
        wait_s = board.sent_at_s + GAP_S - self._loop.time()
        if wait_s > 0:
            self._loop.call_later(wait_s, self._soon, board)
        else:
            self._soon(board)

    def _soon(self, board: MiniBoard) -> None:
        self._ready.append(board)
        self._work_on()

    def _work_on(self) -> None:
        if not self._works:
            self._works = True
            self._loop.call_soon(self._work)

    def _work(self) -> None:
        """Run one slice: encode changed boards, and write up to the limit of a slice."""
        self._works = False
        left = AT_ONCE
        while left > 0 and self._ready:
            left -= ENCODING
            self._publish(self._ready.popleft())
        while left > 0 and self._pouring:
            board = next(iter(self._pouring))
            del self._pouring[board]
            left -= self._deliver(board, left)
            if board.owed:
                self._pouring[board] = None
        if self._pouring or self._ready:
            self._work_on()

    def _publish(self, board: MiniBoard) -> None:
        board.is_due = False
        table = self._tables.peek(board.game_id)
        if table is None:
            return  # it is queued again when it returns
        shown = table if board.topic is table.topic else table.delayed
        if shown is not None and board.publish(table, shown, self._time):
            board.sent_at_s = self._loop.time()
            self._pouring.setdefault(board)

    def _deliver(self, board: MiniBoard, most: int) -> int:
        """Send the newest message of ``board`` to at most ``most`` listeners, and return their number."""
        turn = tuple(islice(board.owed, most))
        for connection in turn:
            del board.owed[connection]
            self._write(connection, board)
        return len(turn)

    def _write(self, connection: Connection, board: MiniBoard) -> None:
        message = board.newest
        assert message is not None, "something was told"
        if connection.has_room:
            connection.write(message.frame(connection.codec))
            self.forget(connection, board)
        else:
            self._behind.setdefault(connection, {})[board] = None
            self._look_later()

    def _look_later(self) -> None:
        if not self._looks:
            self._looks = True
            self._loop.call_later(GAP_S, self._look)

    def _look(self) -> None:
        """Queue the missed boards of sockets that have buffer space again."""
        self._looks = False
        for connection, missed in tuple(self._behind.items()):
            if connection.has_room:
                del self._behind[connection]
                for board in missed:
                    board.owed[connection] = None
                    self._pouring.setdefault(board)
        if self._pouring:
            self._work_on()
        if self._behind:
            self._look_later()


class MiniBoard:
    """The mini board of one game, for all viewers with the same view of it.

    Attributes:
        topic: the topic whose events are shown.
        listeners: the sockets.
        owed: listeners that are to be sent ``newest``, the longest waiting first.
        newest: the last message; None: none yet.
        sent_at_s: its time, by the loop's clock.
        is_due: a check for changes is scheduled.
    """

    __slots__ = (
        "_is_renamed", "_minis", "_sent", "_whole", "_whole_of", "game_id", "is_due", "listeners", "newest", "owed",
        "sent_at_s", "topic",
    )  # fmt: skip

    def __init__(self, minis: MiniBoards, topic: Topic, game_id: str) -> None:
        self.topic = topic
        self.game_id = game_id
        self.listeners: dict[Connection, None] = {}
        self.owed: dict[Connection, None] = {}
        self.newest: Message | None = None
        self.sent_at_s = 0.0
        self.is_due = False
        self._minis = minis
        self._is_renamed = False
        self._sent: Game | None = None
        """The game as the listeners know it."""
        self._whole: Message | None = None
        self._whole_of: tuple[Game, tuple[int, dict[Color, bool]]] | None = None
        """Cache key of ``_whole``: the game, the number of spectators (as in ``SharedSnapshot``), and who is present.
        """

    def __len__(self) -> int:
        return len(self.listeners)

    def add(self, connection: Connection, table: Table, shown: ShownGame, time: ServerTime) -> None:
        """Add ``connection`` as a listener and show it the game."""
        if not self.listeners:
            self._sent = shown.game
        connection.write(self._whole_of_now(table, shown, time).frame(connection.codec))
        self.listeners[connection] = None

    def remove(self, connection: Connection) -> None:
        """Remove ``connection``, if it listens."""
        if connection in self.listeners:
            del self.listeners[connection]
            self.owed.pop(connection, None)
            self._minis.forget(connection, self)
            if not self.listeners and self.topic.minis is self:
                self.topic.minis = None  # a game without viewers keeps no state for them

    def changed(self) -> None:
        """Handle a possible change of the game."""
        if self.listeners and not self.is_due:
            self.is_due = True
            self._minis.due(self)

    def renamed(self) -> None:
        """Send everything again, because a player's name has changed."""
        self._is_renamed = True
        self._whole = None
        self.changed()

    def move_to(self, topic: Topic) -> None:
        """Move the listeners to ``topic``: the delayed view has ended."""
        board = topic.minis
        if not isinstance(board, MiniBoard):
            board = topic.minis = MiniBoard(self._minis, topic, self.game_id)
        board.take_over(self)
        for connection in tuple(self.listeners):
            self.remove(connection)

    def take_over(self, other: MiniBoard) -> None:
        """Take over the listeners of ``other``, who may not have received its last message yet."""
        self.listeners |= other.listeners
        self._sent = None
        self.changed()

    def publish(self, table: Table, shown: ShownGame, time: ServerTime) -> bool:
        """Encode ``newest`` if anything has changed, and queue it for all. Return whether it did."""
        if not self.listeners or (shown.game is self._sent and not self._is_renamed):
            return False
        self._sent = shown.game
        is_whole, self._is_renamed = self._is_renamed, False
        self.newest = self._whole_of_now(table, shown, time) if is_whole else Message(change_body(shown, time))
        # A listener that still waits for the previous message keeps its place.
        self.owed |= self.listeners
        return True

    def _whole_of_now(self, table: Table, shown: ShownGame, time: ServerTime) -> Message:
        """Return the full state, encoded once for all new listeners between two changes."""
        around = (min(table.topic.watching, COUNTED), table.seats.shown_online())
        whole, made_of = self._whole, self._whole_of
        if whole is None or made_of is None or made_of[0] is not shown.game or made_of[1] != around:
            self._whole_of = (shown.game, around)
            self._whole = whole = Message(whole_body(table, shown, time))
        return whole


def change_body(shown: ShownGame, time: ServerTime) -> MiniChangeWire:
    """Return the changing fields of a mini board in a given view."""
    game = shown.game
    now_ms = time.now_ms()
    reading = None if game.clock is None else game.clock.reading(now_ms - shown.delay_ms)
    leaps = game.last_leaps
    return {
        "t": "mini",
        "g": game.setup.id,
        "seq": game.seq,
        "position": game.rules.fen(game.position),
        "last": game.moves[-1] if game.moves else None,
        "leaps": None if leaps is None else leaps_wire(leaps),
        "turn": game.turn,
        "ply": game.ply,
        "check": game.rules.is_check(game.position),
        "clock": clock_body(game.setup, reading, time.wall_ms(now_ms)),
        "status": game.status,
        "result": game.result,
        "reason": game.reason,
        "next": game.next,
    }


def whole_body(table: Table, shown: ShownGame, time: ServerTime) -> MiniWire:
    """Return the same with the constant fields."""
    setup = shown.game.setup
    return {
        **terms_body(setup),
        **change_body(shown, time),
        "players": table.seats.body(online_of(table, delayed=shown is not table)),
        "simul": None if setup.simul_board is None else setup.simul_board.id,
        "watchers": table.topic.watching,
    }
