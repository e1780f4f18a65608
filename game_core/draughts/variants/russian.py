"""Russian draughts: a man that comes to the last row while it takes goes on as a king."""

from game_core.draughts.laws import Laws

RUSSIAN = Laws(
    name="russian",
    naming="letters",
    men_take_back=True,
    promotion="goes_on",
)
