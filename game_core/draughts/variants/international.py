"""International draughts: 100 squares, as the World Draughts Federation plays it."""

from game_core.draughts.laws import Laws

INTERNATIONAL = Laws(
    name="international",
    size=10,
    men_rows=4,
    men_take_back=True,
    choice="most",
)
