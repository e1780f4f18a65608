"""Brazilian draughts: the international game on 64 squares."""

from game_core.draughts.laws import Laws

BRAZILIAN = Laws(
    name="brazilian",
    naming="letters",
    men_take_back=True,
    choice="most",
)
