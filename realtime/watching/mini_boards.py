"""Mini boards: a game's position and clock for those who look at many games at once.

    topic ──(something was published)──► board ──(at once, or 200 ms after the last)──► encode once ──► its listeners

Each message is the whole state, so none has to arrive: who reads slowly is passed over, and sent the newest one when he
has room again. Nothing goes out before the loop has had a turn: those who play or follow the game have had it by then,
and a move that ends the game is one message with its end.
"""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from game_core.leaps import leaps_wire
from realtime.fanout.message import Message
from realtime.games.shared_snapshot import COUNTED
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
"""Between two messages about one game: five a second are more than an eye follows on a board among many."""

AT_ONCE = 100
"""Sockets that are written to before the loop looks at anything else: a millisecond, as for the lobby."""

ENCODING = 5
"""As many writes take as long as one game takes to be encoded."""


class Loop(Protocol):
    """As much of an event loop as is needed here."""

    def time(self) -> float:
        """Seconds."""

    def call_soon(self, call: Callable[[], None], /) -> Any:
        """Call once the loop has looked at its sockets."""

    def call_later(self, delay_s: float, call: Callable[..., None], /, *args: Any) -> Any:
        """Call in so many seconds."""


class MiniBoards:
    """The mini boards of all games: who is written to next, and who could not be."""

    def __init__(self, tables: Tables, time: ServerTime, loop: Loop | None = None) -> None:
        """``loop``: a test's; else the one that runs."""
        self._given = loop
        self._tables = tables
        self._time = time
        self._ready: deque[MiniBoard] = deque()
        """Boards whose games have changed, to be told of as soon as the loop has had its turn."""
        self._pouring: dict[MiniBoard, None] = {}
        """Boards that are being told of, those that were served last at the end."""
        self._works = False
        """The next slice is about to be written."""
        self._behind: dict[Connection, dict[MiniBoard, None]] = {}
        """Sockets without room, and what they have missed."""
        self._looks = False
        """They are about to be looked at."""

    @property
    def _loop(self) -> Loop:
        return self._given or asyncio.get_running_loop()

    # -- who listens --------------------------------------------------------------------------------------

    def sub(self, session: Session, request: Sub, table: Table) -> None:
        """Subscribe to the position alone, in place of whatever this socket heard of the game."""
        connection = session.connection
        if connection.closed:
            return
        shown = table.shown_to(None if session.user is None else session.user.id)
        # A player who looks at a small board of his game is not at the table any more.
        self._tables.leave(table.id, connection)
        topic = shown.topic
        board = topic.minis
        if not isinstance(board, MiniBoard):
            board = topic.minis = MiniBoard(self, topic, table.id)
        session.topics[request.topic] = lambda: self._tables.leave(table.id, connection)
        session.ok(request.id, {"seq": shown.game.seq})
        board.add(connection, table, shown, self._time)

    def forget(self, connection: Connection, board: MiniBoard) -> None:
        """``connection`` hears ``board`` no more, or has just been sent the newest of it."""
        missed = self._behind.get(connection)
        if missed is not None:
            missed.pop(board, None)
            if not missed:
                del self._behind[connection]

    # -- telling ------------------------------------------------------------------------------------------

    def due(self, board: MiniBoard) -> None:
        """Something has changed: tell of it in this moment, or when the game has been quiet for long enough."""
        wait_s = board.told_at_s + GAP_S - self._loop.time()
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
        """One slice: encode what has changed, write to so many as may be written to in a row."""
        self._works = False
        left = AT_ONCE
        while left > 0 and self._ready:
            left -= ENCODING
            self._tell(self._ready.popleft())
        while left > 0 and self._pouring:
            board = next(iter(self._pouring))
            del self._pouring[board]
            left -= self._deliver(board, left)
            if board.owed:
                self._pouring[board] = None
        if self._pouring or self._ready:
            self._work_on()

    def _tell(self, board: MiniBoard) -> None:
        board.is_due = False
        table = self._tables.peek(board.game_id)
        if table is None:
            return  # it is told when it is back
        shown = table if board.topic is table.topic else table.late
        if shown is not None and board.tell(table, shown, self._time):
            board.told_at_s = self._loop.time()
            self._pouring.setdefault(board)

    def _deliver(self, board: MiniBoard, most: int) -> int:
        """Write to so many of those who are owed the newest of ``board``; how many it were."""
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
        """Who has room again is owed what he has missed."""
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
    """One game's mini board, for those who may see the same of it.

    Attributes:
        topic: what happens there is shown here.
        listeners: the sockets.
        owed: those that are to be sent ``newest``, who has waited longest first.
        newest: what was told last; None: nothing yet.
        told_at_s: when, by the loop's clock.
        is_due: it is about to be looked at what there is to tell.
    """

    __slots__ = (
        "_is_renamed", "_minis", "_told", "_whole", "_whole_of", "game_id", "is_due", "listeners", "newest", "owed",
        "told_at_s", "topic",
    )  # fmt: skip

    def __init__(self, minis: MiniBoards, topic: Topic, game_id: str) -> None:
        self.topic = topic
        self.game_id = game_id
        self.listeners: dict[Connection, None] = {}
        self.owed: dict[Connection, None] = {}
        self.newest: Message | None = None
        self.told_at_s = 0.0
        self.is_due = False
        self._minis = minis
        self._is_renamed = False
        self._told: Game | None = None
        """The game as the listeners know it."""
        self._whole: Message | None = None
        self._whole_of: tuple[Game, tuple[int, dict[Color, bool]]] | None = None
        """What ``_whole`` tells of: the game, how many watch (as of ``SharedSnapshot``), who is here."""

    def __len__(self) -> int:
        return len(self.listeners)

    def add(self, connection: Connection, table: Table, shown: ShownGame, time: ServerTime) -> None:
        """``connection`` listens from now on, and is shown the game as it is."""
        if not self.listeners:
            self._told = shown.game
        connection.write(self._whole_of_now(table, shown, time).frame(connection.codec))
        self.listeners[connection] = None

    def remove(self, connection: Connection) -> None:
        """``connection`` listens no more, or did not."""
        if connection in self.listeners:
            del self.listeners[connection]
            self.owed.pop(connection, None)
            self._minis.forget(connection, self)
            if not self.listeners and self.topic.minis is self:
                self.topic.minis = None  # a game that nobody looks at keeps nothing for it

    def changed(self) -> None:
        """Something of the game may have changed."""
        if self.listeners and not self.is_due:
            self.is_due = True
            self._minis.due(self)

    def renamed(self) -> None:
        """A player is called something else: all is told anew."""
        self._is_renamed = True
        self._whole = None
        self.changed()

    def move_to(self, topic: Topic) -> None:
        """All has been shown that was shown later here: the listeners go on with those of ``topic``."""
        board = topic.minis
        if not isinstance(board, MiniBoard):
            board = topic.minis = MiniBoard(self._minis, topic, self.game_id)
        board.take_over(self)
        for connection in tuple(self.listeners):
            self.remove(connection)

    def take_over(self, other: MiniBoard) -> None:
        """The listeners of ``other`` listen here, too; they may not have heard the last of it yet."""
        self.listeners |= other.listeners
        self._told = None
        self.changed()

    def tell(self, table: Table, shown: ShownGame, time: ServerTime) -> bool:
        """Make ``newest`` if there is anything new, and owe it to everybody; whether there was."""
        if not self.listeners or (shown.game is self._told and not self._is_renamed):
            return False
        self._told = shown.game
        is_whole, self._is_renamed = self._is_renamed, False
        self.newest = self._whole_of_now(table, shown, time) if is_whole else Message(change_body(shown, time))
        # Who has waited for the one before keeps his place.
        self.owed |= self.listeners
        return True

    def _whole_of_now(self, table: Table, shown: ShownGame, time: ServerTime) -> Message:
        """Made once for all who come between two changes."""
        around = (min(table.topic.watching, COUNTED), table.seats.online())
        whole, made_of = self._whole, self._whole_of
        if whole is None or made_of is None or made_of[0] is not shown.game or made_of[1] != around:
            self._whole_of = (shown.game, around)
            self._whole = whole = Message(whole_body(table, shown, time))
        return whole


def change_body(shown: ShownGame, time: ServerTime) -> MiniChangeWire:
    """What a mini board shows of a game as somebody may see it."""
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
    """The same with what does not change."""
    setup = shown.game.setup
    return {
        **terms_body(setup),
        **change_body(shown, time),
        "players": table.seats.body(late=shown is not table),
        "simul": None if setup.exhibition is None else setup.exhibition.id,
        "watchers": table.topic.watching,
    }
