"""Frisian draughts: captures along rows and columns as well, by value; a king makes three moves in a row at most."""

from game_core.draughts.laws import Laws
from game_core.draughts.limits import EndgameLimit

FRISIAN = Laws(
    name="frisian",
    size=10,
    men_rows=4,
    men_take_back=True,
    takes_straight=True,
    king_moves=3,
    choice="value",
    threefold=False,
    quiet_moves=100,
    limits=(
        EndgameLimit(moves=7, against_king=frozenset({(2, 0)})),
        EndgameLimit(moves=2, against_king=frozenset({(1, 0)})),
    ),
)
