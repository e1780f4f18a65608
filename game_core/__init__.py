"""The rules, clocks and life cycle of a game as pure functions of values.

Nothing here reads a clock, draws a random number, opens a file or uses a socket: time is the argument ``now_ms``, and
randomness is an argument too. See ARCHITECTURE.md. One exception: at import time ``draughts/speedups.py`` loads
its compiled part if there is one.
"""
