"""A simul in its pure form: the state machine with real games at its boards, and one clock.

It does what a server does: it stores decisions before they take effect, carries out effects in order, lets the simul
handle each event of a game, and rings its timers.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from game_core import commands as g
from game_core.decide import decide as decide_game
from game_core.decide.ends import next_deadline_ms
from game_core.errors import Refused
from game_core.events import Moved
from game_core.evolve import evolve as evolve_game
from game_core.game import Setup as GameSetup
from game_core.start import new_game
from lobby.accounts.user import User
from simul import commands as c
from simul import events as e
from simul.board import facts_of
from simul.decide import create, decide
from simul.draft import Draft
from simul.evolve import apply, gift_refused, host_came, host_left, new_simul, observe
from simul.feed import Feed
from simul.games import new_games
from simul.ports import Chance

if TYPE_CHECKING:
    from game_core.errors import Refusal
    from game_core.game import Game
    from lobby.pairing import NewGame
    from simul.board import BoardState
    from simul.decide import Decision
    from simul.state import Simul

NOW_MS = 1_700_000_000_000

HOST = User("host", "Host", "member")

GAME = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "c2c3", "g8f6", "d2d3", "d7d6", "e1g1", "e8g8")
"""Legal moves of both sides from the start position."""

MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def person(number: int) -> User:
    return User(f"p{number}", f"Player{number}", "member")


def draft(**fields: Any) -> Draft:
    return Draft(**{"name": "Club night", "tc": {"base_s": 600}, "host_color": "w", "auto_accept": True, **fields})


class Dice(Chance):
    """Randomness of a test: returns given throws, and counts ids."""

    def __init__(self) -> None:
        self.throws: list[int] = []
        self.ids = 0

    def randbelow(self, n: int, /) -> int:
        return self.throws.pop(0) % n if self.throws else 0

    def new_id(self) -> str:
        self.ids += 1
        return f"game{self.ids}"


def game_of(new: NewGame, now_ms: int) -> Game:
    setup = GameSetup(
        id=new.id,
        game=new.game,
        variant=new.variant,
        rated=new.rated,
        tc=new.tc,
        black_tc=new.black_tc,
        fen=new.fen,
        simul_board=new.simul_board,
    )
    return new_game(setup, now_ms)


class PowerFailureError(Exception):
    """The server is dead; the test has to call ``restart``."""


class SimulModel:
    """One simul.

    Attributes:
        power: number of further actions (a store of events or an effect) before the power fails; None: it does not.
        meanwhile: commands to the game at a board while the next decision is being stored.
        now_ms: the wall clock, also of the games.
        log: the stored events of the simul, as JSON.
        prepared: the stored prepared moves, by board.
        games: by board; ``spent_ms`` is the host's time according to their journals.
        messages: everything that was published; ``told``: who was sent their own part again.
        visits: the boards that the host visited.
    """

    def __init__(self, *, players: int = 0, start: bool = False, **fields: Any) -> None:
        self.power: int | None = None
        self.meanwhile: tuple[int, g.Command] | None = None
        self.now_ms = NOW_MS
        self.chance = Dice()
        self.log: list[str] = []
        self.prepared: dict[int, e.Prepared] = {}
        self.games: dict[int, Game] = {}
        self.spent_ms: dict[int, int] = {}
        self.messages: list[Any] = []
        self.told: list[str] = []
        self.visits: list[int] = []
        created = create("simul1", HOST, draft(**fields), (), self.now_ms)
        self._store(created)
        self.feed = Feed(new_simul(created), self.now_ms)
        for number in range(1, players + 1):
            self.do(c.Join(user=person(number)))
        if start:
            self.do(c.Start(by="host"))

    @property
    def state(self) -> Simul:
        return self.feed.state

    def board(self, number: int) -> BoardState:
        return self.state.boards[number - 1]

    # -- what a server does -------------------------------------------------------------------------------

    def do(self, command: c.SimulCommand) -> Decision:
        """Submit a command. Raises ``Refusal``."""
        decision = decide(self.state, command, self.now_ms, self.chance)
        self._carry_out(decision)
        self.settle()
        return decision

    def settle(self) -> None:
        while due := decide(self.state, c.Settle(), self.now_ms, self.chance):
            self._carry_out(due)

    def play(self, number: int, command: g.Command) -> None:
        """Submit a command to the game at a board. Raises ``Refused``."""
        try:
            events: tuple[Any, ...] = decide_game(self.games[number], command, self.now_ms)
        except Refused as error:
            self._happened(number, error.events)
            self.settle()
            raise
        self._happened(number, events)
        self.settle()

    def happen(self, number: int, command: g.Command) -> None:
        """Apply a command to the game at a board while the server cannot do anything else."""
        self._happened(number, decide_game(self.games[number], command, self.now_ms))

    def wait(self, ms: int) -> None:
        """Let ``ms`` pass; each timer rings at its time."""
        end_ms = self.now_ms + ms
        while (due_ms := self._next_due_ms()) is not None and due_ms <= end_ms:
            self.now_ms = max(self.now_ms, due_ms)
            for number in self.games:
                self.play(number, g.Expire())
            self.settle()
        self.now_ms = end_ms

    def restart(self) -> None:
        """Kill and restart the server; the host is not connected yet."""
        self.power = None
        first, *others = (e.decode_event(**json.loads(line)) for line in self.log)
        assert isinstance(first, e.Created)
        state = new_simul(first)
        for event in others:
            apply(state, event)
        for prepared in self.prepared.values():
            apply(state, prepared)
        for number, game in self.games.items():
            observe(state, number, facts_of(game, self.now_ms, self.now_ms), self.spent_ms.get(number, 0))
        host_left(state, self.now_ms)
        self.feed = Feed(state, self.feed.seq + 1000)
        self._carry_out(decide(state, c.Recover(), self.now_ms, self.chance))
        self.settle()

    def come(self) -> None:
        host_came(self.state)
        self.settle()

    def leave(self) -> None:
        host_left(self.state, self.now_ms)
        self.settle()

    # -- shorthands ---------------------------------------------------------------------------------------

    def move(self, number: int, move: str | None = None) -> None:
        """Play ``move`` for the side to move at a board; by default the next of ``GAME``, or any legal one."""
        game = self.games[number]
        if move is None:
            legal = game.legal_moves() or ["a1a1"]
            move = GAME[game.ply] if game.ply < len(GAME) and GAME[game.ply] in legal else legal[0]
        self.play(number, g.PlayMove(by=game.turn, move=move, ply=game.ply))

    def clock(self, number: int) -> tuple[int, int, str | None, str | None]:
        """Return White's and Black's time at a board now, the running side, and why the clock is held."""
        clock = self.games[number].clock
        assert clock is not None
        reading = clock.reading(self.now_ms)
        return reading.w, reading.b, reading.run, reading.held

    def kinds(self) -> list[str]:
        return [message["t"].removeprefix("simul.") for message in self.messages]

    def last(self, kind: str) -> Any:
        """Return the last message of this kind."""
        return next(message for message in reversed(self.messages) if message["t"] == f"simul.{kind}")

    # -- inside -------------------------------------------------------------------------------------------

    def _carry_out(self, decision: Decision) -> None:
        if decision.events:
            self._use_power()
        for new in new_games(self.state, decision.events, self.chance.randbelow):
            assert new.simul_board is not None
            self.games[new.simul_board.board] = game_of(new, self.now_ms)
        for event in decision.events:
            self._store(event)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            with contextlib.suppress(Refused):
                self.happen(*meanwhile)
        for event in decision.events:
            self._apply(event)
        for send in decision.effects:
            self._use_power()
            try:
                events = decide_game(self.games[send.board], send.command, self.now_ms)
            except Refused as error:
                events = error.events
                if isinstance(send.command, g.GiveTime):
                    gift_refused(self.state, send.board, send.command.seconds, send.command.own_s)
            self._happened(send.board, events)

    def _use_power(self) -> None:
        if self.power is not None:
            if self.power == 0:
                raise PowerFailureError
            self.power -= 1

    def _apply(self, event: e.AnySimulEvent) -> None:
        opened = {}
        if isinstance(event, e.Started | e.BoardAdded):
            seats = event.seats if isinstance(event, e.Started) else (event.seat,)
            opened = {seat.board: facts_of(self.games[seat.board], self.now_ms, self.now_ms) for seat in seats}
        if isinstance(event, e.At) and event.board is not None:
            self.visits.append(event.board)
        news = self.feed.apply(event, opened)
        self.messages += news.messages
        self.told += news.to

    def _happened(self, number: int, events: tuple[Any, ...]) -> None:
        for event in events:
            game = self.games[number] = evolve_game(self.games[number], event, self.now_ms)
            spent_ms = event.spent_ms if isinstance(event, Moved) and event.by == self.board(number).host else 0
            self.spent_ms[number] = self.spent_ms.get(number, 0) + spent_ms
            position = event.position if isinstance(event, Moved) else None
            news = self.feed.observe(number, facts_of(game, self.now_ms, self.now_ms, position), spent_ms)
            self.messages += news.messages
            self.told += news.to

    def _store(self, event: e.AnySimulEvent) -> None:
        if isinstance(event, e.Prepared):
            assert event.kept == "prepared"
            self.prepared[event.board] = event
        elif event.kept == "log":
            kind, payload = e.encode_event(event)
            self.log.append(json.dumps({"kind": kind, "payload": payload}))

    def _next_due_ms(self) -> int | None:
        due = [self.state.next_due_ms(self.now_ms)]
        due += [next_deadline_ms(game, 0) for game in self.games.values()]
        return min((ms for ms in due if ms is not None), default=None)


def unchanged(model: SimulModel, command: c.SimulCommand, error: type[Refusal], text: str | None = None) -> None:
    """Check that ``command`` is refused and changes nothing."""
    before = list(model.log), list(model.games.values()), len(model.messages)
    with pytest.raises(error, match=text):
        model.do(command)
    assert (model.log, list(model.games.values()), len(model.messages)) == before
