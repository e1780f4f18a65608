"""International draughts: 100 squares, as the World Draughts Federation plays it."""

from game_core.draughts.laws import Laws
from game_core.draughts.limits import EndgameLimit

_THREE = frozenset({(3, 0), (2, 1), (1, 2)})

_TWO = frozenset({(2, 0), (1, 1), (1, 0)})


def _endings(moves: int) -> tuple[EndgameLimit, ...]:
    """Return the limits for three pieces with a king against one king: ``moves``, also after one of the three is lost.
    With two or one: 5."""
    return (EndgameLimit(moves=moves, against_king=_THREE, still=_TWO), EndgameLimit(moves=5, against_king=_TWO))


INTERNATIONAL = Laws(
    name="international",
    size=10,
    men_rows=4,
    men_take_back=True,
    choice="most",
    quiet_moves=25,
    limits=_endings(10),
    profiles=(("official", _endings(10)), ("fmjd", _endings(16))),
)
