"""Any course of a simul: no board is lost, scores add up, clocks run only where they should, what was told is
what there is, and a restart changes nothing.
"""

from __future__ import annotations

import contextlib
import copy
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from game_core import commands as g
from game_core.errors import Refusal, Refused
from simul import commands as c
from simul.draft import LateJoin
from simul.replica import SimulReplica
from simul.score import outcome, player_points
from simul.view import board_wire, snapshot_wire
from tests.simul.simul_model import PowerFailureError, SimulModel, person

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 7
numbers = st.integers(1, MOST)


@contextlib.contextmanager
def perhaps() -> Iterator[None]:
    """What is refused is refused: the invariants look at what has become of it."""
    with contextlib.suppress(Refusal, Refused):
        yield


class Course(RuleBasedStateMachine):
    """The model beside a client that knows only the snapshot of the start and the messages."""

    @initialize(
        mode=st.sampled_from(["clock", "round"]),
        host_tc=st.sampled_from([None, "none", {"move_s": 30}, {"base_s": 900, "inc_s": 10}]),
        tc=st.sampled_from([{"base_s": 300}, {"base_s": 60, "delay_s": 5}, None]),
        color=st.sampled_from(["w", "b", "alternating", "random"]),
        auto_next=st.booleans(),
        passes=st.integers(0, 2),
        players=st.integers(1, 4),
    )
    def begin(
        self, mode: str, host_tc: Any, tc: Any, color: str, passes: int, players: int, *, auto_next: bool
    ) -> None:
        fields: dict[str, Any] = {"mode": mode, "tc": tc, "host_color": color, "auto_next": auto_next, "passes": passes}
        if mode == "round" and (tc is not None or not isinstance(host_tc, dict)):
            fields["host_tc"] = host_tc
        self.model = SimulModel(players=players, late_join=LateJoin(move=20), max_boards=MOST, **fields)
        self.seen = SimulReplica(copy.deepcopy(self.model.feed.snapshot(None, 0)))
        self.model.messages.clear()
        self.model.do(c.Start(by="host"))
        self.visited: dict[int, list[int]] = {}
        self.spent = 0

    # -- what may happen ----------------------------------------------------------------------------------

    @rule(number=numbers)
    def move(self, number: int) -> None:
        if number in self.model.games:
            with perhaps():
                self.model.move(number)

    @rule(plies=st.integers(1, 12), ms=st.sampled_from([0, 500, 11_000]))
    def play_on(self, plies: int, ms: int) -> None:
        """Where the host is; in ``clock`` mode at one board after the other."""
        for ply in range(plies):
            at = self.model.state.at
            number = at if self.model.state.is_round and at is not None else 1 + ply % len(self.model.games)
            self.model.wait(ms)
            with perhaps():
                self.model.move(number)

    @rule(number=numbers, by=st.sampled_from(["w", "b"]))
    def resign(self, number: int, by: Any) -> None:
        if number in self.model.games and self.model.now_ms % 3 == 0:  # or all is over too soon
            with perhaps():
                self.model.play(number, g.Resign(by=by))

    @rule(number=numbers, player_s=st.sampled_from([0, 5]), host_s=st.sampled_from([0, 5]), is_late=st.booleans())
    def give(self, number: int, player_s: int, host_s: int, *, is_late: bool) -> None:
        """Some time, which at times comes too late."""
        if number in self.model.games:
            board = self.model.board(number)
            if is_late and self.model.now_ms % 3 == 0:
                self.model.meanwhile = number, g.Resign(by=board.player)
            with perhaps():
                self.model.do(
                    c.Arrange(
                        by="host",
                        board=number,
                        player_extra_s=board.person.player_extra_s + player_s,
                        host_extra_s=board.person.host_extra_s + host_s,
                    )
                )
            self.model.meanwhile = None

    @rule(number=numbers)
    def offer(self, number: int) -> None:
        if number in self.model.games:
            with perhaps():
                self.model.play(number, g.Draw(by=self.model.board(number).player, do="offer"))

    @rule(number=numbers)
    def join(self, number: int) -> None:
        with perhaps():
            self.model.do(c.Join(user=person(number)))

    @rule(number=numbers)
    def go_to(self, number: int) -> None:
        with perhaps():
            self.model.do(c.GoTo(by="host", board=number))

    @rule()
    def go_on(self) -> None:
        with perhaps():
            self.model.do(c.GoOn(by="host"))

    @rule(number=numbers)
    def later(self, number: int) -> None:
        with perhaps():
            self.model.do(c.Later(by="host", board=number))

    @rule(ready=st.booleans())
    def prepare(self, *, ready: bool) -> None:
        """Everybody for whom it can be of use."""
        for board in self.model.state.boards:
            game = self.model.games[board.number]
            legal = game.legal_moves()
            if legal and game.turn == board.player:
                move = legal[0] if ready else None
                with perhaps():
                    user = board.person.user.id
                    self.model.do(c.Prepare(by=user, game=board.game, ply=game.ply, move=move))

    @rule(ms=st.sampled_from([0, 11_000]))
    def pass_on(self, ms: int) -> None:
        at = self.model.state.board_at()
        if at is not None:
            self.model.wait(ms)
            with perhaps():
                self.model.do(c.Pass(by=at.person.user.id, game=at.game))

    @rule(minutes=st.sampled_from([None, 1, 60]))
    def rest(self, minutes: int | None) -> None:
        until = None if minutes is None else self.model.now_ms + minutes * 60_000
        with perhaps():
            self.model.do(c.TakeBreak(by="host", until=until))

    @rule()
    def come(self) -> None:
        self.model.come()

    @rule(ms=st.sampled_from([0, 61_000, 300_000]))
    def leave(self, ms: int) -> None:
        self.model.leave()
        self.model.wait(ms)

    @rule(ms=st.sampled_from([10, 1001, 10_000, 60_000]))
    def wait(self, ms: int) -> None:
        self.model.wait(ms)

    @rule(rest=st.sampled_from(["draw", "resign", "abort"]))
    def end(self, rest: Any) -> None:
        if self.model.now_ms % 7:  # now and then only
            return
        with perhaps():
            self.model.do(c.End(by="host", rest=rest))

    @rule(
        number=numbers,
        what=st.sampled_from(["move", "w", "b", "offer"]),
        command=st.sampled_from(["go on", "go to", "later", "rest", "pass", "join"]),
    )
    def meanwhile(self, number: int, what: Any, command: str) -> None:
        """While a decision is being stored a game goes on."""
        at = self.model.state.board_at()
        board = at if at is not None and number % 2 else self.model.board(1 + number % len(self.model.games))
        game = self.model.games[board.number]
        legal = game.legal_moves()
        if what == "move" and legal:
            asked: g.Command = g.PlayMove(by=game.turn, move=legal[0], ply=game.ply)
        elif what == "offer":
            asked = g.Draw(by=board.player, do="offer")
        else:
            asked = g.Resign(by="b" if what == "b" else "w")
        commands: dict[str, c.SimulCommand] = {
            "go on": c.GoOn(by="host"),
            "go to": c.GoTo(by="host", board=number),
            "later": c.Later(by="host", board=number),
            "rest": c.TakeBreak(by="host", until=self.model.now_ms + 60_000),
            "pass": c.Pass(by=board.person.user.id, game=board.game),
            "join": c.Join(user=person(number)),
        }
        self.model.meanwhile = board.number, asked
        with perhaps():
            self.model.do(commands[command])
        self.model.meanwhile = None

    @rule(power=st.integers(0, 4), what=st.sampled_from(["move", "go on", "rest", "play on", "end"]))
    def crash(self, power: int, what: str) -> None:
        """In the middle of it. What was going on is done to its end, or has not begun."""
        if what == "end" and self.model.now_ms % 7:
            return
        at, was_here = self.model.state.at, self.model.state.gone_since is None
        self.model.power = power
        with perhaps(), contextlib.suppress(PowerFailureError):
            if what == "move" and at is not None:
                self.model.move(at)
            elif what == "go on":
                self.model.do(c.GoOn(by="host"))
            elif what == "rest":
                until = self.model.now_ms + 60_000 if self.model.state.break_until is None else None
                self.model.do(c.TakeBreak(by="host", until=until))
            elif what == "play on":
                self.model.come()
                self.model.wait(70_000)
            else:
                self.model.do(c.End(by="host", rest="resign"))
        self.model.power = None
        self.model.restart()
        if was_here:
            self.model.come()
        self.seen = SimulReplica(copy.deepcopy(self.model.feed.snapshot(None, 0)))
        self.model.messages.clear()

    @rule()
    def restart(self) -> None:
        before = self.model.feed.snapshot(None, 0)
        queue = list(self.model.state.round)
        was_here = self.model.state.gone_since is None
        self.model.restart()
        if was_here:
            self.model.come()
        after = self.model.feed.snapshot(None, 0)
        free = {"seq", "countdown"}  # the countdown begins anew
        if not self.model.state.stop:
            same = {name for name in before if before.get(name) == after.get(name)}
            assert set(before) - same - free - {"boards"} <= {"host_clock"}, (before, after)
            assert list(self.model.state.round) == queue
        self.seen = SimulReplica(copy.deepcopy(after))
        self.model.messages.clear()

    # -- what always holds --------------------------------------------------------------------------------

    @invariant()
    def no_board_is_lost(self) -> None:
        state = self.model.state
        assert [board.number for board in state.boards] == list(range(1, len(state.boards) + 1))
        assert set(self.model.games) == {board.number for board in state.boards}
        live = [board.number for board in state.boards if self.model.games[board.number].status != "over"]
        assert sorted(state.round) == live
        for board in state.boards:
            assert (board.number in state.waiting) == (board.waits_for_host)

    @invariant()
    def scores_add_up(self) -> None:
        state, games = self.model.state, self.model.games
        ends = [outcome(games[b.number].result, b.host) for b in state.boards if games[b.number].status == "over"]
        score = state.score
        assert score.boards == len(state.boards)
        assert (score.wins, score.draws, score.losses) == tuple(map(ends.count, ("wins", "draws", "losses")))
        assert score.live == len(state.boards) - len(ends)
        assert (state.status == "finished") == (score.live == 0)
        points = [player_points(games[b.number].result, b.host) for b in state.boards if not b.is_live]
        assert sum(p for p in points if p is not None) == score.losses + score.draws / 2

    @invariant()
    def clocks_run_only_where_they_should(self) -> None:
        state = self.model.state
        for board in state.boards:
            if not board.is_live:
                continue
            *_, run, held = self.model.clock(board.number)
            runs = run is not None and held is None
            if state.stop == "break" and (not state.is_round or board.number == state.at):
                assert held == "break"
            if state.is_round and board.number != state.at:
                assert not runs
                assert not board.is_host_there
            if state.is_round and run == board.host and state.setup.host_tc == "none":
                assert not runs
            if not state.is_round and state.stop is None and state.setup.tc is not None:
                assert runs

    @invariant()
    def the_host_is_at_one_board_at_most(self) -> None:
        state = self.model.state
        if state.is_round:
            assert [b.number for b in state.boards if b.is_host_there] in ([], [state.at])

    @invariant()
    def what_was_told_is_what_there_is(self) -> None:
        self.hear()
        now = snapshot_wire(
            self.model.state, [board_wire(self.model.state, b) for b in self.model.state.boards], None, 0, 0
        )
        told = self.seen
        assert told["boards"] == now["boards"]
        for field in ("status", "at", "score", "away_since", "break_until", "countdown", "applicants", "players"):
            assert told[field] == now[field], field
        assert told["order"] == now["order"]
        assert told["host_clock"] == now["host_clock"]
        assert told["seq"] == self.model.feed.seq

    def hear(self) -> None:
        """Do what a client does."""
        for message in self.model.messages:
            assert message["seq"] == self.seen["seq"] + 1
            self.seen.apply(message)
        self.model.messages.clear()


Course.TestCase.settings = settings(stateful_step_count=30)
TestCourse = Course.TestCase
