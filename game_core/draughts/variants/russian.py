"""Russian draughts: a man that reaches the last row during a capture continues as a king."""

from game_core.draughts.laws import Laws
from game_core.draughts.limits import EndgameLimit

RUSSIAN = Laws(
    name="russian",
    naming="letters",
    men_take_back=True,
    promotion="goes_on",
    quiet_moves=15,
    limits=(
        EndgameLimit(moves=15, against_king=frozenset((kings, 0) for kings in range(3, 13)), restarts=True),
        EndgameLimit(moves=5, against_king=frozenset({(3, 0), (2, 1), (1, 2)}), on_main_road=True, restarts=True),
        EndgameLimit(moves=5, pieces=range(2, 4), restarts=True),
        EndgameLimit(moves=30, pieces=range(4, 6), restarts=True),
        EndgameLimit(moves=60, pieces=range(6, 8), restarts=True),
    ),
)
