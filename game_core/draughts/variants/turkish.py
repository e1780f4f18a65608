"""Turkish draughts: orthogonal, on all squares."""

from game_core.draughts.laws import Laws

TURKISH = Laws(
    name="turkish",
    orthogonal=True,
    naming="letters",
    men_rows=2,
    rows_behind=1,
    choice="most",
    at_once=True,
    quiet_moves=50,
    kings_draw=True,
    lone_man_loses=True,
)
