"""Reasons for which the clocks of a running game may be held: the values of ``held``.

The server also holds clocks while it is unavailable, with values of its own; those holds end by ``Resume``. The ones
here are *lasting*: a hold of the server neither replaces nor ends them.
"""

PAUSE = "pause"
"""A player has paused a game against themselves or a robot."""

BREAK = "break"
"""A break of the simul's host: nobody moves."""

HOST_AWAY = "host_away"
"""The host of the simul is away: the participant may move, the clocks are stopped."""

ROUND = "round"
"""The host is at another board (``round`` mode)."""

COUNTDOWN = "countdown"
"""The host is at the board; the participant's time is about to start."""

UNTIMED = "untimed"
"""The host is at the board, and the side to move has no clock."""

STOPS = frozenset({BREAK, HOST_AWAY})
"""Holds of a whole simul. When one ends, its boards return to their previous state."""

VISITS = frozenset({ROUND, COUNTDOWN, UNTIMED})
"""Holds of one board, by the host's visit."""

LASTING = STOPS | VISITS | {PAUSE}
