"""Italian draughts: a mirrored board, short kings that no man takes, and four rules on what must be taken."""

from game_core.draughts.laws import Laws

ITALIAN = Laws(
    name="italian",
    mirrored=True,
    flying=False,
    men_take_kings=False,
    choice="italian",
    promotion="ends_move",
    quiet_moves=40,
)
