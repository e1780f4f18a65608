"""The delayed view of a table and a read of its log release the same events at every instant."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from game_core import commands as c
from game_core.color import other
from game_core.public_delay import PublicDelay, step_of
from realtime.games.delay.delayed_reads import DOUBT_MS, released_of
from realtime.games.delay.delayed_view import DelayedView
from realtime.games.delay.exemptions import Exempt
from tests.realtime.table_harness import BLACK, WHITE, Harness, play


class Game(Harness):
    """A table with its log as the database stores it: events and the instants at which they were published."""

    def __init__(self, delay: PublicDelay, **options: Any) -> None:
        super().__init__({"base_s": 3600, "inc_s": 0}, delay=delay, **options)
        self.view = self.table.delayed = DelayedView(self.table, Exempt(), self.table._services)
        self.at_ms: list[int] = []

    @property
    def events(self) -> list[Any]:
        return [event for append in self.journal.written for event in append.events]

    def note(self) -> None:
        self.at_ms += [self.time.now_ms()] * (len(self.events) - len(self.at_ms))

    def read(self, doubt_ms: int) -> int:
        """How many events a stranger reads now, from a database that is so much in doubt."""
        if self.table.game.status == "over" and self.table.game.setup.delay_moves:
            return len(self.events)  # its row is not hidden
        ages_ms = [self.time.now_ms() - at_ms + DOUBT_MS - doubt_ms for at_ms in self.at_ms]
        return released_of(self.table.game.setup.public_delay, [step_of(event) for event in self.events], ages_ms)

    def shown(self) -> int:
        return self.table.shown_to(None).game.seq

    def agree(self) -> None:
        due_ms = self.view.due_ms()
        if self.table.delayed is not None and due_ms is not None and due_ms <= self.time.now_ms():
            self.view.on_timer()
        assert self.shown() == self.read(0)
        assert self.read(DOUBT_MS) <= self.shown(), "a read shows nothing before the view"


@given(st.data(), st.sampled_from([PublicDelay(30), PublicDelay(1), PublicDelay(moves=1), PublicDelay(moves=3)]))
def test_view_and_read_agree_at_every_instant(data: st.DataObject, delay: PublicDelay) -> None:
    h = Game(delay)
    for _ in range(data.draw(st.integers(0, 40), label="steps")):
        game = h.table.game
        if game.status == "over":
            break
        what = data.draw(st.sampled_from(["move", "move", "move", "wait", "takeback", "time", "offer", "end"]))
        color = other(game.turn)
        users = {"w": WHITE, "b": BLACK}
        if what == "move":
            play(h, data.draw(st.sampled_from(game.legal_moves())))
        elif what == "takeback" and game.moves:
            h.ask(c.Takeback(by=color, do="offer"), user=users[color])
            h.ask(c.Takeback(by=game.turn, do="accept"), user=users[game.turn])
        elif what == "time":
            h.ask(c.GiveTime(by="w", seconds=15))
        elif what == "offer" and game.moves:
            h.ask(c.Draw(by=color, do="offer"), user=users[color])
        elif what == "end" and len(game.moves) > 1:
            h.ask(c.Resign(by="w"))
        h.note()
        h.agree()
        if what == "wait":
            h.time.advance(data.draw(st.integers(0, 40_000)))
            h.agree()
    if h.table.game.status != "over":
        # Moves that were taken back count: from the second on, a game is resigned and not aborted.
        h.ask(c.Abort(by="w") if h.table.game.status == "created" else c.Resign(by="w"))
        h.note()
        h.agree()
    h.time.advance(delay.seconds * 1000)
    h.agree()
    assert h.shown() == len(h.events), "nothing is held for ever"
    h.time.advance(DOUBT_MS)
    assert h.read(DOUBT_MS) == len(h.events)


@given(st.data(), st.sampled_from([PublicDelay(30), PublicDelay(moves=1), PublicDelay(moves=2)]))
def test_view_and_read_agree_in_games_by_the_laws(data: st.DataObject, delay: PublicDelay) -> None:
    """``uscf``: no illegal move loses the game."""
    h = Game(delay, profile="uscf")
    h.journal.settle()
    h.note()
    users = {"w": WHITE, "b": BLACK}
    for _ in range(data.draw(st.integers(0, 40), label="steps")):
        game = h.table.game
        if game.status == "over":
            break
        assert game.laws is not None
        turn, user = game.turn, users[game.turn]
        what = data.draw(st.sampled_from(["touch", "signal", "move", "illegal", "press", "press", "wait", "end"]))
        if what == "touch":
            h.ask(c.Touch(turn, data.draw(st.sampled_from(["a2", "b8", "e2", "e7", "g1"]))), user=user)
        elif what == "signal":
            h.ask(c.Signal(turn, on=not game.laws.adjusting), user=user)
        elif what in ("move", "illegal"):
            moves = game.legal_moves() if what == "move" else ["a1a6", "a8a3"]
            h.ask(c.PlayMove(turn, data.draw(st.sampled_from(moves)), game.ply), user=user)
        elif what == "press":
            h.ask(c.Press(turn, game.ply), user=user)
        elif what == "end" and len(game.moves) > 1:
            h.ask(c.Resign(turn), user=user)
        elif what == "wait":
            h.time.advance(data.draw(st.integers(0, 4_000)))
        h.note()
        h.agree()
