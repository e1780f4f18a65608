"""The clocks of a board of a simul: tables of cases for both modes, for breaks and for absences."""

from __future__ import annotations

import pytest

from game_core import commands as c
from game_core.clock import Clock
from game_core.events import ClockSet, Ended, Moved
from game_core.game import Setup
from game_core.host_control import move_control
from game_core.lag import CEILING_SLACK_MS
from game_core.replay import replay_events
from game_core.simul_board import SimulBoard
from game_core.time_control import Period, TimeControl
from tests.game_core.courses import state
from tests.game_core.scene import BLITZ, BRONSTEIN, DELAY, Scene
from tests.game_core.simuls import HALF_MINUTE, TEN_MINUTES, Shown, a_board, act, shown

# The host is White, with ten minutes for all boards; the participant has three and two seconds a move.
ROUND: dict[str, tuple[str, Shown]] = {
    "nothing runs before the host comes": ("60s", Shown(600, 180, "w", "round")),
    "their time runs where they are to move": ("arrive 600; 5s", Shown(595, 180, "w")),
    "what they bring is what they have": ("arrive 123; 5s", Shown(118, 180, "w")),
    "they may bring nothing new": ("arrive; 5s", Shown(595, 180, "w")),
    "their move takes them away": ("arrive 600; 5s; e2e4; 60s", Shown(595, 180, "b", "round")),
    "who is not ready is waited for": ("arrive 600; e2e4; arrive 500; 9s", Shown(500, 180, "b", "countdown")),
    "then their time runs": ("arrive 600; e2e4; arrive 500; 10s; start; 7s", Shown(500, 173, "b")),
    "it is charged like any move's": ("arrive 600; e2e4; arrive 500; start; 7s; e7e5", Shown(500, 175, "w")),
    "and the host's runs": ("arrive 600; e2e4; arrive 500; start; 7s; e7e5; 4s", Shown(496, 175, "w")),
    "a move in the countdown is free": ("arrive 600; e2e4; arrive 500; 9s; e7e5; 4s", Shown(496, 182, "w")),
    "a prepared move is free": ("arrive 600; e2e4; 60s; arrive 500 e7e5; 3s", Shown(497, 182, "w")),
    "a move that cannot be played is none": (
        "arrive 600; e2e4; arrive 500 e7e4; 3s",
        Shown(500, 180, "b", "countdown"),
    ),
    "it is not the host's move that is prepared": ("arrive 600 e2e4; 3s", Shown(597, 180, "w")),
    "they go without a move": ("arrive 600; 5s; depart; 60s", Shown(595, 180, "w", "round")),
    "and comes back": ("arrive 600; 5s; depart; 60s; arrive 500; 5s", Shown(495, 180, "w")),
    "they go from the countdown": ("arrive 600; e2e4; arrive 500; 5s; depart; 9s", Shown(500, 180, "b", "round")),
    "they go from who thinks": ("arrive 600; e2e4; arrive 500; start; 7s; depart; 60s", Shown(500, 173, "b", "round")),
    "who thinks on": (
        "arrive 600; e2e4; arrive 500; start; 7s; depart; 60s; arrive 400; 5s; start; 1s",
        Shown(400, 172, "b"),
    ),
    "they come once": ("arrive 600; 5s; arrive 600; 5s", Shown(590, 180, "w")),
    "they go once": ("arrive 600; 5s; depart; depart", Shown(595, 180, "w", "round")),
    "the countdown ends once": ("arrive 600; e2e4; arrive 500; start; 7s; start", Shown(500, 173, "b")),
    "there is none where the host is to move": ("arrive 600; 5s; start; 5s", Shown(590, 180, "w")),
    "there is none where they are not": ("start; 5s", Shown(600, 180, "w", "round")),
    "a break stops the host": ("arrive 600; 5s; break; 60s", Shown(595, 180, "w", "break")),
    "who goes on after it": ("arrive 600; 5s; break; 60s; release; 5s", Shown(590, 180, "w")),
    "a break stops a countdown": ("arrive 600; e2e4; arrive 500; break; 60s", Shown(500, 180, "b", "break")),
    "which is one after it": ("arrive 600; e2e4; arrive 500; break; 60s; release", Shown(500, 180, "b", "countdown")),
    "a break stops who thinks": ("arrive 600; e2e4; arrive 500; start; 7s; break; 60s", Shown(500, 173, "b", "break")),
    "who thinks on after it": (
        "arrive 600; e2e4; arrive 500; start; 7s; break; 60s; release; 1s",
        Shown(500, 172, "b"),
    ),
    "a break where they are not": ("break; 60s", Shown(600, 180, "w", "break")),
    "leaves them where they are": ("break; 60s; release; 60s", Shown(600, 180, "w", "round")),
    "a break begins once": ("arrive 600; 5s; break; 60s; break; 60s; release; 5s", Shown(590, 180, "w")),
    "and ends once": ("arrive 600; 5s; break; 60s; release; 5s; release", Shown(590, 180, "w")),
    "who rests is not missed": ("arrive 600; 5s; break; 60s; away; 60s", Shown(595, 180, "w", "break")),
    "who is missed may rest": ("arrive 600; 5s; away; 60s; break; 60s", Shown(595, 180, "w", "break")),
    "and go on where they were": ("arrive 600; 5s; away; 60s; break; 60s; release; 5s", Shown(590, 180, "w")),
    "a host who is away where they should move": ("arrive 600; 5s; away; 60s", Shown(595, 180, "w", "host_away")),
    "is back when they move": ("arrive 600; 5s; away; 60s; e2e4; 60s", Shown(595, 180, "b", "round")),
    "a host who is away where they wait": (
        "arrive 600; e2e4; arrive 500; start; 7s; away; 60s",
        Shown(500, 173, "b", "host_away"),
    ),
    "is moved against all the same": (
        "arrive 600; e2e4; arrive 500; start; 7s; away; 60s; e7e5; 60s",
        Shown(500, 175, "w", "host_away"),
    ),
    "and is to move when they are back": (
        "arrive 600; e2e4; arrive 500; start; 7s; away; e7e5; 60s; release; 5s",
        Shown(495, 175, "w"),
    ),
    "the server was away where they were": ("arrive 600; 5s; resume; 5s", Shown(590, 180, "w")),
    "and where they were not": ("resume; 5s", Shown(600, 180, "w", "round")),
    "in a break": ("arrive 600; 5s; break; resume; 5s; release; 5s", Shown(590, 180, "w")),
    "in a countdown": ("arrive 600; e2e4; arrive 500; resume; 5s", Shown(500, 180, "b", "countdown")),
}


@pytest.mark.parametrize(("steps", "expected"), ROUND.values(), ids=ROUND)
def test_round_clock_runs_only_at_the_board_of_the_host(steps: str, expected: Shown) -> None:
    scene = a_board("round", moves=steps)
    assert shown(scene) == expected
    assert state(replay_events(scene.fresh, scene.log, 0)) == state(scene.game)


# The same with half a minute for each of the host's moves; ``None`` is a flag that has fallen.
ALLOWANCE: dict[str, tuple[str, Shown | None]] = {
    "it stands for as long as it lasts": ("arrive; 29.9s", Shown(0, 180, "w")),
    "and is lost when it is used up": ("arrive; 30.1s; expire", None),
    "it is a whole one for each move": ("arrive; 20s; e2e4; arrive - e7e5; 29s", Shown(0, 182, "w")),
    "and for each visit": ("arrive; 20s; depart; arrive; 29s", Shown(0, 180, "w")),
    "which has to end some time": ("arrive; 20s; depart; arrive; 30.1s; expire", None),
    "a break leaves what there was": ("arrive; 20s; break; 60s; release; 9s", Shown(0, 180, "w")),
    "and no more": ("arrive; 20s; break; 60s; release; 10.1s; expire", None),
}


@pytest.mark.parametrize(("steps", "expected"), ALLOWANCE.values(), ids=ALLOWANCE)
def test_host_allowance_per_move(steps: str, expected: Shown | None) -> None:
    scene = a_board("round", HALF_MINUTE, moves=steps)
    if expected is None:
        assert scene.end == ("0-1", "timeout")
    else:
        assert scene.game.status != "over"
        assert shown(scene) == expected


UNTIMED: dict[str, tuple[str, Shown]] = {
    "where they are not, nothing runs": ("60s", Shown(0, 180, "w", "round")),
    "where they think neither": ("arrive; 600s", Shown(0, 180, "w", "untimed")),
    "their move takes them away": ("arrive; 600s; e2e4", Shown(0, 180, "b", "round")),
    "the participant has time": ("arrive; e2e4; arrive; 9s; start; 7s", Shown(0, 173, "b")),
    "they think after a move": ("arrive; e2e4; arrive; start; 7s; e7e5; 90s", Shown(0, 175, "w", "untimed")),
    "and after a prepared one": ("arrive; e2e4; arrive - e7e5; 90s", Shown(0, 182, "w", "untimed")),
    "a break": ("arrive; break; 60s", Shown(0, 180, "w", "break")),
    "changes nothing": ("arrive; break; 60s; release; 60s", Shown(0, 180, "w", "untimed")),
    "nor does the server": ("arrive; resume; 60s", Shown(0, 180, "w", "untimed")),
    "they go without a move": ("arrive; 60s; depart", Shown(0, 180, "w", "round")),
    "away where they are waited for": ("arrive; away; 60s", Shown(0, 180, "w", "host_away")),
    "and back": ("arrive; away; 60s; release; 60s", Shown(0, 180, "w", "untimed")),
    "away, and moved against": ("arrive; e2e4; arrive; away; e7e5; release", Shown(0, 182, "w", "untimed")),
}


@pytest.mark.parametrize(("steps", "expected"), UNTIMED.values(), ids=UNTIMED)
def test_host_without_a_clock(steps: str, expected: Shown) -> None:
    scene = a_board("round", None, moves=steps)
    assert shown(scene) == expected
    assert state(replay_events(scene.fresh, scene.log, 0)) == state(scene.game)


NO_CLOCKS: dict[str, tuple[str, str, Shown]] = {
    "the host is elsewhere": ("round", "60s", Shown(0, 0, "w", "round")),
    "the host thinks": ("round", "arrive; 60s", Shown(0, 0, "w", "untimed")),
    "a countdown all the same": ("round", "arrive; e2e4; arrive; 5s", Shown(0, 0, "b", "countdown")),
    "after which nothing runs": ("round", "arrive; e2e4; arrive; start; 60s", Shown(0, 0, "b", "untimed")),
    "a move": ("round", "arrive; e2e4; arrive; start; e7e5; 60s", Shown(0, 0, "w", "untimed")),
    "all boards at once": ("clock", "60s", Shown(0, 0, "w", "untimed")),
    "who moves": ("clock", "60s; e2e4; 60s", Shown(0, 0, "b", "untimed")),
    "a break": ("clock", "60s; e2e4; break; 60s", Shown(0, 0, "b", "break")),
    "that ends": ("clock", "60s; e2e4; break; 60s; release", Shown(0, 0, "b", "untimed")),
    "an absence": ("clock", "away; 60s", Shown(0, 0, "w", "host_away")),
    "that ends by a move": ("clock", "away; 60s; e2e4", Shown(0, 0, "b", "untimed")),
}


@pytest.mark.parametrize(("mode", "steps", "expected"), NO_CLOCKS.values(), ids=NO_CLOCKS)
def test_board_without_clocks(mode: str, steps: str, expected: Shown) -> None:
    scene = a_board("round" if mode == "round" else "clock", None, None, moves=steps)
    assert shown(scene) == expected
    assert scene.game.times == ()
    assert scene.do(c.Expire(), 10**9) == ()
    assert state(replay_events(scene.fresh, scene.log, 0)) == state(scene.game)


CLOCK: dict[str, tuple[str, Shown]] = {
    "White's time runs from the opening on": ("10s", Shown(590, 180, "w")),
    "their first move is charged": ("10s; e2e4; 10s", Shown(590, 170, "b")),
    "Black's too": ("10s; e2e4; 10s; e7e5; 10s", Shown(580, 172, "w")),
    "a break": ("10s; e2e4; 10s; break; 60s", Shown(590, 170, "b", "break")),
    "ends": ("10s; e2e4; 10s; break; 60s; release; 10s", Shown(590, 160, "b")),
    "the host is away on their turn": ("10s; away; 60s", Shown(590, 180, "w", "host_away")),
    "and back": ("10s; away; 60s; release; 10s", Shown(580, 180, "w")),
    "back by a move": ("10s; away; 60s; e2e4; 10s", Shown(590, 170, "b")),
    "the host is away while the participant thinks": (
        "10s; e2e4; 10s; away; 60s",
        Shown(590, 170, "b", "host_away"),
    ),
    "who may move": ("10s; e2e4; 10s; away; 60s; e7e5; 60s", Shown(590, 172, "w", "host_away")),
    "and whom they answer": ("10s; e2e4; 10s; away; e7e5; 60s; g1f3; 10s", Shown(590, 162, "b")),
    "away and a break": ("10s; away; 60s; break; 60s; release; 10s", Shown(580, 180, "w")),
    "the server was away": ("10s; resume; 10s", Shown(580, 180, "w")),
    "the server was away in a break": ("10s; break; resume; 10s", Shown(590, 180, "w", "break")),
    "and with the host": ("10s; away; resume; 10s", Shown(590, 180, "w", "host_away")),
}


@pytest.mark.parametrize(("steps", "expected"), CLOCK.values(), ids=CLOCK)
def test_clock_mode_runs_both_clocks_from_the_start(steps: str, expected: Shown) -> None:
    scene = a_board("clock", moves=steps)
    assert shown(scene) == expected
    assert state(replay_events(scene.fresh, scene.log, 0)) == state(scene.game)


@pytest.mark.parametrize(
    ("moves", "end"),
    [("", ("0-1", "timeout")), ("e2e4", ("1-0", "timeout")), ("e2e4; e7e5", ("0-1", "timeout"))],
    ids=["no move", "one move", "two moves"],
)
def test_flag_can_fall_before_both_sides_have_moved(moves: str, end: tuple[str, str]) -> None:
    scene = a_board("clock", BLITZ, BLITZ, moves=moves)
    in_ms = scene.flag_in_ms + CEILING_SLACK_MS
    assert scene.do(c.Expire(), in_ms - 1) == ()
    assert scene.do(c.Expire(), 1)
    assert scene.end == end


def test_round_flag_falls_only_while_the_host_is_present() -> None:
    scene = a_board("round", moves="arrive 20; 19s; e2e4")
    assert scene.do(c.Expire(), 10**7) == ()
    act(scene, "arrive 1; start")
    assert scene.do(c.Expire(), 180_000 + CEILING_SLACK_MS)
    assert scene.end == ("1-0", "timeout")
    scene = a_board("round", moves="arrive 0")
    assert scene.do(c.Expire(), CEILING_SLACK_MS)
    assert scene.end == ("0-1", "timeout")


def test_host_who_departs_as_the_flag_falls_loses() -> None:
    scene = a_board("round", moves="arrive 5; 5.005s; depart; 9s")
    assert shown(scene) == Shown(0, 180, "w", "round")
    act(scene, "arrive 0; 1s; expire")
    assert scene.end == ("0-1", "timeout")


def test_departure_after_the_flag_fall_is_refused_as_lost() -> None:
    scene = a_board("round", moves="arrive 5")
    scene.refused(c.Depart(), "game_over", 7_000)
    assert scene.end == ("0-1", "timeout")


def test_delay_starts_again_at_each_visit() -> None:
    scene = a_board("round", player_tc=DELAY, moves="arrive 600; e2e4; arrive 500; start; 5s; depart; 9s; arrive 400")
    assert shown(scene) == Shown(400, 178, "b", "countdown")
    act(scene, "start; 4s")
    assert shown(scene) == Shown(400, 177, "b")


@pytest.mark.parametrize(("thought_s", "left_s"), [(2, 180), (5, 178), (180, 0)])
def test_bronstein_delay_is_credited_at_each_visit(thought_s: int, left_s: int) -> None:
    steps = f"arrive 600; e2e4; arrive 500; start; {thought_s}s; depart"
    scene = a_board("round", player_tc=BRONSTEIN, moves=steps)
    assert shown(scene) == Shown(500, left_s, "b", "round")


def test_unstarted_clock_can_be_left() -> None:
    clock = Clock.new(BLITZ).leave("round", 5)
    assert (clock.left, clock.held, clock.run) == ((180_000, 180_000), "round", None)


def test_prepared_move_can_end_a_period() -> None:
    one_move = TimeControl((Period(1, 60_000), Period(None, 30_000)))
    scene = a_board("round", player_tc=one_move, moves="arrive 600; e2e4; arrive 500 e7e5")
    assert shown(scene) == Shown(500, 90, "w")


def test_host_may_play_black() -> None:
    scene = a_board("round", host="b", moves="60s")
    assert shown(scene) == Shown(180, 600, "w", "round")
    act(scene, "arrive 600 d2d4; 5s")
    assert shown(scene) == Shown(182, 595, "b")
    act(scene, "d7d5")
    assert shown(scene) == Shown(182, 595, "w", "round")


def test_prepared_move_is_played_as_an_ordinary_move_event() -> None:
    scene = a_board("round", moves="arrive 600; e2e4")
    (moved,) = scene.do(c.Arrive(500_000, "e7e5"))
    assert isinstance(moved, Moved)
    assert (moved.by, moved.move, moved.spent_ms) == ("b", "e7e5", 0)
    assert scene.do(c.Arrive(400_000, "g8f6")) == ()


def test_prepared_move_can_end_the_game() -> None:
    scene = a_board("round", moves="arrive 600; f2f3; arrive 600 e7e5; g2g4")
    moved, end = scene.do(c.Arrive(500_000, "d8h4"))
    assert isinstance(moved, Moved)
    assert isinstance(end, Ended)
    assert scene.end == ("0-1", "checkmate")
    assert shown(scene).run is None


def test_clock_events_state_their_reason() -> None:
    scene = a_board("round", moves="arrive 600; e2e4")
    whys = []
    for command in (c.Arrive(500_000), c.StartClock(), c.Hold("break"), c.Release(), c.Hold("host_away"), c.Depart()):
        if isinstance(command, c.Depart):
            scene.do(c.Release())
        (event,) = scene.do(command)
        assert isinstance(event, ClockSet)
        whys.append(event.why)
    assert whys == ["arrived", "countdown", "break", "resumed", "host_away", "departed"]


def test_visits_are_forbidden_outside_round_mode() -> None:
    for scene in (Scene(BLITZ), a_board("clock")):
        for command in (c.Arrive(), c.Depart(), c.StartClock()):
            scene.refused(command, "forbidden")


def test_visits_are_refused_during_breaks_and_absences() -> None:
    for stop in ("break", "away"):
        scene = a_board("round", moves=stop)
        for command in (c.Arrive(), c.Depart(), c.StartClock()):
            scene.refused(command, "conflict")


def test_host_commands_to_a_finished_board_are_refused() -> None:
    scene = a_board("round")
    scene.do(c.Resign(by="b"))
    for command in (c.Arrive(), c.Depart(), c.StartClock(), c.Hold("break"), c.Release(), c.Adjudicate("*")):
        scene.refused(command, "game_over")


def test_only_simul_boards_can_be_held_and_adjudicated() -> None:
    scene = Scene(BLITZ)
    for command in (c.Hold("break"), c.Release(), c.Adjudicate("1/2-1/2")):
        scene.refused(command, "forbidden")


def test_pace_of_a_board_follows_the_player() -> None:
    scene = a_board("round", HALF_MINUTE)
    assert scene.game.setup.pace == BLITZ
    assert scene.game.setup.tc_of("w") == move_control(30_000)
    untimed = a_board("round", None).game.setup
    assert (untimed.pace, untimed.tc_of("w"), untimed.tc_of("b")) == (BLITZ, None, BLITZ)
    assert a_board("clock", TEN_MINUTES, host="b").game.setup.pace == BLITZ
    assert Setup(id="g", tc=BLITZ).tc_of("b") == BLITZ


def test_public_delay_of_a_board() -> None:
    late = SimulBoard("simul1", 1, "w", delay_s=900)
    assert (Setup(id="g").delay_s, a_board("clock").game.setup.delay_s) == (0, 0)
    assert Setup(id="g", simul_board=late).delay_s == 900


def test_timed_sides_of_a_board() -> None:
    assert Setup(id="g", tc=BLITZ).timed == a_board("round").game.setup.timed == ("w", "b")
    assert a_board("round", HALF_MINUTE).game.setup.timed == a_board("round", None).game.setup.timed == ("b",)
    assert a_board("round", None, host="b").game.setup.timed == ("w",)
    assert a_board("round", None, None).game.setup.timed == Setup(id="g").timed == ()
