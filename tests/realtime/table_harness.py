"""A table on fake time whose journal commits on request.

The real journal has its own tests on a real database; here the time has to stand still.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core import commands as c
from game_core.errors import Refusal
from game_core.game import Setup
from game_core.host_control import parse_board_control
from game_core.public_delay import NO_DELAY, PublicDelay
from game_core.start import new_game
from lobby.accounts.user import Grant, User
from realtime.fanout.subscription import Subscription
from realtime.fanout.topics import Topic
from realtime.games.pending_command import PendingCommand
from realtime.games.seats import Seats
from realtime.games.services import Services
from realtime.games.table import Table
from realtime.games.table_view import crowd_body, snapshot_of
from realtime.journal.journal import Append, Committed, Failed, Fenced
from realtime.ops.metrics import Metrics
from realtime.protocol.errors import Overloaded
from tests.realtime.fake_time import FakeTime

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.color import Color
    from game_core.commands import Command
    from game_core.laws.terms import LawsTerms
    from game_core.simul_board import SimulBoard
    from realtime.games.chances.solver_lane import Answer, Key
    from realtime.games.chances.solver_pool import Urgency
    from realtime.protocol.wire_types import GameSnapshotWire

WHITE = User("w" * 8, "White", "guest")
BLACK = User("b" * 8, "Black", "guest")

BLITZ = {"base_s": 180, "inc_s": 2}


class HeldJournal:
    """A journal that keeps appends until ``commit``, or commits at once while ``is_open``."""

    def __init__(self) -> None:
        self.is_open = True
        self.is_full = False
        self.waiting: list[Append] = []
        self.written: list[Append] = []

    def append(self, append: Append) -> None:
        if self.is_full:
            raise Overloaded("full")
        self.waiting.append(append)

    def settle(self) -> None:
        """Commit what waits, and what results from it; like the writer task, never from within ``append``."""
        while self.is_open and self.waiting:
            self.commit()

    def commit(self) -> None:
        """Commit the one append that waits."""
        append = self.waiting.pop(0)
        self.written.append(append)
        append.done(Committed())

    def fence(self) -> None:
        """Refuse the append: another node owns the game."""
        self.waiting.pop(0).done(Fenced())

    def fail(self) -> None:
        """Fail the append: it did not reach the database."""
        self.waiting.pop(0).done(Failed("closed"))


class Bells:
    """Timers that are due on request."""

    def __init__(self) -> None:
        self.armed = 0

    def arm(self, table: Any) -> None:
        self.armed += 1

    def forget(self, table: Any) -> None:
        self.armed = 0


class HeldVerdicts:
    """Mating chances: answers ``facts``, and ``otherwise`` to everything else, or waits for the test."""

    def __init__(self) -> None:
        self.otherwise: Answer | None = "yes"
        """None: every question is asked, and waits."""
        self.facts: dict[Key, Answer] = {}
        self.asked: list[tuple[Key, Urgency]] = []
        self.waiting: list[tuple[Key, Callable[[Answer], None]]] = []
        self.forgotten: list[Key] = []
        self.is_modest: bool | None = None
        """Whether the last question was modest."""

    def known(self, key: Key) -> Answer | None:
        return self.facts.get(key, self.otherwise)

    def get_ready(self) -> None:
        """Do nothing: it is always ready."""

    def query(self, key: Key, done: Callable[[Answer], None], urgency: Urgency, *, modest: bool = False) -> None:
        self.is_modest = modest
        self.asked.append((key, urgency))
        self.waiting.append((key, done))

    def forget(self, key: Key, done: Callable[[Answer], None]) -> None:
        """Do nothing: the question is under way, and is answered all the same."""
        self.forgotten.append(key)

    def tell(self, answer: Answer, *, keep: bool = True) -> None:
        """Answer the oldest question."""
        key, done = self.waiting.pop(0)
        if keep and answer != "none":
            self.facts[key] = answer
        done(answer)


BINARY = 2
"""Opcode of a binary frame (RFC 6455, 5.2)."""


class Ear:
    """A socket of a player or spectator; ``heard`` are its decoded messages in order."""

    def __init__(self, user: User | None = None, ceiling_ms: int = 0) -> None:
        self.user = user
        self.grant = None if user is None else Grant(user, b"")
        self.codec = "json"
        self.lag_ms = ceiling_ms
        self.said_goodbye = False
        self.has_room = True
        self.heard: list[Any] = []

    def ceiling_ms(self, unmeasured_quota_ms: int) -> int:
        """Return the measured ceiling, as for a direct connection."""
        return self.lag_ms

    def write(self, frame: bytes) -> None:
        # RFC 6455, 5.2: a length over 125 takes two more bytes, one over 65,535 eight.
        start = {126: 4, 127: 10}.get(frame[1], 2)
        codec = msgspec.msgpack if frame[0] & 0x0F == BINARY else msgspec.json
        self.heard.append(codec.decode(frame[start:]))

    write_droppable = write

    def kinds(self) -> list[str]:
        """Return the types of the received messages."""
        return [message["t"] for message in self.heard]


class Harness:
    """One table with two players and a spectator, all subscribed."""

    def __init__(
        self,
        tc: Any = BLITZ,
        *,
        pausable: bool = False,
        black: User = BLACK,
        variant: str = "standard",
        fen: str | None = None,
        black_tc: Any = None,
        simul_board: SimulBoard | None = None,
        delay: PublicDelay = NO_DELAY,
        hints: bool = False,
        profile: str = "online",
        laws: LawsTerms | None = None,
        absent: Color | None = None,
    ) -> None:
        self.time = FakeTime(1_000_000)
        self.journal = HeldJournal()
        self.bells = Bells()
        self.solver = HeldVerdicts()
        self.lost: list[Table] = []
        self.changes: list[bool] = []
        self.answers: list[Any] = []
        self.is_leased = True
        self.invisible: set[str] = set()
        setup = Setup(
            id="game1", variant=variant, tc=parse_board_control(tc), black_tc=parse_board_control(black_tc),
            pausable=pausable, fen=fen, simul_board=simul_board, delay=delay, hints=hints, profile=profile, laws=laws,
        )  # fmt: skip
        now_ms = self.time.now_ms()
        services = Services(
            journal=self.journal,
            time=self.time,
            timers=self.bells,  # type: ignore[arg-type]  # timers as far as a table needs them
            metrics=Metrics(),
            solver=self.solver,
            may_decide=lambda: self.is_leased,
            on_change=lambda table, status_changed, events: self.changes.append(status_changed),
            on_lost=self.lost.append,
        )
        seats = Seats(WHITE, black, now_ms, is_shown=lambda user: user not in self.invisible)
        self.table = Table(new_game(setup, now_ms), seats, 1, Topic("game:game1"), services)
        self.white, self.black, self.watcher = Ear(WHITE), Ear(black), Ear()
        players = {"w": self.white, "b": self.black}
        for ear in (self.white, self.black, self.watcher):
            if absent is None or ear is not players[absent]:
                self.join(ear)

    def join(self, ear: Ear, *, legal: bool = False) -> None:
        """Subscribe."""
        player = ear.user is not None
        self.table.join(ear, Subscription(player=player, legal=legal))  # type: ignore[arg-type]  # a socket to a table

    def ask(
        self, command: Command, *, at_ms: int | None = None, user: User | None = WHITE, key: str | None = None
    ) -> None:
        """Submit a command; its answer goes to ``answers``."""
        self.table.submit(
            PendingCommand(
                command=command,
                received_ms=self.time.now_ms() if at_ms is None else at_ms,
                user=None if user is None else user.id,
                key=key,
                request="test",
                answer=self.answers.append,
            )
        )
        self.journal.settle()

    def snapshot(self, user: str | None, *, legal: bool = False) -> GameSnapshotWire:
        """Return what ``user`` is shown."""
        return snapshot_of(self.table, self.time, user, legal=legal)

    def code(self) -> str:
        """Return the code of the last answer, which must be a refusal."""
        answer = self.answers[-1]
        assert isinstance(answer, Refusal), answer
        return answer.code


def next_move(harness: Harness, move: str, **fields: Any) -> c.PlayMove:
    """Return the command that plays ``move`` now."""
    game = harness.table.game
    return c.PlayMove(by=game.turn, move=move, ply=game.ply, **fields)


def left(harness: Harness) -> dict[Color, int | None]:
    """Return when the players may claim for an absence, as they are told."""
    return crowd_body(harness.table, harness.time.now_ms(), for_players=True)["left"]


def play(harness: Harness, *moves: str, each_ms: int = 1000) -> None:
    """Play moves, each after ``each_ms``."""
    for move in moves:
        harness.time.advance(each_ms)
        harness.ask(next_move(harness, move))
