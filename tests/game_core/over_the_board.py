"""Games by the Laws under test, and the notation of their tables of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import commands as c
from game_core.color import COLORS
from game_core.laws.terms import LawsTerms
from game_core.time_control import Period, TimeControl
from tests.game_core.scene import Scene

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.laws.state import LawsState
    from game_core.rules import Hand, Rules

STANDARD = TimeControl((Period(None, 5_400_000, 30_000),))
RAPID = TimeControl((Period(None, 1_500_000, 10_000),))
BLITZ = TimeControl((Period(None, 300_000, 3_000),))
SUDDEN = TimeControl((Period(None, 300_000),))
PERIODS = TimeControl((Period(2, 60_000), Period(None, 30_000)))

FIDE = "fide"
UNSUPERVISED = "fide unsupervised"
USCF = "uscf"
OFFICIAL = "official"


def a_game(
    rules: str = FIDE,
    tc: TimeControl | None = BLITZ,
    steps: str = "",
    *,
    fen: str | None = None,
    draw_from: int | None = 0,
    variant: str | None = None,
    score_sheet: bool = False,
) -> Scene:
    """Return a game to which both players have come. ``steps``: see ``act``."""
    profile, _, rest = rules.partition(" ")
    draughts = profile == OFFICIAL
    scene = Scene(
        tc,
        fen=fen,
        game="draughts" if draughts else "chess",
        variant=variant or ("international" if draughts else "standard"),
        profile=profile,
        laws=LawsTerms(supervised=not rest, draw_from=draw_from, score_sheet=score_sheet),
    )
    for color in COLORS:
        scene.do(c.TakeSeat(color))
    act(scene, steps)
    return scene


def hand_of(rules: Rules) -> Hand:
    """Return what hands can do by ``rules``."""
    assert rules.hand is not None
    return rules.hand


def laws(scene: Scene) -> LawsState:
    """Return the state of a game by the Laws."""
    assert scene.game.laws is not None
    return scene.game.laws


def command(scene: Scene, step: str) -> c.Command:
    """Return the command of one step, of the side to move unless it begins with ``w`` or ``b`` and a blank:

    ``touch e2`` · ``adjust``, ``adjusted`` · ``press`` · ``illegal`` claims an illegal move · ``claim``, ``claim e2e4``
    a draw · ``offer``, ``accept``, ``decline`` a draw · ``flag`` claims the opponent's · ``seat`` · ``expire`` the
    timer rings · ``resign`` · any move, ``e2e4(=)`` with an offer: made, not completed.
    """
    by: Color = scene.game.turn
    if step.startswith(("w ", "b ")):
        by, step = ("w" if step[0] == "w" else "b"), step[2:]
    word, *more = step.split()
    if word == "touch":
        return c.Touch(by, more[0])
    if word in ("adjust", "adjusted"):
        return c.Signal(by, word == "adjust")
    if word == "press":
        return c.Press(by, scene.game.ply)
    if word == "claim":
        return c.Draw(by, "claim", more[0] if more else None)
    if word == "offer":
        return c.Draw(by, "offer")
    if word == "accept":
        return c.Draw(by, "accept")
    if word == "decline":
        return c.Draw(by, "decline")
    plain: dict[str, c.Command] = {
        "illegal": c.ClaimIllegal(by),
        "flag": c.ClaimFlag(by),
        "seat": c.TakeSeat(by),
        "resign": c.Resign(by),
        "expire": c.Expire(),
    }
    if word in plain:
        return plain[word]
    return c.PlayMove(by=by, move=word.removesuffix("(=)"), ply=scene.game.ply, draw=word.endswith("(=)"))


def act(scene: Scene, steps: str) -> None:
    """Carry out ``steps``, separated by ``;``: ``5s`` waits, ``e2e4!`` is a move made and completed, several moves with
    ``!`` may follow each other, and all others are as in ``command``."""
    for step in filter(None, (step.strip() for step in steps.split(";"))):
        if step.endswith("s") and step[:-1].replace(".", "").isdigit():
            scene.now_ms += round(float(step[:-1]) * 1000)
        elif step.endswith("!"):
            for move in step.split():
                scene.do(command(scene, move.removesuffix("!")))
                if scene.game.status != "over":
                    scene.do(command(scene, "press"))
        else:
            scene.do(command(scene, step))
