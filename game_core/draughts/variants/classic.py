"""Classic draughts: the damas of Portugal and Spain."""

from game_core.draughts.laws import Laws

CLASSIC = Laws(
    name="classic",
    choice="most_kings",
    promotion="ends_move",
    first="b",
    quiet_moves=25,
)
