"""Two-player setup: the ten holes of the triangle plus five in row ``e``."""

from game_core.chinese_checkers.board import holes_named, rows
from game_core.chinese_checkers.star import Star

FIFTEEN = Star("fifteen", rows("abcd") | holes_named("e5", "e6", "e7", "e8", "e9"))
