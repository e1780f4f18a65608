"""Boards of simuls: invariants for any sequence of visits, breaks and absences of the host."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from game_core import board, holds
from game_core import commands as c
from game_core.color import COLORS, Color, of
from game_core.events import AnyEvent, ClockEvent, ClockSet, Ended, Moved
from game_core.game import Game, Setup
from game_core.host_control import UNTIMED, move_control
from game_core.replay import replay_events
from game_core.simul_board import Mode, SimulBoard
from game_core.start import new_game
from game_core.time_control import Period, TimeControl
from tests.game_core.courses import CONTROLS, EARLY, GAMES, MIX, STARTS, WAITS, Course, Step, run, state

DECODER = msgspec.json.Decoder(AnyEvent)

HOST_CONTROLS = (*CONTROLS[:4], move_control(2_000), move_control(20_000))
PLAIN_CONTROLS = (TimeControl((Period(None, 20_000),)), TimeControl((Period(None, 20_000, 1_000),)))
"""Of which every millisecond that runs is lost."""


@st.composite
def boards(draw: st.DrawFn, controls: tuple[TimeControl | None, ...] = CONTROLS) -> Setup:
    """Any board."""
    variant, fen = draw(st.sampled_from(STARTS))
    modes: tuple[Mode, ...] = ("clock", "round")
    mode, host = draw(st.sampled_from(modes)), draw(st.sampled_from(COLORS))
    player_tc = draw(st.sampled_from(controls))
    host_tc = draw(st.none() | st.sampled_from(HOST_CONTROLS if controls is CONTROLS else controls))
    timed = player_tc is not None and host_tc is not None
    white, black = (host_tc, player_tc) if host == "w" else (player_tc, host_tc)
    simul_board = SimulBoard(
        "s", 3, host, mode, draw(st.sampled_from([None, 0, 2])), host_timed=timed or mode == "clock"
    )
    if not timed:
        return Setup(id="g", game=GAMES[variant], variant=variant, fen=fen, tc=player_tc, simul_board=simul_board)
    return Setup(
        id="g", game=GAMES[variant], variant=variant, fen=fen, tc=white, black_tc=black, simul_board=simul_board
    )


hosts: st.SearchStrategy[Step] = st.one_of(
    st.builds(
        c.Arrive,
        st.none() | st.integers(0, 60_000),
        st.sampled_from([None, "", "e7e5", "e2e4", "a8a7", "32-28", "19-23"]),
    ),
    st.builds(c.Arrive, st.just(30_000)),
    st.just(c.StartClock()),
    st.just(c.Depart()),
    st.builds(c.Hold, st.sampled_from(["break", "host_away"])),
    st.just(c.Release()),
    st.just(c.Release()),
)
ends: st.SearchStrategy[Step] = st.builds(c.Adjudicate, st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))

BOARD_MIX: tuple[st.SearchStrategy[Step], ...] = (*MIX, *[hosts] * 20, ends)


@st.composite
def courses(draw: st.DrawFn, early: tuple[int, ...] = EARLY) -> Course:
    """Commands with the wait before each, and how early its frame was received."""
    length = draw(st.sampled_from([1, 6, 12, 25, 40]))
    times = st.tuples(st.sampled_from(WAITS), st.sampled_from(early))
    return [(draw(draw(st.sampled_from(BOARD_MIX))), *draw(times)) for _ in range(length)]


def stored(event: AnyEvent) -> AnyEvent:
    """``event`` as it comes back from the journal."""
    back: AnyEvent = DECODER.decode(msgspec.json.encode(event))
    return back


@given(boards(), courses())
def test_stored_log_replays_to_the_live_board(setup: Setup, course: Course) -> None:
    stages = run(setup, course)
    log = [event for stage in stages for event in stage.events]
    replayed = replay_events(new_game(setup, 0), [stored(event) for event in log], 5)
    live = stages[-1].after if stages else new_game(setup, 0)
    assert state(replayed) == state(live)


@given(boards(), courses())
def test_clock_runs_only_where_allowed(setup: Setup, course: Course) -> None:
    simul_board = setup.simul_board
    assert simul_board is not None
    for game in (stage.after for stage in run(setup, course)):
        clock = game.clock
        assert clock is not None
        if game.status == "over":
            assert (clock.run, clock.held, game.underlying_hold) == (None, None, None)
            continue
        assert clock.run == game.turn
        assert (clock.held in holds.STOPS) or game.underlying_hold is None
        under = board.visit_hold(game)
        if clock.control_of(game.turn) == UNTIMED:
            assert under is not None
        if simul_board.mode == "clock":
            assert under in (None, holds.UNTIMED)
            assert (under is None) == (clock.control_of(game.turn) != UNTIMED)
        if under == holds.COUNTDOWN:
            assert game.turn == simul_board.player
        if setup.tc_of(game.turn) is None:
            assert clock.held is not None
        assert len(game.times) == (0 if setup.tc is None else game.ply)


@given(boards(), courses())
def test_presence_of_the_host_follows_from_the_events(setup: Setup, course: Course) -> None:
    """Compared with a second model of a round that uses only the events."""
    simul_board = setup.simul_board
    assert simul_board is not None
    there = simul_board.mode == "clock"
    for stage in run(setup, course):
        for event in stage.events:
            if simul_board.mode == "clock":
                assert not isinstance(event, ClockSet) or event.why not in ("arrived", "countdown", "departed")
            elif isinstance(event, ClockSet):
                assert (event.why == "arrived") <= (not there)
                assert (event.why in ("departed", "countdown")) <= there
                there = (there or event.why == "arrived") and event.why != "departed"
            elif isinstance(event, Moved):
                assert there or event.by == simul_board.player
                # A participant's move at a board without the host was prepared: the host has come.
                there = event.by == simul_board.player
        if stage.after.status != "over":
            assert board.is_host_there(stage.after) == there
        for event in stage.events:
            if isinstance(event, Moved):
                assert stage.before.clock is not None
                assert stage.before.clock.held != holds.BREAK


def runs(game: Game, color: Color) -> bool:
    """Whether waiting costs ``color`` anything."""
    return game.clock is not None and game.clock.run == color and game.clock.held is None


@given(boards(PLAIN_CONTROLS), courses(early=(0,)))
def test_clock_time_is_neither_created_nor_lost(setup: Setup, course: Course) -> None:
    simul_board = setup.simul_board
    assert simul_board is not None
    game, now_ms = new_game(setup, 1_000_000), 1_000_000
    assert game.clock is not None
    left = {color: of(game.clock.left, color) for color in COLORS}
    for stage in run(setup, course):
        for color in COLORS:
            if runs(game, color):
                left[color] = max(0, left[color] - (stage.now_ms - now_ms))
        game, now_ms = stage.after, stage.now_ms
        clock = game.clock
        assert clock is not None
        for event in stage.events:
            if not isinstance(event, ClockEvent):
                continue
            assert event.clock is not None
            readings: dict[Color, int] = {"w": event.clock.w, "b": event.clock.b}
            for color in COLORS:
                gained = readings[color] - left[color]
                left[color] = readings[color]
                if isinstance(event, Moved) and event.by == color:
                    # Lag is given back; what is added for a move is never taken.
                    assert gained - clock.control_of(color).period(0).inc_ms in range(event.lag_ms + 1)
                elif isinstance(event, ClockSet) and event.why in ("moretime", "owntime"):
                    # Only the host gives time, to themselves too: one event brings both parts.
                    assert isinstance(stage.command, c.GiveTime)
                    assert event.by == simul_board.host
                    given_s = stage.command.own_s if color == simul_board.host else stage.command.seconds
                    assert gained == given_s * 1_000
                elif color == simul_board.host and brings_time(event, simul_board):
                    assert left[color] >= 0
                else:
                    assert gained == 0


def brings_time(event: AnyEvent, simul_board: SimulBoard) -> bool:
    """Return whether the host may have come to the board by ``event``, with the time that they had elsewhere
    meanwhile."""
    if isinstance(event, Moved):
        return simul_board.mode == "round" and event.by == simul_board.player
    if isinstance(event, Ended):
        return simul_board.mode == "round"
    return isinstance(event, ClockSet) and event.why == "arrived"
