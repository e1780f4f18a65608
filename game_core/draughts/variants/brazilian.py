"""Brazilian draughts: the international game on 64 squares."""

from game_core.draughts.laws import Laws
from game_core.draughts.variants.international import INTERNATIONAL

BRAZILIAN = Laws(
    name="brazilian",
    naming="letters",
    men_take_back=True,
    choice="most",
    quiet_moves=INTERNATIONAL.quiet_moves,
    limits=INTERNATIONAL.limits,
)
