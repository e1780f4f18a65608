"""The rules, clocks and life of a game as pure functions of values.

Nothing here reads a clock, draws a random number, opens a file or knows a socket:
time comes in as ``now_ms``, chance as an argument. See ARCHITECTURE.md. One exception: when it is imported,
``draughts/speedups.py`` looks whether a part of it was compiled.
"""
