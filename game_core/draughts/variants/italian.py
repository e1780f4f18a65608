"""Italian draughts: a mirrored board, short kings that men cannot capture, and four capture priority rules."""

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
