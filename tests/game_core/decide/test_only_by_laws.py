"""Commands that only games by the Laws have."""

from __future__ import annotations

import pytest

from game_core import commands as c
from game_core.decide import decide
from game_core.errors import Refused
from game_core.events import Ended
from game_core.evolve import evolve
from game_core.game import Setup
from game_core.start import new_game

COMMANDS = (
    c.Touch("w", "e2"),
    c.Signal("w", on=True),
    c.Press("w", 0),
    c.ClaimIllegal("w"),
    c.TakeSeat("w"),
    c.Write("w", 0, "e4"),
    c.Sign("w"),
    c.Restart("w", "offer", "position"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_other_games_refuse_them(command: c.Command) -> None:
    game = new_game(Setup(id="g"), 0)
    with pytest.raises(Refused, match="only in a game by the Laws") as refused:
        decide(game, command, 0)
    assert (refused.value.code, refused.value.events) == ("conflict", ())
    over = evolve(game, Ended(result="*", reason="aborted"), 0)
    with pytest.raises(Refused) as refused:
        decide(over, command, 0)
    assert refused.value.code == "game_over"
