"""Why the clocks of a game may stand although it goes on: the words of ``held``.

The server holds clocks too, for as long as it is itself away, by words of its own; its holds end by ``Resume``. Those
here are *lasting*: such a hold neither replaces them nor ends them.
"""

PAUSE = "pause"
"""A player has stopped a game against himself or a robot."""

BREAK = "break"
"""The host of an exhibition rests: nobody moves."""

HOST_AWAY = "host_away"
"""The host of an exhibition is gone: the participant may move, the clocks stand."""

ROUND = "round"
"""The host goes from board to board and is at another one."""

COUNTDOWN = "countdown"
"""The host is at the board; the participant's time is about to run."""

UNTIMED = "untimed"
"""The host is at the board, and the side to move has no clock."""

STOPS = frozenset({BREAK, HOST_AWAY})
"""Of the whole exhibition. When one ends, its boards are held, or not, as they were."""

VISITS = frozenset({ROUND, COUNTDOWN, UNTIMED})
"""Of one board, by where its host is."""

LASTING = STOPS | VISITS | {PAUSE}
