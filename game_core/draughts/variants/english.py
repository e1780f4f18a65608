"""English draughts, which is American checkers."""

from game_core.draughts.laws import Laws

ENGLISH = Laws(
    name="english",
    flying=False,
    promotion="ends_move",
    first="b",
    quiet_moves=40,
)
