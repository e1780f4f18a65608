"""Any game by the Laws: what penalties give, and that the state is in the events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from game_core import commands as c
from game_core.color import COLORS, Color, of, other
from game_core.events import AnyEvent, ClockSet, Moved, Ruled, TakenBack
from game_core.evolve import evolve
from game_core.game import Setup
from game_core.laws.terms import LawsTerms
from game_core.start import new_game
from game_core.time_control import Period, TimeControl
from tests.game_core.courses import Course, Stage, Step, run, state
from tests.game_core.test_replay import assert_same

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.game import Game

CONTROLS: tuple[TimeControl | None, ...] = (
    TimeControl((Period(None, 3_000),)),
    TimeControl((Period(None, 20_000, 1_000),)),
    TimeControl((Period(None, 10_000),), delay_ms=2_000),
    TimeControl((Period(None, 10_000),), bronstein_ms=2_000),
    TimeControl((Period(2, 10_000, 500), Period(1, 5_000), Period(None, 5_000))),
    TimeControl((Period(2, 10_000),)),
    TimeControl((Period(None, 1_000_000, 5_000),)),
    None,
)

GAMES: tuple[tuple[str, str, str, str | None], ...] = (
    ("fide", "chess", "standard", None),
    ("uscf", "chess", "standard", None),
    ("fide", "chess", "standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ("uscf", "chess", "standard", "8/P6k/8/8/8/8/p6K/8 b - - 0 60"),
    ("fide", "chess", "standard", "4k3/8/8/8/8/8/4P3/4K3 w - - 97 80"),
    ("fide", "chess", "chess960", "rk2r3/8/8/8/8/8/8/RK2R3 b EAea - 0 9"),
    ("official", "draughts", "international", None),
    ("official", "draughts", "international", "W:WK46,K47,31:BK5,K14,19"),
)


def _setup(game: tuple[str, str, str, str | None], tc: TimeControl | None, supervised: bool, draw_from: int) -> Setup:
    profile, family, variant, fen = game
    terms = LawsTerms(supervised, draw_from, 10, score_sheet=draw_from > 0)
    return Setup("g", family, variant, profile=profile, fen=fen, tc=tc, laws=terms)


setups = st.builds(_setup, st.sampled_from(GAMES), st.sampled_from(CONTROLS), st.booleans(), st.sampled_from([0, 0, 2]))


class Act(msgspec.Struct, frozen=True):
    """What the side to move does: a legal move or another, the clock, a touch, a claim."""

    what: Literal["legal", "legal", "any", "press", "touch", "claim", "illegal", "signal"]
    choice: int
    extra: bool

    def command(self, game: Game) -> c.Command:
        by, choice = game.turn, self.choice
        legal = sorted(game.legal_moves()) or ["e2e4"]
        move = legal[choice * 7 % len(legal)]
        squares = [move[:2], move[-2:], f"{'abcdefgh'[choice % 8]}{choice // 8 % 8 + 1}"]
        match self.what:
            case "legal":
                return c.PlayMove(by, move, game.ply, self.extra, game.seq)
            case "any":
                text = f"{squares[choice % 2]}{squares[2]}"
                if game.setup.game == "draughts":
                    text = f"{move.replace('x', '-').split('-')[0]}{'-x'[choice % 2]}{choice % 50 + 1}"
                return c.PlayMove(by, text, game.ply, self.extra, game.seq)
            case "press":
                return c.Press(by, game.ply, None, game.seq, None, 50 * (choice % 3))
            case "touch":
                square = squares[choice % 3] if game.setup.game == "chess" else str(choice % 50 + 1)
                return c.Touch(by, square)
            case "claim":
                return c.Draw(by, "claim", move if self.extra else None)
            case "illegal":
                return c.ClaimIllegal(by)
            case "signal":
                return c.Signal(by, self.extra)


acts = st.builds(
    Act,
    st.sampled_from(["legal", "any", "touch", "touch", "press", "claim", "illegal", "signal"]),
    st.integers(0, 80),
    st.booleans(),
)


def _single(step: Step) -> list[Step]:
    return [step]


def _turn(choice: int) -> list[Step]:
    """Return a legal move, made and completed."""
    return [Act("legal", choice, extra=False), Act("press", 0, extra=False)]


def _irregular(choice: int) -> list[Step]:
    """Return a move that is mostly illegal, completed and claimed."""
    return [Act("any", choice, extra=False), Act("press", 0, extra=False), Act("illegal", 0, extra=False)]


turns = st.integers(0, 80).map(_turn)
irregular = st.integers(0, 80).map(_irregular)
colors = st.sampled_from(COLORS)
others: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.Draw, colors, st.sampled_from(["offer", "accept", "decline"])),
    st.builds(c.ClaimFlag, colors, st.sampled_from([0, 50])),
    st.builds(c.TakeSeat, colors),
    st.builds(
        c.Restart, colors, st.sampled_from(["offer", "accept", "decline"]), st.sampled_from(["position", "colors"])
    ),
    st.builds(c.Write, colors, st.integers(0, 4), st.sampled_from(["e4", "Nf3", "32-28"])),
    st.builds(c.Sign, colors),
    st.just(c.Expire()),
    st.just(c.Resume()),
)
MIX: tuple[st.SearchStrategy[list[Step]], ...] = (
    *[turns] * 5,
    *[irregular] * 3,
    *[acts.map(_single)] * 4,
    others.map(_single),
)
WAITS = (*[100] * 12, 0, 1, 900, 2_000, 2_001, 11_000)


@st.composite
def courses(draw: st.DrawFn) -> Course:
    """Draw what happens, with the pauses before; both players have come in most games."""
    come = [c.TakeSeat("w"), c.TakeSeat("b")][: draw(st.sampled_from([2, 2, 2, 1, 0]))]
    length = draw(st.sampled_from([3, 6, 12]))
    steps: list[Step] = [*come, *(step for _ in range(length) for step in draw(draw(st.sampled_from(MIX))))]
    return [(step, draw(st.sampled_from(WAITS)) if index > 1 else 0, 0) for index, step in enumerate(steps)]


def _left(clock: Clock | None, color: Color, now_ms: int) -> int:
    return 0 if clock is None else clock.left_ms(color, now_ms)


def _most_gained_ms(game: Game, event: AnyEvent, color: Color, used_ms: int) -> int:
    """What an event may add to the time of ``color`` by its article; ``used_ms`` of theirs was not charged yet."""
    clock = game.clock
    assert clock is not None
    control = clock.control_of(color)
    index = of(clock.period, color)
    match event:
        case Ruled():  # 7.4b, 9.5b
            return event.given_ms if color == other(event.by) else 0
        case Moved() if event.by == color:  # 6.2, 6.3
            due = control.due_moves(index)
            base_ms = 0
            if due is not None and of(clock.moves, color) + 1 >= due:
                base_ms = control.period(index + 1).base_ms
            return (
                control.period(index).inc_ms + min(clock.spent + used_ms, control.bronstein_ms) + event.lag_ms + base_ms
            )
        case TakenBack():
            return 0
        case ClockSet() if event.why == "both_flags":  # 6.11a
            return control.period(index + 1).base_ms
        case _:
            return 0


def _check(stage: Stage) -> None:
    game = stage.before
    for event in stage.events:
        after = evolve(game, event, stage.now_ms)
        for color in COLORS if game.clock is not None else ():
            before_ms = _left(game.clock, color, stage.now_ms)
            used_ms = _left(game.clock, color, game.clock.since_ms if game.clock else 0) - before_ms
            gained_ms = _left(after.clock, color, stage.now_ms) - before_ms
            assert gained_ms <= _most_gained_ms(game, event, color, used_ms), (event, color)
            if isinstance(event, Ruled):
                assert gained_ms == (event.given_ms if color == other(event.by) else 0)
        game = after


@given(setups, courses())
def test_no_penalty_makes_time_from_nothing(setup: Setup, course: Course) -> None:
    """An event adds to a clock what its article gives, and nothing else does."""
    for stage in run(setup, course):
        _check(stage)


@given(setups, courses())
def test_increment_of_a_move_that_is_taken_back_is_taken_back(setup: Setup, course: Course) -> None:
    """Nobody gains by an illegal move that is claimed: the increment goes, also what a Bronstein delay gave back, and
    the time that was used stays used."""
    gains: list[int] = []
    for stage in run(setup, course):
        game = stage.before
        for event in stage.events:
            after = evolve(game, event, stage.now_ms)
            if game.clock is not None and isinstance(event, Moved):
                control = game.clock.control_of(event.by)
                gained_ms = control.period(of(game.clock.period, event.by)).inc_ms
                used_ms = min(event.spent_ms, of(game.clock.left, event.by))
                gained_ms += min(game.clock.spent + used_ms, control.bronstein_ms)
                gains.append(gained_ms if _left(after.clock, event.by, stage.now_ms) else 0)
            elif game.clock is not None and isinstance(event, TakenBack):
                by = other(game.turn)
                lost_ms = _left(game.clock, by, stage.now_ms) - _left(after.clock, by, stage.now_ms)
                assert lost_ms == gains.pop()
            game = after


@given(setups, courses(), st.integers(0, 80))
def test_state_is_in_the_events(setup: Setup, course: Course, split: int) -> None:
    """After a crash at any point the game is the same: its events are all that is stored."""
    stages = run(setup, course)
    log = [event for stage in stages for event in stage.events]
    stored = msgspec.json.decode(msgspec.json.encode(log), type=list[AnyEvent])
    assert stored == log
    assert_same(setup, stored, split)
    game = new_game(setup, 1_000_000)
    for event in stored:
        game = evolve(game, event, 5)
    if stages:
        assert state(game) == state(stages[-1].after)


@given(setups, courses())
def test_illegal_moves_are_counted_and_three_lose(setup: Setup, course: Course) -> None:
    """7.4b: a game in which a side has made its third illegal move is over."""
    for stage in run(setup, course):
        laws = stage.after.laws
        assert laws is not None
        if laws.articles.loses_at is not None and max(laws.illegal) >= laws.articles.loses_at:
            assert stage.after.status == "over"
        if stage.after.status != "over" and stage.after.clock is not None:
            assert stage.after.clock.run == stage.after.turn
