"""Mini boards under whatever happens: nobody is left with an old one, nobody sees time go back, nothing is kept."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from realtime.fanout.subscription import Subscription
from realtime.watching.mini_boards import MiniBoard
from tests.realtime.mini_harness import GAP_MS, Socket, Wall
from tests.realtime.table_harness import play

COURSE = ("g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8")
"""Twice, then the position has come five times and the game is over."""


class Boards(RuleBasedStateMachine):
    """One game, and sockets that subscribe, leave, stop reading, and change between mini board and game."""

    def __init__(self) -> None:
        super().__init__()
        self.wall = Wall(tc=None)
        self.small: list[Socket] = []
        self.whole: list[Socket] = []

    @initialize(count=st.integers(1, 120))
    def begin(self, count: int) -> None:
        self.small = [self.wall.look() for _ in range(count)]

    @precondition(lambda self: self.wall.table.game.ply < 2 * len(COURSE))
    @rule()
    def move(self) -> None:
        play(self.wall, COURSE[self.wall.table.game.ply % len(COURSE)], each_ms=0)

    @rule(ms=st.sampled_from([0, 1, GAP_MS // 2, GAP_MS, 1000]))
    def turn(self, ms: int) -> None:
        self.wall.turn(ms)

    @rule()
    def slice(self) -> None:
        self.wall.loop.turn()

    @rule(data=st.data())
    def read_or_not(self, data: st.DataObject) -> None:
        for socket in data.draw(st.lists(st.sampled_from(self.small), max_size=5)) if self.small else ():
            socket.has_room = not socket.has_room

    @rule()
    def come(self) -> None:
        self.small.append(self.wall.look())

    @precondition(lambda self: self.small)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        gone: Any = self.small.pop(data.draw(st.integers(0, len(self.small) - 1)))
        self.wall.tables.leave("game1", gone)

    @precondition(lambda self: self.small)
    @rule()
    def look_at_all_of_it(self) -> None:
        socket: Any = self.small.pop(0)
        self.wall.table.join(socket, Subscription())
        self.whole.append(socket)

    @precondition(lambda self: self.whole)
    @rule()
    def look_at_the_board_only(self) -> None:
        socket = self.whole.pop(0)
        self.wall.look_again(socket)
        self.small.append(socket)

    def teardown(self) -> None:
        """All read on, and nothing more is played."""
        for socket in self.small:
            socket.has_room = True
        self.wall.turn(10 * GAP_MS)
        for socket in self.small:
            plies = [mini["ply"] for mini in socket.minis()]
            assert plies == sorted(plies)
            assert plies[-1] == self.wall.table.game.ply
        assert self.wall.loop.is_idle
        assert not self.wall.minis._behind
        assert not self.wall.minis._pouring
        board = self.wall.table.topic.minis
        assert board is None or isinstance(board, MiniBoard)
        assert (0 if board is None else len(board)) == len(self.small)
        assert board is None or not board.owed


TestBoards = Boards.TestCase
TestBoards.settings = settings(stateful_step_count=40)
