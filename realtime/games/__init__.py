"""Live games. A table is the single writer of a game.

Seats, chat, loading and recovery are beside it. Subpackages: ``clocks``, ``chances`` (who can still win), ``delay``
(public delay), ``ratings`` and ``scores`` (PGN and PDN).
"""
