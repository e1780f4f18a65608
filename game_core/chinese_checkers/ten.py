"""Chinese checkers with ten pieces, as more than two play it: the point."""

from game_core.chinese_checkers.board import rows
from game_core.chinese_checkers.star import Star

TEN = Star("ten", rows("abcd"))
