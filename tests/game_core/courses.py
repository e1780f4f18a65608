"""Courses: random games of sensible and senseless commands, at realistic times."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec
from hypothesis import strategies as st

from game_core import commands as c
from game_core.clock import Clock
from game_core.color import COLORS, other
from game_core.decide import decide, find_repeat, next_deadline_ms
from game_core.errors import Refused
from game_core.events import AnyEvent
from game_core.evolve import evolve
from game_core.game import Game, Setup
from game_core.registry import registered
from game_core.start import new_game
from game_core.time_control import Period, TimeControl
from tests.game_core.scene import BLACK_BEGINS, LONE_BLACK_KING

CONTROLS: tuple[TimeControl | None, ...] = (
    TimeControl((Period(None, 2_000),)),
    TimeControl((Period(None, 20_000, 1_000),)),
    TimeControl((Period(None, 0, 3_000),)),
    TimeControl((Period(None, 10_000),), delay_ms=2_000),
    TimeControl((Period(None, 10_000),), bronstein_ms=2_000),
    TimeControl((Period(2, 10_000, 500), Period(1, 5_000), Period(None, 5_000))),
    TimeControl((Period(2, 10_000),)),
    TimeControl(days=1),
    None,
)

STARTS: tuple[tuple[str, str | None], ...] = (
    *((variant, None) for game, variant in registered() if game != "chess"),
    ("international", "W:WK46,K47,31:BK5,K14,19"),
    ("russian", "W:Wb6,h2,g3:Ba7,c7,e7,f4"),
    ("classic", "B:WK30,20:B1,5,K9"),
    ("turkish", "B:WKa1,b5,c5:Bd6,d4,Kh8"),
    ("standard", None),
    ("standard", BLACK_BEGINS),
    ("standard", LONE_BLACK_KING),
    ("standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ("standard", "3k4/8/8/8/8/8/R7/K7 w - - 97 80"),
    ("standard", "3k4/8/8/8/8/8/R7/K7 b - - 147 80"),
    ("standard", "8/P6k/8/8/8/8/p6K/8 b - - 0 60"),
    ("antichess", None),
    ("antichess", "8/P7/8/8/K1K5/8/7p/8 b - - 0 60"),
    ("chess960", "rnbqbkrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQBKRN w GAga - 0 1"),
    ("chess960", "rk2r3/8/8/8/8/8/8/RK2R3 b EAea - 0 9"),
)

GAMES = {variant: game for game, variant in registered()}

setups = st.builds(
    lambda start, tc, pausable: Setup(
        id="g", game=GAMES[start[0]], variant=start[0], fen=start[1], tc=tc, pausable=pausable
    ),
    st.sampled_from(STARTS),
    st.sampled_from(CONTROLS),
    st.booleans(),
)

colors = st.sampled_from(COLORS)
small = st.integers(0, 3)
lags = st.none() | st.integers(-10, 2_000)
ceilings = st.sampled_from([0, 50, 1_200])
texts = st.text(max_size=6) | st.sampled_from(
    [
        "0000",
        "e1g1",
        "e1h1",
        "e8c8",
        "a7a8q",
        "h2h1k",
        "a2a1",
        "O-O",
        "\x00",
        "e2e4 ",
        "32-28",
        "11x18",
        "b6xd8",
        "31-",
        "x-x",
    ]
)


class Play(msgspec.Struct, frozen=True):
    """The side to move plays one of its first few legal moves, or moves back."""

    choice: int
    draw: bool
    lag_ms: int | None
    ceiling_ms: int
    claim: bool

    def command(self, game: Game) -> c.Command:
        legal = sorted(game.legal_moves()) or ["e2e4"]
        move = legal[self.choice * 7 % len(legal)]
        back = game.moves[-2][2:4] + game.moves[-2][:2] if game.ply >= 2 else ""
        if self.choice < 2 and back in legal:
            move = back
        if self.claim:
            return c.Draw(by=game.turn, do="claim", move=move, ceiling_ms=self.ceiling_ms)
        return c.PlayMove(game.turn, move, game.ply, self.draw, game.seq, self.lag_ms, self.ceiling_ms)


plays = st.builds(Play, small, st.booleans(), lags, ceilings, st.sampled_from([False] * 9 + [True]))


class Reply(msgspec.Struct, frozen=True):
    """The side with an open offer answers it; if there is none, a takeback is requested."""

    do: Literal["offer", "accept", "decline"]

    def command(self, game: Game) -> c.Command:
        if game.offers.draw is not None:
            return c.Draw(by=other(game.offers.draw), do=self.do)
        if game.offers.rematch is not None:
            return c.Rematch(by=other(game.offers.rematch), do=self.do, next="h")
        if game.offers.takeback is not None:
            return c.Takeback(by=other(game.offers.takeback), do=self.do)
        return c.Takeback(by=other(game.turn), do="offer")


offers = st.sampled_from(["offer", "offer", "accept", "accept", "decline"])
silly: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.PlayMove, colors, texts, st.integers(-2, 12), st.booleans(), st.none() | small, lags, ceilings),
    st.builds(c.Draw, colors, st.just("claim"), st.none() | texts, ceilings),
    st.builds(c.Draw, colors, offers),
    st.builds(c.Takeback, colors, offers),
    st.builds(c.Rematch, colors, offers, st.none() | st.just("h")),
    st.builds(c.GiveTime, colors, st.sampled_from([-5, 0, 1, 60, 10**6]), st.sampled_from([0, 0, 1, -1, 10**6])),
    st.builds(c.Pause, colors, st.booleans()),
    st.builds(c.ClaimFlag, colors, ceilings),
    st.builds(c.Expire, ceilings),
    st.just(c.Resume()),
)
ends: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.Resign, colors),
    st.builds(c.Abort, colors),
    st.builds(c.ClaimLeft, colors, st.sampled_from(["win", "draw"]), st.integers(-1, 200_000), st.booleans()),
)


class Act(Protocol):
    """A step whose command depends on the game."""

    def command(self, game: Game) -> c.Command:
        """Return the command."""


Step = Act | c.Command

MIX: tuple[st.SearchStrategy[Step], ...] = (*[plays] * 20, *[st.builds(Reply, offers)] * 3, *[silly] * 6, ends)
"""Twenty of thirty commands are moves; with fewer, most games would stay short."""

WAITS = (*[300] * 12, *[900] * 4, 0, 1, 1_900, 1_999, 2_000, 2_001, 5_000, 12_000)
"""Pauses before a command: mostly shorter than a move may take, sometimes as long as a flag needs."""

EARLY = (*[0] * 8, 1, 30, 400)
"""How long before the present a frame was received; possibly before the last event was published."""


@st.composite
def courses(draw: st.DrawFn) -> list[tuple[Step, int, int]]:
    """Draw commands with the pause before each, and how early its frame was received."""
    length = draw(st.sampled_from([1, 6, 12, 25, 40]))
    times = st.tuples(st.sampled_from(WAITS), st.sampled_from(EARLY))
    return [(draw(draw(st.sampled_from(MIX))), *draw(times)) for _ in range(length)]


Course = list[tuple[Step, int, int]]


class Stage(msgspec.Struct, frozen=True):
    """One command of a course and its result."""

    command: c.Command
    before: Game
    after: Game
    events: tuple[AnyEvent, ...]
    refused: Refused | None
    received_ms: int
    now_ms: int


def run(setup: Setup, course: Course) -> list[Stage]:
    """Run ``course`` as a table does: a repeat changes nothing, and events are published at the present.

    Errors other than ``Refused`` are raised.
    """
    now_ms = 1_000_000
    game = new_game(setup, now_ms)
    stages = []
    for step, wait_ms, early_ms in course:
        now_ms += wait_ms
        received_ms = now_ms - early_ms
        command = step if isinstance(step, c.Command) else step.command(game)
        if isinstance(command, c.PlayMove | c.Press) and find_repeat(game, command) is not None:
            continue
        refused = None
        try:
            events = decide(game, command, received_ms)
        except Refused as error:
            refused, events = error, error.events
        before = game
        for event in events:
            game = evolve(game, event, now_ms)
        next_deadline_ms(game, 100)
        stages.append(Stage(command, before, game, events, refused, received_ms, now_ms))
    return stages


def _history(position: Any) -> Any:
    """Return what ``position`` knows of earlier positions."""
    keys, *others = (getattr(position, name, None) for name in ("keys", "past", "repeats"))
    return None if keys is None else tuple(keys), others


def state(game: Game) -> dict[str, object]:
    """Return the state of a game without its instants: games with equal states continue in the same way."""
    fields = {name: getattr(game, name) for name in game.__struct_fields__ if name != "turn_since_ms"}
    fields["position"] = (game.rules.fen(game.position), game.rules.draw_in(game.position), _history(game.position))
    if isinstance(game.clock, Clock):
        fields["clock"] = msgspec.structs.replace(game.clock, since_ms=0)
    return fields
