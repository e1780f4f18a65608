"""Simul boards under test, and the notation of their tables of cases."""

from __future__ import annotations

import msgspec

from game_core import commands as c
from game_core.color import Color
from game_core.host_control import move_control
from game_core.simul_board import Mode, SimulBoard
from game_core.time_control import Period, TimeControl
from tests.game_core.scene import BLITZ, Scene

TEN_MINUTES = TimeControl((Period(None, 600_000),))
"""One clock of the host for all boards."""

HALF_MINUTE = move_control(30_000)
"""The host's time for each move."""

ROUND = SimulBoard("s", 1, "w", "round")
CLOCK = SimulBoard("s", 1, "w", "clock")


def a_board(
    mode: Mode,
    host_tc: TimeControl | None = TEN_MINUTES,
    player_tc: TimeControl | None = BLITZ,
    *,
    host: Color = "w",
    draw_from: int | None = 0,
    moves: str = "",
    fen: str | None = None,
) -> Scene:
    """Return a board with different times for the two sides. ``moves``: see ``act``."""
    white, black = (host_tc, player_tc) if host == "w" else (player_tc, host_tc)
    timed = host_tc is not None
    simul_board = SimulBoard("s", 7, host, mode, draw_from, host_timed=timed)
    scene = Scene(white if timed else player_tc, black_tc=black if timed else None, simul_board=simul_board, fen=fen)
    act(scene, moves)
    return scene


def act(scene: Scene, steps: str) -> None:
    """Carry out ``steps``, which are separated by ``;``:

    ``5s`` wait · ``arrive``, ``arrive 500`` with so many seconds, ``arrive 500 e7e5`` with a prepared move, ``arrive -
    e7e5`` · ``start`` the participant's clock · ``depart`` · ``break``, ``away``, ``release`` · ``expire`` the timer
    rings · ``resume`` the server is back · any move.
    """
    for step in filter(None, (step.strip() for step in steps.split(";"))):
        word, *more = step.split()
        if word.endswith("s") and word[:-1].replace(".", "").isdigit():
            scene.now_ms += round(float(word[:-1]) * 1000)
        elif word == "arrive":
            seconds = more[0] if more else "-"
            host_ms = None if seconds == "-" else int(seconds) * 1000
            scene.do(c.Arrive(host_ms, more[1] if len(more) > 1 else None))
        elif word in PLAIN:
            scene.do(PLAIN[word])
        else:
            scene.do(scene.move(word))


PLAIN: dict[str, c.Command] = {
    "start": c.StartClock(),
    "depart": c.Depart(),
    "break": c.Hold("break"),
    "away": c.Hold("host_away"),
    "release": c.Release(),
    "expire": c.Expire(),
    "resume": c.Resume(),
}


class Shown(msgspec.Struct, frozen=True):
    """What the clocks of a board show, in seconds, the side to move, and why the clocks are held."""

    w: float
    b: float
    run: Color | None
    held: str | None = None


def shown(scene: Scene) -> Shown:
    """Return the present clocks of ``scene``."""
    clock = scene.game.clock
    assert clock is not None
    return Shown(scene.left("w") / 1000, scene.left("b") / 1000, clock.run, clock.held)
