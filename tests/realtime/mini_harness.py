"""Mini boards of one table, on a loop and a time under the control of the test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from game_core.simul_board import SimulBoard
from realtime.fanout.session import Session
from realtime.games.delay.delayed_view import DelayedView
from realtime.games.delay.exemptions import Exempt
from realtime.protocol.requests import Sub
from realtime.watching.mini_boards import GAP_S, MiniBoards
from tests.realtime.fake_loop import FakeLoop
from tests.realtime.table_harness import Ear, Harness

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from realtime.games.table import Table
    from realtime.net.connection import Connection

GAP_MS = int(GAP_S * 1000)
DELAY_MS = 60_000


class Socket(Ear):
    """The part of a socket that a session needs."""

    number = 1
    closed = False

    def send(self, message: Any) -> None:
        self.heard.append(message)

    def minis(self) -> list[dict[str, Any]]:
        """Return the mini boards that were sent to it."""
        return [message for message in self.heard if message["t"] == "mini"]


class OneTable:
    """The part of ``Tables`` that mini boards need."""

    def __init__(self, table: Table) -> None:
        self.table: Table | None = table

    def peek(self, game_id: str) -> Table | None:
        return self.table

    def leave(self, game_id: str, connection: Connection) -> None:
        if self.table is not None:
            self.table.leave(connection)


class Wall(Harness):
    """A table, mini boards and their event loop."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.loop = FakeLoop()
        self.tables = OneTable(self.table)
        self.minis = MiniBoards(self.tables, self.time, self.loop)  # type: ignore[arg-type]  # tables as far as needed

    def look(self, user: User | None = None) -> Socket:
        """Subscribe a new socket to a mini board of the game."""
        socket = Socket(user)
        self.look_again(socket)
        return socket

    def look_again(self, socket: Socket) -> Session:
        session = Session(socket)  # type: ignore[arg-type]  # a socket as far as a session needs one
        self.minis.sub(session, Sub(topic="game:game1", position=True, id=1), self.table)
        return session

    def turn(self, ms: int) -> None:
        """Let ``ms`` pass for games and for the loop."""
        self.time.advance(ms)
        self.loop.advance(ms / 1000)


class Delayed(Wall):
    """The same for a game with a public delay of one minute."""

    def __init__(self) -> None:
        super().__init__(tc={"base_s": 3600, "inc_s": 0}, simul_board=SimulBoard("simul1", 1, "w", delay_s=60))
        exempt = Exempt()
        self.delayed = self.table.delayed = DelayedView(self.table, exempt, self.table._services)

    def turn(self, ms: int) -> None:
        self.time.advance(ms)
        due_ms = self.delayed.due_ms()
        if due_ms is not None and due_ms <= self.time.now_ms():
            self.delayed.on_timer()
        self.loop.advance(ms / 1000)
