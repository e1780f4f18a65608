"""Simuls: one host, many boards, as a state machine without sockets, database or clock.

    command --decide--> events and effects --(stored)--> apply --> state --view--> messages

The games of the boards are ordinary games. This package holds who plays at which board, where the host is, and how
that affects the clocks. See docs/simuls.md.
"""
